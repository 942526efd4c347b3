package countdown_test

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/countdown"
	"majordome/companion/master/hints"
	"majordome/companion/master/mastertest"
	"majordome/companion/wire"
	"majordome/engine"
)

// timedTable returns a table whose game has begun with the given minutes, where a hint costs 30 s and a wrong
// accusation 60.
func timedTable(minutes string) *mastertest.Table {
	m := mastertest.New(func(t master.Table) []master.Part {
		limit, given := countdown.New(t), hints.New(t, func(engine.ID) []wire.StockHint { return nil })
		given.Cost = limit.HintCost
		return []master.Part{limit, given}
	})
	m.View.Phase = engine.PhaseLobby
	m.DoAct(mastertest.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "30")
	m.DoAct(mastertest.Host, countdown.ActFines, "for", countdown.ForWrong, "seconds", "60")
	m.DoAct(mastertest.Host, hints.ActMost, "most", hints.Free)
	m.DoAct(mastertest.Host, countdown.ActSet, "minutes", minutes)
	m.AdvanceGame(func(v *engine.View) { v.Phase = "play" })
	return m
}

// secondsLeft returns the seconds that all viewers see; -1 without a countdown.
func secondsLeft(m *mastertest.Table) int {
	if c := m.PublicUpdate().Count; c != nil {
		return int(c.Left / 1000)
	}
	return -1
}

func wantSecondsLeft(t *testing.T, m *mastertest.Table, when string, seconds int) {
	t.Helper()
	if got := secondsLeft(m); got != seconds {
		t.Errorf("%s %d s are left, not %d", when, got, seconds)
	}
}

// countNotices returns how often the notice with a key was shown to all.
func countNotices(m *mastertest.Table, key string) (n int) {
	for _, k := range m.Notices {
		if k == key {
			n++
		}
	}
	return n
}

// An hour is recorded every 15 s, announced at 30, 10, 5 and 1 minutes, and pauses the game when it is over, until
// the host gives more time.
func TestAnHourRunsOut(t *testing.T) {
	m := timedTable("60")
	const warning = "table.count.left"
	for _, at := range []time.Duration{30 * time.Minute, 50 * time.Minute, 55 * time.Minute, 59 * time.Minute} {
		before := countNotices(m, warning)
		m.PassTime(at - time.Duration(m.Clock)*time.Millisecond - time.Second)
		if countNotices(m, warning) != before {
			t.Errorf("a warning before %s", at)
		}
		if m.PassTime(time.Second); countNotices(m, warning) != before+1 {
			t.Errorf("no warning after %s", at)
		}
	}
	if beats := len(m.Events) - 1; beats != 59*4 { // all events but that of the start
		t.Errorf("%d beats in 59 minutes", beats)
	}
	m.PassTime(time.Hour)
	if h := m.CurrentHold(); h == nil || !h.Over || m.Clock != 3600_000 {
		t.Fatalf("the countdown does not hold the game: %+v at %d ms", h, m.Clock)
	}
	wantSecondsLeft(t, m, "once the time is up", 0)
	if m.DoAct(mastertest.Host, countdown.ActAdd, "seconds", "60") == nil {
		t.Error("seconds are added to one that is over")
	}
	if m.Restart(); secondsLeft(m) != 0 {
		t.Error("the countdown is lost by a restart")
	}
	if r := m.DoAct(mastertest.Host, countdown.ActSet, "minutes", "5"); r != nil || m.CurrentHold() != nil {
		t.Errorf("more time: %v", r)
	}
	wantSecondsLeft(t, m, "with five minutes more", 300)
	m.PassTime(4 * time.Minute)
	wantSecondsLeft(t, m, "four minutes later", 60)
}

// The host resumes the game without the countdown when the time is up, or ends the countdown before.
func TestAGameGoesOnWithoutIt(t *testing.T) {
	m := timedTable("30")
	m.PassTime(time.Hour)
	m.ReleaseGame("host")
	wantSecondsLeft(t, m, "going on without it", -1)
	m = timedTable("30")
	m.DoAct(mastertest.Host, countdown.ActEnd)
	m.PassTime(time.Hour)
	if wantSecondsLeft(t, m, "ended", -1); m.CurrentHold() != nil {
		t.Error("one that was ended holds the game")
	}
}

