package house

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func read(t *testing.T, text string) (Config, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "majordome.yaml")
	writeFile(t, name, text)
	return ReadConfig(name)
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
	want.Readers = []ReaderConfig{{Role: "urn", SPI: "SPI1.0", Reset: "GPIO25", KHz: 1000, Gain: 48}, {Role: "show", SPI: "SPI1.1"}}
	want.Strips = []StripConfig{{Chip: "ws2812", SPI: "SPI0.0", BudgetMA: 850, Brightness: 40}}
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
		"listen: x\nmqtt: x\n":                            {{2, 7}},
		"site: House\n":                                   {{1, 7}},
		"site: a/b\ntable: '#'\n":                         {{1, 7}, {2, 8}},
		"table: " + strings.Repeat("a", 32):               {{1, 8}},
		"url: table\n":                                    {{1, 6}},
		"url: http://table/\n":                            {{1, 6}},
		"colour: red\n":                                   {{1, 1}},
		"readers:\n  - role: urn\n    pin: 1\n":           {{3, 5}},
		"readers: urn\n":                                  {{1, 10}},
		"readers: [\n":                                    {{1, 10}},
		"readers:\n  - role: oven\n    spi: SPI1.0\n":     {{2, 11}},
		"readers:\n  - role: urn\n":                       {{2, 5}},
		"readers:\n  - {role: urn, spi: a, khz: 20000}\n": {{2, 30}},
		"readers:\n  - {role: urn, spi: a, gain: 20}\n":   {{2, 31}},
		"readers:\n  - {role: urn, spi: a, gain: high}\n": {{2, 31}},
		"strips:\n  - {chip: neon, spi: a}\n":             {{2, 12}},
		"strips:\n  - {chip: ws2812}\n":                   {{2, 6}},
		"strips:\n  - {chip: node, port: /dev/n}\n  - {chip: node, port: /dev/n}\n":                        {{3, 24}},
		"readers:\n  - {role: urn, chip: serial, port: /dev/n}\nstrips:\n  - {chip: node, port: /dev/n}\n": {{4, 24}},
		"strips:\n  - {chip: ws2812, spi: a, budget_ma: -1, brightness: 101}\n":                            {{2, 55}, {2, 39}},
		"readers:\n  - {role: urn, spi: a}\n  - {role: urn, spi: b}\n":                                     {{3, 12}},
		strings.Repeat("# a\n", 20_000):                                                                    {{0, 0}},
	} {
		_, err := read(t, text)
		var got []place
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range joined.Unwrap() {
				var f *Fault
				if !errors.As(e, &f) {
					t.Fatalf("%q: %v", text, e)
				}
				got = append(got, place{f.Line, f.Column})
				if both := f.Text(); both.FR == "" || both.FR == both.EN || !strings.Contains(both.FR, "majordome.yaml") {
					t.Errorf("%q: told %q and %q", text, both.FR, both.EN)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60q: faults at %v, want %v: %v", text, got, want, err)
		}
	}
}

func TestNoConfig(t *testing.T) {
	_, err := ReadConfig(filepath.Join(t.TempDir(), "none"))
	var f *Fault
	if !errors.As(err, &f) || !strings.Contains(f.Text().FR, "n’existe pas") {
		t.Errorf("no file: %v", err)
	}
	if _, err = ReadConfig(t.TempDir()); !errors.As(err, &f) || !strings.Contains(f.Text().EN, "cannot be read") {
		t.Errorf("a folder: %v", err)
	}
}
