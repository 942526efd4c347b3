// Package attract shows an evening that plays automatically while no one uses the table: on the
// displays that request one (GET /attract), and on the LED strips as long as at least one display
// shows it. It ends as soon as anything happens at the table.
//
//	GET /attract   204  the table is or was recently in use, or enough displays show the evening
//	               200  wire.Update, one JSON per line, until the evening ends or the table is used
//	Majordome-Idle: 300     in both cases: seconds without use before an evening starts
//
// Limits: one evening at a time, shared by at most maxDisplays displays. Without a display nothing
// is played.
//
// What may leak: only that no one uses the table, which every display shows anyway. An evening knows
// the rules of the game on the table, the names of the cast and a seed, and nothing else of the
// table. No phone, clock, log, store, hook or broker receives anything of it.
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

// EveningFunc is a function that plays an evening of a game automatically, at a simulated table, until it is over or ctx
// ends. It calls show for each public update, with the JSON of wire.Story once the story may be
// shown, nil before. show does not block. The same seed gives the same evening.
type EveningFunc func(ctx context.Context, seed uint32, book engine.Rulebook, cast []engine.ID, show func(u wire.Update, story []byte))

// Decks gives access to the games of the table.
type Decks interface {
	RulebookOf(game engine.ID) engine.Rulebook
	Deck(game engine.ID) deck.Deck
}

// Opts are the parameters of an Attract.
type Opts struct {
	IdleTime    time.Duration // time without use before an evening starts
	PlayEvening EveningFunc
	Lights      Lights
	Decks       Decks
}

// Attract shows an evening to displays and strips while no one uses the table. It is safe for concurrent use. A nil one
// shows nothing.
type Attract struct {
	opts Opts

	mu          sync.Mutex      // guards the fields below and those of the running evening
	isTableFree bool            // the table is in the lobby, without players, and not paused
	lastPublic  wire.Update     // last public update of the table
	lastUse     time.Time       // time of the last use of the table
	running     *runningEvening // nil if no evening runs
}

// Lights show an evening on the strips instead of the table.
type Lights interface {
	ShowEvening(u wire.Update)
	EndEvening()
}

// runningEvening is an evening while it plays. The mutex of Attract guards the fields below stop.
type runningEvening struct {
	ctx  context.Context
	stop context.CancelFunc

	displays int
	lastLine []byte        // the last update; nil before the first
	changed  chan struct{} // closed when there is another update
	story    []byte
}

// maxDisplays is the number of displays that can show one evening.
const maxDisplays = 4

// New returns an Attract whose idle time begins now.
func New(o Opts) *Attract { return &Attract{opts: o, lastUse: time.Now()} }

// HandleUpdate receives each public update of the table. One that shows something new counts as use. Only one goroutine may
// call it.
func (a *Attract) HandleUpdate(u wire.Update) {
	if a == nil {
		return
	}
	u.Epoch, u.Rev, u.Seq, u.Seqs, u.Left, u.Waited = 0, 0, 0, nil, 0, 0 // fields that change without anything new to see
	a.mu.Lock()
	defer a.mu.Unlock()
	a.isTableFree = u.View.Phase == engine.PhaseLobby && len(u.View.Seats) == 0 && u.Paused == nil
	if !a.isTableFree || !reflect.DeepEqual(u, a.lastPublic) {
		a.stopAndResetIdle()
	}
	a.lastPublic = u
}

// RecordUse records that a person does something at the table, also if it is not public.
func (a *Attract) RecordUse() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopAndResetIdle()
}

// stopAndResetIdle restarts the idle time and stops a running evening. mu is held.
func (a *Attract) stopAndResetIdle() {
	a.lastUse = time.Now()
	a.stopEvening()
}

// stopEvening stops the running evening and returns the strips to the table. mu is held.
func (a *Attract) stopEvening() {
	if a.running != nil {
		a.running.stop()
		a.running = nil
		a.opts.Lights.EndEvening()
	}
}

// joinEvening returns the running evening for one more display, and starts one if necessary; nil if the
// display must show the table.
func (a *Attract) joinEvening() *runningEvening {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.isTableFree || time.Since(a.lastUse) < a.opts.IdleTime {
		return nil
	}
	if a.running == nil {
		a.startEvening()
	}
	if a.running.displays == maxDisplays {
		return nil
	}
	a.running.displays++
	return a.running
}

// startEvening starts an evening. mu is held.
func (a *Attract) startEvening() {
	evening := &runningEvening{changed: make(chan struct{})}
	evening.ctx, evening.stop = context.WithCancel(context.Background())
	book, cast := a.opts.Decks.RulebookOf(a.lastPublic.View.Game), a.opts.Decks.Deck(a.lastPublic.View.Game).DemoCast()
	a.running = evening
	go func() {
		a.opts.PlayEvening(evening.ctx, rand.Uint32(), book, cast, func(u wire.Update, story []byte) { a.showUpdate(evening, u, story) })
		a.endFinishedEvening(evening)
	}()
}

// showUpdate sends an update to the displays and the strips.
func (a *Attract) showUpdate(evening *runningEvening, u wire.Update, story []byte) {
	line, err := json.Marshal(u)
	if err != nil { // only for a type that JSON cannot encode
		panic("attract: " + err.Error())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running != evening { // the table is in use again
		return
	}
	evening.lastLine, evening.story = append(line, '\n'), story
	close(evening.changed)
	evening.changed = make(chan struct{})
	a.opts.Lights.ShowEvening(u)
}

// endFinishedEvening ends an evening that is over, unless it was stopped before.
func (a *Attract) endFinishedEvening(s *runningEvening) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running == s {
		a.stopEvening()
	}
}

// recordDisplayGone records that a display has gone. The evening stops with the last one.
func (a *Attract) recordDisplayGone(s *runningEvening) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.displays--; s.displays == 0 && a.running == s {
		a.stopEvening()
	}
}

// lastUpdate returns the last update, and a channel that is closed when there is another.
func (a *Attract) lastUpdate(s *runningEvening) (line []byte, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return s.lastLine, s.changed
}

// StoryJSON returns the JSON of wire.Story of the running evening, nil before it may be shown.
func (a *Attract) StoryJSON() []byte {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running == nil {
		return nil
	}
	return a.running.story
}

// ServeHTTP streams the evening to a display at an unused table. A nil Attract answers 404.
func (a *Attract) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Majordome-Idle", strconv.Itoa(int(a.opts.IdleTime.Seconds())))
	evening := a.joinEvening()
	if evening == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	defer a.recordDisplayGone(evening)
	w.Header().Set("Content-Type", "application/x-ndjson")
	flush := http.NewResponseController(w)
	for {
		line, changed := a.lastUpdate(evening)
		if _, err := w.Write(line); err != nil || flush.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-evening.ctx.Done():
			return
		case <-r.Context().Done():
			return
		}
	}
}
