package game

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"majordome/companion/master/oversight"
	"majordome/companion/store"
	"majordome/engine"
)

// killingJournal is a journal that writes an append and then kills the daemon before it can show the step.
type killingJournal struct {
	Journal
	kill bool
}

type killed struct{}

func (k *killingJournal) AppendSteps(game int64, events []store.Event, r *store.Result) error {
	err := k.Journal.AppendSteps(game, events, r)
	if k.kill && err == nil {
		panic(killed{})
	}
	return err
}

// Design 3: after a power cut the same game is on the table again. Evenings of random play on a real file; the loop
// is dropped without notice at random points, also between the write and the update of the table.
func TestKilledEveningIsRestored(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		for seed := range uint64(eveningCount(1, 20)) {
			path := filepath.Join(t.TempDir(), "t.db")
			open := func() *store.Store {
				s, err := store.Open(path, nil)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.Close() })
				return s
			}
			again := func() *store.Store { // copies the files as a kill leaves them: the dead store still holds its lock
				was := path
				path = filepath.Join(t.TempDir(), "t.db")
				for _, tail := range []string{"", "-wal", ".mark"} {
					data, err := os.ReadFile(was + tail)
					if err == nil {
						err = os.WriteFile(path+tail, data, 0o600)
					}
					if err != nil && !errors.Is(err, os.ErrNotExist) {
						t.Fatal(err)
					}
				}
				return open()
			}
			dead := open()
			k := &killingJournal{Journal: dead}
			e := newEvening(t, g, k, seed)
			e.seatAndBegin(g.players(seed))
			kills, torn := 0, 0
			for range eveningCount(300, 1000) {
				if e.last().Public.View.Result != nil {
					e.mustAct(engine.Host, actNewGame, "seats", "keep")
					e.mustAct(engine.Host, "begin")
				}
				if e.dice.Intn(5) != 0 {
					e.play()
					continue
				}
				kills++
				k.kill = e.dice.Intn(2) == 0
				before := comparableState(t, e.last())
				died := isKilledDuring(e.play)
				if died {
					torn++
				} else {
					before = comparableState(t, e.last())
				}
				recorded := len(storedEvents(t, k.Journal))
				next := again()
				_ = dead.Close()
				dead = next
				if lost := dead.Losses(); len(lost) > 0 {
					t.Fatalf("seed %d, kill %d: the start names %+v as lost", seed, kills, lost)
				}
				k = &killingJournal{Journal: dead}
				e.journal = k
				e.start()
				after := comparableState(t, e.last())
				if !died && after != before {
					t.Fatalf("seed %d, kill %d: another game was restored:\n%s\n%s", seed, kills, after, before)
				}
				if len(storedEvents(t, k.Journal)) != recorded {
					t.Fatalf("seed %d, kill %d: the restart wrote events", seed, kills)
				}
				if died && e.last().Public.Notice != nil {
					t.Fatalf("seed %d, kill %d: something is repeated: %+v", seed, kills, e.last().Public.Notice)
				}
			}
			t.Logf("%d kills, %d of them between disk and table, %d events", kills, torn, len(storedEvents(t, k.Journal)))
			if kills == 0 || torn == 0 {
				t.Error("nobody was killed")
			}
		}
	})
}

func storedEvents(t *testing.T, j Journal) []store.Event {
	t.Helper()
	g, _, err := j.CurrentGame()
	if err != nil {
		t.Fatal(err)
	}
	events, err := j.Events(g.ID)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// isKilledDuring reports whether the daemon was killed during do.
func isKilledDuring(do func()) (dead bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(killed); !ok {
				panic(r)
			}
			dead = true
		}
	}()
	do()
	return false
}

// A step that was recorded but not shown is shown after the restart like any other.
func TestKillBetweenDiskAndTable(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		for seed := range uint64(eveningCount(10, 300)) {
			m := newMemory()
			k := &killingJournal{Journal: m}
			e := newEvening(t, g, k, seed)
			e.seatAndBegin(g.least)
			for range 10 + e.dice.Intn(80) {
				e.play()
			}
			k.kill = true
			for range 50 {
				if isKilledDuring(e.play) {
					break
				}
			}
			shown, err := replayGame(e.books[0], storedEvents(t, m))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			k.kill = false
			e.start()
			want := e.last().Public
			want.View = shown.game.View(engine.Public)
			if comparableUpdate(t, e.last().Public) != comparableUpdate(t, want) {
				t.Errorf("seed %d: the table does not show what is on disk", seed)
			}
		}
	})
}

// playOnFailingDisk plays on, and the disk of m may fail at any moment.
func (e *evening) playOnFailingDisk(m *memory) {
	if e.last().Public.Paused == nil && e.dice.Intn(10) == 0 {
		m.fail = []string{"before", "after"}[e.dice.Intn(2)]
	}
	if m.fail == "" {
		e.play()
	} else {
		e.actWhilePaused()
	}
}

// The store fails again and again during an evening. What is shown is always what is on disk.
func TestEveningOnAFailingDisk(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		for seed := range uint64(eveningCount(3, 100)) {
			m := newMemory()
			e := newEvening(t, g, m, seed)
			e.seatAndBegin(g.least + 1)
			pauses := 0
			for range 200 {
				n := len(e.steps)
				e.playOnFailingDisk(m)
				for _, s := range e.steps[n:] {
					if s.Public.Paused != nil {
						pauses++
					}
				}
				if e.last().Public.Paused != nil && e.dice.Intn(3) == 0 {
					m.fail = ""
					e.passTime(2 * retryMax)
				}
				disk, err := replayGame(e.books[0], storedEvents(t, m))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if e.last().Public.Paused == nil && asJSON(t, disk.game.View(engine.Public)) != asJSON(t, e.last().Public.View) {
					t.Fatalf("seed %d: shown is not what is on disk", seed)
				}
			}
			if pauses == 0 {
				t.Errorf("seed %d: the disk never failed", seed)
			}
		}
	})
}

// actWhilePaused acts although the game is paused, as an impatient player would.
func (e *evening) actWhilePaused() {
	v := engine.SeatViewer(engine.Seat(1 + e.dice.Intn(e.least)))
	if e.dice.Intn(2) == 0 {
		e.core().presentTags(e.clock.at, engine.ReaderShow, tags(e.heldCard()))
		e.passTime(time.Second)
		return
	}
	for _, u := range e.last().UpdatesToSeal(nil) {
		for _, o := range u.View.Offers {
			if u.Paused != nil && o.Act != oversight.ActCover { // to close the view of the secrets needs no disk
				e.t.Fatalf("%s is offered %s while the game is paused", u.View.Viewer, o.Act)
			}
		}
	}
	e.act(v, "pass")
	e.act(engine.Host, actUndo, "force", "yes")
}
