package game

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/master/hold"
	"majordome/companion/wire"
	"majordome/engine"
)

// A button pauses the game: the game's clock stops, nothing is decided, and only the button or the host resumes it.
func TestPauseButton(t *testing.T) {
	for _, how := range []string{"button", "host"} {
		r := playing(t, newMemory(), 3)
		r.passTime(time.Second)
		before, at := comparableState(t, r.last()), r.core().gameTime()
		r.core().pressControl(wire.ControlPause)
		r.passTime(time.Hour)
		if u := r.last().Public; u.Paused == nil || u.Paused.Key != "table.paused.held" || r.core().gameTime() != at {
			t.Fatalf("%s: paused %v, the clock went from %v to %v", how, u.Paused, at, r.core().gameTime())
		}
		if out := r.act(engine.SeatViewer(1), "deposit", "card", "card-2"); out.OK || out.Reject.Why.Key != "table.paused.held" {
			t.Errorf("%s: a seat acts while the game is held: %+v", how, out)
		}
		if out := r.act(engine.SeatViewer(1), hold.ActResume); out.OK {
			t.Errorf("%s: a seat ends the pause", how)
		}
		aside := func(o engine.Offer) bool { return o.Aside } // leaves out the offer of the countdown
		offers := slices.DeleteFunc(slices.Clone(r.last().Host.View.Offers), aside)
		if len(offers) != 1 || offers[0].Act != hold.ActResume {
			t.Errorf("%s: the host is offered %+v", how, offers)
		}
		r.core().pressControl(wire.ControlStart) // has no effect in a pause
		if how == "button" {
			r.core().pressControl(wire.ControlPause)
		} else {
			r.mustAct(engine.Host, hold.ActResume)
		}
		if after := comparableState(t, r.last()); after != before || r.last().Public.Notice.Msg.Key != "table.resumed" {
			t.Errorf("%s: afterwards\n%s\nbefore\n%s", how, after, before)
		}
		if out := r.act(engine.Host, hold.ActResume); out.OK {
			t.Errorf("%s: resumed twice", how)
		}
		r.passTime(time.Second)
		if got := r.core().gameTime() - at; got != 1000 {
			t.Errorf("%s: the clock of the game went on by %d ms in a second", how, got)
		}
	}
}

// The other controls: one begins the game when it can, or says what is missing; one calls the host. A control that
// makes no sense now does nothing.
func TestControls(t *testing.T) {
	r := newRig(t, newMemory())
	shown := func(control string) string {
		n := len(r.steps)
		r.core().pressControl(control)
		if len(r.steps) == n || r.last().Public.Notice == nil {
			return ""
		}
		return r.last().Public.Notice.Msg.Key
	}
	if got := shown(wire.ControlStart); got == "" {
		t.Error("nobody sits there, and the button does not say so")
	}
	for _, c := range []string{wire.ControlPause, wire.ControlNext, "perhaps"} {
		if got := shown(c); got != "" || r.last().Public.Paused != nil {
			t.Errorf("%s in the lobby: %q", c, got)
		}
	}
	for range 3 {
		r.mustAct(engine.Host, "sit")
	}
	if shown(wire.ControlStart); r.core().isInLobby() {
		t.Errorf("the game does not begin: %+v", r.last().Public.Notice)
	}
	if got := shown(wire.ControlCall); got != "table.called" {
		t.Errorf("the host is called: %q", got)
	}
	shown(wire.ControlPause)
	if got := shown(wire.ControlCall); got != "table.called" || r.last().Public.Paused == nil {
		t.Errorf("the host is called in a pause: %q", got)
	}
}
