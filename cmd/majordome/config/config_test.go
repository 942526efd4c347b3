package config

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"majordome/cmd/majordome/config/configtest"
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

func parseText(t *testing.T, text string) (Config, error) {
	t.Helper()
	c, err := ParseConfig(filepath.Join(t.TempDir(), "majordome.yaml"), []byte(text))
	c.defaultDecksFolder = "" // not compared: the folder of the file
	return c, err
}

func TestConfig(t *testing.T) {
	got, err := parseText(t, `
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
		if got, err := parseText(t, text); err != nil || !reflect.DeepEqual(got, Defaults()) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// TestConfigFaults: every fault is reported with its place, in both languages.
func TestConfigFaults(t *testing.T) {
	type place struct{ line, column int }
	for text, want := range map[string][]place{
		"listen: x\nmqtt: x\n":                                {{1, 9}, {2, 7}, {2, 7}},
		"site: House\n":                                       {{1, 7}},
		"listen: 127.0.0.1:1884\nmqtt: \":1884\"\n":           {{2, 7}},
		"https: \":8080\"\n":                                  {{1, 8}},
		"mqtt: \":1884\"\nhttps: \":1884\"\n":                 {{2, 8}},
		"listen: 127.0.0.1:8443\nhttps: \":8443\"\n":          {{2, 8}},
		"home: \":8080\"\n":                                   {{1, 7}},
		"mqtt: \":1884\"\nhome: \":1884\"\n":                  {{2, 7}},
		"https: \":1884\"\nhome: \":1884\"\n":                 {{2, 7}},
		"site: a/b\ntable: '#'\n":                             {{1, 7}, {2, 8}},
		"table: " + strings.Repeat("a", 32):                   {{1, 8}},
		"url: table\n":                                        {{1, 6}},
		"url: http://table/\n":                                {{1, 6}},
		"url: http://table/x\nuplink: mqtt://:1883\n":         {{1, 6}, {2, 9}},
		"url: http://me@table\nuplink: mqtt://h:1883/x\n":     {{1, 6}, {2, 9}},
		"url: http://table:0\nhook: https://:443/x\n":         {{1, 6}, {2, 7}},
		"url: http://192.168.1.500\nhook: https://h:99999/\n": {{1, 6}, {2, 7}},
		"names: [a..b, 192.168.1.5]\nlisten: a..b:80\n":       {{1, 9}, {2, 9}},
		"colour: red\n":                                       {{1, 1}},
		"names: [http://a, 'a b', a.b, fe80::1]\n":            {{1, 9}, {1, 19}},
		"names: [" + strings.Repeat("a, ", 17) + "]\n":        {{1, 9}},
		"metrics: [10.0.0.1, 10.0.0.0/8, 10.0.0.0/33]\n":      {{1, 33}},
		"readers:\n  - role: urn\n    pin: 1\n":               {{2, 5}, {3, 5}},
		"readers: urn\n":                                      {{1, 10}},
		"readers: [\n":                                        {{1, 10}},
		"readers:\n  - role: oven\n    spi: SPI1.0\n":         {{2, 11}},
		"readers:\n  - role: urn\n":                           {{2, 5}},
		"readers:\n  - {role: place-17, spi: SPI1.0}\n  - {role: salon, spi: SPI1.1}\n": {
			{2, 12},
			{3, 12},
		},
		"readers:\n  - {role: place-3, spi: SPI1.0}\n  - {role: place-3, spi: SPI1.1}\n": {{3, 12}},
		"readers:\n  - {role: urn, spi: SPI1.0, khz: 20000}\n":                           {{2, 35}},
		"readers:\n  - {role: urn, spi: SPI1.0, gain: 20}\n":                             {{2, 36}},
		"readers:\n  - {role: urn, spi: SPI1.0, gain: high}\n":                           {{2, 36}},
		"readers:\n  - {role: urn, spi: SPI1.3}\n  - {role: show, spi: SPI0.2}\n": {
			{2, 22},
			{3, 23},
		},
		"readers:\n  - {role: urn, spi: SPI1.0, reset: GPIO28}\n":             {{2, 37}},
		"strips:\n  - {chip: apa102, spi: SPI0.0, segments: {place-17: 1}}\n": {{2, 54}},
		"strips:\n  - {chip: neon, spi: SPI0.0}\n":                            {{2, 12}},
		"strips:\n  - {chip: ws2812}\n":                                       {{2, 6}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, pixels: 10, segments: {clock: 0-7, urn: 7-9, show: 9-10, Bar: 1, bar: x}}\n": {
			{2, 73},
			{2, 84},
			{2, 84},
			{2, 95},
			{2, 103},
		},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, places: 7, segments: {clock: 0-63}, budget_ma: 50}\n": {
			{2, 41},
			{2, 80},
		},
		"clocks:\n  - {chip: sundial}\n  - {chip: tm1637, clk: GPIO5, dio: GPIO5}\n  - {chip: tic, variant: T1}\n": {
			{2, 12},
			{3, 37},
			{4, 26},
		},
		"readers:\n  - {role: urn, spi: SPI1.0}\nclocks:\n  - {chip: max7219, spi: SPI1.0}\n": {{4, 26}},
		"buttons:\n  - {role: dance, pin: GPIO5}\n  - {role: call}\n  - {role: call, pin: GPIO5, tag: 04A1B2C3D4E5F6}\n": {
			{2, 12},
			{3, 6},
			{4, 6},
			{4, 23},
		},
		"buttons:\n  - {role: call, tag: 08A1B2C3}\n  - {role: call, tag: xyz}\n  - {role: call, pin: GPIO5, button: 1}\n": {
			{2, 23},
			{3, 23},
			{4, 38},
		},
		"buttons:\n  - {role: call, tag: 04A1B2C3D4E5F6}\n  - {role: pause, tag: '04:a1:b2:c3:d4:e5:f6'}\n": {{3, 6}},
		"readers:\n  - {role: urn, spi: SPI1.0, reset: GPIO5}\nbuttons:\n  - {role: call, pin: GPIO5}\n  - {role: call, pin: GPIO20}\n": {
			{4, 23},
			{5, 23},
		},
		"readers:\n  - {role: urn, chip: serial, port: /dev/n}\nbuttons:\n  - {role: call, port: /dev/n, button: 3}\n": {{4, 24}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, pixels: 200, budget_ma: 150}\n":                                      {{2, 57}},
		"strips:\n  - {chip: node, port: /dev/n, pixels: 121, segments: {clock: 64}}\n":                                {{2, 6}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, order: RGBW, pixels: 64, budget_ma: 100, segments: {clock: 64}}\n":   {{2, 40}, {2, 92}},
		"strips:\n  - {chip: node, port: /dev/n}\n  - {chip: node, port: /dev/n}\n":                                    {{3, 24}},
		"readers:\n  - {role: urn, chip: serial, port: /dev/n}\nstrips:\n  - {chip: node, port: /dev/n}\n":             {{4, 24}},
		"strips:\n  - {chip: ws2812, spi: SPI0.0, budget_ma: -1, brightness: 101}\n":                                   {{2, 44}, {2, 60}},
		"readers:\n  - {role: urn, spi: SPI1.0}\n  - {role: urn, spi: SPI1.1}\n":                                       {{3, 12}},
		// An unknown key hides no other fault, and a value that cannot be read is reported once.
		"raeders: []\nsite: House\nreaders:\n  - {rloe: urn, spi: spi1}\n  - x\nstrips: 7\ncalm: perhaps\n": {
			{1, 1}, {2, 7}, {4, 6}, {4, 22}, {5, 5}, {6, 9}, {7, 7},
		},
		"readers: !!int x\n  - {role: urn}\n":         {{1, 10}, {2, 16}},
		"listen: nonsense\nmqtt: :99999\n":            {{1, 9}, {2, 7}},
		strings.Repeat("# a\n", 20_000):               {{0, 0}},
		"hook: http://192.168.1.5/x\ncommands: all\n": {{1, 7}, {2, 11}},
		"plain: true\nhook: http://93.184.216.34/\n":  {{2, 7}},
		"hook: https://me:word@home.example/\n":       {{1, 7}},
	} {
		_, err := parseText(t, text)
		var got []place
		ownfiletest.CheckFaults(t, err)
		var all ownfile.Faults
		errors.As(err, &all)
		for _, f := range all {
			got = append(got, place{f.Line, f.Column})
			if both := f.Text(); both.FR == both.EN || !strings.Contains(both.FR, "majordome.yaml") {
				t.Errorf("%q: the fault is %q and %q", text, both.FR, both.EN)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60q: faults at %v, want %v: %v", text, got, want, err)
		}
	}
}

// TestPortsFollowListen: a port that the file does not name is not opened. One without a host is opened at the address
// of the pages, so that a table for this machine only opens nothing to others.
func TestPortsFollowListen(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"listen: 127.0.0.1:8080\n": "",
		"mqtt: \"off\"\n":          "",
		"mqtt: \":1883\"\n":        ":1883",
		"listen: 127.0.0.1:8080\nmqtt: \":1883\"\n":        "127.0.0.1:1883",
		"listen: \"[fd00::5]:8080\"\nmqtt: \":1883\"\n":    "[fd00::5]:1883",
		"listen: table.example:8080\nmqtt: \":1883\"\n":    "table.example:1883",
		"listen: 127.0.0.1:8080\nmqtt: 192.168.1.5:1883\n": "192.168.1.5:1883",
		"listen: 127.0.0.1:8080\nmqtt: \"0.0.0.0:1883\"\n": "0.0.0.0:1883",
	} {
		for key, address := range map[string]func(*Config) string{
			"mqtt":  (*Config).MQTTAddress,
			"https": (*Config).HTTPSAddress,
			"home":  (*Config).HomeAddress,
		} {
			text := strings.ReplaceAll(text, "mqtt", key)
			c, err := ParseConfig("x.yaml", []byte(text))
			if got := address(&c); err != nil || got != want {
				t.Errorf("%q: %s at %q, want %q: %v", text, key, got, want, err)
			}
		}
	}
}

func TestNoConfig(t *testing.T) {
	_, err := ReadConfig(filepath.Join(t.TempDir(), "none"))
	var f *ownfile.Fault
	if !errors.As(err, &f) || !strings.Contains(f.Text().FR, "n’existe pas") {
		t.Errorf("no file: %v", err)
	}
	if _, err = ReadConfig(t.TempDir()); !errors.As(err, &f) || !strings.Contains(f.Text().EN, "this is a folder") {
		t.Errorf("a folder: %v", err)
	}
}

// TestLayout: each part of a strip has the LEDs that its owner names, and a room is lit by its number, or by its id in
// any game that has it.
func TestLayout(t *testing.T) {
	c, err := parseText(t, `
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
	l, rooms := c.Strips[0].buildLayout()
	if want := (light.Layout{Clock: light.Segment{7, 6, 5, 4, 3, 2, 1, 0}, Places: []light.Segment{{10, 11, 12, 20}, {32, 31, 30}, {40}},
		Urn: light.Segment{50, 52}}); !reflect.DeepEqual(l, want) || !slices.Equal(rooms, []string{"salon", "place-2", "room-cuisine"}) ||
		c.Strips[0].CountLEDs() != 60 {
		t.Errorf("%+v of %v on %d LEDs, want %+v", l, rooms, c.Strips[0].CountLEDs(), want)
	}
	s := Strip{Layout: l, Rooms: rooms}
	lamps := func(places ...engine.ID) (got [3]light.Lamp, turns [3]uint8) {
		var all []engine.PlaceView
		var in light.Cue
		for i, p := range places {
			all, in.Places[i] = append(all, engine.PlaceView{Place: p}), light.Lamp(i+1)
		}
		out := s.ArrangeLamps(in, all)
		return [3]light.Lamp(out.Places[:3]), [3]uint8(out.DarkOrder[:3])
	}
	if got, turns := lamps("place-suite-bleue", "place-bureau", "place-salon"); got != [3]light.Lamp{3, 2, 0} ||
		turns != [3]uint8{2, 1, 0} {
		t.Errorf("the rooms of one game are %v in turns %v", got, turns)
	}
	if got, _ := lamps("room-salon", "room-cuisine"); got != [3]light.Lamp{1, 2, 2} {
		t.Errorf("the rooms of another are %v", got)
	}
}

// TestGroups: readers of the same group share their field, others do not.
func TestGroups(t *testing.T) {
	c, err := parseText(t, "readers: [{role: urn, spi: SPI1.0}, {role: show, spi: SPI1.1, group: 1}, {role: enrol, spi: SPI1.2, group: 1}]")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := c.Readers[1].coils, c.Readers[2].coils; a == nil || a != b || c.Readers[0].coils != nil {
		t.Errorf("%v: the coils are %p, %p and %p", err, c.Readers[0].coils, a, b)
	}
}

// TestBootLines: each bus gets as many chip selects as are used; only a WS2812 needs the clock setting.
func TestBootLines(t *testing.T) {
	for text, want := range map[string]string{
		"readers: [{role: urn, spi: SPI1.0}, {role: show, spi: SPI1.2}]\nstrips: [{chip: apa102, spi: SPI0.0}]": "dtparam=spi=on\n" +
			"dtoverlay=spi1-3cs\n",
		"readers: [{role: urn, chip: serial, port: /dev/n}]":      "",
		"clocks: [{chip: ht16k33}, {chip: max7219, spi: SPI1.1}]": "dtoverlay=spi1-2cs\ndtparam=i2c_arm=on\n",
		"strips: [{chip: ws2812, spi: SPI0.0}]":                   "dtparam=spi=on\n" + ws2812.ClockConfigTxt(),
	} {
		c, err := parseText(t, text)
		if got := c.BootLines(); err != nil || got != want {
			t.Errorf("%s: %v, %q, want %q", text, err, got, want)
		}
	}
}

// TestWiring: what cannot be wired together is refused with its name, and nothing else is.
func TestWiring(t *testing.T) {
	for _, c := range []struct{ text, fr, en string }{
		{"readers: [{role: urn, spi: SPI1.0}, {role: show, spi: SPI1.0}]", "le lecteur urn occupe déjà SPI1.0",
			"the reader urn has SPI1.0 already"},
		{"readers: [{role: urn, spi: SPI1.0}, {role: show, spi: /dev/spidev1.0}]", "occupe déjà SPI1.0", "has SPI1.0 already"},
		{"readers: [{role: urn, spi: SPI0.0}]\nstrips: [{chip: apa102, spi: SPI0.0}]",
			"le lecteur urn est déjà sur SPI0, et un ruban n’a pas de sélection",
			"the reader urn is on SPI0 already, and a strip has no chip select"},
		{"readers: [{role: urn, spi: SPI0.1}]\nstrips: [{chip: apa102, spi: SPI0.0}]", "un ruban n’a pas de sélection",
			"has no chip select"},
		{"readers: [{role: urn, spi: SPI0.1}]\nstrips: [{chip: ws2812, spi: SPI0.0}]", "un ruban n’a pas de sélection",
			"has no chip select"},
		{"strips: [{chip: ws2812, spi: SPI0.0}, {chip: apa102, spi: SPI0.1}]", "le ruban ws2812 est déjà sur SPI0",
			"the strip ws2812 is on SPI0 already"},
		{"strips: [{chip: apa102, spi: SPI1.0}]", "ni le mode 3 (APA102)", "neither mode 3 (APA102)"},
		{"strips: [{chip: ws2812, spi: SPI1.0}]", "pas de ruban sur SPI1", "no strip on SPI1"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO25}, {role: show, spi: SPI1.1, reset: 25}]",
			"GPIO25 est déjà prise par le lecteur urn", "GPIO25 is taken by the reader urn already"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO20}]", "GPIO20 est déjà prise par le bus SPI1", "GPIO20 is taken by the bus SPI1"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO18}]", "GPIO18 est déjà prise par le bus SPI1", "GPIO18 is taken by the bus SPI1"},
		// the kernel takes both selects
		{"readers: [{role: urn, spi: SPI0.0, reset: GPIO7}]", "GPIO7 est déjà prise par le bus SPI0", "GPIO7 is taken by the bus SPI0"},
		{"strips: [{chip: ws2812, spi: SPI0.0}]\nreaders: [{role: urn, spi: SPI1.0, reset: 7}]", "GPIO7 est déjà prise par le bus SPI0",
			"GPIO7 is taken by the bus SPI0"},
		// which is GPIO25
		{"readers: [{role: urn, spi: SPI1.0, reset: P1_22}, {role: show, spi: SPI1.1, reset: GPIO25}]", "mauvais nom de broche « P1_22 »",
			`bad name of a pin "P1_22"`},
		{"readers: [{role: urn, spi: SPI1.0, reset: SPI0_MOSI}]", "mauvais nom de broche « SPI0_MOSI »", `bad name of a pin "SPI0_MOSI"`},
		// A mixture: three on SPI1, one next to a strip that has a select, and each other kind of port.
		{"readers: [{role: urn, spi: SPI0.1}, {role: show, spi: SPI1.2, group: 2}, {role: enrol, spi: SPI1.1, group: 2}]\n" +
			"strips: [{chip: ws2812, spi: SPI0.0, gated: true}]\nclocks: [{chip: max7219, spi: SPI1.0}]", "", ""},
		{"readers: [{role: urn, chip: node, port: /dev/n, reader: 1}, {role: show, chip: serial, port: /dev/m}, {role: enrol, spi: " +
			"SPI0.1}]\nstrips: [{chip: node, port: /dev/n}]", "", ""},
		{"readers: [{role: urn, spi: SPI0.0}]\nstrips: [{chip: ws2812, spi: SPI0.0, gated: true}]", "le lecteur urn occupe déjà SPI0.0",
			"the reader urn has SPI0.0 already"},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO7}]", "", ""}, // nothing is on SPI0
		{"readers: [{role: urn, spi: SPI1.0}]\nstrips: [{chip: ws2812, spi: SPI0.0}]", "", ""},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO25}, {role: show, spi: SPI1.1, reset: GPIO24}]\n" +
			"strips: [{chip: apa102, spi: SPI0.0}]", "", ""},
		{"readers: [{role: urn, spi: SPI1.0, reset: GPIO17}]", "", ""}, // a chip select that nothing uses
		{"readers: [{role: urn, spi: SPI0.0}, {role: show, spi: SPI0.1}]", "", ""},
		{"readers: [{role: urn, spi: SPI0.0}, {role: show, spi: SPI1.0}]", "", ""},
	} {
		_, err := parseText(t, c.text)
		ownfiletest.CheckFaults(t, err)
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

// TestPinAdvice: the message gives the reason why a pin cannot be opened, and not how pins are spelt.
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
		said := missingPinAdvice("GPIO77", chips, c.allowed)
		if !strings.Contains(said.FR, c.fr) || !strings.Contains(said.EN, c.en) || !strings.Contains(said.FR, "GPIO77") ||
			!strings.Contains(said.EN, "GPIO77") {
			t.Errorf("%v: %q and %q, want %q", c.files, said.FR, said.EN, c.en)
		}
	}
}

