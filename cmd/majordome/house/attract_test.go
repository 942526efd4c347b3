package house

import (
	"bufio"
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
	"majordome/engine/huisclos"
)

// lobby is an update of an empty table.
func lobby(rev uint64) wire.Update {
	return wire.Update{Epoch: 7, Rev: rev, View: engine.View{Game: "huis-clos", Phase: "lobby"}, Table: wire.TableView{Readers: map[string]string{"urn": "ok"}}}
}

// playedAlone is the n-th update of an evening that plays itself.
func playedAlone(n uint64) wire.Update {
	return wire.Update{Rev: n, Demo: true, View: engine.View{Game: "huis-clos", Phase: "day", Places: []engine.PlaceView{{Place: "place-salon", Lamp: engine.LampCrime}}}}
}

// attractRig is an attract whose evening shows an update a second, and a story with the third.
type attractRig struct {
	*attract
	decks  *Library
	played []engine.ID // the games of the evenings that have begun
	plays  int         // evenings that play now
	lit    stagedLights
}

// stagedLights remember whether they show an evening.
type stagedLights struct {
	mu sync.Mutex
	on bool
}

func (l *stagedLights) Stage(wire.Update) { l.set(true) }
func (l *stagedLights) Unstage()          { l.set(false) }

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

// decksOf returns the default decks of a table with Huis Clos.
func decksOf(t *testing.T) *Library {
	return &Library{shelves: []*shelf{{game: "huis-clos", onShelf: onShelf{now: huisclos.DefaultDeck(), book: book(t)}}}}
}

func newAttract(t *testing.T, after time.Duration) *attractRig {
	d := huisclos.DefaultDeck()
	r := &attractRig{decks: decksOf(t)}
	r.attract = &attract{after: after, lights: &r.lit, since: time.Now(),
		play: func(ctx context.Context, _ uint32, b engine.Rulebook, cast []engine.ID, show func(wire.Update, []byte)) {
			r.plays++
			defer func() { r.plays-- }()
			if !slices.Equal(cast, d.Cast()) {
				t.Errorf("the cast is %v", cast)
			}
			r.played = append(r.played, b.ID())
			for n := range uint64(600) {
				var story []byte
				if n >= 2 {
					story = []byte(`{"v":1}`)
				}
				show(playedAlone(n+1), story)
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
					return
				}
			}
		}}
	r.hear(lobby(1), r.decks)
	return r
}

// display is one that has asked.
type display struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
	ended bool
}

func (r *attractRig) ask(t *testing.T) *display {
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

// TestAttract: once nothing has happened at the table for a while, displays are shown an evening that plays itself, all the same one.
func TestAttract(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAttract(t, 5*time.Minute)
		time.Sleep(5*time.Minute - time.Second)
		r.hear(lobby(2), r.decks) // a step that shows nothing new
		if d := r.ask(t); d.Code != http.StatusNoContent || d.Header().Get("Majordome-Idle") != "300" || len(r.played) > 0 {
			t.Errorf("too early: %d, %v, %v played", d.Code, d.Header(), r.played)
		}
		time.Sleep(time.Second)
		if r.lit.staged() {
			t.Error("before it the strip is not the table's")
		}
		first := r.ask(t)
		if !r.lit.staged() {
			t.Error("the strip does not follow")
		}
		time.Sleep(1500 * time.Millisecond)
		second := r.ask(t)
		if r.story() != nil {
			t.Error("there is a story before the end")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := first.revs(t); first.Code != 200 || first.Header().Get("Content-Type") != "application/x-ndjson" || !slices.Equal(got, []uint64{1, 2, 3}) {
			t.Errorf("the first is shown %v: %d %v", got, first.Code, first.Header())
		}
		if got := second.revs(t); !slices.Equal(got, []uint64{2, 3}) || len(r.played) != 1 || r.story() == nil {
			t.Errorf("the second is shown %v, of %v, story %s", got, r.played, r.story())
		}
		var more []*display
		for range maxAttracted - 1 {
			more = append(more, r.ask(t))
		}
		if n := len(more) - 1; more[n].Code != http.StatusNoContent {
			t.Errorf("display %d: %d", maxAttracted+1, more[n].Code)
		}
		for _, d := range append(more, first, second) {
			if r.plays != 1 && !d.ended {
				t.Error("it ends before the last has gone")
			}
			d.leave()
			synctest.Wait()
		}
		if r.plays > 0 || r.lit.staged() {
			t.Errorf("nobody looks, and %d play; the strip shows one: %v", r.plays, r.lit.staged())
		}
		again := r.ask(t)
		if len(r.played) != 2 {
			t.Errorf("a display that comes back: %v", r.played)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if !again.ended || r.plays > 0 || r.story() != nil {
			t.Errorf("after the evening: %t, %d play, story %s", again.ended, r.plays, r.story())
		}
	})
}

// TestAttractGivesWay: whatever happens at the table ends it at once, and begins the wait anew.
func TestAttractGivesWay(t *testing.T) {
	change := func(change func(*wire.Update)) func(*attractRig) {
		return func(r *attractRig) {
			u := lobby(3)
			change(&u)
			r.hear(u, r.decks)
		}
	}
	for what, happens := range map[string]func(*attractRig){
		"somebody does something": func(r *attractRig) { r.touch() },
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
				d := r.ask(t)
				if !r.lit.staged() {
					t.Error("the strip does not show the evening")
				}
				happens(r)
				synctest.Wait()
				if !d.ended || r.plays > 0 || r.lit.staged() {
					t.Errorf("ended: %t, %d play, the strip shows one: %v", d.ended, r.plays, r.lit.staged())
				}
				if d := r.ask(t); d.Code != http.StatusNoContent {
					t.Errorf("a moment later: %d", d.Code)
				}
				time.Sleep(time.Minute)
				want := map[bool]int{true: 200, false: http.StatusNoContent}[r.free]
				if d := r.ask(t); d.Code != want {
					t.Errorf("a minute later: %d, want %d", d.Code, want)
				} else {
					d.leave()
				}
			})
		})
	}
}

