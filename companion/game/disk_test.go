package game

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordome/companion/store"
	"majordome/engine"
)

// Design 7.4: nothing becomes visible that is not on disk. After a failure the game pauses, shows that to all
// viewers, and resumes automatically.
func TestStoreFailureMidGame(t *testing.T) {
	for _, how := range []string{"before", "after"} {
		m := newMemory()
		r := playing(t, m, 2)
		r.passTime(3 * time.Second)
		was := r.last()
		m.fail = how
		r.core().presentTags(r.clock.at, engine.ReaderUrn, tags("card-1"))
		r.passTime(defaultUrnWindow)
		s := r.last()
		for _, u := range append(s.UpdatesToSeal(nil), s.Public) {
			if u.Paused == nil || u.Paused.Key != "table.paused.full" || len(u.View.Offers) != 0 {
				t.Errorf("%s: %s is shown paused %v, %d offers", how, u.View.Viewer, u.Paused, len(u.View.Offers))
			}
		}
		if s.Public.View.Urn != was.Public.View.Urn {
			t.Errorf("%s: an unrecorded card is visible", how)
		}
		stood := r.core().gameTime()
		for _, by := range []engine.Viewer{engine.SeatViewer(1), engine.Host} {
			if out := r.act(by, "deposit", "card", "card-2"); out.OK || out.Reject.Why.Key != "table.paused.full" {
				t.Errorf("%s: %v acts while paused: %+v", how, by, out)
			}
		}
		if out := r.act(engine.Host, actUndo); out.OK {
			t.Errorf("%s: undo while paused", how)
		}
		r.dropInUrn("card-2")
		r.passTime(time.Duration(bell) * time.Millisecond) // the bell must not ring in the pause
		if r.core().gameTime() != stood || r.last().Public.View.Clock.At != 0 {
			t.Errorf("%s: the game's clock went on while paused", how)
		}
		m.fail = ""
		r.passTime(5 * time.Second) // the retry comes 15 s after the failure; the bell must not ring yet
		s = r.last()
		if s.Public.Paused != nil || s.Public.Notice == nil || s.Public.Notice.Msg.Key != "table.resumed" {
			t.Fatalf("%s: the game does not go on: %v %+v", how, s.Public.Paused, s.Public.Notice)
		}
		// An act that reached the disk in spite of the error is now shown.
		if want := map[string]int{"before": 0, "after": 1}[how]; s.Public.View.Urn != want {
			t.Errorf("%s: %d cards in the urn, want %d", how, s.Public.View.Urn, want)
		}
		if shown, disk := s.Public.View.Urn+3, len(m.events[1]); shown != disk {
			t.Errorf("%s: shown %d events, on disk %d", how, shown, disk)
		}
		r.dropInUrn("card-3")
		if r.last().Public.Notice.Signal != signalAccepted {
			t.Errorf("%s: the next card: %+v", how, r.last().Public.Notice)
		}
	}
}

// The journal is retried after 1, 2, 4 ... 30 seconds.
func TestRetryBacksOff(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 1)
	m.fail = "before"
	r.act(engine.SeatViewer(1), "deposit", "card", "card-1")
	began, at := r.clock.at, []int{}
	for range 8 {
		next, ok := r.core().nextWakeTime()
		if !ok {
			t.Fatal("no retry")
		}
		at = append(at, int(next.Sub(began).Seconds()))
		r.clock.at = next
		r.core().runDueTimers(r.clock.at)
	}
	want := []int{1, 3, 7, 15, 31, 61, 91, 121}
	for i := range want {
		if at[i] != want[i] {
			t.Fatalf("tried after %v seconds, want %v", at, want)
		}
	}
}

