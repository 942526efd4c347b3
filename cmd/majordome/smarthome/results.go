package smarthome

import (
	"context"
	"slices"
	"sync"
	"time"

	"majordome/companion/results"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// waitLimit is the time after which the host is told of results that wait for the venue while the line is there.
const waitLimit = time.Minute

// resultSender keeps the venue informed of the results of this table: it publishes their index, and sends those that have just
// come into being and those that are asked for. It reads them from the store on a goroutine of its own. Nothing is lost while
// the venue is away: it asks for what it lacks.
type resultSender struct {
	tableID string
	read    func(limit int) ([]store.Result, error)
	newest  func() (store.Game, error) // the game begun last; zero: none
	publish func(*results.Index)
	send    func(*results.Result) (ok bool)
	count   func(error)

	wake chan struct{}

	mu      sync.Mutex
	asked   []int          // games to send again
	index   *results.Index // as published last; nil: not yet
	stored  map[int]string // hashes of what the venue has, by game
	since   time.Time      // since when results wait while the line is there; zero: none do
	lastEnd *engine.Result // used by noteStep alone
}

func newResultSender(tableID string, s *store.Store) *resultSender {
	return &resultSender{tableID: tableID, read: s.Results, wake: make(chan struct{}, 1), stored: map[int]string{},
		newest: func() (g store.Game, err error) {
			games, err := s.Games(1)
			if len(games) > 0 {
				g = games[0]
			}
			return g, err
		}}
}

// wakeUp makes run look at the store.
func (r *resultSender) wakeUp() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// handleAsked sends results again, because the venue lacks them.
func (r *resultSender) handleAsked(games []int) {
	r.mu.Lock()
	r.asked = slices.Clone(games) // a later request lists again what is still missing
	r.mu.Unlock()
	r.wakeUp()
}

// handleStored notes what the venue has.
func (r *resultSender) handleStored(all []results.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.stored)
	for _, e := range all {
		r.stored[e.Game] = e.Hash
	}
}

// run serves the venue until ctx ends.
func (r *resultSender) run(ctx context.Context) {
	for {
		if err := r.update(); err != nil {
			r.count(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
	}
}

// update publishes the index if it has changed, and sends what is new or asked for.
func (r *resultSender) update() error {
	kept, err := r.read(results.MaxIndex)
	if err != nil {
		return err
	}
	last, err := r.newest()
	if err != nil {
		return err
	}
	i := &results.Index{Table: r.tableID, Last: int(last.ID), Games: []results.Entry{}}
	if i.Last > 0 {
		i.Began = int(last.Began.UnixMilli())
	}
	byGame := map[int]*results.Result{}
	for _, k := range kept {
		one := r.resultOf(k)
		byGame[one.Game] = one
		i.Games = append(i.Games, results.Entry{Game: one.Game, Hash: one.Hash()})
	}
	r.mu.Lock()
	was, toSend := r.index, r.asked
	r.index, r.asked = i, nil
	r.mu.Unlock()
	if was == nil || was.Last != i.Last || was.Began != i.Began || !slices.Equal(was.Games, i.Games) {
		r.publish(i)
	}
	if was != nil {
		for _, e := range i.Games {
			if !slices.Contains(was.Games, e) {
				toSend = append(toSend, e.Game)
			}
		}
	}
	for _, game := range toSend {
		if one := byGame[game]; one != nil {
			r.send(one)
		}
	}
	return nil
}

func (r *resultSender) resultOf(k store.Result) *results.Result {
	one := &results.Result{Table: r.tableID, Game: int(k.Game), Book: k.Book, Rule: k.Rule, Winners: []int{},
		Began: int(k.Began.UnixMilli()), Ended: int(k.Wall.UnixMilli()), Players: k.Players}
	for _, w := range k.Winners {
		one.Winners = append(one.Winners, int(w))
	}
	return one
}

// noteStep looks at the store again if a game has ended, or an end was undone, with a step. It must see each step, on one
// goroutine.
func (r *resultSender) noteStep(u *wire.Update) {
	end := u.View.Result
	if (end == nil) != (r.lastEnd == nil) || end != nil && (end.Rule != r.lastEnd.Rule || !slices.Equal(end.Winners, r.lastEnd.Winners)) {
		r.lastEnd = end
		r.wakeUp()
	}
}

// countWaiting returns how many results wait for the venue, and whether they have done so for too long while the line was there.
func (r *resultSender) countWaiting(now time.Time, connected bool) (n int, tooLong bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.index == nil {
		return 0, false
	}
	for _, e := range r.index.Games {
		if r.stored[e.Game] != e.Hash {
			n++
		}
	}
	switch {
	case n == 0 || !connected:
		r.since = time.Time{}
	case r.since.IsZero():
		r.since = now
	}
	return n, !r.since.IsZero() && now.Sub(r.since) > waitLimit
}
