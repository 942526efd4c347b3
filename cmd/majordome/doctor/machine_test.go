package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"majordome/cmd/majordome/config"
	"majordome/devices"
	"majordome/devices/ws2812"
)

// pi returns the root of a sound Raspberry Pi 4 with the wiring of wiredConfig. Each test changes something.
func pi() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"proc/device-tree/model": file("Raspberry Pi 4 Model B Rev 1.4\x00"),
		"proc/cmdline":           file("console=tty1 root=PARTUUID=1-02 rootwait\n"),
		"proc/612/comm":          file("sshd\n"),
		"boot/firmware/config.txt": file("# mine\ndtparam=spi=on  # buses\ndtoverlay=spi1-1cs\n" +
			"dtparam=i2c_arm=on\n"),
		"boot/firmware/cmdline.txt":                           file("console=tty1 rootwait\n"),
		"sys/module/spidev/parameters/bufsiz":                 file("4096\n"),
		"sys/class/thermal/thermal_zone0/temp":                file("48300\n"),
		"sys/devices/platform/soc/soc:firmware/get_throttled": file("0x0\n"),
		"etc/passwd": file("root:x:0:0::/root:/bin/sh\nmajordome:x:990:985::/:/bin/false\n"),
		"etc/group": file("root:x:0:\nspi:x:21:majordome\ngpio:x:22:majordome\ni2c:x:23:majordome\n" +
			"dialout:x:20:majordome\nvideo:x:44:majordome\nmajordome:x:985:\n"),
		"dev/spidev0.0":             char(21, 0o660),
		"dev/spidev1.0":             char(21, 0o660),
		"dev/gpiochip0":             char(22, 0o660),
		"dev/i2c-1":                 char(23, 0o660),
		"dev/vcio":                  char(44, 0o660),
		"dev/ttyUSB0":               char(20, 0o660),
		"dev/serial/by-id/usb-node": link("../../ttyUSB0"),
	}
}

func char(group uint32, mode fs.FileMode) *fstest.MapFile {
	return &fstest.MapFile{Mode: fs.ModeDevice | fs.ModeCharDevice | mode, Sys: &syscall.Stat_t{Gid: group}}
}

func link(to string) *fstest.MapFile {
	return &fstest.MapFile{Mode: fs.ModeSymlink | 0o777, Data: []byte(to)}
}

const wiredConfig = `
readers:
  - {role: urn, spi: SPI1.0, reset: GPIO25}
  - {role: show, chip: node, port: /dev/serial/by-id/usb-node}
strips:
  - {chip: ws2812, spi: SPI0.0}
clocks:
  - {chip: ht16k33}
`

