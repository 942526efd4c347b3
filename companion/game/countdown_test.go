package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/countdown"
	"majordome/companion/master/hints"
	"majordome/companion/master/hold"
	"majordome/companion/wire"
	"majordome/engine"
)

// timedGame returns a running game of three with a time limit in minutes, chosen in the lobby.
func timedGame(t *testing.T, m Journal, minutes string) *rig {
	t.Helper()
	r := newRig(t, m)
	for range 3 {
		r.mustAct(engine.Host, "sit")
	}
	r.mustAct(engine.Host, countdown.ActSet, "minutes", minutes)
	r.mustAct(engine.Host, "begin")
	return r
}

// secondsLeft returns the seconds left in the last step, and checks that all viewers see the same.
func secondsLeft(t *testing.T, r *rig) int {
	t.Helper()
	r.core().publish(notices{})
	s := r.last()
	all := append(s.UpdatesToSeal(nil), s.Public)
	for _, u := range all {
		if u.Count == nil || *u.Count != *s.Public.Count {
			t.Fatalf("%s sees %+v, the display %+v", u.View.Viewer, u.Count, s.Public.Count)
		}
	}
	return int(s.Public.Count.Left / 1000)
}

// countdownEnd returns when the countdown ends, on the game's clock, as all viewers see it.
func countdownEnd(t *testing.T, r *rig) engine.Millis {
	t.Helper()
	secondsLeft(t, r)
	return r.core().gameTime() + r.last().Public.Count.Left
}

// A game begins with the countdown of its table, which runs on the game's clock: not in a pause, not while the daemon
// is down, and independently of the clock on the wall.
func TestCountdown(t *testing.T) {
	m := newMemory()
	r := timedGame(t, m, "60")
	r.passTime(10 * time.Minute)
	if got := secondsLeft(t, r); got != 3000 {
		t.Errorf("%d s are left of an hour after ten minutes", got)
	}
	for _, stop := range []string{hold.ActPause, hold.ActAlarm} {
		r.mustAct(engine.Host, stop)
		if c := r.last().Public.Count; c.Runs || c.Ends != 0 {
			t.Errorf("it runs on in %s: %+v", stop, c)
		}
		r.passTime(time.Hour)
		r.mustAct(engine.Host, hold.ActResume)
	}
	if got := secondsLeft(t, r); got != 3000 {
		t.Errorf("%d s after two pauses", got)
	}
	for _, off := range []time.Duration{0, 24 * time.Hour, -24 * time.Hour} { // the daemon is killed, and the clock of the machine is set
		before := secondsLeft(t, r)
		r.passTime(70 * time.Second)
		r.clock.at = r.clock.at.Add(off)
		r.start()
		if got := secondsLeft(t, r); got > before-70+int(countdown.RecordEvery/time.Second) || got < before-70 {
			t.Errorf("%d s before the table lost its power, %d s after it", before-70, got)
		}
	}
	if r.last().Public.Count.Of != 3600_000 {
		t.Errorf("%+v", r.last().Public.Count)
	}
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	if r.last().Public.Count != nil {
		t.Error("it stands in the next lobby")
	}
	r.mustAct(engine.Host, "begin")
	if got := secondsLeft(t, r); got != 3600 {
		t.Errorf("the next game has %d s", got)
	}
}

// The cost of a hint is given back to a countdown that is full again. Then time can be taken off it, and none can be
// given.
func TestAFullCountdown(t *testing.T) {
	r := timedGame(t, newMemory(), "240")
	r.mustAct(engine.Host, hints.ActMost, "most", hints.Free)
	r.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "300")
	r.mustAct(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "a")
	r.mustAct(engine.Host, countdown.ActAdd, "seconds", "300")
	r.mustAct(engine.Host, hints.ActBack, "n", "1")
	for _, o := range r.last().Host.View.Offers {
		if o.Act == countdown.ActAdd && (o.Fixed != nil || !slices.Equal(o.Params[0].Domain, []string{"-300", "-60"})) {
			t.Errorf("offered with 245 minutes left: %+v", o)
		}
	}
	r.mustAct(engine.Host, countdown.ActAdd, "seconds", "-60")
}

