package lineread

import (
	"bytes"
	"strings"
	"testing"

	"majordome/devices"
)

func uid(t testing.TB, hex string) devices.UID {
	t.Helper()
	if hex == "" {
		return devices.UID{}
	}
	u, err := devices.ParseUID(hex)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestParse(t *testing.T) {
	const seven, four, ten = "04A1B2C3D4E5F6", "04A1B2C3", "04A1B2C3D4E5F6071829"
	for _, c := range []struct {
		line string
		kind kind
		uid  string
	}{
		{"SCAN\tuid=04A1B2C3D4E5F6", scan, seven},
		{"SCAN\tuid=04a1b2c3", scan, four},
		{"SCAN\tuid=04A1B2C3D4E5F6071829", scan, ten},
		{"SCAN\tuid=04:A1:B2:C3:D4:E5:F6", scan, seven},
		{"SCAN\tuid=04-A1-B2-C3-D4-E5-F6", scan, seven},
		{"SCAN\tuid= 04 A1 B2 C3 D4 E5 F6 ", scan, seven},
		{"SCAN\tuid=0x04A1B2C3D4E5F6", scan, seven},
		{"SCAN\tuid=0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6", scan, seven},
		{"SCAN\tuid=0X4,0XA1,0XB2,0XC3", scan, four},
		{"SCAN\tuid=4:A1:B2:C3", scan, four},
		{"SCAN\tuid=04A1 B2C3 D4E5 F6", scan, seven},
		{"SCAN\tuid=04.A1.B2.C3", scan, four},
		{"SCAN\tuid=0:0:0:1", scan, "00000001"}, // byte order is kept, and every zero
		{"SCAN\tuid=01000000", scan, "01000000"},

		{"SCAN\tuid=04A1B2C3D4E5F6\ttext=la potence, « déjà »\tremovable=yes", scan, seven},
		{"SCAN\tremovable=no\ttext=\tuid=04A1B2C3", pulse, four},
		{"SCAN\tuid=04A1B2C3\trssi=-40\tflag\t", scan, four},
		{"SCAN\tUID=04A1B2C3", noise, ""}, // keys are lower case
		{"SCAN\tuid=04A1B2C3\tremovable=non", scan, four},

		{"REMOVE", remove, ""},
		{"REMOVE\tuid=04:a1:b2:c3", remove, four},
		{"REMOVE\tremovable=no", remove, ""},
		{"REMOVE\tuid=04A1", noise, ""},

		{"SCAN", noise, ""},
		{"SCAN\t", noise, ""},
		{"SCAN\ttext=something without a number", noise, ""},
		{"SCAN\tuid=", noise, ""},
		{"SCAN\tuid=4A1B2C3", noise, ""},    // a zero got lost
		{"SCAN\tuid=04A1B2C3D4", noise, ""}, // five bytes: the check byte is none of it
		{"SCAN\tuid=8804A1B2", noise, ""},   // half of a longer one
		{"SCAN\tuid=8804A1B2C3D4E5F6", noise, ""},
		{"SCAN\tuid=123:A1:B2:C3", noise, ""},
		{"SCAN\tuid=0412345678901234567890", noise, ""},
		{"SCAN\tuid=la potence", noise, ""},
		{"SCAN\tuid=04A1B2C3\tuid=04A1B2C4", noise, ""}, // two lines in one
		{"SCAN uid=04A1B2C3", noise, ""},
		{"CAN\tuid=04A1B2C3", noise, ""},
		{"scan\tuid=04A1B2C3", noise, ""},
		{"\x00SCAN\tuid=04A1B2C3", noise, ""},
		{"\xff\xfe\x81", noise, ""}, // a wrong speed
		{"hel\x07lo", noise, ""},

		{"", remark, ""},
		{"reader 1.2 ready", remark, ""},
		{"carte détectée", remark, ""},
		{"a\tb", remark, ""},
		{"REMOVED", remark, ""},
	} {
		got := parse([]byte(c.line))
		if want := (message{c.kind, uid(t, c.uid)}); got != want {
			t.Errorf("%q: kind %d %s, want kind %d %s", c.line, got.kind, got.uid, want.kind, want.uid)
		}
	}
}

// read takes a stream in pieces of at most n bytes.
func read(stream []byte, n int) (all []message) {
	var l lines
	for len(stream) > 0 {
		piece := stream[:min(n, len(stream))]
		stream = stream[len(piece):]
		for len(piece) > 0 {
			if m, ok := l.next(&piece); ok {
				all = append(all, m)
			}
		}
	}
	return all
}

func TestLinesAreCutAtTheirEnds(t *testing.T) {
	fits := "SCAN\tuid=04A1B2C3\ttext=" + strings.Repeat("x", maxLine-len("SCAN\tuid=04A1B2C3\ttext="))
	for _, c := range []struct {
		name, stream string
		want         []kind
	}{
		{"LF", "REMOVE\nREMOVE\n", []kind{remove, remove}},
		{"CR LF", "REMOVE\r\nREMOVE\r\n", []kind{remove, remark, remove, remark}},
		{"CR", "REMOVE\rREMOVE\r", []kind{remove, remove}},
		{"no end yet", "REMOVE\nREMO", []kind{remove}},
		{"256 bytes", fits + "\n", []kind{scan}},
		{"257 bytes", fits + "x\nREMOVE\n", []kind{noise, remove}},
		{"a million bytes", strings.Repeat("SCAN\tuid=", 1<<17) + "\nREMOVE\n", []kind{noise, remove}},
	} {
		for _, n := range []int{1, 7, 256, len(c.stream)} {
			got := read([]byte(c.stream), n)
			if len(got) != len(c.want) {
				t.Errorf("%s, %d bytes at once: %d lines, want %d", c.name, n, len(got), len(c.want))
				continue
			}
			for i := range got {
				if got[i].kind != c.want[i] {
					t.Errorf("%s, %d bytes at once: line %d is kind %d, want %d", c.name, n, i, got[i].kind, c.want[i])
				}
			}
		}
	}
}

// FuzzLines: how a stream is cut into chunks changes nothing, a tag always has an
// identifier of a length that exists, whose digits stand in the line in this order, and only lines do anything.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"SCAN\tuid=04A1B2C3D4E5F6\ttext=x\tremovable=no\nREMOVE\n",
		"SCAN\tuid=0x4, 0xA1:b2-C3\r\nREMOVE\tuid=04A1B2C3\r\n",
		"\xff\x00\nSCAN\tuid=8804A1B2\nhello\n",
		strings.Repeat("x", 300) + "\nSCAN\tuid=04A1B2C3\n",
	} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, stream []byte, n uint8) {
		whole := read(stream, max(1, len(stream)))
		cut := read(stream, int(n)+1)
		if len(whole) != len(cut) {
			t.Fatalf("%d lines at once, %d in pieces of %d", len(whole), len(cut), n)
		}
		ends := bytes.Count(stream, []byte{'\n'}) + bytes.Count(stream, []byte{'\r'})
		if len(whole) != ends {
			t.Fatalf("%d messages of %d lines", len(whole), ends)
		}
		all := bytes.FieldsFunc(bytes.ToUpper(stream), func(r rune) bool { return r == '\n' || r == '\r' })
		for i, m := range whole {
			if m != cut[i] {
				t.Fatalf("line %d: %v at once, %v in pieces", i, m, cut[i])
			}
			named := m.uid != (devices.UID{})
			switch m.kind {
			case remark, noise:
				if named {
					t.Fatalf("line %d: a tag of a line that has none: %v", i, m)
				}
			case scan, pulse:
				if !named {
					t.Fatalf("line %d: a tag without an identifier", i)
				}
			}
			if named && !inSomeLine(all, m.uid.String()) {
				t.Fatalf("line %d: the digits of %s are in no line", i, m.uid)
			}
		}
	})
}

// inSomeLine tells whether a line has these digits in this order, zeros apart.
func inSomeLine(all [][]byte, digits string) bool {
	for _, line := range all {
		rest := strings.ReplaceAll(digits, "0", "")
		for _, c := range line {
			if rest != "" && c == rest[0] {
				rest = rest[1:]
			}
		}
		if rest == "" {
			return true
		}
	}
	return false
}