func TestHostActsWhenTheStoreFails(t *testing.T) {
	for _, act := range [][]string{{actUndo}, {actNewGame, "seats", "keep"}} {
		for _, how := range []string{"before", "after"} {
			m := newMemory()
			r := playing(t, m, 2)
			r.dropInUrn("card-1")
			was := comparableState(t, r.last())
			m.fail = how
			if out := r.act(engine.Host, act[0], act[1:]...); out.OK || r.last().Public.Paused == nil {
				t.Errorf("%v %s: %+v", act, how, out)
			}
			m.fail = ""
			r.passTime(time.Second)
			now := comparableState(t, r.last())
			if (now == was) != (how == "before") {
				t.Errorf("%v %s: the table does not show what is on disk", act, how)
			}
			r.start()
			if comparableState(t, r.last()) != now {
				t.Errorf("%v %s: a restart shows something else", act, how)
			}
		}
	}
}

// A backup that is made during an evening and restored later gives the evening of that moment: for every viewer, with
// the note sheets and the deadlines. Notes written after the backup are gone.
func TestBackupOfAnEvening(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		for seed := range uint64(eveningCount(3, 40)) {
			path := filepath.Join(t.TempDir(), "t.db")
			disk, err := store.Open(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			e := newEvening(t, g, disk, seed)
			e.seatAndBegin(g.players(seed))
			for range 20 + e.dice.Intn(40) {
				e.play()
			}
			mustNote(t, e.rig, engine.SeatViewer(2), "then")
			e.start() // the moment as a restart shows it
			then := e.visibleState()
			kept := path + ".backup"
			if err := disk.WriteBackup(kept); err != nil {
				t.Fatal(err)
			}
			e.passTime(noteEvery)
			mustNote(t, e.rig, engine.SeatViewer(2), "since")
			mustNote(t, e.rig, engine.SeatViewer(1), "since")
			for range 30 {
				e.play()
			}
			if err := disk.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := store.Restore(kept, path); err != nil {
				t.Fatal(err)
			}
			again, err := store.Open(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			e.journal = again
			e.start()
			if got := e.visibleState(); got != then {
				t.Fatalf("seed %d: another evening was restored:\n%s", seed, textDifference(got, then))
			}
			if got := strings.Join(notesShown(e.last())[:3], "|"); got != "||then" {
				t.Errorf("seed %d: the sheets are %s", seed, got)
			}
			for range 20 {
				e.play() // the evening can be played on
			}
			_ = again.Close()
		}
	})
}

// A deadline that cannot be recorded pauses the game and is tried again after the pause.
func TestDeadlineWhenTheStoreFails(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	m.fail = "before"
	r.passTime(time.Duration(bell) * time.Millisecond)
	if r.last().Public.Paused == nil || r.last().Public.View.Clock.At != 0 {
		t.Fatal("the game does not show that it is paused")
	}
	m.fail = ""
	r.passTime(2 * time.Second)
	if r.last().Public.Paused != nil || r.last().Public.View.Clock.At != 1 {
		t.Error("the bell was lost")
	}
}

// After a restart the game's clock continues from the stamp of the last event.
func TestTimeOverRestart(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	r.passTime(7 * time.Second)
	r.dropInUrn("card-1")
	at := m.events[1][len(m.events[1])-1].At
	if at != 7500 {
		t.Fatalf("stamped %d", at)
	}
	r.clock.at = r.clock.at.Add(-time.Hour) // a Raspberry Pi has no battery-backed clock
	r.start()
	if r.core().gameTime() != at {
		t.Errorf("the clock shows %d after the restart", r.core().gameTime())
	}
	r.passTime(time.Duration(bell)*time.Millisecond + defaultUrnWindow)
	events := m.events[1]
	if last := events[len(events)-1]; last.Kind != "rang" || last.At != at+bell {
		t.Errorf("then %s at %d", last.Kind, last.At)
	}
	// The game's clock does not go back when an act is undone.
	r.passTime(time.Minute)
	r.mustAct(engine.Host, actUndo)
	stamp := r.core().gameTime()
	r.start()
	if r.core().gameTime() != stamp {
		t.Errorf("undone at %d, after the restart it is %d", stamp, r.core().gameTime())
	}
}
