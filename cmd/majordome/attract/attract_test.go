package attract

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
)

// lobby returns an update of an empty table.
func lobby(rev uint64) wire.Update {
	return wire.Update{Epoch: 7, Rev: rev, View: engine.View{Game: "huis-clos", Phase: "lobby"},
		Table: wire.TableView{Readers: map[string]string{"urn": "ok"}}}
}

// demoUpdate returns the n-th update of an evening that plays automatically.
func demoUpdate(n uint64) wire.Update {
	return wire.Update{Rev: n, Demo: true,
		View: engine.View{Game: "huis-clos", Phase: "day", Places: []engine.PlaceView{{Place: "place-salon", Lamp: engine.LampCrime}}}}
}

// attractRig is an Attract whose evening shows one update a second, and a story from the third on.
type attractRig struct {
	*Attract
	playedGames  []engine.ID // the games of the evenings that have begun
	runningCount int         // evenings that play now
	lit          stagedLights
}

// stagedLights remembers whether it shows an evening.
type stagedLights struct {
	mu sync.Mutex
	on bool
}

func (l *stagedLights) ShowEvening(wire.Update) { l.set(true) }
func (l *stagedLights) EndEvening()             { l.set(false) }

func (l *stagedLights) set(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.on = on
}

func (l *stagedLights) staged() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.on
}

// oneDeck is a table with only Huis Clos.
type oneDeck struct{ book engine.Rulebook }

func (d oneDeck) RulebookOf(engine.ID) engine.Rulebook { return d.book }
func (oneDeck) Deck(engine.ID) deck.Deck               { return huisclos.DefaultDeck() }

func decks(t *testing.T) oneDeck {
	t.Helper()
	b, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	return oneDeck{b}
}

func newAttract(t *testing.T, after time.Duration) *attractRig {
	d := huisclos.DefaultDeck()
	r := &attractRig{}
	r.Attract = New(Opts{IdleTime: after, Lights: &r.lit, Decks: decks(t),
		PlayEvening: func(ctx context.Context, _ uint32, b engine.Rulebook, cast []engine.ID, show func(wire.Update, []byte)) {
			r.runningCount++
			defer func() { r.runningCount-- }()
			if !slices.Equal(cast, d.DemoCast()) {
				t.Errorf("the cast is %v", cast)
			}
			r.playedGames = append(r.playedGames, b.ID())
			for n := range uint64(600) {
				var story []byte
				if n >= 2 {
					story = []byte(`{"v":1}`)
				}
				show(demoUpdate(n+1), story)
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
					return
				}
			}
		}})
	r.HandleUpdate(lobby(1))
	return r
}

// display is one that has made its request.
type display struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
	ended bool
}

func (r *attractRig) requestAttract(t *testing.T) *display {
	ctx, leave := context.WithCancel(t.Context())
	d := &display{httptest.NewRecorder(), leave, false}
	go func() {
		r.ServeHTTP(d, httptest.NewRequest("GET", "/attract", nil).WithContext(ctx))
		d.ended = true
	}()
	synctest.Wait()
	return d
}

func (d *display) revs(t *testing.T) (all []uint64) {
	t.Helper()
	for line := range strings.Lines(d.Body.String()) {
		var u wire.Update
		if err := json.Unmarshal([]byte(line), &u); err != nil || !u.Demo {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, u.Rev)
	}
	return all
}

