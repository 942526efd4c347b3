package lineread

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/plugtest"
	"majordome/devices/presence"
)

// bench is a port name behind which readers are plugged in, and the driver that reads it.
type bench struct {
	*plugtest.Socket
	t *testing.T
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return &bench{plugtest.New(t, "usb-reader-if00"), t}
}

func (b *bench) reader() *Dev {
	b.t.Helper()
	d, err := New(b.Path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = d.Halt() })
	return d
}

// scan polls until accept returns true for an answer.
func (b *bench) scan(d *Dev, what string, accept func([]devices.Tag, error) bool) {
	b.t.Helper()
	b.WaitUntil(what, func() bool { return accept(d.Scan(context.Background())) })
}

func names(tags []devices.Tag) string {
	var all []string
	for _, t := range tags {
		all = append(all, t.UID.String())
	}
	return strings.Join(all, " ")
}

// From a real terminal through the real port layer to the real fold.
func TestFromTheWireToEvents(t *testing.T) {
	b := newBench(t)
	d := b.reader()
	ctx, stop := context.WithCancel(context.Background())
	events := make(chan presence.Event, 64)
	watched := make(chan error, 1)
	go func() {
		watched <- presence.Watch(ctx, d, &presence.WatchOpts{}, func(e presence.Event) { events <- e })
	}()
	expect := func(want string) {
		t.Helper()
		select {
		case e := <-events:
			if got := strings.TrimSpace(fmt.Sprint(e.Kind, " ", e.Tag.UID)); got != want {
				t.Fatalf("event %q, want %q (%v)", got, want, e.Err)
			}
		case <-time.After(plugtest.Patience):
			t.Fatalf("no %q after %v", want, plugtest.Patience)
		}
	}
	expect("reader lost") // not plugged in yet
	far := b.Plug()
	expect("reader back")
	b.SendText(far, "\nsmall reader 1.0\nREMOVE\n")
	b.SendText(far, "SCAN\tuid=04:a1:b2:c3")
	b.SendText(far, ":d4:e5:f6\ttext=x\r\n")
	expect("arrived 04A1B2C3D4E5F6")
	b.SendText(far, "SCAN\tuid=04A1B2C3D4E5F6\nREMOVE\n")
	expect("left 04A1B2C3D4E5F6")
	b.SendText(far, "SCAN\tuid=04A1B2C3\nREMOVE\nSCAN\tuid=04A1B2C4\n") // one fell by
	expect("arrived 04A1B2C3")
	expect("arrived 04A1B2C4")
	expect("left 04A1B2C3")
	b.Unplug(far)
	expect("reader lost")
	far = b.Plug()
	expect("reader back")
	b.SendText(far, "\nSCAN\tuid=04A1B2C4\nREMOVE\tuid=04A1B2C4\n") // it lay there all the time: no arrival
	expect("left 04A1B2C4")

	stop()
	if err := <-watched; err != nil {
		t.Fatal(err)
	}
	if err := d.Halt(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Scan(context.Background()); !errors.Is(err, errHalted) {
		t.Fatalf("scan after Halt: %v", err)
	}
	b.WaitPortsClosed()
}

func TestNoiseIsReportedOnce(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	d := b.reader()
	if err := d.Probe(); err != nil {
		t.Fatal(err)
	}
	b.SendText(far, "REMOVE\nSCAN\tuid=04A1B2C3\n")
	b.scan(d, "the tag", func(tags []devices.Tag, err error) bool { return names(tags) == "04A1B2C3" && err == nil })
	for _, garbage := range []string{"\xff\xf0\x81\n", "SCAN\tuid=04A1\n", strings.Repeat("x", maxLine+1) + "\n"} {
		b.SendText(far, garbage)
		b.scan(d, "noise beside the tag", func(tags []devices.Tag, err error) bool {
			return names(tags) == "04A1B2C3" && errors.Is(err, devices.ErrNoise)
		})
		if tags, err := d.Scan(context.Background()); names(tags) != "04A1B2C3" || err != nil {
			t.Fatalf("after %q the reader reported: %v, %v", garbage, tags, err)
		}
	}
}

// Twenty tags between two polls, each gone again: they come one by one, in order, and none is lost.
func TestTagsThatComeFasterThanThePolls(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	d := b.reader()
	if err := d.Probe(); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i := range 20 {
		id := fmt.Sprintf("04A1B2%02X", i)
		want = append(want, id)
		b.SendText(far, "SCAN\tuid="+id+"\nSCAN\tuid="+id+"\nREMOVE\n")
	}
	b.scan(d, "all of them", func(tags []devices.Tag, err error) bool {
		if err != nil || len(tags) > 1 {
			t.Fatalf("%d tags, %v", len(tags), err)
		}
		if id := names(tags); id != "" && !slices.Contains(got, id) {
			got = append(got, id)
		}
		return len(got) == len(want)
	})
	if !slices.Equal(got, want) {
		t.Fatalf("came as %v", got)
	}
}

// Everything that a reader sent before the plug was pulled is reported first.
func TestLastWordsBeforeTheHangUp(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	d := b.reader()
	if err := d.Probe(); err != nil {
		t.Fatal(err)
	}
	b.SendText(far, "SCAN\tuid=04A1B2C3\nSCAN\tuid=04A1")
	b.WaitUntil("something has arrived", func() bool { return len(d.port.Received()) > 0 })
	b.Unplug(far)
	b.WaitUntil("the port is lost", func() bool { return d.port.Err() != nil })
	if tags, err := d.Scan(context.Background()); names(tags) != "04A1B2C3" || err != nil {
		t.Fatalf("the last snapshot: %v, %v", tags, err)
	}
	b.scan(d, "lost", func(_ []devices.Tag, err error) bool {
		if errors.Is(err, devices.ErrNoise) {
			t.Fatal("half a line is noise")
		}
		return err != nil
	})
	var a devices.Advice
	if _, err := d.Scan(context.Background()); !errors.As(err, &a) || !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("and then: %v", err)
	}
	far = b.Plug()
	b.scan(d, "the port again", func(_ []devices.Tag, err error) bool { return err == nil })
	b.SendText(far, "B2C5\nSCAN\tuid=04A1B2C6\n") // not the end of what it began to say before
	b.scan(d, "the next tag", func(tags []devices.Tag, err error) bool {
		if strings.Contains(names(tags), "04A1B2C5") {
			t.Fatal("two halves of different lines made a tag")
		}
		return err == nil && names(tags) == "04A1B2C6"
	})
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	for _, c := range []struct {
		path string
		opts Opts
	}{
		{"ttyUSB0", Opts{}},
		{"/dev/ttyUSB0", Opts{Baud: 250000}},
		{"/dev/ttyUSB0", Opts{Silence: -1}},
		{"/dev/ttyUSB0", Opts{Pulse: -1}},
	} {
		if _, err := New(c.path, &c.opts); err == nil {
			t.Errorf("%s %+v: accepted", c.path, c.opts)
		}
	}
	if _, err := New("/dev/serial/by-id/usb-not-plugged-in", nil); err != nil {
		t.Errorf("a reader that is not plugged in yet: %v", err)
	}
}

// A poll of a quiet reader, 500 times a second on a Pi.
func BenchmarkScanIdle(b *testing.B) {
	s := plugtest.New(b, "usb-reader-if00")
	s.Plug()
	d, err := New(s.Path, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Halt()
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Scan(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
