package house

import (
	"slices"
	"strings"
	"testing"

	"majordome/devices/lineread"
	"majordome/devices/plugtest"
	"majordome/engine"
)

// TestSerialReader: a reader on a serial line works like the others, from the wire to the update, also when it is
// pulled out and plugged in again with the card still on it.
func TestSerialReader(t *testing.T) {
	socket := plugtest.New(t, "usb-reader")
	dev, err := lineread.New(socket.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	far := socket.Plug()
	if err := dev.Probe(); err != nil { // from now on no printed line gets lost
		t.Fatal(err)
	}
	r := startRoles(t, func(o *Opts) { o.Readers[1].Scanner = dev })
	first, second := tagOf(t, "role-murderer").String(), tagOf(t, "role-innocent-2").String()

	r.eyes[engine.ReaderShow].waitReady(t, engine.ReaderShow)
	from := r.mark()
	socket.SendText(far, "\nREMOVE\nSCAN\tuid="+first+"\n")
	r.waitSignal(from, engine.ReaderShow, "accepted")

	from = r.mark()
	socket.Unplug(far)
	r.waitUpdate(from, "the reader is lost", hasReaderState(engine.ReaderShow, "lost"))
	far = socket.Plug()
	r.waitUpdate(from, "the reader is back", hasReaderState(engine.ReaderShow, "ok"))
	socket.SendText(far, "\nSCAN\tuid="+first+"\nREMOVE\n")
	r.presentAccepted(engine.ReaderShow, func() { socket.SendText(far, "SCAN\tuid="+strings.ToLower(second)+"\n") })
	if s := r.signals(from, engine.ReaderShow); slices.Index(s, "accepted") != len(s)-1 {
		t.Errorf("the card that lay there all the time came again: %v", s)
	}
	if me, _ := r.house.Loop.Snapshot(engine.SeatViewer(2)); me.View.Me.Role != "role-innocent" {
		t.Errorf("Bruno is %q", me.View.Me.Role)
	}
}
