package lineread

import (
	"bytes"
	"strings"
	"testing"
	"time"

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
		{"SCAN\tUID=04A1B2C3", scan, four},
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
		{"CAN\tuid=04A1B2C3", noise, ""},                // two lines in one
		{"\xff\xfe\x81", noise, ""},                     // a wrong speed
		{"hel\x07lo", noise, ""},

		// A blank in the place of the TAB, lower case, and what an opened port puts before the first line.
		{"SCAN uid=04A1B2C3", scan, four},
		{"SCAN   uid=04 A1 B2 C3  text=la potence removable=no", pulse, four},
		{"scan\tuid=04a1b2c3", scan, four},
		{"remove uid=04a1b2c3", remove, four},
		{"\x00\x00SCAN\tuid=04A1B2C3", scan, four},
		{"\ufeffSCAN\tuid=04A1B2C3", scan, four},
		{"SCAN\tuid=04A1B2C3\tremovable=false", pulse, four},
		{"SCAN uid=04A1B2C3 uid=04A1B2C4", noise, ""},
		{"SCANNED uid", remark, ""},

		// Bare numbers.
		{"04a1b2c3d4e5f6", scan, seven},
		{"04 A1 B2 C3 D4 E5 F6 ", scan, seven},
		{"04:a1:b2:c3", scan, four},
		{"0x04 0xA1 0xB2 0xC3", scan, four},
		{"04A1B2C3D4E5F6071829", scan, ten},
		{"Card UID: 04 A1 B2 C3", scan, four},
		{"UID:04A1B2C3", scan, four},
		{"UID=04A1B2C3", scan, four},
		{"uid 04A1B2C3", scan, four},
		{"TAG:04a1b2c3d4e5f6", scan, seven},
		{"  UID Value: 0x04 0xA1 0xB2 0xC3", scan, four},
		{"Scanned PICC's UID: 4 A1 B2 C3", scan, four}, // a label says what it is: zeros may be missing
		{"\x00Tag ID:\t04-A1-B2-C3", scan, four},

		// Numbers that no card of this table has.
		{"0009351929", noise, ""},           // ten decimal digits of a reader for 125 kHz, or five bytes
		{"\x020A0082F3B5CE\x03", noise, ""}, // a frame of such a reader (RDM6300)
		{"DEADBEEF22", noise, ""},           // with its check byte
		{"8804A1B2", noise, ""},
		{"8804A1B2C3D4E5F6", noise, ""},
		{"TAG: 8804A1B2", noise, ""},
		{`{"uid":"04A1B2C3D4E5F6"}`, noise, ""},
		{"UID is 04 A1 B2 C3 now", noise, ""},

		// Between STX and ETX.
		{"\x0204A1B2C3\x03", scan, four},
		{"\x02 04A1B2C3D4E5F6 \x03", scan, seven},
		{"\x0204A1B2C3D4E5F6071829\r\n\x03", scan, ten},
		{"\x00\x03\x02UID: 04 A1 B2 C3\r\x03", scan, four},
		{"\x02SCAN\tuid=04A1B2C3\x03", scan, four},
		{"\x028804A1B2\x03", noise, ""},
		{"\x0204A1B2C3D4\x03", noise, ""},
		{"\x02hello\x03", remark, ""},
		{"\x02\x03", remark, ""},
		{"04A1B2C3\x03", noise, ""},

		// Other text, even if it looks like a number.
		{"222", remark, ""},
		{"4 A1 B2 C3", remark, ""},
		{"12:30:45", remark, ""},
		{"10.0.0.10", remark, ""},
		{"2024-01-31", remark, ""},
		{"AA:BB:CC:DD:EE:FF", remark, ""}, // six bytes: an address on a network
		{"1234567", remark, ""},
		{"UID Length: 7 bytes", remark, ""},
		{"Card SAK: 08", remark, ""},
		{"PICC type: MIFARE 1KB", remark, ""},
		{"ets Jun  8 2016 00:22:57", remark, ""},
		{"entry 0x400805e4", remark, ""},
		{"UID:", remark, ""},

		{"", remark, ""},
		{"reader 1.2 ready", remark, ""},
		{"carte détectée", remark, ""},
		{"a\tb", remark, ""},
		{"REMOVED", remark, ""},
	} {
		got := parseLine([]byte(c.line))
		if want := (message{c.kind, uid(t, c.uid)}); got != want {
			t.Errorf("%q: kind %d %s, want kind %d %s", c.line, got.kind, got.uid, want.kind, want.uid)
		}
	}
}

// readStream takes a stream in pieces of at most n bytes.
func readStream(stream []byte, n int) (all []message) { return readAll(&lineSplitter{}, stream, n) }

