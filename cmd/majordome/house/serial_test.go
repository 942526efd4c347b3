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

	"majordome/engine/ownfile"
)

func TestSerialReaderConfig(t *testing.T) {
	got, err := read(t, `
readers:
  - {role: urn, chip: mfrc522, spi: SPI1.0}
  - {role: show, chip: serial, port: /dev/serial/by-id/usb-not-here, baud: 9600}
`)
	if err != nil {
		t.Fatal(err) // a port that is not there may be plugged in later
	}
	if r := got.Readers[1]; r.Chip != "serial" || r.Port != "/dev/serial/by-id/usb-not-here" || r.Baud != 9600 {
		t.Errorf("read %+v", r)
	}
	for reader, want := range map[string]string{
		"chip: pn532, port: /dev/ttyACM0":                    "mfrc522",
		"chip: serial":                                       "there ", // which ports there are
		"chip: serial, port: ttyACM0":                        "whole name",
		"chip: serial, port: /dev/ttyACM0, baud: 250000":     "baud: 250000 (115200 as a rule",
		"chip: serial, port: /dev/ttyACM0, baud: -1":         "baud: -1 (115200",
		"chip: serial, port: /dev/ttyACM0, spi: SPI1.0":      "does not go with chip: serial",
		"chip: serial, port: /dev/ttyACM0, khz: 4000":        "does not go with chip: serial",
		"chip: mfrc522, spi: SPI1.0, port: /dev/ttyACM0":     "chip: serial",
		"spi: SPI1.0, baud: 115200":                          "chip: serial",
		"chip: serial, port: /dev/ttyACM1}\n  - {role: show": "spi",
	} {
		_, err := read(t, "readers:\n  - {role: urn, "+reader+"}\n")
		var f *ownfile.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", reader, err)
			continue
		}
		if said := f.Text(); f.Line == 0 || !strings.Contains(said.EN, want) || said.FR == said.EN {
			t.Errorf("%s: %q and %q", reader, said.EN, said.FR)
		}
	}
	if _, err := read(t, "readers:\n  - {role: urn, chip: serial, port: /dev/ttyACM0}\n  - {role: show, chip: serial, port: /dev/ttyACM0}\n"); err == nil ||
		!strings.Contains(err.Error(), "two readers on") {
		t.Errorf("two readers on one port: %v", err)
	}
}

// TestSerialReader: a reader at the end of a line is a reader like the others, from the wire to the
// update, pulled out and plugged in again with the card still on it.
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
	if err := dev.Probe(); err != nil { // from now on nothing that is printed gets lost
		t.Fatal(err)
	}
	r := roles(t, func(o *Opts) { o.Readers[1].Scanner = dev })
	first, second := tagOf(t, "role-murderer").String(), tagOf(t, "role-innocent-2").String()

	r.eyes[engine.ReaderShow].ready(t, engine.ReaderShow)
	from := r.mark()
	say(far, "\nREMOVE\nSCAN\tuid="+first+"\n")
	r.answered(from, engine.ReaderShow, "accepted")

	from = r.mark()
	if err := errors.Join(far.Close(), os.Remove(name)); err != nil {
		t.Fatal(err)
	}
	r.until(from, "the reader is lost", lost(engine.ReaderShow, "lost"))
	far = plug()
	r.until(from, "the reader is back", lost(engine.ReaderShow, "ok"))
	say(far, "\nSCAN\tuid="+first+"\nREMOVE\n")
	r.accepted(engine.ReaderShow, func() { say(far, "SCAN\tuid="+strings.ToLower(second)+"\n") })
	if s := r.signals(from, engine.ReaderShow); slices.Index(s, "accepted") != len(s)-1 {
		t.Errorf("the card that lay there all the time came again: %v", s)
	}
	if me, _ := r.house.loop.Snapshot(engine.At(2)); me.View.Me.Role != "role-innocent" {
		t.Errorf("Bruno is %q", me.View.Me.Role)
	}
}