// The countdown of a start that was undone does not apply to the next start, for which the host has chosen none.
func TestACountdownGoesWithItsBeginning(t *testing.T) {
	r := timedGame(t, newMemory(), "30")
	r.mustAct(engine.Host, actUndo, "force", yes)
	r.mustAct(engine.Host, countdown.ActSet, "minutes", "0")
	r.mustAct(engine.Host, "begin")
	r.passTime(31 * time.Minute)
	if s := r.last().Public; s.Count != nil || s.Hold != nil {
		t.Errorf("the countdown runs against %+v, and is stopped by %+v", s.Count, s.Hold)
	}
}

// The end in wall-clock time, which the house is sent, does not change while the countdown runs. There is none while
// the countdown is stopped.
func TestTheEndOnTheWall(t *testing.T) {
	r := timedGame(t, newMemory(), "30")
	seen := map[int64]bool{}
	for range 500 {
		r.passTime(733 * time.Millisecond)
		r.core().publish(notices{})
		seen[r.last().Public.Count.Ends] = true
	}
	if want := time.Unix(1_700_000_000, 0).Add(30 * time.Minute).Unix(); len(seen) != 1 || !seen[want] {
		t.Errorf("the countdown ends at %v, want %d", seen, want)
	}
}

// All viewers get a warning at 30, 10, 5 and 1 minutes, once each, and again after more time was given. After a
// restart no warning is repeated.
func TestEachWarningOfTheCountdownIsGivenOnce(t *testing.T) {
	m := newMemory()
	r := timedGame(t, m, "45")
	told := func(d time.Duration) string {
		var all []string
		from := len(r.steps)
		r.passTime(d)
		for _, s := range r.steps[from:] {
			n := s.Public.Notice
			if n == nil || n.N != r.epoch<<32|s.Rev || n.Msg.Key != "table.count.left" {
				continue
			}
			for _, u := range s.SeatUpdates() {
				if u.Notice == nil || asJSON(t, u.Notice) != asJSON(t, n) {
					t.Errorf("%s is shown %+v", u.View.Viewer, u.Notice)
				}
			}
			all = append(all, n.Msg.Args.Get("n"))
		}
		return strings.Join(all, " ")
	}
	if got := told(36 * time.Minute); got != "30 10" {
		t.Errorf("told %q", got)
	}
	r.mustAct(engine.Host, countdown.ActAdd, "seconds", "300")
	r.start()
	if got := told(12 * time.Minute); got != "10 5" {
		t.Errorf("with five minutes more: warnings %q", got)
	}
	r.mustAct(engine.Host, countdown.ActAdd, "seconds", "-30")
	if got := told(3 * time.Minute); !strings.HasPrefix(got, "1") || r.last().Public.Hold == nil {
		t.Errorf("towards the end: warnings %q", got)
	}
}

// When the time is up the game is over: it is paused and the phones are covered, also after a restart, until the host
// chooses.
func TestTimeIsUp(t *testing.T) {
	m := newMemory()
	lights := &fakeLights{}
	ended := func() *rig {
		m = newMemory()
		r := timedGame(t, m, "30")
		r.core().Lights = lights
		r.passTime(31 * time.Minute)
		return r
	}
	r := ended()
	check := func(when string) {
		t.Helper()
		for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
			if u.Hold == nil || !u.Hold.Over || u.Hold.By != master.ByClock || u.Paused.Key != "table.paused.time" || u.Count == nil ||
				u.Count.Left != 0 || u.View.Viewer != "host" && len(u.View.Offers) > 0 {
				t.Errorf("%s, %s: hold %+v, paused %v, count %+v", when, u.View.Viewer, u.Hold, u.Paused, u.Count)
			}
		}
	}
	check("at the end")
	r.start()
	r.passTime(time.Hour)
	check("after a restart")
	r.core().pressControl(wire.ControlPause)
	r.mustAct(engine.Host, hold.ActAlarm)
	check("after a button and an alarm")
	if r.act(engine.SeatViewer(1), "deposit", "card", "card-1").OK || r.act(engine.Host, countdown.ActAdd, "seconds", "60").OK ||
		r.act(engine.Host, actUndo).OK {
		t.Error("something is done in a game that is over")
	}
	var offered []string
	for _, o := range r.last().Host.View.Offers {
		offered = append(offered, o.Act)
	}
	for _, want := range []string{hold.ActResume, countdown.ActSet, actNewGame} {
		if !slices.Contains(offered, want) {
			t.Errorf("the host is not offered %s: %v", want, offered)
		}
	}
	r.mustAct(engine.Host, countdown.ActSet, "minutes", "5")
	if got := secondsLeft(t, r); got != 300 || r.last().Public.Hold != nil {
		t.Errorf("more time: %d s, hold %+v", got, r.last().Public.Hold)
	}
	r.passTime(5*time.Minute + time.Second)
	check("at its second end")
	r.mustAct(engine.Host, hold.ActResume)
	r.passTime(time.Hour)
	r.start()
	if s := r.last().Public; s.Hold != nil || s.Paused != nil || s.Count != nil {
		t.Errorf("without it: %+v, %v, %+v", s.Hold, s.Paused, s.Count)
	}
	r = ended()
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	if s := r.last().Public; s.Hold != nil || s.Paused != nil || !r.core().isInLobby() {
		t.Errorf("the next game is held: %+v, %v", s.Hold, s.Paused)
	}
	r.mustAct(engine.Host, "begin")
	if got := secondsLeft(t, r); got != 1800 {
		t.Errorf("the countdown has %d s", got)
	}
}