func readAll(l *lineSplitter, stream []byte, n int) (all []message) {
	for len(stream) > 0 {
		piece := stream[:min(n, len(stream))]
		stream = stream[len(piece):]
		for len(piece) > 0 {
			if m, ok := l.nextMessage(&piece); ok {
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
		{"frames", "\x0204A1B2C3\x03\x02REMOVE\x03\x02hello\x03", []kind{scan, remove, remark}},
		{"frames with CR LF behind", "\x0204A1B2C3\x03\r\n", []kind{scan, remark, remark}},
		{"frames with CR LF inside", "\x0204A1B2C3\r\n\x03\x0204A1B2C3\r\n\x03", []kind{scan, remark, remark, scan, remark}},
		{"frames that are not understood, with CR LF inside", "\x020A0082F3B5CE\r\n\x03\x020A0082F3B5CE\r\n\x03", []kind{noise, noise}},
		{"STX alone before each", "\x0204A1B2\x0204A1B2C3\x02", []kind{remark, scan}},
		{"STX after half a line", "\xffhel\x0204A1B2C3\x03", []kind{noise, scan}},
		{"STX in boot garbage", "\xff\x02\xfe\r\nREMOVE\n", []kind{noise, noise, remove}},
		{"STX and ETX in a text", "SCAN\ttext=\x02enx\x03\tuid=04A1B2C3\n", []kind{scan}},
		{"a frame of 257 bytes", "\x02" + strings.Repeat("x", 256) + "\x03REMOVE\n", []kind{noise, remove}},
		{"256 bytes", fits + "\n", []kind{scan}},
		{"257 bytes", fits + "x\nREMOVE\n", []kind{scan, remove}},
		{"257 bytes of text", strings.Repeat("x", 257) + "\nREMOVE\n", []kind{noise, remove}},
		{"text that nobody needs first", "SCAN\ttext=" + strings.Repeat("x", 5000) + "\tuid=04A1B2C3\tremovable=no\n", []kind{pulse}},
		{"between", "SCAN\tremovable=no\ttext=" + strings.Repeat("x\t", 5000) + "uid=04A1B2C3\n", []kind{pulse}},
		{"last, after blanks", "SCAN uid=04A1B2C3 text=" + strings.Repeat("x ", 5000) + "\n", []kind{scan}},
		{"a tag that is too long", "SCAN\tuid=" + strings.Repeat("04", 200) + "\nREMOVE\n", []kind{noise, remove}},
		{"a tag that is too long, after blanks", "SCAN uid=" + strings.Repeat("04 ", 200) + "\nREMOVE\n", []kind{noise, remove}},
		{"a million bytes", strings.Repeat("SCAN\tuid=", 1<<17) + "\nREMOVE\n", []kind{noise, remove}},
	} {
		for _, n := range []int{1, 7, 256, len(c.stream)} {
			got := readStream([]byte(c.stream), n)
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

// FuzzLines: cutting a stream into chunks changes nothing, a tag always has a number of a valid length, whose digits are in the line in
// this order, and only lines have an effect.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"SCAN\tuid=04A1B2C3D4E5F6\ttext=x\tremovable=no\nREMOVE\n",
		"SCAN\tuid=0x4, 0xA1:b2-C3\r\nREMOVE\tuid=04A1B2C3\r\n",
		"\xff\x00\nSCAN\tuid=8804A1B2\nhello\n",
		strings.Repeat("x", 300) + "\nSCAN\tuid=04A1B2C3\n",
		"SCAN\ttext=" + strings.Repeat("x\t", 300) + "uid=04A1B2C3\n",
		"Card UID: DE AD BE EF\r\n04a1b2c3d4e5f6\nTAG:04A1B2C3\n",
		"\x0204A1B2C3\r\n\x03\x020A0082F3B5CE\r\n\x03\x02hello\x03x\x02\n",
		"\ufeffSCAN uid=04A1B2C3 removable=no\n\u202e\x1b[2J\xe2\x82\n",
	} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, stream []byte, n uint8) {
		whole := readStream(stream, max(1, len(stream)))
		cut := readStream(stream, int(n)+1)
		if len(whole) != len(cut) {
			t.Fatalf("%d lines at once, %d in pieces of %d", len(whole), len(cut), n)
		}
		ends := bytes.Count(stream, []byte{'\n'}) + bytes.Count(stream, []byte{'\r'})
		if !bytes.ContainsAny(stream, "\x02\x03") && len(whole) != ends {
			t.Fatalf("%d messages of %d lines", len(whole), ends)
		}
		all := bytes.FieldsFunc(bytes.ToUpper(stream), func(r rune) bool { return r == '\n' || r == '\r' })
		var one, many lineSplitter
		readAll(&one, stream, max(1, len(stream)))
		readAll(&many, stream, int(n)+1)
		for _, at := range []time.Duration{0, lineWait} {
			one.at, many.at = at, at
			checkHeard(t, one.LineStats(), many.LineStats(), stream)
		}
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

// inSomeLine reports whether a line has these digits in this order, zeros apart.
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
