package house

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// Evening plays an evening of a game by itself, at a table of its own, until it is over or ctx ends. show is called for each update that everybody
// sees there, with the JSON of wire.Story once it can be told and nil before; it does not block. Equal seeds play equal evenings.
type Evening func(ctx context.Context, seed uint32, book engine.Rulebook, cast []engine.ID, show func(u wire.Update, story []byte))

// attract shows an evening that plays itself while nobody uses the table: on the displays that ask for one (GET /attract), and on the strips as
// long as one of them looks. It ends as soon as anything happens at the table. A nil one shows nothing.
//
//	GET /attract   204  the table is in use, or was a moment ago, or enough displays look already
//	               200  wire.Update, one JSON a line, until the evening ends or the table is used
//	Majordome-Idle: 300     on both, for how many seconds nothing is to happen at the table
//
// Limits: one evening at a time, which all displays share; maxAttracted of them. Without any nothing is played.
//
// What may leak: that nobody uses the table, which every display shows. An evening knows the rules of the game on the table, the names of
// the cast and a seed; of the table itself it is told nothing, and no phone, clock, log, store, hook or broker is told of it.
type attract struct {
	after  time.Duration // for which nothing is to happen
	play   Evening
	lights Lights

	mu    sync.Mutex  // guards what is below, and the showing's
	free  bool        // nobody sits at the table, and nothing stops it
	last  wire.Update // what everybody saw of the table last
	since time.Time   // when anything happened there last
	decks *Library
	on    *showing // nil: none
}

// Lights show an evening in the place of the table's own.
type Lights interface {
	Stage(u wire.Update)
	Unstage()
}

// showing is an evening that plays. The mutex of the attract guards what is below stop.
type showing struct {
	ctx  context.Context
	stop context.CancelFunc

	listeners int
	line      []byte        // the last update; nil before the first
	changed   chan struct{} // closed when there is another
	story     []byte
}

// maxAttracted are the displays that look at one evening.
const maxAttracted = 4

// openAttract is nil where the owner wants none.
func (h *House) openAttract() *attract {
	if h.opts.Evening == nil || h.opts.Config.Attract == 0 {
		return nil
	}
	return &attract{after: time.Duration(h.opts.Config.Attract) * time.Minute, play: h.opts.Evening, lights: h.lights, since: time.Now()}
}

// hear tells of what everybody sees of the table now, and of the game that is on it. It is called by the loop's goroutine.
func (a *attract) hear(u wire.Update, decks *Library) {
	if a == nil {
		return
	}
	u.Epoch, u.Rev, u.Seq, u.Seqs, u.Left, u.Waited = 0, 0, 0, nil, 0, 0 // of a step that shows nothing new
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free = u.View.Phase == engine.PhaseLobby && len(u.View.Seats) == 0 && u.Paused == nil
	if !a.free || !reflect.DeepEqual(u, a.last) {
		a.used()
	}
	a.last, a.decks = u, decks
}

// touch tells that somebody does something at the table, also where not everybody sees it.
func (a *attract) touch() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used()
}

// used begins the time anew in which nothing happens. mu is held.
func (a *attract) used() {
	a.since = time.Now()
	a.clear()
}

// clear ends what plays, and gives the strips back to the table. mu is held.
func (a *attract) clear() {
	if a.on != nil {
		a.on.stop()
		a.on = nil
		a.lights.Unstage()
	}
}

// join is the evening that plays now, for one display more; nil: it is to show the table.
func (a *attract) join() *showing {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.free || time.Since(a.since) < a.after {
		return nil
	}
	if a.on == nil {
		a.begin()
	}
	if a.on.listeners == maxAttracted {
		return nil
	}
	a.on.listeners++
	return a.on
}

// begin begins an evening. mu is held.
func (a *attract) begin() {
	s := &showing{changed: make(chan struct{})}
	s.ctx, s.stop = context.WithCancel(context.Background())
	book, cast := a.decks.Book(a.last.View.Game), a.decks.Deck(a.last.View.Game).Cast()
	a.on = s
	go func() {
		a.play(s.ctx, rand.Uint32(), book, cast, func(u wire.Update, story []byte) { a.show(s, u, story) })
		a.end(s)
	}()
}

// show gives an update to the displays and the strips.
func (a *attract) show(s *showing, u wire.Update, story []byte) {
	line, err := json.Marshal(u)
	if err != nil { // only for a type that JSON cannot hold
		panic("house: " + err.Error())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on != s { // the table is used
		return
	}
	s.line, s.story = append(line, '\n'), story
	close(s.changed)
	s.changed = make(chan struct{})
	a.lights.Stage(u)
}

// end ends an evening, unless something has before.
func (a *attract) end(s *showing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on == s {
		a.clear()
	}
}

// leave tells that a display looks no more. With the last of them the evening ends.
func (a *attract) leave(s *showing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.listeners--; s.listeners == 0 && a.on == s {
		a.clear()
	}
}

// now is the last update, and what is closed when there is another.
func (a *attract) now(s *showing) (line []byte, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return s.line, s.changed
}

// story is the JSON of wire.Story of the evening that plays, once it can be told.
func (a *attract) story() []byte {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on == nil {
		return nil
	}
	return a.on.story
}

// ServeHTTP answers a display that stands at an empty table.
func (a *attract) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Majordome-Idle", strconv.Itoa(int(a.after.Seconds())))
	s := a.join()
	if s == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	defer a.leave(s)
	w.Header().Set("Content-Type", "application/x-ndjson")
	flush := http.NewResponseController(w)
	for {
		line, changed := a.now(s)
		if _, err := w.Write(line); err != nil || flush.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			return
		case <-r.Context().Done():
			return
		}
	}
}

// story is that of the game that is over, or of an evening that plays itself.
func (h *House) story() []byte {
	if told := h.loop.Story(); told != nil {
		return told
	}
	return h.attract.story()
}