// Time that the host gives and takes, and the cost of hints that the host sets.
func TestTimeGivenAndTaken(t *testing.T) {
	m := newMemory()
	r := timedGame(t, m, "60")
	r.mustAct(engine.Host, hints.ActMost, "most", hints.Free)
	r.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "120")
	step := func(want int, act string, args ...string) {
		t.Helper()
		r.mustAct(engine.Host, act, args...)
		if got := secondsLeft(t, r); got != want {
			t.Errorf("%s %v: %d s left, want %d", act, args, got, want)
		}
	}
	step(3660, countdown.ActAdd, "seconds", "60")
	step(3360, countdown.ActAdd, "seconds", "-300")
	step(3420, countdown.ActAdd, "seconds", "60", "bonus", yes)
	if n := r.last().Public.Notice; n == nil || n.Msg.Key != "table.count.bonus" {
		t.Errorf("a bonus is not announced: %+v", n)
	}
	step(3300, hints.ActGive, "to", "seat-2", "text", "a")
	step(3180, hints.ActGive, "to", hints.ToAll, "text", "b")
	step(3300, hints.ActBack, "n", "1")
	r.start()
	if got := secondsLeft(t, r); got != 3300 {
		t.Errorf("after a restart %d s", got)
	}
	r.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "0")
	step(3420, hints.ActBack, "n", "2") // at the price when it was given
	step(3420, hints.ActGive, "to", hints.ToAll, "text", "c")
	r.mustAct(engine.Host, hold.ActPause)
	step(3480, countdown.ActAdd, "seconds", "60")
	r.mustAct(engine.Host, hold.ActResume)
	for _, bad := range [][]string{
		{countdown.ActSet, "minutes", "0"}, {countdown.ActSet, "minutes", "241"}, {countdown.ActSet, "minutes", "x"},
		{countdown.ActAdd, "seconds", "0"}, {countdown.ActAdd, "seconds", "1e9"},
		{countdown.ActAdd, "seconds", "14000"}, {countdown.ActAdd, "seconds", "-60", "bonus", yes},
		{countdown.ActFines, "for", "breath", "seconds", "60"}, {countdown.ActFines, "for", countdown.ForHint, "seconds", "61"},
	} {
		if r.act(engine.Host, bad[0], bad[1:]...).OK || r.act(engine.SeatViewer(1), bad[0], bad[1:]...).OK {
			t.Errorf("%v is done", bad)
		}
	}
	for _, act := range []string{countdown.ActSet, countdown.ActAdd, countdown.ActEnd, countdown.ActFines} {
		if r.act(engine.SeatViewer(1), act, "minutes", "5", "seconds", "60", "for", countdown.ForHint).OK {
			t.Errorf("a seat does %s", act)
		}
	}
	r.mustAct(engine.Host, countdown.ActEnd)
	if r.last().Public.Count != nil || r.act(engine.Host, countdown.ActAdd, "seconds", "60").OK {
		t.Error("the countdown is still there")
	}
}

