package game

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
)

// runningLoop is a running loop; it must be used inside a synctest bubble, where time is fake.
type runningLoop struct {
	url atomic.Pointer[string]
	*Loop
	mu    sync.Mutex
	steps []Step
	at    []time.Time
	stop  func()
}

func startLoop(t *testing.T, j Journal) *runningLoop {
	t.Helper()
	l := &runningLoop{}
	l.url.Store(new(string))
	var err error
	l.Loop, err = New(j, l, []engine.Rulebook{toyBook{"toy"}},
		&Opts{Epoch: 1, Desk: &desk{}, Dice: chance.New(1), URL: func() string { return *l.url.Load() }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); l.Run(ctx) }()
	l.stop = func() { cancel(); <-ended }
	synctest.Wait()
	return l
}

func (l *runningLoop) Publish(s Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.steps, l.at = append(l.steps, s), append(l.at, time.Now())
}

func (l *runningLoop) shownSteps() ([]Step, []time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.steps, l.at
}

func (l *runningLoop) actAndWait(v engine.Viewer, seq uint64, act string) (out wire.Reply) {
	done := make(chan struct{})
	l.Act(wire.FirstPhoneOf(v), wire.Act{ID: "x", Seq: seq, Act: act}, func(r wire.Reply) { out = r; close(done) })
	<-done
	return out
}

// The loop with its goroutine: windows, deadlines and changes of the machine's state are handled in time.
func TestLoopHandlesWindowsAndDeadlinesInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := startLoop(t, newMemory())
		if steps, _ := l.shownSteps(); len(steps) != 1 {
			t.Fatalf("%d steps at the start: the retained views would be of an older epoch", len(steps))
		}
		for seq, act := range []string{"sit", "sit", "begin"} {
			if out := l.actAndWait(engine.Host, uint64(seq+1), act); !out.OK {
				t.Fatal(out.Reject)
			}
		}
		synctest.Wait()
		began := time.Now()
		l.HandleReading(engine.ReaderUrn, Reading{Tags: tags("card-1")})
		time.Sleep(100 * time.Millisecond)
		l.SetOnline([]wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}) // another input within the window
		time.Sleep(time.Second)
		synctest.Wait()
		steps, at := l.shownSteps()
		last := len(steps) - 1
		if n := steps[last].Public.Notice; n == nil || n.Signal != signalAccepted || at[last].Sub(began) != defaultUrnWindow {
			t.Errorf("answered after %v: %+v", at[last].Sub(began), n)
		}
		if got := steps[last-1].Public.Table.Online; len(got) != 1 || at[last-1].Sub(began) != 100*time.Millisecond {
			t.Errorf("online %v", got)
		}
		time.Sleep(time.Duration(bell) * time.Millisecond)
		synctest.Wait()
		if u, _ := l.Snapshot(engine.Public); u.View.Clock.At != 1 {
			t.Error("the bell did not ring")
		}
		if !l.IsResponsive(t.Context(), time.Second) {
			t.Error("a running loop does not answer its watchdog")
		}
		l.PublishAgain()
		synctest.Wait()
		if now, _ := l.shownSteps(); len(now) != last+3 {
			t.Errorf("%d steps, want %d", len(now), last+3)
		}
		l.stop()
		l.HandleReading(engine.ReaderUrn, Reading{}) // must not hang after the end
		l.SetReaderState(engine.ReaderUrn, ReaderLost)
		l.PublishAgain()
		if l.IsResponsive(t.Context(), time.Second) {
			t.Error("a loop that has ended answers its watchdog")
		}
	})
}

// TestMoved: a new address of the daemon is shown at once to the display and the host; phones need none.
func TestMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := startLoop(t, newMemory())
		if out := l.actAndWait(engine.Host, 1, "sit"); !out.OK {
			t.Fatal(out.Reject)
		}
		synctest.Wait() // the act is answered before its step is shown
		const moved = "http://192.168.1.5:8080"
		url := moved
		l.url.Store(&url)
		before, _ := l.shownSteps()
		l.PublishAgain()
		synctest.Wait()
		steps, _ := l.shownSteps()
		if len(steps) != len(before)+1 {
			t.Fatalf("%d steps, want %d", len(steps), len(before)+1)
		}
		old, now := before[len(before)-1], steps[len(steps)-1]
		if old.Public.Table.URL != "" || now.Public.Table.URL != moved || now.Host.Table.URL != moved ||
			now.SeatUpdates()[0].Table.URL != "" {
			t.Errorf("shown %q before, then %q, to the host %q and to a seat %q", old.Public.Table.URL, now.Public.Table.URL,
				now.Host.Table.URL, now.SeatUpdates()[0].Table.URL)
		}
		l.stop()
		l.PublishAgain() // must not hang after the end
	})
}

// slowJournal is a journal on a slow card: a second for each step.
type slowJournal struct{ *memory }

func (l slowJournal) AppendSteps(game int64, events []store.Event, r *store.Result) error {
	time.Sleep(time.Second)
	return l.memory.AppendSteps(game, events, r)
}

