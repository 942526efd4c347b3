package game

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"majordome/companion/master/hold"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// fakeLights remembers the light that the room was switched to.
type fakeLights struct{ over string }

func (l *fakeLights) SetOverride(to string) { l.over = to }
func (l *fakeLights) Override() string      { return cmp.Or(l.over, wire.LightGame) }

// The host pauses a game from any of its devices and resumes it. The journal records which device did it, and all
// pages are updated at once.
func TestTheHostStopsTheGame(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 3)
	r.passTime(time.Second)
	before, at := comparableState(t, r.last()), r.core().gameTime()
	second := wire.Handset{Viewer: engine.Host, N: 2}
	if out := r.actFrom(second, hold.ActPause); !out.OK {
		t.Fatalf("%+v", out.Reject)
	}
	r.passTime(time.Hour)
	for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
		if u.Hold == nil || u.Hold.By != "host.2" || u.Hold.Alarm || u.Paused.Key != "table.paused.host" ||
			u.View.Viewer != "host" && len(u.View.Offers) > 0 {
			t.Errorf("%s: hold %+v, paused %v, offers %v", u.View.Viewer, u.Hold, u.Paused, u.View.Offers)
		}
	}
	if r.core().gameTime() != at {
		t.Errorf("the clock of the game goes on in the pause: %d, %d", r.core().gameTime(), at)
	}
	if out := r.act(engine.SeatViewer(1), "deposit", "card", "card-2"); out.OK {
		t.Error("a seat acts in the pause")
	}
	if r.act(engine.SeatViewer(1), hold.ActPause).OK || r.act(engine.SeatViewer(1), hold.ActResume).OK ||
		r.act(engine.SeatViewer(1), hold.ActAlarm).OK || r.act(engine.SeatViewer(1), hold.ActLight, "to", "dark").OK {
		t.Error("a seat does what is the host's")
	}
	was := comparableState(t, r.last())
	r.start() // the power is cut, as in an alarm
	if comparableState(t, r.last()) != was || r.core().gameTime() != at {
		t.Errorf("a game that was stopped goes on after a restart:\n%s", textDifference(comparableState(t, r.last()), was))
	}
	r.passTime(time.Hour)
	r.mustAct(engine.Host, hold.ActResume)
	if got := comparableState(t, r.last()); got != before {
		t.Errorf("afterwards:\n%s", textDifference(got, before))
	}
	r.start()
	if r.last().Public.Hold != nil {
		t.Error("a game that goes on is stopped by a restart")
	}
	var causes []string
	for _, e := range m.events[1] {
		if isOwn(e) {
			causes = append(causes, e.Kind+" "+e.Cause)
		}
	}
	if want := []string{"table.pause host.2", "table.resume host"}; !slices.Equal(causes, want) {
		t.Errorf("on record: %v", causes)
	}
	r.mustAct(engine.Host, actUndo) // undo does not take back the pause
	if !r.core().isInLobby() {
		t.Error("undo took back something else than the last act")
	}
}

// A deadline of the game moves back by the time that the game was paused.
func TestAPauseGivesBackTheTime(t *testing.T) {
	r := playing(t, newMemory(), 2)
	n := r.last().Public.View.Clock.At
	left := time.Duration(r.core().game.Deadlines()[0].At-r.core().gameTime()) * time.Millisecond
	r.mustAct(engine.Host, hold.ActPause)
	r.passTime(time.Hour)
	r.mustAct(engine.Host, hold.ActResume)
	r.passTime(left - time.Millisecond)
	if got := r.last().Public.View.Clock.At; got != n {
		t.Fatalf("the bell rang %d times too early", got-n)
	}
	r.passTime(time.Millisecond)
	if got := r.last().Public.View.Clock.At; got != n+1 {
		t.Errorf("the bell did not ring in time: %d", got)
	}
}

// unreadableJournal is a journal that can be written but, while broken, not read.
type unreadableJournal struct {
	*memory
	broken bool
}

func (u *unreadableJournal) Events(id int64) ([]store.Event, error) {
	if u.broken {
		return nil, errDisk
	}
	return u.memory.Events(id)
}

