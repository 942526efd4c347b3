// Package attract shows an evening that plays itself while nobody uses the table: on the displays that ask for one (GET /attract), and on
// the strips as long as one of them looks. It ends as soon as anything happens at the table.
//
//	GET /attract   204  the table is in use, or was a moment ago, or enough displays look already
//	               200  wire.Update, one JSON a line, until the evening ends or the table is used
//	Majordome-Idle: 300     on both, for how many seconds nothing is to happen at the table
//
// Limits: one evening at a time, which all displays share; maxAttracted of them. Without any nothing is played.
//
// What may leak: that nobody uses the table, which every display shows. An evening knows the rules of the game on the table, the names of
// the cast and a seed; of the table itself it is told nothing, and no phone, clock, log, store, hook or broker is told of it.
package attract

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
	"majordome/engine/deck"
)

// Evening plays an evening of a game by itself, at a table of its own, until it is over or ctx ends. show is called for each update that everybody
// sees there, with the JSON of wire.Story once it can be told and nil before; it does not block. Equal seeds play equal evenings.
type Evening func(ctx context.Context, seed uint32, book engine.Rulebook, cast []engine.ID, show func(u wire.Update, story []byte))

// Decks are the games of the table.
type Decks interface {
	Book(game engine.ID) engine.Rulebook
	Deck(game engine.ID) deck.Deck
}

// Opts are the parameters of an Attract.
type Opts struct {
	After  time.Duration // for which nothing is to happen at the table
	Play   Evening
	Lights Lights
	Decks  Decks
}

// Attract is safe for concurrent use. A nil one shows nothing.
type Attract struct {
	opts Opts

	mu    sync.Mutex  // guards what is below, and the showing's
	free  bool        // nobody sits at the table, and nothing stops it
	last  wire.Update // what everybody saw of the table last
	since time.Time   // when anything happened there last
	on    *showing    // nil: none
}

// Lights show an evening in the place of the table's own.
type Lights interface {
	Stage(u wire.Update)
	Unstage()
}

// showing is an evening that plays. The mutex of the Attract guards what is below stop.
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

// New makes an Attract that waits from now on.
func New(o Opts) *Attract { return &Attract{opts: o, since: time.Now()} }

// Publish tells what everybody sees of the table now. One goroutine calls it.
func (a *Attract) Publish(u wire.Update) {
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
	a.last = u
}

// Touch tells that somebody does something at the table, also where not everybody sees it.
func (a *Attract) Touch() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used()
}

// used begins the time anew in which nothing happens. mu is held.
func (a *Attract) used() {
	a.since = time.Now()
	a.clear()
}

// clear ends what plays, and gives the strips back to the table. mu is held.
func (a *Attract) clear() {
	if a.on != nil {
		a.on.stop()
		a.on = nil
		a.opts.Lights.Unstage()
	}
}

// join is the evening that plays now, for one display more; nil: it is to show the table.
func (a *Attract) join() *showing {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.free || time.Since(a.since) < a.opts.After {
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
func (a *Attract) begin() {
	s := &showing{changed: make(chan struct{})}
	s.ctx, s.stop = context.WithCancel(context.Background())
	book, cast := a.opts.Decks.Book(a.last.View.Game), a.opts.Decks.Deck(a.last.View.Game).Cast()
	a.on = s
	go func() {
		a.opts.Play(s.ctx, rand.Uint32(), book, cast, func(u wire.Update, story []byte) { a.show(s, u, story) })
		a.end(s)
	}()
}

// show gives an update to the displays and the strips.
func (a *Attract) show(s *showing, u wire.Update, story []byte) {
	line, err := json.Marshal(u)
	if err != nil { // only for a type that JSON cannot hold
		panic("attract: " + err.Error())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on != s { // the table is used
		return
	}
	s.line, s.story = append(line, '\n'), story
	close(s.changed)
	s.changed = make(chan struct{})
	a.opts.Lights.Stage(u)
}

// end ends an evening, unless something has before.
func (a *Attract) end(s *showing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on == s {
		a.clear()
	}
}

// leave tells that a display looks no more. With the last of them the evening ends.
func (a *Attract) leave(s *showing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.listeners--; s.listeners == 0 && a.on == s {
		a.clear()
	}
}

// now is the last update, and what is closed when there is another.
func (a *Attract) now(s *showing) (line []byte, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return s.line, s.changed
}

// Story is the JSON of wire.Story of the evening that plays, once it can be told.
func (a *Attract) Story() []byte {
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

// ServeHTTP answers a display that stands at an empty table. A nil Attract is not found.
func (a *Attract) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Majordome-Idle", strconv.Itoa(int(a.opts.After.Seconds())))
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