// TestAttract checks that displays show an evening that plays automatically, all the same one, once the table has
// been idle for a while.
func TestAttract(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAttract(t, 5*time.Minute)
		time.Sleep(5*time.Minute - time.Second)
		r.HandleUpdate(lobby(2)) // a step that changes no view
		if d := r.requestAttract(t); d.Code != http.StatusNoContent || d.Header().Get("Majordome-Idle") != "300" || len(r.playedGames) > 0 {
			t.Errorf("too early: %d, %v, %v played", d.Code, d.Header(), r.playedGames)
		}
		time.Sleep(time.Second)
		if r.lit.staged() {
			t.Error("before it the strip is not the table's")
		}
		first := r.requestAttract(t)
		if !r.lit.staged() {
			t.Error("the strip does not follow")
		}
		time.Sleep(1500 * time.Millisecond)
		second := r.requestAttract(t)
		if r.StoryJSON() != nil {
			t.Error("there is a story before the end")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := first.revs(t); first.Code != 200 || first.Header().Get("Content-Type") != "application/x-ndjson" ||
			!slices.Equal(got, []uint64{1, 2, 3}) {
			t.Errorf("the first is shown %v: %d %v", got, first.Code, first.Header())
		}
		if got := second.revs(t); !slices.Equal(got, []uint64{2, 3}) || len(r.playedGames) != 1 || r.StoryJSON() == nil {
			t.Errorf("the second is shown %v, of %v, story %s", got, r.playedGames, r.StoryJSON())
		}
		var more []*display
		for range maxDisplays - 1 {
			more = append(more, r.requestAttract(t))
		}
		if n := len(more) - 1; more[n].Code != http.StatusNoContent {
			t.Errorf("display %d: %d", maxDisplays+1, more[n].Code)
		}
		for _, d := range append(more, first, second) {
			if r.runningCount != 1 && !d.ended {
				t.Error("the demonstration ends before the last viewer has gone")
			}
			d.leave()
			synctest.Wait()
		}
		if r.runningCount > 0 || r.lit.staged() {
			t.Errorf("nobody looks, and %d play; the strip shows one: %v", r.runningCount, r.lit.staged())
		}
		again := r.requestAttract(t)
		if len(r.playedGames) != 2 {
			t.Errorf("a display that comes back: %v", r.playedGames)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if !again.ended || r.runningCount > 0 || r.StoryJSON() != nil {
			t.Errorf("after the evening: %t, %d play, story %s", again.ended, r.runningCount, r.StoryJSON())
		}
	})
}

// TestAttractGivesWay checks that any event at the table ends the evening at once, and restarts the idle time.
func TestAttractGivesWay(t *testing.T) {
	change := func(change func(*wire.Update)) func(*attractRig) {
		return func(r *attractRig) {
			u := lobby(3)
			change(&u)
			r.HandleUpdate(u)
		}
	}
	for what, happens := range map[string]func(*attractRig){
		"somebody does something": func(r *attractRig) { r.RecordUse() },
		"a reader is lost":        change(func(u *wire.Update) { u.Table.Readers = map[string]string{"urn": "lost"} }),
		"something is said":       change(func(u *wire.Update) { u.Notice = &wire.Notice{N: 4} }),
		"somebody sits":           change(func(u *wire.Update) { u.View.Seats = []engine.SeatView{{Seat: 1}} }),
		"a game goes on":          change(func(u *wire.Update) { u.View.Phase = "day" }),
		"the store fails":         change(func(u *wire.Update) { u.Paused = &engine.Msg{} }),
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newAttract(t, time.Minute)
				time.Sleep(time.Minute)
				d := r.requestAttract(t)
				if !r.lit.staged() {
					t.Error("the strip does not show the evening")
				}
				happens(r)
				synctest.Wait()
				if !d.ended || r.runningCount > 0 || r.lit.staged() {
					t.Errorf("ended: %t, %d play, the strip shows one: %v", d.ended, r.runningCount, r.lit.staged())
				}
				if d := r.requestAttract(t); d.Code != http.StatusNoContent {
					t.Errorf("a moment later: %d", d.Code)
				}
				time.Sleep(time.Minute)
				want := map[bool]int{true: 200, false: http.StatusNoContent}[r.isTableFree]
				if d := r.requestAttract(t); d.Code != want {
					t.Errorf("a minute later: %d, want %d", d.Code, want)
				} else {
					d.leave()
				}
			})
		})
	}
}

// TestAttractJoinedAtItsEnd checks that a display that comes while the last one leaves is shown a running evening.
func TestAttractJoinedAtItsEnd(t *testing.T) {
	a := New(Opts{Lights: &stagedLights{}, Decks: decks(t),
		PlayEvening: func(ctx context.Context, _ uint32, _ engine.Rulebook, _ []engine.ID, _ func(wire.Update, []byte)) {
			<-ctx.Done()
		}})
	a.HandleUpdate(lobby(1))
	first := a.joinEvening()
	var second *runningEvening
	var wg sync.WaitGroup
	a.mu.Lock()
	for _, do := range []func(){func() { a.recordDisplayGone(first) }, func() { second = a.joinEvening() }} {
		wg.Go(do)
		time.Sleep(10 * time.Millisecond)
	}
	a.mu.Unlock()
	a.mu.Lock()
	time.Sleep(10 * time.Millisecond) // a waiter of more than 1 ms makes the mutex serve all in order (sync.Mutex)
	a.mu.Unlock()
	wg.Wait()
	if second.ctx.Err() != nil {
		t.Error("cut as soon as it looks")
	}
	a.recordDisplayGone(second)
}