// Time is given and taken in seconds, and a bonus is announced; the total is at most four hours. The countdown stops
// in a pause.
func TestTimeIsGivenAndTaken(t *testing.T) {
	m := timedTable("30")
	if m.PassTime(0); countNotices(m, "table.count.left") > 0 {
		t.Error("one of 30 minutes begins with a warning")
	}
	add := func(args ...string) bool { return m.DoAct(mastertest.Host, countdown.ActAdd, args...) == nil }
	if !add("seconds", "-300") || countNotices(m, "table.count.bonus") > 0 {
		t.Error("none can be taken")
	}
	if wantSecondsLeft(t, m, "with five minutes less", 1500); !add("seconds", "60", "bonus", "yes") ||
		countNotices(m, "table.count.bonus") != 1 {
		t.Error("nobody is notified of a bonus")
	}
	wantSecondsLeft(t, m, "with a bonus", 1560)
	if add("seconds", "-60", "bonus", "yes") || add("seconds", "0") || add("seconds", "14400") {
		t.Error("a bonus below zero, none, or more than four hours in all")
	}
	m.HoldGame("host", wire.Hold{})
	m.PassTime(time.Hour)
	if c := m.PublicUpdate().Count; c.Runs || c.Ends != 0 {
		t.Errorf("the countdown runs in a pause: %+v", c)
	}
	m.ReleaseGame("host")
	wantSecondsLeft(t, m, "after an hour of pause", 1560)
	m.DiskFull = true
	if add("seconds", "60") || secondsLeft(m) != 1560 {
		t.Error("time that is not on the disk is given")
	}
}

// A hint costs what the host has set, and the cost is announced. A hint that is taken back returns its cost.
func TestAHintCosts(t *testing.T) {
	m := timedTable("30")
	m.DoAct(mastertest.Host, hints.ActGive, "to", hints.ToAll, "text", "Bonsoir.")
	if wantSecondsLeft(t, m, "after a hint", 1770); countNotices(m, "table.count.hint") != 1 {
		t.Error("nobody is notified")
	}
	m.Restart()
	wantSecondsLeft(t, m, "after a restart", 1770)
	m.DoAct(mastertest.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "300")
	m.DoAct(mastertest.Host, hints.ActBack, "n", "1")
	wantSecondsLeft(t, m, "with the hint taken back", 1800)
}

// A wrong accusation costs time. The cost is announced once the display has played the accusation; until then the
// countdown gives no warning, records nothing and does not end. An undo of the accusation returns the time.
func TestAWrongAccusationCosts(t *testing.T) {
	m := timedTable("30")
	before := m.LastStep()
	m.Scene = true
	m.AddHappening(engine.HapWrong)
	wantSecondsLeft(t, m, "while the display plays it", 1800)
	m.PassTime(time.Second)
	if wantSecondsLeft(t, m, "a second later", 1799); countNotices(m, "table.count.wrong") > 0 {
		t.Error("the end is announced during the scene")
	}
	m.Scene = false
	m.PassTime(0)
	if wantSecondsLeft(t, m, "after the scene", 1739); countNotices(m, "table.count.wrong") != 1 {
		t.Error("nobody is notified after the scene")
	}
	m.RecordEvent("host", master.KindUndo, master.Undone{Step: before + 1})
	wantSecondsLeft(t, m, "with the accusation undone", 1799)

	m.Scene = true
	shown, events := m.Shown, len(m.Events)
	if m.PassTime(time.Hour); m.Shown != shown || len(m.Events) != events || m.CurrentHold() != nil {
		t.Error("something of it happens during a scene")
	}
	m.Scene = false
	if m.PassTime(0); m.CurrentHold() == nil || !m.CurrentHold().Over {
		t.Error("time that has run out in a scene does not end the game after it")
	}
}

// A finished game costs no more time, and shows how much was left.
func TestAGameThatIsOver(t *testing.T) {
	m := timedTable("30")
	m.PassTime(10 * time.Minute)
	m.AdvanceGame(func(v *engine.View) {
		v.Happened, v.Result = []*engine.Happening{{What: engine.HapWrong, N: 1}}, &engine.Result{}
	})
	m.PassTime(time.Hour)
	if wantSecondsLeft(t, m, "when the game was over", 1200); m.CurrentHold() != nil {
		t.Error("the countdown holds a game that is over")
	}
	e := &wire.Evening{}
	if m.Parts[0].(master.EveningAdder).AddToEvening(e); e.Of != 1800_000 || e.Left != 1200_000 {
		t.Errorf("the evening tells of %+v", e)
	}
	if slices.ContainsFunc(m.OfferedToHost(), func(o string) bool { return o != "hints" && o != hints.ActGive }) {
		t.Errorf("the host is offered %q", m.OfferedToHost())
	}
}

// Each game of a table begins with the time that was chosen in a lobby. A choice that was cancelled does not come
// back.
func TestEachGameBeginsWithTheChosenTime(t *testing.T) {
	m := timedTable("30")
	m.PassTime(10 * time.Minute)
	m.AdvanceGame(func(v *engine.View) { v.Phase = engine.PhaseLobby })
	wantSecondsLeft(t, m, "in the lobby", -1)
	m.AdvanceGame(func(v *engine.View) { v.Phase = "play" })
	wantSecondsLeft(t, m, "in the next game", 1800)
	m.AdvanceGame(func(v *engine.View) { v.Phase = engine.PhaseLobby })
	m.DoAct(mastertest.Host, countdown.ActSet, "minutes", "0")
	m.AdvanceGame(func(v *engine.View) { v.Phase = "play" })
	wantSecondsLeft(t, m, "in a game without", -1)
}