// GEN-E06 on a slow card: two cards that were in the slot together are one presentation, even if the window ends
// while the loop is writing.
func TestInputsKeepTheirMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := startLoop(t, slowJournal{newMemory()})
		for seq, act := range []string{"sit", "sit", "begin"} {
			l.actAndWait(engine.Host, uint64(seq+1), act)
		}
		l.HandleReading(engine.ReaderUrn, Reading{Tags: tags("card-1")})
		time.Sleep(100 * time.Millisecond)
		l.Act(wire.FirstPhoneOf(engine.SeatViewer(1)), wire.Act{ID: "x", Seq: 1, Act: "deposit", Args: engine.Args{"card": "card-9"}},
			func(wire.Reply) {})
		time.Sleep(100 * time.Millisecond)
		l.HandleReading(engine.ReaderUrn, Reading{Tags: tags("card-2")})
		time.Sleep(5 * time.Second)
		synctest.Wait()
		u, _ := l.Snapshot(engine.SeatViewer(2)) // seat 1 has declared its card in the meantime
		if u.Notice == nil || u.Notice.Rule != "GEN-E06" || u.View.Urn != 1 {
			t.Errorf("%d cards in the urn, %+v", u.View.Urn, u.Notice)
		}
		l.stop()
	})
}

// blockedJournal is a journal that blocks the loop until free is closed, and then works.
type blockedJournal struct {
	*memory
	free chan struct{}
}

func (s blockedJournal) CheckWritable() error { <-s.free; s.fail = ""; return nil }

// All queues are limited; one viewer cannot take the places of others, and Act never waits.
func TestQueuesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		free := make(chan struct{})
		l := startLoop(t, blockedJournal{m, free})
		m.fail = "before"
		l.actAndWait(engine.Host, 1, "sit")
		time.Sleep(2 * time.Second) // the loop is waiting for the journal by now
		synctest.Wait()
		count := map[string]int{}
		var mu sync.Mutex
		reply := func(r wire.Reply) {
			mu.Lock()
			defer mu.Unlock()
			count[r.Reject.Why.Key]++
		}
		for i := range 100 {
			l.Act(wire.FirstPhoneOf(engine.SeatViewer(1)), wire.Act{ID: "x", Seq: uint64(i + 1), Act: "deposit"}, reply)
		}
		if count["table.busy"] != 100-maxPending {
			t.Errorf("one phone has %d acts waiting", 100-count["table.busy"])
		}
		for s := engine.Seat(2); s <= engine.MaxSeats; s++ {
			for i := range maxPending {
				l.Act(wire.FirstPhoneOf(engine.SeatViewer(s)), wire.Act{ID: "x", Seq: uint64(i + 1), Act: "deposit"}, reply)
			}
		}
		if got := len(l.inputs); got != queueSize {
			t.Errorf("%d inputs wait", got)
		}
		for range 1000 {
			l.SetOnline([]wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))})
			l.SetReaderState(engine.ReaderUrn, ReaderLost)
			l.PublishNotice(engine.NewMsg("table.phone.joined", "seat", "seat-1"))
			l.PublishAgain()
		}
		presented := make(chan struct{})
		go func() { l.HandleReading(engine.ReaderShow, Reading{}); close(presented) }()
		synctest.Wait()
		select {
		case <-presented:
			t.Error("a card was dropped from a full queue")
		default:
		}
		close(free)
		<-presented
		synctest.Wait()
		if len(l.inputs) != 0 || len(l.pending) != 0 {
			t.Errorf("%d inputs and %d counts are left", len(l.inputs), len(l.pending))
		}
		l.stop()
	})
}

// BenchmarkStep measures one act in the middle of an evening at a full table: the command decided, encoded and
// applied, and the views of all viewers built, without a disk. The edition of 2008 is measured as printed, and with
// rolls and squares entered in the machine.
func BenchmarkStep(b *testing.B) {
	bench := func(name string, g game, set ...string) {
		b.Run(name, func(b *testing.B) {
			e := newEvening(b, g, newMemory(), 1)
			if len(set) > 0 {
				e.mustAct(engine.Host, "switch", set...)
			}
			e.seatAndBegin(g.most)
			var steps []play.Step
			_, _, _ = play.Run(e.core().game, &play.Opts{Seed: 1, MaxSteps: 120, Weigh: g.recorded, Check: func(s play.Step) error {
				s.Command.Args = maps.Clone(s.Command.Args)
				steps = append(steps, s)
				return nil
			}}) // an error: a game should not end this early
			steps = steps[len(steps)-50:]
			c := e.core()
			c.journal, c.publishStep, c.Salt = discardingJournal{c.journal}, func(Step) {}, randomSalt
			for i := 0; b.Loop(); i++ {
				s := steps[i%len(steps)]
				// the step before was shown to all
				c.gameState = gameState{game: &cachedGame{Game: s.Before, views: c.game.currentViews()}, lastStep: 1}
				if c.playCommand(s.Command, s.Command.By.String()) != nil {
					b.Fatal(s.Command.Act)
				}
				c.publish(notices{})
			}
		})
	}
	for _, g := range games {
		bench(string(g.id), g)
		if g.id == "cluedo-2008" {
			bench("cluedo-2008-checked", g, "name", "movement", "value", "checked")
		}
	}
}

// BenchmarkReplay measures how a stored evening of a full table is opened, without a disk.
func BenchmarkReplay(b *testing.B) {
	for _, g := range games {
		b.Run(string(g.id), func(b *testing.B) {
			e := newEvening(b, g, newMemory(), 1)
			e.seatAndBegin(g.most)
			for range 300 {
				e.play()
			}
			rows, err := e.core().journal.Events(e.core().gameID)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(e.core().lastStep), "steps")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := replayGame(e.books[0], rows); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// discardingJournal is a journal that stores nothing.
type discardingJournal struct{ Journal }

func (discardingJournal) AppendSteps(int64, []store.Event, *store.Result) error { return nil }
