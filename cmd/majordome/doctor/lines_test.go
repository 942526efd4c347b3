package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"

	"majordome/cmd/majordome/config"
	"majordome/devices/lineread"
	"majordome/devices/logtest"
	"majordome/devices/serial"
	"majordome/engine"
)

// line returns a serial port of a configuration, and its far end.
func line(t *testing.T) (name string, far *os.File) {
	t.Helper()
	far, near, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = far.Close(), near.Close() })
	name = filepath.Join(t.TempDir(), "usb-reader")
	if err := os.Symlink(near.Name(), name); err != nil {
		t.Fatal(err)
	}
	port, err := serial.Open(name, nil) // from now on the line passes every byte: otherwise ETX would be the interrupt key
	if err != nil {
		t.Fatal(err)
	}
	if err := port.Close(); err != nil {
		t.Fatal(err)
	}
	return name, far
}

// TestDoctorListensToSerialReaders checks that the doctor listens to serial readers and reports their output, without
// card numbers.
func TestDoctorListensToSerialReaders(t *testing.T) {
	t.Parallel()
	var cfg config.Config
	says := []struct {
		prints string
		state  State
		said   string
	}{
		{"REMOVE\n", OK, "reader r0: what it prints is understood (1 lines)"},
		{"", Note, "reader r1: has printed nothing in 3 s"},
		{`{"uid":"04A1B2C3D4E5F6"}` + "\n", Fault,
			`reader r2: this reader prints: “{"uid":"##############"}” (14 digits, hidden); it must print: SCAN→uid=`},
		{"ready\n", Warning, `reader r3: this reader prints: “ready”; it must print`},
		{strings.Repeat("\xf8\x00\x80\xe0\xfe\x1e\xff\x86\x9cA", 30), Fault, "reader r4: 9 of 10 bytes are no text: another speed?"},
		{strings.Repeat("Hello ", 60), Fault, "reader r5: this reader prints: “Hello Hello "},
		{"0004A1B2C3", Fault, "reader r6: this reader prints: “##########” (10 digits, hidden), and no line end comes: "},
		{"\x02 04A1B2C3D400 \x03", Fault, "reader r7: this reader prints: “STX ############ ETX” (12 digits, hidden); it must print"},
		{"\x0204A1B2C3\x03", OK, "reader r8: what it prints is understood"},
		{"\n\n", Note, "reader r9: has printed no whole line in 3 s"},
	}
	for i, s := range says {
		name, far := line(t)
		if _, err := far.WriteString(s.prints); err != nil { // it waits in the line
			t.Fatal(err)
		}
		cfg.Readers = append(cfg.Readers,
			config.ReaderConfig{Role: "r" + string(rune('0'+i)), Chip: config.ChipSerial, Port: name, Baud: 115200})
	}
	l := &examination{Machine: machine(os.DirFS("/")), cfg: cfg}
	l.listenReaders(t.Context())
	if len(l.found) != len(says) {
		t.Fatalf("%+v", l.found)
	}
	for i, s := range says {
		f := l.found[i]
		if f.State != s.state || !strings.HasPrefix(f.Said.EN, s.said) || f.Said.FR == f.Said.EN ||
			strings.Contains(f.Said.EN+f.Said.FR, "04A1B2") {
			t.Errorf("%+v, want %s %q", f, s.state, s.said)
		}
	}
}

// TestWatchShowsLinesThatAreNotUnderstood checks that watch shows each line that is not understood, and what is wrong
// with it.
func TestWatchShowsLinesThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	name, far := line(t)
	dev, err := lineread.New(name, nil)
	if err := errors.Join(err, dev.Probe()); err != nil {
		t.Fatal(err)
	}
	defer dev.Halt()
	ctx, stop := context.WithCancel(t.Context())
	var out logtest.Buffer
	var ended sync.WaitGroup
	defer ended.Wait()
	defer stop()
	ended.Go(func() {
		WatchReaders(ctx, NewScreen(&out, false), []WatchedReader{{Name: engine.T("lecteur show", "reader show"), Scanner: dev}})
	})
	say := func(text, want string) {
		t.Helper()
		if _, err := far.WriteString(text); err != nil {
			t.Fatal(err)
		}
		out.WaitFor(t, want)
	}
	say("found DE AD BE EF 22\n", "reader show: this reader prints: “found DE AD BE EF 22”; it must print")
	say("SCAN\tuid=04A1B2C3D4E5F6\n", "reader show: card 04A1B2C3D4E5F6 is there")
	say("good bye\n", "reader show: a remark: “good bye”")
}