// A wrong accusation costs time once the display has played it; no phone shows the verdict before. An undo gives the
// time back, and the end of the game stops the countdown.
func TestAWrongAccusationCosts(t *testing.T) {
	m := newMemory()
	r := timedGame(t, m, "60")
	r.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForWrong, "seconds", "300")
	r.core().setMachineState(r.core().readerStates, nil, true) // a display is connected
	before := countdownEnd(t, r)
	accuse := func() {
		t.Helper()
		r.mustAct(engine.SeatViewer(1), "accuse")
		r.passTime(time.Duration(wire.SceneMillis([]*engine.Happening{{What: engine.HapWrong}}))*time.Millisecond - time.Second)
		if c := r.core(); c.scene == nil || int(before-c.gameTime())/1000 != secondsLeft(t, r) ||
			strings.Contains(asJSON(t, r.last().SeatUpdates()), "table.count") {
			t.Fatal("the cost is shown before the display has it")
		}
		r.passTime(2 * time.Second)
		if got := before - countdownEnd(t, r); got != 300_000 {
			t.Fatalf("the hint costs %d ms", got)
		}
		for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
			if u.Notice == nil || u.Notice.Msg.Key != "table.count.wrong" || u.Notice.Msg.Args.Get("n") != "300" {
				t.Errorf("%s is shown %+v", u.View.Viewer, u.Notice)
			}
		}
	}
	accuse()
	r.mustAct(engine.Host, actUndo, "force", yes)
	if countdownEnd(t, r) != before {
		t.Error("an undo does not give it back")
	}
	r.passTime(passingNoticeTime)
	accuse()
	r.start()
	r.passTime(time.Minute)
	if got := before - countdownEnd(t, r); got != 300_000 {
		t.Errorf("after a restart the hint costs %d ms", got)
	}
	for s := engine.Seat(1); s <= 3; s++ {
		r.mustAct(engine.SeatViewer(s), "deposit", "card", "card-1")
	}
	r.mustAct(engine.SeatViewer(1), "accuse")
	r.passTime(time.Minute)
	left := secondsLeft(t, r)
	r.mustAct(engine.Host, "open")
	r.passTime(time.Hour)
	if got := secondsLeft(t, r); got != left || r.last().Public.Count.Runs || r.last().Public.Hold != nil {
		t.Errorf("%d s were left at the end, now %d: %+v", left, got, r.last().Public.Hold)
	}
	r.start()
	if got := secondsLeft(t, r); got != left {
		t.Errorf("%d s were left at the end, after a restart %d", left, got)
	}
}

// A power cut while the display plays a wrong accusation: the cost is on disk with the accusation, and goes with it
// at an undo.
func TestAFineOutlivesAPowerCut(t *testing.T) {
	r := timedGame(t, newMemory(), "60")
	r.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForWrong, "seconds", "300")
	r.core().setMachineState(r.core().readerStates, nil, true)
	r.mustAct(engine.SeatViewer(1), "accuse")
	if r.core().scene == nil || secondsLeft(t, r) != 3600 {
		t.Fatalf("the display plays nothing, or %d s are left", secondsLeft(t, r))
	}
	r.start()
	if got := secondsLeft(t, r); got != 3300 {
		t.Errorf("%d s are left after a restart", got)
	}
	r.mustAct(engine.Host, actUndo, "force", yes)
	if got := secondsLeft(t, r); got != 3600 {
		t.Errorf("%d s are left without the accusation", got)
	}
	r.core().setMachineState(r.core().readerStates, nil, true)
	r.mustAct(engine.SeatViewer(1), "accuse")
	r.mustAct(engine.Host, actUndo, "force", yes) // while the display plays it
	r.passTime(time.Minute)
	if got := secondsLeft(t, r); got != 3540 {
		t.Errorf("%d s are left a minute later: an accusation that was taken back costs", got)
	}
}

// Two tables that differ in the seat that gets a hint send the public the same about the countdown, although the hint
// costs time.
func TestACountdownRevealsNoSecret(t *testing.T) {
	var seen []wire.Count
	for _, to := range []string{"seat-1", "seat-3"} {
		r := timedGame(t, newMemory(), "60")
		r.mustAct(engine.Host, hints.ActMost, "most", hints.Free)
		r.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "60")
		r.mustAct(engine.Host, hints.ActGive, "to", to, "text", "a")
		seen = append(seen, *r.last().Public.Count)
		if n := r.last().Public.Notice; n == nil || n.Msg.Key != "table.count.hint" || strings.Contains(asJSON(t, n), "seat") {
			t.Errorf("everybody is shown %+v", n)
		}
	}
	if seen[0] != seen[1] {
		t.Errorf("the countdown reveals whom a hint was for: %+v, %+v", seen[0], seen[1])
	}
}
