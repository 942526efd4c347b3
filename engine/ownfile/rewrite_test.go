package ownfile_test

import (
	"errors"
	"strings"
	"testing"

	"majordome/engine/ownfile"
)

const commented = `# the house
listen: ":80"   # for all

# what hangs on it
readers:
  # in the slot
  - role: urn          # its role
    spi: SPI1.0
    # at last
    gain: 33           # loud
  - {role: show, spi: SPI1.1}  # short

names: [a.example, b.example]  # two
calm:
# the end
`

// Each change leaves all else as it was, down to the blank.
func TestRewrite(t *testing.T) {
	for _, c := range []struct {
		path, from, to string
		value          any
	}{
		{"$.listen", `":80"   #`, `":8081"   #`, ":8081"},
		{"$.readers[0].gain", "gain: 33  ", "gain: 43  ", 43},
		{"$.readers[0].role", "role: urn  ", "role: enrol  ", "enrol"},
		{"$.readers[1].spi", "{role: show, spi: SPI1.1}", "{role: show, spi: SPI1.2}", "SPI1.2"},
		{"$.names[1]", "b.example]", "table.lan]", "table.lan"},
		{"$.calm", "calm:", "calm: true", true},
		{"$.site", "# the end\n", "# the end\nsite: manor\n", "manor"},
		{"$.readers[0].reset", "# loud\n", "# loud\n    reset: GPIO25\n", "GPIO25"},
		{"$.readers[0].gain", "    gain: 33           # loud\n", "    # loud\n", nil},
		{"$.readers[0].role", "  - role: urn          # its role\n    spi: SPI1.0\n", "  # its role\n  - spi: SPI1.0\n", nil},
		{"$.listen", "listen: \":80\"   # for all\n", "# for all\n", nil},
		{"$.readers[2]", "  # short\n", "  # short\n  - role: enrol\n    chip: serial\n    port: /dev/ttyACM0\n", []ownfile.Pair{{"role", "enrol"}, {"chip", "serial"}, {"port", "/dev/ttyACM0"}}},
		{"$.strips[0]", "# the end\n", "# the end\nstrips:\n  - chip: apa102\n    segments:\n      clock: \"0-7\"\n", []ownfile.Pair{{"chip", "apa102"}, {"segments", []ownfile.Pair{{"clock", "0-7"}}}}},
		{"$.mqtt", "# the end\n", "# the end\nmqtt: \"off\"\n", "off"},
		{"$.names[2]", "names: [a.example, b.example]  # two\n", "# two\nnames:\n  - a.example\n  - b.example\n  - c.example\n", "c.example"},
	} {
		want := strings.Replace(commented, c.from, c.to, 1)
		if c.path == "$.readers[2]" {
			want = strings.Replace(commented, "}  # short\n", "}"+c.to, 1)
		}
		for _, end := range []string{"\n", "\r\n"} {
			got, err := ownfile.Rewrite([]byte(strings.ReplaceAll(commented, "\n", end)), ownfile.Change{Path: c.path, Value: c.value})
			if err != nil || strings.ReplaceAll(string(got), "\r\n", "\n") != want || strings.Contains(string(got), "\r") != (end == "\r\n") {
				t.Errorf("%s = %v: %v\n%s", c.path, c.value, err, got)
			}
		}
	}
}

// A file that is not there yet, and one of comments alone.
func TestRewriteOfNothing(t *testing.T) {
	for _, text := range []string{"", "# only\n", "\n\n", "---\n", "readers:\n", "readers: []\n"} {
		got, err := ownfile.Rewrite([]byte(text), ownfile.Change{Path: "$.readers[0]", Value: []ownfile.Pair{{"role", "urn"}}})
		if err != nil || !strings.Contains(string(got), "readers:\n  - role: urn\n") {
			t.Errorf("%q: %v\n%s", text, err, got)
		}
	}
}

// What cannot be done so is refused, and no path or value makes a panic.
func TestRewriteRefuses(t *testing.T) {
	for _, c := range []struct{ text, path string }{{"a: [", "$.b"}, {"a: 1\n", "$.a.b"}, {"a: 1\n", "$.a[0]"}, {"a: [1]\n", "$.a[5]"}, {"a: &x 1\n", "$.b"}, {"- 1\n", "$.a"}} {
		if got, err := ownfile.Rewrite([]byte(c.text), ownfile.Change{Path: c.path, Value: "x"}); !errors.Is(err, ownfile.ErrByHand) || got != nil {
			t.Errorf("%q %s: %v %q", c.text, c.path, err, got)
		}
	}
	if _, err := ownfile.Rewrite(nil, ownfile.Change{Path: "a..b", Value: "x"}); err == nil {
		t.Error("no path")
	}
}

func TestValues(t *testing.T) {
	var got []string
	for _, p := range ownfile.Values([]byte(commented)) {
		got = append(got, p.Key+"="+p.Value.(string))
	}
	want := "$.listen=:80 $.readers[0].role=urn $.readers[0].spi=SPI1.0 $.readers[0].gain=33 $.readers[1].role=show $.readers[1].spi=SPI1.1 $.names[0]=a.example $.names[1]=b.example"
	if strings.Join(got, " ") != want {
		t.Error(got)
	}
	if got := ownfile.Values([]byte("a: [")); got != nil {
		t.Error(got)
	}
}