func configuration(t *testing.T, text string) config.Config {
	t.Helper()
	cfg, err := config.ParseConfig("majordome.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func machine(root fs.FS) *Machine {
	return &Machine{Root: root, User: "majordome", OwnPID: 1, CheckStripClock: func() error { return nil }}
}

// problemTexts returns the findings that are more than good news, each with all its texts, in English.
func problemTexts(all []Finding) (texts []string) {
	for _, f := range all {
		if f.State == OK {
			continue
		}
		text := fmt.Sprintf("%s %s: %s → %s", f.State, f.About, f.Said.EN, f.Fix.EN)
		for _, l := range f.Lines {
			text += " [" + l.File + ": " + strings.ReplaceAll(strings.TrimSpace(l.Text), "\n", "|") + "]"
		}
		for _, r := range f.Run {
			text += " $ " + r
		}
		texts = append(texts, text)
	}
	return texts
}

// checkLanguages checks that every finding has both languages, and that every fault has a fix.
func checkLanguages(t *testing.T, all []Finding) {
	t.Helper()
	for _, f := range all {
		if f.About == "board" && f.State == OK {
			continue // a name
		}
		if f.Said.FR == "" || f.Said.FR == f.Said.EN || f.State == Fault && (f.Fix.FR == "" || f.Fix.EN == "") ||
			f.Fix.EN != "" && f.Fix.FR == f.Fix.EN && !strings.HasPrefix(f.Fix.EN, "majordome ") {
			t.Errorf("%+v", f)
		}
		if all := f.Said.FR + f.Said.EN + f.Fix.FR + f.Fix.EN; strings.Contains(all, "%!") {
			t.Error(all)
		}
	}
}

// compare requires these findings and no others; of each, the parts between " ... ".
func compare(t *testing.T, found, want []string) {
	t.Helper()
	if len(found) != len(want) {
		t.Fatalf("found\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	for i := range want {
		for part := range strings.SplitSeq(want[i], " ... ") {
			if !strings.Contains(found[i], part) {
				t.Errorf("%q is not in\n%s", part, found[i])
			}
		}
	}
}

func TestNothingIsWrongWithASoundMachine(t *testing.T) {
	found := machine(pi()).Examine(configuration(t, wiredConfig))
	if wrong := problemTexts(found); len(wrong) > 0 {
		t.Errorf("%q", wrong)
	}
	if len(found) < 8 {
		t.Errorf("little was looked at: %+v", found)
	}
	checkLanguages(t, found)
}

// TestWhatIsWrongIsFound changes the sound machine in each row, and requires exactly the findings of that row.
func TestWhatIsWrongIsFound(t *testing.T) {
	gone := (*fstest.MapFile)(nil)
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for name, c := range map[string]struct {
		change fstest.MapFS
		config string // wiredConfig, if it is empty
		clock  error
		want   []string // the findings that are no good news, in their order: parts of each, between " ... "
	}{
		"no configuration of hardware": {nil, "table: mine", nil,
			[]string{"note wiring: the configuration names no reader",
				"note port: a serial port that the configuration does not name: /dev/serial/by-id/usb-node"}},
		"no Raspberry Pi": {fstest.MapFS{
			"proc/device-tree/model": gone,
			"dev/spidev0.0":          gone,
			"dev/spidev1.0":          gone,
			"dev/gpiochip0":          gone,
			"dev/i2c-1":              gone,
		}, "", nil,
			[]string{"note board: this computer is no", "fault spi: /dev/spidev1.0 is missing → this computer has no such bus",
				"fault spi: /dev/spidev0.0 is missing", "fault gpio: this computer has no pins", "fault i2c: /dev/i2c-1 is missing"}},
		"SPI1 switched off": {fstest.MapFS{"dev/spidev1.0": gone, "boot/firmware/config.txt": text("dtparam=spi=on\n")}, "", nil,
			[]string{"fault spi: /dev/spidev1.0 is missing → add dtoverlay=spi1-1cs to /boot/firmware/config.txt and restart " +
				"[/boot/firmware/config.txt: dtoverlay=spi1-1cs]"}},
		"both off, in the older place": {fstest.MapFS{
			"dev/spidev0.0":            gone,
			"dev/spidev1.0":            gone,
			"boot/firmware/config.txt": gone,
			"boot/config.txt":          text(""),
		}, "", nil,
			[]string{"[/boot/config.txt: dtoverlay=spi1-1cs]", "[/boot/config.txt: dtparam=spi=on]"}},
		"switched on, not restarted": {fstest.MapFS{"dev/spidev1.0": gone}, "", nil,
			[]string{"fault spi: /dev/spidev1.0 is missing → /boot/firmware/config.txt asks for it already: restart"}},
		"a display on the bus": {fstest.MapFS{
			"dev/spidev0.0":                     gone,
			"sys/bus/spi/devices/spi0.0/driver": link("../../../bus/spi/drivers/ili9341"),
		}, "", nil,
			[]string{"fault spi: /dev/spidev0.0 is not free: the kernel’s driver ili9341 holds"}},
		"I2C off": {fstest.MapFS{"dev/i2c-1": gone, "boot/firmware/config.txt": text("")}, "", nil,
			[]string{"fault i2c: /dev/i2c-1 is missing → add dtparam=i2c_arm=on to ... [/etc/modules-load.d/majordome.conf: i2c-dev]"}},
		"a pin that is taken": {fstest.MapFS{"sys/kernel/debug/gpio": text("gpiochip0: GPIOs 512-569:\n gpio-529 (GPIO17              )\n" +
			" gpio-537 (GPIO25              |w1                  ) in  hi\n")}, "", nil,
			[]string{"fault gpio: GPIO25 is held by “w1”"}},
		"not in the group": {fstest.MapFS{"etc/group": text("spi:x:21:\ngpio:x:22:majordome\ni2c:x:23:majordome\ndialout:x:20:majordome\n" +
			"video:x:44:majordome\n")}, "", nil,
			[]string{"fault rights: /dev/spidev1.0: the user majordome may not use it → add the user to the group spi, and log in again " +
				"or restart the table $ sudo usermod -aG spi majordome", "fault rights: /dev/spidev0.0"}},
		"a device of root's alone": {fstest.MapFS{"dev/gpiochip0": char(0, 0o600)}, "", nil,
			[]string{`[/etc/udev/rules.d/60-majordome.rules: SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"] $ sudo groupadd -f gpio ` +
				`&& sudo usermod -aG gpio majordome $ sudo udevadm`}},
		"a strip too long for the kernel": {nil, "strips: [{chip: ws2812, spi: SPI0.0, pixels: 600}]", nil,
			[]string{"fault bufsiz: strip 1: its 600 LEDs want 5610 bytes at once, the kernel sends 4096 → add spidev.bufsiz=8192 ... " +
				"[/boot/firmware/cmdline.txt: console=tty1 rootwait spidev.bufsiz=8192]", "note port"}},
		"a clock that wanders": {nil, "",
			devices.Advice{EN: "ws2812: the core clock wanders:\ncore_freq=500", FR: "ws2812 : l’horloge va\ncore_freq=500"},
			[]string{"fault clock: ws2812: the core clock wanders: → add these lines to /boot/firmware/config.txt and restart " +
				"[/boot/firmware/config.txt: [pi3]|core_freq=250"}},
		"a board whose clock nobody knows": {nil, "", ws2812.ErrBoard,
			[]string{"note clock: the clock of the ws2812 strip is checked on a Raspberry Pi from the 3 on alone → if its colours are " +
				"wrong"}},
		"the same of four channels": {nil, "strips: [{chip: sk6812-rgbw, spi: SPI0.0}]", ws2812.ErrBoard,
			[]string{"note clock: the clock of the sk6812-rgbw strip is checked on", "note port"}},
		"a clock that is not told": {nil, "", errors.New("vcio: closed"),
			[]string{"note clock: the clock of the strip could not be asked (vcio: closed) → if its colours are wrong"}},
		"under-voltage now": {fstest.MapFS{"sys/devices/platform/soc/soc:firmware/get_throttled": text("0x50005\n")}, "", nil,
			[]string{"fault supply: the voltage is too low at this moment → use the original supply"}},
		"under-voltage before": {fstest.MapFS{"sys/devices/platform/soc/soc:firmware/get_throttled": text("50000\n")}, "", nil,
			[]string{"warning supply: the voltage was too low since the start"}},
		"throttled": {fstest.MapFS{
			"sys/devices/platform/soc/soc:firmware/get_throttled": text("80008\n"),
			"sys/class/thermal/thermal_zone0/temp":                text("83100\n"),
		}, "", nil,
			[]string{"warning supply: the Pi had to slow down", "warning heat: the processor is at 83 °C"}},
		"sound on the pins of SPI1": {fstest.MapFS{"boot/firmware/config.txt": text("dtparam=spi=on\ndtoverlay=spi1-1cs\n" +
			"#dtoverlay=i2s-mmap\ndtoverlay=hifiberry-dacplus\ndtparam=audio=on\n")}, "", nil,
			[]string{"fault audio: dtoverlay=hifiberry-dacplus in /boot/firmware/config.txt takes pins of SPI1"}},
		"a port that is not plugged in": {fstest.MapFS{"dev/serial/by-id/usb-node": gone, "dev/ttyUSB0": gone}, "", nil,
			[]string{"fault port: /dev/serial/by-id/usb-node is not there → plug it in"}},
		"a name that changes": {nil, "readers: [{role: urn, chip: serial, port: /dev/ttyUSB0}]", nil,
			[]string{"warning port: /dev/ttyUSB0 is there, but this name changes"}},
		"a console on the port": {fstest.MapFS{
			"proc/cmdline":               text("console=ttyUSB0,115200 rootwait"),
			"dev/serial/by-path/usb-0:1": link("../../ttyUSB0"),
		}, "", nil,
			[]string{"fault port: /dev/serial/by-id/usb-node is the kernel’s console → take console=ttyUSB0,... out"}},
		"modem manager and braille": {fstest.MapFS{"proc/70/comm": text("ModemManager\n"), "proc/71/comm": text("brltty\n")}, "", nil,
			[]string{"warning modem: ModemManager talks", "fault modem: brltty takes"}},
		"another program": {fstest.MapFS{"proc/800/comm": text("python3\n"), "proc/800/fd/3": link("/dev/spidev1.0"),
			"proc/800/fd/4": link("/dev/spidev1.0"), "proc/800/fd/5": link("/dev/ttyUSB0"), "proc/800/fd/6": link("/dev/null")}, "", nil,
			[]string{"fault holder: python3 (process 800) holds /dev/spidev1.0 → stop it: a device serves one program $ sudo kill 800",
				"fault holder: python3 (process 800) holds /dev/ttyUSB0"}},
		"itself, and one table": {fstest.MapFS{"proc/1/comm": text("majordome\n"), "proc/1/fd/3": link("/dev/spidev1.0"),
			"proc/2/comm": text("majordome\n"), "proc/2/cmdline": text("/usr/bin/majordome\x00serve\x00"),
			"proc/2/fd/7": link("/dev/spidev1.0")}, "", nil, nil},
		"a demonstration": {fstest.MapFS{"proc/3/comm": text("majordome\n"), "proc/3/cmdline": text("bin/majordome\x00demo\x00"),
			"proc/2/comm": text("majordome\n"), "proc/2/cmdline": text("bin/majordome\x00demo\x00")}, "", nil, nil},
		"two tables": {fstest.MapFS{"proc/3/comm": text("majordome\n"), "proc/3/cmdline": text("majordome\x00serve\x00"),
			"proc/2/comm": text("majordome\n"), "proc/2/cmdline": text("majordome\x00serve\x00")}, "", nil,
			[]string{"fault table: 2 majordome programs run"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := pi()
			for file, f := range c.change {
				if root[file] = f; f == nil {
					delete(root, file)
				}
			}
			m := machine(root)
			m.CheckStripClock = func() error { return c.clock }
			configFile := wiredConfig
			if c.config != "" {
				configFile = c.config
			}
			found := m.Examine(configuration(t, configFile))
			checkLanguages(t, found)
			wrong := problemTexts(found)
			compare(t, wrong, c.want)
		})
	}
}

// TestRootOnAPi5 checks that on a Pi 5 the daemon must not be root.
func TestRootOnAPi5(t *testing.T) {
	root := pi()
	root["proc/device-tree/model"] = &fstest.MapFile{Data: []byte("Raspberry Pi 5 Model B Rev 1.0\x00")}
	m := machine(root)
	if !m.IsUnsafeForRoot() || machine(pi()).IsUnsafeForRoot() {
		t.Error("which computer is a Pi 5?")
	}
	checkLanguages(t, []Finding{UnsafeForRootFinding()})
	m.User = "root"
	if wrong := problemTexts(m.Examine(configuration(t, wiredConfig))); len(wrong) != 1 || !strings.Contains(wrong[0], "foreign memory") {
		t.Errorf("%q", wrong)
	}
}

// TestAConfigurationWithFaults checks that each fault of a configuration is reported with its line and its hint, and
// that the example of this package is valid.
func TestAConfigurationWithFaults(t *testing.T) {
	_, err := config.ParseConfig("majordome.yaml", []byte("readers:\n  - {role: urn, spi: SPI9}\n  - {role: frob, spi: SPI1.0}\n"))
	found := ConfigFindings(err)
	checkLanguages(t, found)
	if wrong := problemTexts(found); len(wrong) < 2 || !strings.Contains(wrong[0], "fault configuration: majordome.yaml, line 2: ") ||
		!strings.Contains(wrong[0], " → ") {
		t.Errorf("%q", wrong)
	}
	if found := ConfigFindings(nil); len(found) > 0 {
		t.Error(found)
	}
	configuration(t, ExampleConfig)
}

// TestAnEmptyRoot checks that a machine on which nothing can be read causes no panic, and no fault that the doctor
// cannot know.
func TestAnEmptyRoot(t *testing.T) {
	found := machine(fstest.MapFS{}).Examine(config.Defaults())
	if CountFaults(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// TestATableThatRunsIsAsked checks that the doctor asks a running table which of its readers answer.
func TestATableThatRunsIsAsked(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			t.Error(r.URL)
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"ok":false,"readers":{"urn":"lost","show":"ok"},"nodes":{"/dev/ttyUSB0":false,"/dev/ttyUSB1":true}}`))
	}))
	defer page.Close()
	cfg := config.Defaults()
	cfg.Listen = page.Listener.Addr().String()
	found := AskRunningTable(t.Context(), cfg)
	checkLanguages(t, found)
	compare(t, problemTexts(found), []string{"note table: the table runs: it is asked ... $ sudo systemctl stop majordome",
		"fault chip: reader urn: does not answer the table → look at its cable",
		"fault node: /dev/ttyUSB0: the node does not answer the table"})
	page.Close()
	found = AskRunningTable(t.Context(), cfg)
	checkLanguages(t, found)
	compare(t, problemTexts(found), []string{"note table", "warning table: this table does not answer at the address of listen"})
}

// TestSoundBoardsOfTheGuide checks that the doctor finds each line that the manual lists as taking the pins of SPI1.
func TestSoundBoardsOfTheGuide(t *testing.T) {
	for _, lang := range []string{"fr", "en"} {
		guide, err := os.ReadFile("../../../companion/web/manual/" + lang + "/power.md")
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(guide), `<a id="sound"></a>`)
		_, after, _ = strings.Cut(after, "```ini\n")
		lines, _, _ := strings.Cut(after, "```")
		if strings.Count(lines, "\n") < 10 {
			t.Errorf("%s.md names few boards", lang)
		}
		for line := range strings.Lines(lines) {
			if !i2sOverlays.MatchString(strings.TrimSpace(line)) {
				t.Errorf("%s.md: %q is not found", lang, line)
			}
		}
	}
}

// TestBootIsAddedOnce checks that the lines that the wiring needs in config.txt can be appended unchanged, for every
// board, and only once.
func TestBootIsAddedOnce(t *testing.T) {
	cfg, err := config.ParseConfig("majordome.yaml", []byte(wiredConfig))
	if err != nil {
		t.Fatal(err)
	}
	root := pi()
	m := &Machine{Root: root}
	lines, _ := m.BootLines(cfg)
	if want := "[all]\n" + cfg.BootLines(); lines != want || !strings.Contains(lines, "core_freq_min=500") {
		t.Errorf("%q, want %q", lines, want)
	}
	boot := root["boot/firmware/config.txt"]
	boot.Data = append(boot.Data, lines...)
	if again, why := m.BootLines(cfg); again != "" || !strings.Contains(why.EN, "there already") {
		t.Errorf("a second time: %q", again)
	}
	if none, why := m.BootLines(config.Config{}); none != "" || !strings.Contains(why.EN, "names no reader") || why.FR == why.EN {
		t.Errorf("without wires: %q", none)
	}
}

// TestMosquitto checks that a table that serves the devices of the house needs Mosquitto, and that the finding has
// the command to install it.
func TestMosquitto(t *testing.T) {
	root := pi()
	needs := func(cfg config.Config) (found []Finding) {
		return slices.DeleteFunc(machine(root).Examine(cfg), func(f Finding) bool { return f.About != "home" })
	}
	if got := needs(config.Config{}); len(got) > 0 {
		t.Errorf("a table that serves none needs it: %+v", got)
	}
	serves := config.Config{SmartHomeConfig: config.SmartHomeConfig{Home: ":1884"}}
	if got := needs(serves); len(got) != 1 || got[0].State != Fault || !strings.Contains(got[0].Fix.FR, "sudo apt install mosquitto") ||
		!strings.Contains(got[0].Fix.EN, "sudo apt install mosquitto") {
		t.Errorf("%+v", got)
	}
	root["usr/sbin/mosquitto"], root["usr/lib/aarch64-linux-gnu/mosquitto_dynamic_security.so"] = &fstest.MapFile{}, &fstest.MapFile{}
	if got := needs(serves); len(got) > 0 {
		t.Errorf("the finding is there: %+v", got)
	}
}