// TestAttractJoinedAtItsEnd: a display that comes while the last one goes is shown an evening that goes on.
func TestAttractJoinedAtItsEnd(t *testing.T) {
	a := &attract{lights: &stagedLights{}, free: true, decks: decksOf(t), last: wire.Update{View: engine.View{Game: "huis-clos"}}, play: func(ctx context.Context, _ uint32, _ engine.Rulebook, _ []engine.ID, _ func(wire.Update, []byte)) {
		<-ctx.Done()
	}}
	first := a.join()
	var second *showing
	var wg sync.WaitGroup
	a.mu.Lock()
	for _, do := range []func(){func() { a.leave(first) }, func() { second = a.join() }} {
		wg.Go(do)
		time.Sleep(10 * time.Millisecond)
	}
	a.mu.Unlock()
	a.mu.Lock()
	time.Sleep(10 * time.Millisecond) // whoever finds it locked again after more than 1 ms makes it serve all in turn (sync.Mutex)
	a.mu.Unlock()
	wg.Wait()
	if second.ctx.Err() != nil {
		t.Error("cut as soon as it looks")
	}
	a.leave(second)
}

// TestAttractAtATable: a real table shows one where its configuration wants it, until a card is laid, a button pressed or somebody acts.
func TestAttractAtATable(t *testing.T) {
	if h := start(t, func(o *Opts) {
		o.Evening = func(context.Context, uint32, engine.Rulebook, []engine.ID, func(wire.Update, []byte)) {}
	}).house; getPath(t, h, "/attract").StatusCode != http.StatusNotFound {
		t.Error("it plays where nobody wants it")
	}
	r := start(t, func(o *Opts) {
		o.Players, o.Config.Attract = nil, 1
		o.Evening = func(ctx context.Context, _ uint32, _ engine.Rulebook, _ []engine.ID, show func(wire.Update, []byte)) {
			show(playedAlone(1), []byte(`{"v":1}`))
			<-ctx.Done()
		}
	})
	if a := getPath(t, r.house, "/attract"); a.StatusCode != http.StatusNoContent {
		t.Errorf("at the start: %s", a.Status)
	}
	r.house.attract.mu.Lock()
	r.house.attract.after = 300 * time.Millisecond
	r.house.attract.mu.Unlock()
	for _, x := range []struct {
		what    string
		happens func()
	}{
		{"a card", func() { r.put(engine.ReaderShow, uid(t, 200)) }},
		{"a button", func() { r.house.press("call") }},
		{"the office", func() { r.try("no") }},
		{"a seat", func() {
			r.host("sit", engine.Args{"seat": "seat-1", "name": "Anne", "character": "character-worms"})
		}},
	} {
		var in *bufio.Scanner
		eventually(t, "it does not play before "+x.what, func() bool {
			a := getPath(t, r.house, "/attract")
			in = bufio.NewScanner(a.Body)
			return a.StatusCode == http.StatusOK
		})
		if !in.Scan() || !strings.Contains(in.Text(), `"demo":true`) {
			t.Fatalf("%s: %v, %s", x.what, in.Err(), in.Text())
		}
		x.happens()
		if in.Scan() || in.Err() != nil {
			t.Errorf("%s: %v, %s", x.what, in.Err(), in.Text())
		}
	}
	var a *http.Response
	eventually(t, "the door has had enough of this test", func() bool {
		a = getPath(t, r.house, "/attract")
		return a.StatusCode != http.StatusTooManyRequests
	})
	if a.StatusCode != http.StatusNoContent {
		t.Errorf("while somebody sits: %s", a.Status)
	}
}

func getPath(t *testing.T, h *House, path string) *http.Response {
	t.Helper()
	a, err := http.Get("http://" + h.network.Pages.Addr().String() + path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Body.Close() })
	return a
}
