package node

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/presence"
)

// vectors reads a file that the tests of the firmware read too.
func vectors(t testing.TB, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../firmware/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimRight(l, "\n"); l != "" && l[0] != '#' {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return lines
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// frame is the body of a named vector.
func frame(t testing.TB, name string) []byte {
	t.Helper()
	for _, l := range vectors(t, "frames.txt") {
		if f := strings.Fields(l); f[0] == name {
			return unhex(t, f[1])
		}
	}
	t.Fatalf("no frame %q", name)
	return nil
}

func decode(line []byte) (bodies []string) {
	var d Decoder
	for _, b := range line {
		if body, ok := d.DecodeByte(b); ok {
			bodies = append(bodies, hex.EncodeToString(body))
		}
	}
	return bodies
}

func TestFramesOfTheVectors(t *testing.T) {
	if got := crc16(0xFFFF, []byte("123456789")); got != 0x29B1 {
		t.Errorf("CRC-16/IBM-3740 of its check string: %04X", got)
	}
	for _, l := range vectors(t, "frames.txt") {
		f := strings.Fields(l)
		body, wire := unhex(t, f[1]), unhex(t, f[2])
		if got := AppendFrame(nil, body); !bytes.Equal(got, wire) || len(got) > MaxWire {
			t.Errorf("%s encodes as %x, want %x", f[0], got, wire)
		}
		if got := decode(wire); len(got) != 1 || got[0] != f[1] {
			t.Errorf("%s decodes as %v", f[0], got)
		}
	}
}

func TestStreamsOfTheVectors(t *testing.T) {
	for _, l := range vectors(t, "streams.txt") {
		f := strings.Split(l, " | ")
		if got := strings.Join(decode(unhex(t, f[1])), " "); got != f[2] {
			t.Errorf("%s: %s, want %s", f[0], got, f[2])
		}
	}
}

func TestMessagesOfTheVectors(t *testing.T) {
	h, ok := parseHello(frame(t, "hello-answer")[1:])
	want := helloMessage{nonce: 7, session: 0x1234, taken: 12, first: 0x403, window: 127,
		Info: Info{Version: 1, Firmware: [2]uint8{1, 0}, Name: "urn",
			Boots: 3, Uptime: 0x12345678 * time.Millisecond, Cause: CauseWatchdog, Strip: APA102, Pixels: 120, Buttons: 5, Lost: 0x102,
			Readers: [4]ReaderInfo{{true, 0x92}, {true, 0xB2}, {}, {}}}}
	if !ok || h != want {
		t.Errorf("HELLO: %+v, want %+v", h, want)
	}
	tag := func(uid string, sak byte) devices.Tag {
		u, err := devices.ParseUID(uid)
		if err != nil {
			t.Fatal(err)
		}
		return devices.Tag{UID: u, SAK: sak}
	}
	for name, want := range map[string]event{
		"event-arrived-4":      {0x37, 0, 10 * time.Second, kindArrived, 0, false, tag("DEADBEEF", 8)},
		"event-arrived-7-more": {0x37, 1, 10 * time.Second, kindArrived, 3, true, tag("04A1B2C3D4E5F6", 0)},
		"event-left-10":        {0x37, 0xFFFF, 0x01000000 * time.Millisecond, kindLeft, 2, false, tag("04A1B2C3D4E5F6070809", 0)},
		"event-noise":          {0x37, 2, 10001 * time.Millisecond, kindNoise, 1, false, devices.Tag{}},
		"event-down":           {0x37, 3, 10002 * time.Millisecond, kindDown, 3, false, devices.Tag{}},
	} {
		if got, err := parseEvent(frame(t, name)[1:]); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	c := Config{Name: "urn", Select: [4]Pin{10, 9, 8, 7}, Strip: WS2812GRB, Pixels: 60, Data: 6, Buttons: [4]Pin{14, 15, 16, 17}, Gain: 38}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if b := c.encodeBytes(); !bytes.Equal(b[:], frame(t, "set")[1:]) {
		t.Errorf("SET: %x", b)
	}
	if got, ok := parseConfig(frame(t, "config")[2:]); !ok || !reflect.DeepEqual(got, c) {
		t.Errorf("CONFIG: %+v", got)
	}
}

func TestConfigurationsThatCannotWork(t *testing.T) {
	for name, c := range map[string]func(*Config){
		"a pin of the bus":          func(c *Config) { c.Select[1] = 12 },
		"a pin for two":             func(c *Config) { c.Buttons[0] = 6 },
		"a button at an output":     func(c *Config) { c.Select[0], c.Buttons[0] = 9, 10 },
		"the line's own pin":        func(c *Config) { c.Buttons[0] = 1 },
		"a strip without a pin":     func(c *Config) { c.Data = 0 },
		"an APA102 without a clock": func(c *Config) { c.Strip = APA102 },
		"too long a strip":          func(c *Config) { c.Pixels = 121 },
		"too long a name":           func(c *Config) { c.Name = "seventeen letters" },
		"a name with an accent":     func(c *Config) { c.Name = "été" },
		"a gain of no chip":         func(c *Config) { c.Gain = 40 },
	} {
		good := Config{Name: "urn", Select: [4]Pin{10}, Strip: WS2812GRB, Pixels: 60, Data: 6, Gain: 38}
		if c(&good); good.Validate() == nil {
			t.Errorf("%s passed", name)
		}
	}
}

// scansAlone has no absence time, because the node counts scans only.
var scansAlone = &presence.Opts{Absence: 1}

var failureOf = map[byte]error{'~': devices.ErrNoise, '!': devices.ErrSpark, 'x': os.ErrClosed}

// The node decides which tags have arrived and left, by the rules of package presence. Both are tested with the same file.
func TestPresenceOfTheVectors(t *testing.T) {
	var fold *presence.Fold
	var name string
	told := map[presence.Kind]string{presence.Arrived: "+", presence.Left: "-", presence.NoiseBegan: "N",
		presence.ReaderLost: "X", presence.ReaderBack: "B"}
	begun, pile := false, false
	for _, l := range vectors(t, "presence.txt") {
		if kind, c, _ := strings.Cut(l, " "); kind == "case" || kind == "pile" {
			name, begun, pile = c, false, kind == "pile"
			fold, _ = presence.NewFold(scansAlone)
			continue
		}
		scan, want, _ := strings.Cut(l, " > ")
		f := strings.Fields(scan)
		at, err := time.ParseDuration(f[0] + "ms")
		if err != nil {
			t.Fatal(err)
		}
		var tags []devices.Tag
		for _, letter := range f[1][1:] {
			uid, _ := devices.MakeUID([]byte{1, 2, 3, byte(letter)})
			tags = append(tags, devices.Tag{UID: uid})
		}
		step := func() []presence.Event { return fold.ApplyScan(at, tags, failureOf[f[1][0]]) }
		switch {
		case f[1][0] == '?':
			found := f[1][2]
			step = func() []presence.Event {
				return fold.ApplyFindTag(at, tags[0], found == '+', found != '0', failureOf[found])
			}
		case pile:
			step = func() []presence.Event { return fold.ApplyNewTags(at, tags, failureOf[f[1][0]]) }
		}
		if strings.HasPrefix(want, "B") && !begun {
			begun = true
			fold, _ = presence.NewFold(scansAlone) // it begins with the state found at the start, not as lost
			want = strings.TrimPrefix(want[1:], " ")
		}
		want = strings.TrimPrefix(strings.TrimPrefix(want, "Q"), " ")
		if name == "the fourth waits for room" {
			continue // the fold has room for more
		}
		var got []string
		for _, e := range step() {
			s := told[e.Kind]
			if e.Kind == presence.Arrived || e.Kind == presence.Left {
				s += string(rune(e.Tag.UID.Bytes()[3]))
			}
			got = append(got, s)
		}
		if !begun {
			continue // it was never lost, so it has nothing to report
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s, at %v: %v, want %s", name, at, got, want)
		}
	}
}

// FuzzDecoder begins with the vectors; what it finds beyond them is kept there, for both ends.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"frames.txt", "streams.txt"} {
		for _, l := range vectors(f, name) {
			for _, word := range strings.Fields(l) {
				if line, err := hex.DecodeString(word); err == nil {
					f.Add(line)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var d Decoder
		for _, b := range line {
			body, ok := d.DecodeByte(b)
			if !ok {
				continue
			}
			if len(body) < 1 || len(body) > MaxBody {
				t.Fatalf("a body of %d bytes", len(body))
			}
			parseHello(body[1:])
			parseEvent(body[1:])
			parseConfig(body[1:])
			again := AppendFrame(nil, body)
			if got := decode(again); len(got) != 1 || got[0] != hex.EncodeToString(body) {
				t.Fatalf("%x became %v", body, got)
			}
		}
	})
}
