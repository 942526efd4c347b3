package house

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"majordome/devices/light"
	"majordome/devices/ws2812"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/games"
	"majordome/engine/huisclos"
	"majordome/engine/ownfile"
	"majordome/engine/ownfile/ownfiletest"
	"majordome/engine/script"
)

func read(t *testing.T, text string) (Config, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "majordome.yaml")
	writeFile(t, name, text)
	c, err := ReadConfig(name)
	c.beside = "" // where the file stands, for once
	return c, err
}

func TestConfig(t *testing.T) {
	got, err := read(t, `
listen: ":80"
calm: true
readers:
  - {role: urn, spi: SPI1.0, reset: GPIO25, khz: 1000, gain: 48}
  - {role: show, spi: SPI1.1}
strips:
  - {chip: ws2812, spi: SPI0.0, budget_ma: 850, brightness: 40}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	want.Listen, want.Calm = ":80", true
	want.Readers = []ReaderConfig{{Role: "urn", Chip: "mfrc522", SPI: "SPI1.0", Reset: "GPIO25", KHz: 1000, Gain: 48},
		{Role: "show", Chip: "mfrc522", SPI: "SPI1.1", KHz: 4000, Gain: 38}}
	want.Strips = []StripConfig{{Chip: "ws2812", SPI: "SPI0.0", Places: 7, BudgetMA: 850, Brightness: 40}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, text := range []string{"", "# nothing yet\n", "---\n"} {
		if got, err := read(t, text); err != nil || !reflect.DeepEqual(got, Defaults()) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// TestConfigFaults: every fault is told with its place, in both languages.
func TestConfigFaults(t *testing.T) {
	type place struct{ line, column int }
	for text, want := range map[string][]place{
		"listen: x\nmqtt: x\n":                           {{1, 9}, {2, 7}, {2, 7}},
		"site: House\n":                                  {{1, 7}},
		"https: \":8080\"\n":                             {{1, 8}},
		"mqtt: \":1884\"\nhttps: \":1884\"\n":            {{2, 8}},
		"site: a/b\ntable: '#'\n":                        {{1, 7}, {2, 8}},
		"table: " + strings.Repeat("a", 32):              {{1, 8}},
		"url: table\n":                                   {{1, 6}},
		"url: http://table/\n":                           {{1, 6}},
		"colour: red\n":                                  {{1, 1}},
		"names: [http://a, 'a b', a.b, fe80::1]\n":       {{1, 9}, {1, 19}},
		"names: [" + strings.Repeat("a, ", 17) + "]\n":   {{1, 9}},
		"metrics: [10.0.0.1, 10.0.0.0/8, 10.0.0.0/33]\n": {{1, 33}},
		"readers:\n  - role: urn\n    pin: 1\n":          {{2, 5}, {3, 5}},
		"readers: urn\n":                                 {{1, 10}},
		"readers: [\n":                                   {{1, 10}},
		"readers:\n  - role: oven\n    spi: SPI1.0\n":    {{2, 11}},
		"readers:\n  - role: urn\n":                      {{2, 5}},
		"readers:\n  - {role: place-17, spi: SPI1.0}\n  - {role: salon, spi: SPI1.1}\n":                                                 {{2, 12}, {3, 12}},
		"readers:\n  - {role: place-3, spi: SPI1.0}\n  - {role: place-3, spi: SPI1.1}\n":                                                {{3, 12}},
		"readers:\n  - {role: urn, spi: SPI1.0, khz: 20000}\n":                                                                          {{2, 35}},
		"readers:\n  - {role: urn, spi: SPI1.0, gain: 20}\n":                                                                            {{2, 36}},
		"readers:\n  - {role: urn, spi: SPI1.0, gain: high}\n":                                                                          {{2, 36}},
		"readers:\n  - {role: urn, spi: SPI1.3}\n  - {role: show, spi: SPI0.2}\n":                                                       {{2, 22}, {3, 23}},
		"readers:\n  - {role: urn, spi: SPI1.0, reset: GPIO28}\n":                                                                       {{2, 37}},
		"strips:\n  - {chip: apa102, spi: SPI0.0, segments: {place-17: 1}}\n":                                                           {{2, 54}},
		"strips:\n  - {chip: neon, spi: SPI0.0}\n":                                                                                      {{2, 12}},
		"strips:\n  - {chip: ws2812}\n":                                                                                                 {{2, 6}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, pixels: 10, segments: {clock: 0-7, urn: 7-9, show: 9-10, Bar: 1, bar: x}}\n":          {{2, 73}, {2, 84}, {2, 84}, {2, 95}, {2, 103}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, places: 7, segments: {clock: 0-63}, budget_ma: 50}\n":                                 {{2, 41}, {2, 80}},
		"clocks:\n  - {chip: sundial}\n  - {chip: tm1637, clk: GPIO5, dio: GPIO5}\n  - {chip: tic, variant: T1}\n":                      {{2, 12}, {3, 37}, {4, 26}},
		"readers:\n  - {role: urn, spi: SPI1.0}\nclocks:\n  - {chip: max7219, spi: SPI1.0}\n":                                           {{4, 26}},
		"buttons:\n  - {role: dance, pin: GPIO5}\n  - {role: call}\n  - {role: call, pin: GPIO5, tag: 04A1B2C3D4E5F6}\n":                {{2, 12}, {3, 6}, {4, 6}, {4, 23}},
		"buttons:\n  - {role: call, tag: 08A1B2C3}\n  - {role: call, tag: xyz}\n  - {role: call, pin: GPIO5, button: 1}\n":              {{2, 23}, {3, 23}, {4, 38}},
		"buttons:\n  - {role: call, tag: 04A1B2C3D4E5F6}\n  - {role: pause, tag: '04:a1:b2:c3:d4:e5:f6'}\n":                             {{3, 6}},
		"readers:\n  - {role: urn, spi: SPI1.0, reset: GPIO5}\nbuttons:\n  - {role: call, pin: GPIO5}\n  - {role: call, pin: GPIO20}\n": {{4, 23}, {5, 23}},
		"readers:\n  - {role: urn, chip: serial, port: /dev/n}\nbuttons:\n  - {role: call, port: /dev/n, button: 3}\n":                  {{4, 24}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, pixels: 200, budget_ma: 150}\n":                                                       {{2, 57}},
		"strips:\n  - {chip: node, port: /dev/n, pixels: 121, segments: {clock: 64}}\n":                                                 {{2, 6}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, order: RGBW, pixels: 64, budget_ma: 100, segments: {clock: 64}}\n":                    {{2, 40}, {2, 92}},
		"strips:\n  - {chip: node, port: /dev/n}\n  - {chip: node, port: /dev/n}\n":                                                     {{3, 24}},
		"readers:\n  - {role: urn, chip: serial, port: /dev/n}\nstrips:\n  - {chip: node, port: /dev/n}\n":                              {{4, 24}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, budget_ma: -1, brightness: 101}\n":                                                    {{2, 44}, {2, 60}},
		"readers:\n  - {role: urn, spi: SPI1.0}\n  - {role: urn, spi: SPI1.1}\n":                                                        {{3, 12}},
		// An unknown key hides nothing, and a value that cannot be read is judged once.
		"raeders: []\nsite: House\nreaders:\n  - {rloe: urn, spi: spi1}\n  - x\nstrips: 7\ncalm: perhaps\n": {{1, 1}, {2, 7}, {4, 6}, {4, 22}, {5, 5}, {6, 9}, {7, 7}},
		"readers: !!int x\n  - {role: urn}\n":         {{1, 10}, {2, 16}},
		"listen: nonsense\nmqtt: :99999\n":            {{1, 9}, {2, 7}},
		strings.Repeat("# a\n", 20_000):               {{0, 0}},
		"hook: http://192.168.1.5/x\ncommands: all\n": {{1, 7}, {2, 11}},
		"plain: true\nhook: http://93.184.216.34/\n":  {{2, 7}},
		"hook: https://me:word@home.example/\n":       {{1, 7}},
	} {
		_, err := read(t, text)
		var got []place
		ownfiletest.Check(t, err)
		var all ownfile.Faults
		errors.As(err, &all)
		for _, f := range all {
			got = append(got, place{f.Line, f.Column})
			if both := f.Text(); both.FR == both.EN || !strings.Contains(both.FR, "majordome.yaml") {
				t.Errorf("%q: told %q and %q", text, both.FR, both.EN)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60q: faults at %v, want %v: %v", text, got, want, err)
		}
	}
}

func TestNoConfig(t *testing.T) {
	_, err := ReadConfig(filepath.Join(t.TempDir(), "none"))
	var f *ownfile.Fault
	if !errors.As(err, &f) || !strings.Contains(f.Text().FR, "n’existe pas") {
		t.Errorf("no file: %v", err)
	}
	if _, err := ReadConfig(DefaultFile); errors.Is(err, fs.ErrNotExist) { // where this machine has none
		t.Error(err)
	}
	if _, err = ReadConfig(t.TempDir()); !errors.As(err, &f) || !strings.Contains(f.Text().EN, "this is a folder") {
		t.Errorf("a folder: %v", err)
	}
}

// TestLayout: the LEDs of a strip lie as its owner says, and a room is lit by its number or its id in whichever game has it.
func TestLayout(t *testing.T) {
	c, err := read(t, `
strips:
  - chip: ws2812
    spi: SPI0.0
    pixels: 60
    order: RGB
    segments:
      clock: 7-0
      salon: 10-12 20      # with a gap
      place-2: 32-30
      room-cuisine: 40
      urn: "50, 52"
`)
	if err != nil {
		t.Fatal(err)
	}
	l, rooms := c.Strips[0].layout()
	if want := (light.Layout{Clock: light.Segment{7, 6, 5, 4, 3, 2, 1, 0}, Places: []light.Segment{{10, 11, 12, 20}, {32, 31, 30}, {40}},
		Urn: light.Segment{50, 52}}); !reflect.DeepEqual(l, want) || !slices.Equal(rooms, []string{"salon", "place-2", "room-cuisine"}) || c.Strips[0].LEDs() != 60 {
		t.Errorf("%+v of %v on %d LEDs, want %+v", l, rooms, c.Strips[0].LEDs(), want)
	}
	s := Strip{Layout: l, Rooms: rooms}
	lamps := func(places ...engine.ID) (got [3]light.Lamp, turns [3]uint8) {
		var all []engine.PlaceView
		var in light.Cue
		for i, p := range places {
			all, in.Places[i] = append(all, engine.PlaceView{Place: p}), light.Lamp(i+1)
		}
		out := s.cue(in, all)
		return [3]light.Lamp(out.Places[:3]), [3]uint8(out.Turns[:3])
	}
	if got, turns := lamps("place-suite-bleue", "place-bureau", "place-salon"); got != [3]light.Lamp{3, 2, 0} || turns != [3]uint8{2, 1, 0} {
		t.Errorf("the rooms of one game are %v in turns %v", got, turns)
	}
	if got, _ := lamps("room-salon", "room-cuisine"); got != [3]light.Lamp{1, 2, 2} {
		t.Errorf("the rooms of another are %v", got)
	}
}

// TestGroups: readers of one number share their field, others do not.
func TestGroups(t *testing.T) {
	c, err := read(t, "readers: [{role: urn, spi: SPI1.0}, {role: show, spi: SPI1.1, group: 1}, {role: enrol, spi: SPI1.2, group: 1}]")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := c.Readers[1].coils, c.Readers[2].coils; a == nil || a != b || c.Readers[0].coils != nil {
		t.Errorf("%v: the coils are %p, %p and %p", err, c.Readers[0].coils, a, b)
	}
}

// TestBootLines: each bus with as many chip selects as are used, and the clock for a WS2812 alone.
func TestBootLines(t *testing.T) {
	for text, want := range map[string]string{
		"readers: [{role: urn, spi: SPI1.0}, {role: show, spi: SPI1.2}]\nstrips: [{chip: apa102, spi: SPI0.0}]": "dtparam=spi=on\ndtoverlay=spi1-3cs\n",
		"readers: [{role: urn, chip: serial, port: /dev/n}]":                                                    "",
		"clocks: [{chip: ht16k33}, {chip: max7219, spi: SPI1.1}]":                                               "dtoverlay=spi1-2cs\ndtparam=i2c_arm=on\n",
		"strips: [{chip: ws2812, spi: SPI0.0}]":                                                                 "dtparam=spi=on\n" + ws2812.ConfigTxt(),
	} {
		c, err := read(t, text)
		if got := c.BootLines(); err != nil || got != want {
			t.Errorf("%s: %v, %q, want %q", text, err, got, want)
		}
	}
}

// TestWiring: what cannot be wired together is refused by name, and only that.
func TestWiring(t *testing.T) {
	for _, c := range []struct{ text, fr, en string }{
		{"readers: [{role: urn, spi: SPI1.0}, {role: show, spi: SPI1.0}]", "le lecteur urn occupe déjà SPI1.0", "the reader urn has SPI1.0 already"},
		{"readers: [{role: urn, spi: SPI1.0}, {role: show, spi: /dev/spidev1.0}]", "occupe déjà SPI1.0", "has SPI1.0 already"},
		{"readers: [{role: urn, spi: SPI0.0}]\nstrips: [{chip: apa102, spi: SPI0.0}]", "le lecteur urn est déjà sur SPI0, et un ruban n’a pas de sélection", "the reader urn is on SPI0 already, and a strip has no chip select"},
		{"readers: [{role: urn, spi: SPI0.1}]\nstrips: [{chip: apa102, spi: SPI0.0}]", "un ruban n’a pas de sélection", "has no chip select"},
		{"readers: [{role: urn, spi: SPI0.1}]\nstrips: [{chip: ws2812, spi: SPI0.0}]", "un ruban n’a pas de sélection", "has no chip select"},
		{"strips: [{chip: ws2812, spi: SPI0.0}, {chip: apa102, spi: SPI0.1}]", "le ruban ws2812 est déjà sur SPI0", "the strip ws2812 is on SPI0 already"},
		{"strips: [{chip: apa102, spi: SPI1.0}]", "ni le mode 3 (APA102)", "neither mode 3 (APA102)"},
		{"strips: [{chip: ws2812, spi: SPI1.0}]", "pas de ruban sur SPI1", "no strip on SPI1"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO25}, {role: show, spi: SPI1.1, reset: 25}]", "GPIO25 est déjà prise par le lecteur urn", "GPIO25 is taken by the reader urn already"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO20}]", "GPIO20 est déjà prise par le bus SPI1", "GPIO20 is taken by the bus SPI1"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO18}]", "GPIO18 est déjà prise par le bus SPI1", "GPIO18 is taken by the bus SPI1"},
		{"readers: [{role: urn, spi: SPI0.0, reset: GPIO7}]", "GPIO7 est déjà prise par le bus SPI0", "GPIO7 is taken by the bus SPI0"}, // the kernel takes both selects
		{"strips: [{chip: ws2812, spi: SPI0.0}]\nreaders: [{role: urn, spi: SPI1.0, reset: 7}]", "GPIO7 est déjà prise par le bus SPI0", "GPIO7 is taken by the bus SPI0"},
		{"readers: [{role: urn, spi: SPI1.0, reset: P1_22}, {role: show, spi: SPI1.1, reset: GPIO25}]", "mauvais nom de broche « P1_22 »", `bad name of a pin "P1_22"`}, // which is GPIO25
		{"readers: [{role: urn, spi: SPI1.0, reset: SPI0_MOSI}]", "mauvais nom de broche « SPI0_MOSI »", `bad name of a pin "SPI0_MOSI"`},
		// A mixture: three on SPI1, one beside a strip that has a select, and each other kind of port.
		{"readers: [{role: urn, spi: SPI0.1}, {role: show, spi: SPI1.2, group: 2}, {role: enrol, spi: SPI1.1, group: 2}]\nstrips: [{chip: ws2812, spi: SPI0.0, gated: true}]\nclocks: [{chip: max7219, spi: SPI1.0}]", "", ""},
		{"readers: [{role: urn, chip: node, port: /dev/n, reader: 1}, {role: show, chip: serial, port: /dev/m}, {role: enrol, spi: SPI0.1}]\nstrips: [{chip: node, port: /dev/n}]", "", ""},
		{"readers: [{role: urn, spi: SPI0.0}]\nstrips: [{chip: ws2812, spi: SPI0.0, gated: true}]", "le lecteur urn occupe déjà SPI0.0", "the reader urn has SPI0.0 already"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO7}]", "", ""}, // nothing is on SPI0
		{"readers: [{role: urn, spi: SPI1.0}]\nstrips: [{chip: ws2812, spi: SPI0.0}]", "", ""},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO25}, {role: show, spi: SPI1.1, reset: GPIO24}]\nstrips: [{chip: apa102, spi: SPI0.0}]", "", ""},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO17}]", "", ""}, // a chip select that nothing uses
		{"readers: [{role: urn, spi: SPI0.0}, {role: show, spi: SPI0.1}]", "", ""},
		{"readers: [{role: urn, spi: SPI0.0}, {role: show, spi: SPI1.0}]", "", ""},
	} {
		_, err := read(t, c.text)
		ownfiletest.Check(t, err)
		var all ownfile.Faults
		if errors.As(err, &all); c.en == "" {
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		if len(all) != 1 || !strings.Contains(all[0].Text().FR, c.fr) || !strings.Contains(all[0].Text().EN, c.en) || all[0].Line == 0 {
			t.Errorf("%s: %v, want %q", c.text, err, c.en)
		}
	}
}

// TestPinAdvice: what keeps a pin from being found is said, not how a pin is spelt.
func TestPinAdvice(t *testing.T) {
	dev := t.TempDir()
	chips := filepath.Join(dev, "gpiochip*")
	granted := func(string) error { return nil }
	denied := func(device string) error {
		if strings.HasSuffix(device, "4") {
			return syscall.EACCES
		}
		return nil
	}
	for _, c := range []struct {
		files   []string
		allowed func(string) error
		fr, en  string
	}{
		{nil, granted, "n’a pas de broches", "has no pins"},
		{[]string{"gpiochip0", "gpiochip4"}, denied, "ajoutez-le au groupe gpio", "add it to the group gpio"},
		{[]string{"gpiochip0"}, granted, "écrivez-la comme GPIO25", "use a name such as GPIO25"},
	} {
		for _, f := range c.files {
			if err := os.WriteFile(filepath.Join(dev, f), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		said := pinAdvice("GPIO77", chips, c.allowed)
		if !strings.Contains(said.FR, c.fr) || !strings.Contains(said.EN, c.en) || !strings.Contains(said.FR, "GPIO77") || !strings.Contains(said.EN, "GPIO77") {
			t.Errorf("%v: %q and %q, want %q", c.files, said.FR, said.EN, c.en)
		}
	}
}

// TestOnePortTwoNames: a link to a port is that port.
func TestOnePortTwoNames(t *testing.T) {
	dir := t.TempDir()
	port, link := filepath.Join(dir, "ttyUSB0"), filepath.Join(dir, "usb-node")
	writeFile(t, port, "")
	if err := os.Symlink(port, link); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"readers: [{role: urn, chip: node, port: %s}, {role: show, chip: node, reader: 1, port: %s}]":     "is the same by another name",
		"readers: [{role: urn, chip: serial, port: %s}, {role: show, chip: serial, port: %s}]":            "is the same by another name",
		"readers: [{role: urn, chip: serial, port: %s}]\nstrips: [{chip: node, port: %s}]":                "none of this node",
		"strips: [{chip: node, port: %s}, {chip: node, port: %s}]":                                        "two strips on",
		"readers: [{role: urn, chip: serial, port: %s}, {role: show, chip: serial, port: %s-of-another}]": "",
	} {
		_, err := read(t, fmt.Sprintf(text, port, link))
		ownfiletest.Check(t, err)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestReadFile: a file is read no further than one may be long, and what is no file is not read at all.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	long, pipe := filepath.Join(dir, "long"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.WriteFile(long, nil, 0o600), os.Truncate(long, 100<<20), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	text, err := ReadFile(long)
	if err != nil || len(text) != script.MaxBytes+1 {
		t.Errorf("%d bytes of 100 MiB, %v", len(text), err)
	}
	if _, err := ParseConfig("zero", text); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a configuration of 100 MiB: %v", err)
	}
	if text, err = ReadFile("/proc/version"); err != nil || len(text) != 0 {
		t.Errorf("what the kernel makes up is read: %d bytes, %v", len(text), err)
	}
	for name, want := range map[string]string{
		pipe: "no ordinary file", "/dev/zero": "no ordinary file", dir: "a folder", long + "/x": "no such file",
		dir + "/" + strings.Repeat("x", 300): "too long", "x\x00": "system error 22",
	} {
		_, err := ReadFile(name)
		var f *ownfile.Fault
		if !errors.As(err, &f) || !strings.Contains(f.Text().EN, want) {
			t.Errorf("%.50q: %v, want %q", name, err, want)
			continue
		}
		ownfiletest.Sentence(t, f.Text())
	}
}

// TestAllFaultsOfAReader: what is wrong with one key of a reader or strip hides nothing about the others.
func TestAllFaultsOfAReader(t *testing.T) {
	for text, want := range map[string][]string{
		"readers:\n  - {rloe: urn, spi: spi1, khz: 0, gain: 7, reset: x}\n": {`unknown key "rloe" (did you mean "role"?)`, `bad name of a bus "spi1"`, "khz: 0 (1 to 10000 kHz)", "gain: 7 (one of", `bad name of a pin "x"`},
		"readers:\n  - {role: oven, chip: mfrc, spi: x, khz: 99999, gain: 7, port: tty, baud: 0, reader: 4}\n": {
			`role: unknown "oven"`, `chip: unknown "mfrc" (mfrc522, serial or node)`, "bad name of a bus", "khz: 99999", "gain: 7", "whole name", "baud: 0", "reader: 4 (0 to 3)"},
		"readers:\n  - {role: urn, chip: serial, spi: x, port: tty, baud: 7}\n":                          {"spi does not go with chip: serial (take it out, or write chip: mfrc522)", "whole name", "baud: 7"},
		"readers:\n  - {role: urn, port: /dev/ttyUSB0}\n":                                                {"port does not go with chip: mfrc522 (take it out, or write chip: serial or node)"},
		"readers:\n  - {role: urn, sip: SPI1.0}\n":                                                       {`unknown key "sip" (did you mean "spi"?)`},
		"readers:\n  - {spi: SPI1.0}\n":                                                                  {"role: the role is missing"},
		"readers:\n  - {role: urn, chip: node, port: /dev/n, baud: 0}\n":                                 {"baud does not go with chip: node"},
		"strips:\n  - {spi: x, brightness: 0, places: 17, budget_ma: 99}\n":                              {"chip: the chip is missing (ws2812, apa102, unicornhd or node)", "bad name of a bus", "brightness: 0", "places: 17 (1 to 16)", "budget_ma: 99 (100 to 2000 mA)"},
		"strips:\n  - {chip: neon, spi: x, port: tty}\n":                                                 {`chip: unknown "neon"`, "bad name of a bus", "whole name"},
		"readers:\n  - {spi: SPI1.0}\n  - {role: show, spi: SPI1.0}\n":                                   {"role is missing", "the reader of line 2 has SPI1.0 already"},
		"readers:\n  - {role: oven, spi: SPI1.0, reset: 25}\n  - {role: show, spi: SPI1.1, reset: 25}\n": {`unknown "oven"`, "GPIO25 is taken by the reader of line 2 already"},
		"strips:\n  - {spi: SPI0.0}\n  - {chip: apa102, spi: SPI0.0}\n":                                  {"chip is missing", "the strip of line 2 is on SPI0 already"},
		"data: ''\nmqtt: 1883\nlisten: 80\nsite: X\n":                                                    {"data: the folder is missing", `mqtt: bad address "1883" (did you mean ":1883"?; off to do without)`, `listen: bad address "80" (did you mean ":80"?)`, "site: bad name"},
		"data: '. - a: b" + strings.Repeat("x", 128) + "'\ndeck: \"a\\nb\"\n":                            {"data: bad name", "deck: bad name"},
		"data: " + strings.Repeat("é", 127) + "\ndeck: " + strings.Repeat("x", 129) + "\n":               {"deck: bad name"},
		"listen: 12*7.0.0.1:80\n":                                                                        {`listen: bad address "12*7.0.0.1:80"`},
		"strips:\n  - {chip: node, port: \"/dev/a\\nb\"}\n":                                              {"port: bad name"},
		"mqtt: maybe\n": {`mqtt: bad address "maybe" (write it like ":1883", 192.168.1.5:1883 or [fd00::5]:1883; off to do without)`},
	} {
		_, err := read(t, text)
		ownfiletest.Check(t, err)
		var all ownfile.Faults
		errors.As(err, &all)
		if len(all) != len(want) {
			t.Errorf("%s%d faults, want %d: %v", text, len(all), len(want), err)
		}
		for i, w := range want {
			if i < len(all) && !strings.Contains(all[i].Error(), w) {
				t.Errorf("%sfault %d: %v, want %q", text, i, all[i], w)
			}
		}
	}
}

// TestMutatedFiles breaks good files at a few places each, as a slip of the hand or of a disk does, and with
// what YAML can do: whatever comes of it is a file or its faults.
func TestMutatedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	const config = "listen: \":80\"\nreaders:\n  - role: urn # in the slot\n    spi: SPI1.0\n    reset: GPIO25\n  - {role: show, chip: node, port: /dev/ttyUSB0, reader: 1}\nstrips:\n  - chip: ws2812\n    spi: SPI0.0\n    budget_ma: 850\n"
	pieces := []string{"!!int x", "!!map", "&a ", "*a", "<<: *a", "? ", "- ", ": ", "\n", "\n\t", "|\n", ">-", "[", "]", "{", "}", "\"", "'", "#", "%", "---\n", "...", "~", ".inf", "0x", "1_0", "\x00", "\xff", "é", "\ufeff", "@", "`"}
	rounds := map[string]int{config: 3000, string(huisclos.DefaultYAML()): 60, string(cluedo.DefaultYAML("cluedo-2008")): 60}
	seed := rand.Uint64()
	for text, n := range rounds {
		dice := rand.New(rand.NewPCG(seed, uint64(len(text))))
		for i := range n {
			b := []byte(text)
			for range 1 + dice.IntN(4) {
				at, piece := dice.IntN(len(b)), pieces[dice.IntN(len(pieces))]
				switch dice.IntN(4) {
				case 0:
					b = slices.Insert(b, at, []byte(piece)...)
				case 1:
					b = slices.Delete(b, at, min(len(b), at+1+dice.IntN(20)))
				case 2:
					b[at] ^= 1 << dice.IntN(8)
				default:
					b = slices.Insert(b, at, slices.Clone(b[at:min(len(b), at+dice.IntN(60))])...)
				}
				if len(b) == 0 {
					break
				}
			}
			_, err := ParseConfig("f", b)
			ownfiletest.Check(t, err)
			if _, err = games.All().Read("f", b); err != nil {
				ownfiletest.Check(t, err)
			}
			if t.Failed() {
				t.Fatalf("seed %d, round %d of the file of %d bytes:\n%q", seed, i, len(text), b)
			}
		}
	}
}

func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"readers: !!int x\n  - {role: urn}", "readers:\n  - {role: urn, spi: SPI1.0, reset: GPIO25, khz: 1000, gain: 48}\nstrips:\n  - {chip: ws2812, spi: SPI0.0}",
		"url: http://[::1]:8080\nlisten: \"[fe80::1%eth0]:80\"", "readers: [{chip: serial, port: /dev/ttyUSB0, baud: 9600}, {chip: node, port: /dev/ttyUSB0, reader: 3}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := ParseConfig("f", data)
		ownfiletest.Check(t, err)
		d, err := games.All().Read("f", data)
		ownfiletest.Check(t, err)
		if (d == nil) == (err == nil) {
			t.Error("neither a deck nor an error")
		}
	})
}