// TestOnePortTwoNames: a link to a port counts as that port.
func TestOnePortTwoNames(t *testing.T) {
	dir := t.TempDir()
	port, link := filepath.Join(dir, "ttyUSB0"), filepath.Join(dir, "usb-node")
	configtest.WriteFile(t, port, "")
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
		_, err := parseText(t, fmt.Sprintf(text, port, link))
		ownfiletest.CheckFaults(t, err)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestReadFile: a file is read only up to the length limit, and anything other than a regular file is not read.
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
		t.Errorf("a file that the kernel makes up is read: %d bytes, %v", len(text), err)
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
		ownfiletest.CheckSentence(t, f.Text())
	}
}

// TestAllFaultsOfAReader: a fault in one key of a reader or strip hides none in the others.
func TestAllFaultsOfAReader(t *testing.T) {
	for text, want := range map[string][]string{
		"readers:\n  - {rloe: urn, spi: spi1, khz: 0, gain: 7, reset: x}\n": {`unknown key "rloe" (did you mean "role"?)`,
			`bad name of a bus "spi1"`, "khz: 0 (1 to 10000 kHz)", "gain: 7 (one of", `bad name of a pin "x"`},
		"readers:\n  - {role: oven, chip: mfrc, spi: x, khz: 99999, gain: 7, port: tty, baud: 0, reader: 4}\n": {
			`role: unknown "oven"`, `chip: unknown "mfrc" (` + readerChips.choiceText().EN + `)`, "bad name of a bus", "khz: 99999",
			"gain: 7", "whole name", "baud: 0", "reader: 4 (0 to 3)"},
		"readers:\n  - {role: urn, chip: serial, spi: x, port: tty, baud: 7}\n": {"spi does not go with chip: " +
			"serial (take it out, or write chip: " + joinWords(readerChips.namesWithKey("spi"), "or") + ")", "whole name", "baud: 7"},
		"readers:\n  - {role: urn, port: /dev/ttyUSB0}\n": {"port does not go with chip: " +
			"mfrc522 (take it out, or write chip: " + joinWords(readerChips.namesWithKey("port"), "or") + ")"},
		"readers:\n  - {role: urn, sip: SPI1.0}\n": {`unknown key "sip" (did you mean "spi"?)`},
		"readers:\n  - {spi: SPI1.0}\n":            {"role: the role is missing"},
		"readers:\n  - {role: urn, chip: node, port: /dev/n, baud: 0}\n": {"baud does not go with chip: " +
			"node"},
		"strips:\n  - {spi: x, brightness: 0, places: 17, budget_ma: 99}\n": {"chip: the chip is missing (" +
			stripChips.choiceText().EN + ")", "bad name of a bus", "brightness: 0", "places: 17 (1 to 16)",
			"budget_ma: 99 (100 to 2000 mA)"},
		"strips:\n  - {chip: neon, spi: x, port: tty}\n": {`chip: unknown "neon"`,
			"bad name of a bus", "whole name"},
		"readers:\n  - {spi: SPI1.0}\n  - {role: show, spi: SPI1.0}\n": {"role is missing",
			"the reader of line 2 has SPI1.0 already"},
		"readers:\n  - {role: oven, spi: SPI1.0, reset: 25}\n  - {role: show, spi: SPI1.1, reset: 25}\n": {`unknown "oven"`,
			"GPIO25 is taken by the reader of line 2 already"},
		"strips:\n  - {spi: SPI0.0}\n  - {chip: apa102, spi: SPI0.0}\n": {"chip is missing",
			"the strip of line 2 is on SPI0 already"},
		"data: ''\nmqtt: 1883\nlisten: 80\nsite: X\n": {"data: the folder is missing",
			`mqtt: bad address "1883" (did you mean ":1883"?; off to do without)`, `listen: bad address "80" (did you mean ":80"?)`,
			"site: bad name"},
		"data: '. - a: b" + strings.Repeat("x", 128) + "'\ndeck: \"a\\nb\"\n":              {"data: bad name", "deck: bad name"},
		"data: " + strings.Repeat("é", 127) + "\ndeck: " + strings.Repeat("x", 129) + "\n": {"deck: bad name"},
		"listen: 12*7.0.0.1:80\n":                           {`listen: bad address "12*7.0.0.1:80"`},
		"strips:\n  - {chip: node, port: \"/dev/a\\nb\"}\n": {"port: bad name"},
		"mqtt: maybe\n": {`mqtt: bad address "maybe" (write it like ":1883", 192.168.1.5:1883 ` +
			`or [fd00::5]:1883; off to do without)`},
	} {
		_, err := parseText(t, text)
		ownfiletest.CheckFaults(t, err)
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

// TestMutatedFiles breaks good files at a few places each, as a typing or disk error does, and with odd YAML syntax:
// each result is a valid file or a list of faults, never a panic.
func TestMutatedFiles(t *testing.T) {
	const config = "listen: \":80\"\nreaders:\n  - role: urn # in the slot\n    spi: SPI1.0\n    reset: GPIO25\n" +
		"  - {role: show, chip: node, port: /dev/ttyUSB0, reader: 1}\nstrips:\n  - chip: ws2812\n    spi: SPI0.0\n    budget_ma: 850\n"
	pieces := []string{"!!int x", "!!map", "&a ", "*a", "<<: *a", "? ", "- ", ": ", "\n", "\n\t", "|\n", ">-", "[", "]", "{", "}", "\"",
		"'", "#", "%", "---\n", "...", "~", ".inf", "0x", "1_0", "\x00", "\xff", "é", "\ufeff", "@", "`"}
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
			ownfiletest.CheckFaults(t, err)
			_, err = parseLayers(layer{"hand", []byte(config)}, layer{"f", b}, nil)
			ownfiletest.CheckFaults(t, err)
			if _, err = games.KnownGames().ParseDeck("f", b); err != nil {
				ownfiletest.CheckFaults(t, err)
			}
			if t.Failed() {
				t.Fatalf("seed %d, round %d of the file of %d bytes:\n%q", seed, i, len(text), b)
			}
		}
	}
}

