package game

import (
	"testing"
	"time"

	"majordome/engine"
)

// A page that has just connected counts down the remaining time of a window, not the whole of it: each update
// contains that time, the same for all viewers.
func TestLeftOfAWindow(t *testing.T) {
	e := newEvening(t, games[1], newMemory(), 3)
	e.seatAndBegin(4)
	open := func() *engine.Case { return e.last().Public.View.Case }
	for i := 0; open() == nil || open().Closes == 0; i++ {
		if e.last().Public.Left != 0 {
			t.Fatalf("%d ms are left of no window", e.last().Public.Left)
		}
		if i == 400 || e.last().Public.View.Result != nil {
			t.Fatal("no window was opened")
		}
		e.play()
	}
	e.core().publish(notices{}) // time may have passed since it opened
	length := open().Closes - e.core().gameTime()
	if length <= 0 || e.last().Public.Left != length {
		t.Fatalf("%d ms of a window of %d are left as it opens", e.last().Public.Left, length)
	}
	e.clock.at = e.clock.at.Add(2 * time.Second)
	e.core().publish(notices{}) // a phone has connected
	if got := e.last().Public.Left; got != length-2000 {
		t.Errorf("%d ms are left after two seconds, want %d", got, length-2000)
	}
	e.core().deadlines.delays[e.core().game.Deadlines()[0]] += 700 // the display plays something first
	e.core().publish(notices{})
	if got := e.last().Public.Left; got != length-1300 {
		t.Errorf("%d ms are left with 700 more, want %d", got, length-1300)
	}
	for _, u := range append(e.last().SeatUpdates(), e.last().Host) {
		if u.Left != e.last().Public.Left {
			t.Errorf("%s: %d ms, and %d for the public", u.View.Viewer, u.Left, e.last().Public.Left)
		}
	}
}