var rewriteTable = flag.Bool("update", false, "write the README's table of keys anew")

// TestReadmeHasEveryKey: the README's table is the one that the keys make, and its example is a configuration.
func TestReadmeHasEveryKey(t *testing.T) {
	const readme = "../../../README.md"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), "| key |")
	_, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatal("the README has no table of keys")
	}
	table := keyTable()
	if now := before + table + "\n" + after; now != string(text) && *rewriteTable {
		if err := os.WriteFile(readme, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if now != string(text) {
		t.Errorf("the README's table of keys is not up to date: go test ./cmd/majordome/house -run TestReadmeHasEveryKey -update")
	}
	readmeRanges(t, table)
	if layout := layoutTable(t); !strings.Contains(string(text), layout) {
		t.Errorf("the README's table of the LEDs of a strip is not up to date; put in\n%s", layout)
	}
	_, example, _ := strings.Cut(string(text), "majordome.yaml`:\n\n")
	example, _, _ = strings.Cut(example, "\n\n")
	lines := strings.Split(example, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "    ")
	}
	c, err := read(t, strings.Join(lines, "\n"))
	if err != nil || len(c.Readers) != 1 || len(c.Strips) != 1 {
		t.Errorf("the README's example: %v\n%s", err, example)
	}
}

// layoutTable is the README's table of a strip that is not told otherwise.
func layoutTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| game | `places` | LEDs | `clock` | `place-1` | each further place | `urn` | `show` |\n|---|---|---|---|---|---|---|---|\n")
	for _, d := range games.All().Decks() {
		book, err := d.Book()
		if err != nil {
			t.Fatal(err)
		}
		places := 0
		for _, n := range book.Names() {
			if n.IsArea() {
				places++
			}
		}
		l := light.Table(places)
		fmt.Fprintf(&b, "| %s | %d | %d | %v | %v | the next 3, to %d | %v | %v |\n", d.ID(), places, l.Len(), l.Clock, l.Places[0], l.Urn[0]-1, l.Urn, l.Show)
	}
	return b.String()
}