func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"readers: !!int x\n  - {role: urn}",
		"readers:\n  - {role: urn, spi: SPI1.0, reset: GPIO25, khz: 1000, gain: 48}\nstrips:\n  - {chip: ws2812, spi: SPI0.0}",
		"url: http://[::1]:8080\nlisten: \"[fe80::1%eth0]:80\"",
		"readers: [{chip: serial, port: /dev/ttyUSB0, baud: 9600}, {chip: node, port: /dev/ttyUSB0, reader: 3}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := ParseConfig("f", data)
		ownfiletest.CheckFaults(t, err)
		d, err := games.KnownGames().ParseDeck("f", data)
		ownfiletest.CheckFaults(t, err)
		if (d == nil) == (err == nil) {
			t.Error("neither a deck nor an error")
		}
	})
}

// A strip of four channels has its own chip name. An order of four letters is refused for any other chip, with a hint
// that names it.
func TestStripOfFourChannels(t *testing.T) {
	c, err := parseText(t, "strips:\n  - {chip: sk6812-rgbw, spi: SPI0.0, order: RGB}\n")
	if err != nil || !c.Strips[0].IsWS2812() || c.Strips[0].Order != "RGB" || !strings.Contains(c.BootLines(), "core_freq=") {
		t.Errorf("%+v, %v, %q", c.Strips, err, c.BootLines())
	}
	for _, order := range []string{"RGBW", "grbw"} {
		_, err := parseText(t, "strips:\n  - {chip: ws2812, spi: SPI0.0, order: "+order+"}\n")
		var f *ownfile.Fault
		if !errors.As(err, &f) || !strings.Contains(f.Hint.EN, "chip: sk6812-rgbw") || !strings.Contains(f.Hint.FR, "quatre canaux") {
			t.Errorf("%s: %v", order, err)
		}
	}
}

