package house

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/creack/pty"

	"majordome/devices/lineread"
	"majordome/engine"
)

// TestSerialReader: a reader on a serial line works like the others, from the wire to the update, also when it is
// pulled out and plugged in again with the card still on it.
func TestSerialReader(t *testing.T) {
	name := filepath.Join(t.TempDir(), "usb-reader")
	plug := func() *os.File {
		far, near, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = far.Close() })
		device := near.Name()
		if err := errors.Join(near.Close(), os.Symlink(device, name)); err != nil {
			t.Fatal(err)
		}
		return far
	}
	say := func(far *os.File, text string) {
		if _, err := far.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	dev, err := lineread.New(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	far := plug()
	if err := dev.Probe(); err != nil { // from now on no printed line gets lost
		t.Fatal(err)
	}
	r := startRoles(t, func(o *Opts) { o.Readers[1].Scanner = dev })
	first, second := tagOf(t, "role-murderer").String(), tagOf(t, "role-innocent-2").String()

	r.eyes[engine.ReaderShow].waitReady(t, engine.ReaderShow)
	from := r.mark()
	say(far, "\nREMOVE\nSCAN\tuid="+first+"\n")
	r.waitSignal(from, engine.ReaderShow, "accepted")

	from = r.mark()
	if err := errors.Join(far.Close(), os.Remove(name)); err != nil {
		t.Fatal(err)
	}
	r.waitUpdate(from, "the reader is lost", hasReaderState(engine.ReaderShow, "lost"))
	far = plug()
	r.waitUpdate(from, "the reader is back", hasReaderState(engine.ReaderShow, "ok"))
	say(far, "\nSCAN\tuid="+first+"\nREMOVE\n")
	r.presentAccepted(engine.ReaderShow, func() { say(far, "SCAN\tuid="+strings.ToLower(second)+"\n") })
	if s := r.signals(from, engine.ReaderShow); slices.Index(s, "accepted") != len(s)-1 {
		t.Errorf("the card that lay there all the time came again: %v", s)
	}
	if me, _ := r.house.loop.Snapshot(engine.SeatViewer(2)); me.View.Me.Role != "role-innocent" {
		t.Errorf("Bruno is %q", me.View.Me.Role)
	}
}