// keyTable is the README's table: the keys at the top, and below readers and strips those of each.
func keyTable() string {
	var b strings.Builder
	b.WriteString("| key | of | what | unit | values | without it | in the environment |\n|---|---|---|---|---|---|---|\n")
	row := func(name, of, variable string, y key) {
		without := y.absent.EN
		if y.without != nil {
			without = fmt.Sprintf("`%#v`", y.without)
		}
		takes := y.takes.EN
		if y.takes.most > 0 {
			takes = fmt.Sprintf("at most %d, each %s", y.takes.most, takes)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", name, of, y.what.EN, y.unit, takes, cmp.Or(without, "needed"), variable)
	}
	has := func(of any, name string) bool { return settable(field(reflect.ValueOf(of).Elem(), name).Type()) }
	for _, y := range configKeys {
		variable := ""
		if has(&Config{}, y.name) {
			variable = "`" + Environment + strings.ToUpper(y.name) + "`"
		}
		row("`"+y.name+"`", "", variable, y)
		items, with, of := []key(nil), readerChips.with, any(&ReaderConfig{})
		switch y.name {
		case "readers":
			items = slices.Concat(readerKeys, readerChips.keys())
		case "strips":
			items, with, of = slices.Concat(stripKeys, stripChips.keys()), stripChips.with, &StripConfig{}
		case "clocks":
			items, with, of = slices.Concat(clockKeys, clockChips.keys()), clockChips.with, &ClockConfig{}
		case "buttons":
			items, with, of = buttonKeys, func(string) []string { return nil }, &ButtonConfig{}
		}
		for i, list := 0, strings.ToUpper(y.name); i < len(items); i++ {
			variable := ""
			if has(of, items[i].name) {
				variable = fmt.Sprintf("`%s%s_0_%s`", Environment, list, strings.ToUpper(items[i].name))
			}
			row("- `"+items[i].name+"`", strings.Join(with(items[i].name), ", "), variable, items[i])
		}
	}
	return b.String()
}

// TestEveryKeyIsDocumented: each key of the file has one row, which says what it means, which values it has and what holds
// without it; and a chip has no key that nothing reads.
func TestEveryKeyIsDocumented(t *testing.T) {
	for _, c := range []struct {
		of   any
		rows []key
	}{{Config{}, configKeys}, {ReaderConfig{}, slices.Concat(readerKeys, readerChips.keys())}, {StripConfig{}, slices.Concat(stripKeys, stripChips.keys())}, {ButtonConfig{}, buttonKeys},
		{ClockConfig{}, slices.Concat(clockKeys, clockChips.keys())}} {
		want, got := ownfile.KeysOf(c.of), []string(nil)
		for _, y := range c.rows {
			got = append(got, y.name)
			if y.what.EN == "" || y.what.FR == "" || y.what.FR == y.what.EN || (y.absent.FR == "") != (y.absent.EN == "") || y.takes.EN == "" || y.takes.FR == y.takes.EN || y.without == nil && y.absent.EN == "" && y.missing.EN == "" {
				t.Errorf("%T: the row of %q does not say everything", c.of, y.name)
			}
			if !slices.Contains(want, y.name) {
				continue
			}
			v := field(reflect.ValueOf(c.of), y.name)
			if y.without != nil && reflect.TypeOf(y.without) != v.Type() || (v.Kind() == reflect.Int) != (y.takes.number != nil) ||
				v.Kind() == reflect.Int && y.without != nil && !y.takes.number(y.without.(int)) || v.Kind() == reflect.String && y.takes.wrong == nil {
				t.Errorf("%T: the row of %q does not fit its field", c.of, y.name)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%T has the keys %v, documented are %v", c.of, want, got)
		}
	}
}

// readmeRanges: the table says which values each number may have, and those are the values that pass.
func readmeRanges(t *testing.T, table string) {
	t.Helper()
	blocks := map[string]string{
		"reader": "readers: [{role: urn, chip: node, port: /dev/n, reader: %d}]", "baud": "readers: [{role: urn, chip: serial, port: /dev/n, baud: %d}]",
		"khz": "readers: [{role: urn, spi: SPI1.0, khz: %d}]", "group": "readers: [{role: show, spi: SPI1.0, group: %d}]", "gain": "readers: [{role: urn, spi: SPI1.0, gain: %d}]",
		"places": "strips: [{chip: node, port: /dev/n, places: %d}]", "brightness": "strips: [{chip: node, port: /dev/n, brightness: %d}]",
		"budget_ma": "strips: [{chip: node, port: /dev/n, budget_ma: %d}]", "address": "clocks: [{chip: ht16k33, address: %d}]", "steps": "clocks: [{chip: tic, variant: T825, steps: %d}]",
		"remember": "remember: %d",
		"lock":     "lock: %d",
		"button":   "buttons: [{role: call, port: /dev/n, button: %d}]", "pixels": "strips: [{chip: apa102, spi: SPI0.0, pixels: %d}]",
	}
	numbers := 0
	for _, v := range []any{Config{}, ReaderConfig{}, StripConfig{}, ButtonConfig{}, ClockConfig{}} {
		for f := range reflect.TypeOf(v).Fields() {
			if f.Type.Kind() != reflect.Int {
				continue
			}
			numbers++
			key := f.Tag.Get("yaml")
			_, row, item := strings.Cut(table, "- `"+key+"` |")
			if !item { // a key at the top
				_, row, _ = strings.Cut(table, "| `"+key+"` |")
			}
			row, _, _ = strings.Cut(row, "\n")
			row = strings.Split(row, "|")[3]
			good := map[int]bool{}
			if m := regexp.MustCompile(`([0-9]+) to ([0-9]+)`).FindStringSubmatch(row); m != nil {
				least, _ := strconv.Atoi(m[1])
				most, _ := strconv.Atoi(m[2])
				good = map[int]bool{least - 1: false, least: true, most: true, most + 1: false}
			} else {
				for _, n := range regexp.MustCompile(`[0-9]{2,}`).FindAllString(row, -1) {
					n, _ := strconv.Atoi(n)
					good[n], good[n+1], good[0], good[-1] = true, false, false, false
				}
			}
			if len(good) < 4 {
				t.Errorf("the README tells no range of %s: %q", key, row)
			}
			for n, want := range good {
				if _, err := read(t, fmt.Sprintf(blocks[key], n)); (err == nil) != want {
					t.Errorf("%s: %d: %v, the README says %q", key, n, err, row)
				}
			}
		}
	}
	if numbers != len(blocks) {
		t.Errorf("%d numbers, %d are tried", numbers, len(blocks))
	}
}