// A hotspot that no phone could join is refused, and no message quotes the password.
func TestHotspotIsJudged(t *testing.T) {
	long := strings.Repeat("é", 16)
	for text, wrong := range map[string]bool{
		"hotspot: never": true, "hotspot: on": true, "hotspot_name: " + long: false, "hotspot_name: " + long + "s": true,
		"hotspot_name: \"a\\u009bb\"": true, "hotspot_name: \"\"": true, "hotspot_name: \" a\"": true,
		"hotspot_password: 12345678": false, "hotspot_password: 1234567": true, "hotspot_password: pässword9": true,
		"hotspot_password: \"tab\\there9\"": true, "hotspot_password: \"12345678 \"": true,
		"hotspot_password: " + strings.Repeat("x", 63): false, "hotspot_password: " + strings.Repeat("x", 64): true,
		"hotspot_country: FR": false, "hotspot_country: fr": true, "hotspot_country: FRA": true,
		"hotspot_country: GB": false, "hotspot_country: BE": false, "hotspot_country: CH": false, "hotspot_country: UK": true,
		"hotspot_country: XX": true, "hotspot_country: EU": true, "hotspot_country: ZZ": true,
	} {
		_, err := ParseConfig("majordome.yaml", []byte(text+"\n"))
		if (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
		_, value, is := strings.Cut(text, "hotspot_password: ")
		if is && err != nil && strings.Contains(err.Error(), strings.Trim(value, `" `)) {
			t.Errorf("the fault quotes the password: %v", err)
		}
	}
	c := Defaults()
	c.HotspotPassword = "correct horse"
	if told := c.RedactedYAML(); strings.Contains(told, "horse") || !strings.Contains(told, "hotspot_password: ...") {
		t.Errorf("the support bundle contains the password: %s", told)
	}
}