// No game time passes while the journal can be written but not yet read, however often it is tried. A game that was
// paused before stays paused.
func TestNoTimePassesWhileTheGameCannotBeRead(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		m := newMemory()
		u := &unreadableJournal{memory: m}
		r := playing(t, u, 2)
		if stopped {
			r.mustAct(engine.Host, hold.ActPause)
		}
		r.passTime(time.Second)
		at := r.core().gameTime()
		m.fail, u.broken = "before", true
		r.core().pauseForFailure(errDisk)
		r.core().publish(notices{})
		m.fail = "" // the journal can be written again, but not read
		r.passTime(time.Hour)
		if got := r.core().gameTime(); got != at {
			t.Errorf("%d ms have passed", got-at)
		}
		u.broken = false
		r.passTime(retryMax)
		if got := r.core().gameTime(); got < at || got > at+engine.Millis(retryMax.Milliseconds()) || stopped && got != at {
			t.Errorf("the game goes on %d ms later", got-at)
		}
		if is := r.last().Public.Hold != nil; is != stopped || (r.last().Public.Paused != nil) != stopped {
			t.Errorf("stopped %v: hold %v, paused %v", stopped, is, r.last().Public.Paused)
		}
	}
}

// Each act of the host is recorded with the device that did it.
func TestActsOfTheHostHaveAnAuthor(t *testing.T) {
	m := newMemory()
	r := newRig(t, m)
	second := wire.Handset{Viewer: engine.Host, N: 2}
	r.mustAct(engine.Host, "sit")
	r.actFrom(second, "sit")
	r.actFrom(second, "begin")
	r.mustAct(engine.SeatViewer(1), "deposit", "card", "card-1")
	r.actFrom(second, actUndo)
	var causes []string
	for _, e := range m.events[1] {
		causes = append(causes, e.Cause)
	}
	if want := []string{"host", "host.2", "host.2", "seat-1", "host.2"}; !slices.Equal(causes, want) {
		t.Errorf("by %v, want %v", causes, want)
	}
}

// An alarm is a pause under white light, and the light ends with it. It replaces any other pause, and the lights
// change even when the disk fails.
func TestAlarm(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	lights := &fakeLights{}
	r.core().Lights = lights
	r.mustAct(engine.Host, hold.ActPause)
	r.mustAct(engine.Host, hold.ActAlarm)
	if h := r.last().Public.Hold; h == nil || !h.Alarm || lights.over != wire.LightWhite ||
		r.last().Public.Paused.Key != "table.paused.alarm" {
		t.Errorf("hold %+v, lights %s", h, lights.over)
	}
	r.mustAct(engine.Host, hold.ActResume)
	if r.last().Public.Paused != nil || lights.over != wire.LightGame {
		t.Errorf("the game does not go on as before: %v, %s", r.last().Public.Paused, lights.over)
	}
	r.core().pressControl(wire.ControlAlarm)
	if h := r.last().Public.Hold; h == nil || !h.Alarm || h.By != causeButton || lights.over != wire.LightWhite {
		t.Errorf("by a button: hold %+v, lights %s", h, lights.over)
	}
	r.core().pressControl(wire.ControlAlarm) // a second press must not end the alarm
	if r.last().Public.Hold == nil {
		t.Error("a second alarm ends the first")
	}
	r.core().pressControl(wire.ControlPause)
	if r.last().Public.Hold != nil {
		t.Error("the pause button does not let the game go on")
	}
	m.fail = "before"
	r.act(engine.Host, hold.ActPause)
	if p := r.last().Public.Paused; p == nil || p.Key != "table.paused.full" || r.last().Public.Hold != nil {
		t.Errorf("the disk is full: %v", p)
	}
	r.mustAct(engine.Host, hold.ActAlarm)
	if lights.over != wire.LightWhite {
		t.Error("the lights wait for the disk")
	}
	r.mustAct(engine.Host, hold.ActLight, "to", wire.LightDark)
	if lights.over != wire.LightDark {
		t.Error("the lights wait for the disk")
	}
}

// The host switches the light of the room over and back, before and during a game, and sees which light is on.
func TestLightOverTheGame(t *testing.T) {
	r := newRig(t, newMemory())
	if _, ok := hostOffer(r.last(), hold.ActLight); ok || r.act(engine.Host, hold.ActLight, "to", wire.LightWhite).OK {
		t.Error("a table without lights has white light")
	}
	lights := &fakeLights{}
	r.core().Lights = lights
	for _, to := range []string{wire.LightWhite, wire.LightDark, wire.LightGame} {
		r.mustAct(engine.Host, hold.ActLight, "to", to)
		if lights.over != to || r.last().Host.Desk.Light != to {
			t.Errorf("%s: it is %s, and the page says %s", to, lights.over, r.last().Host.Desk.Light)
		}
		for _, o := range r.last().Host.View.Offers {
			if o.Act == hold.ActLight && o.Fixed["to"] == to {
				t.Errorf("%s is offered again", to)
			}
		}
	}
	if r.act(engine.Host, hold.ActLight, "to", "pink").OK {
		t.Error("pink light")
	}
}
