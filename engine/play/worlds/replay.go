package worlds

import (
	"bytes"
	"encoding/json"
	"fmt"

	"majordome/engine"
)

// Replay is a second game, made of what the store gives back of the first.
type Replay struct {
	book engine.Rulebook
	game engine.Game
	// Largest is the longest view so far, in bytes; Most the greatest number of
	// offers in one.
	Largest, Most int
}

// NewReplay begins in the lobby.
func NewReplay(b engine.Rulebook) *Replay { return &Replay{book: b, game: b.New()} }

// Add writes events, reads them back and lets them happen. An event that would be
// written otherwise the second time is an error.
func (r *Replay) Add(evs []engine.Event) error {
	for _, e := range evs {
		data, err := r.book.EncodeEvent(e)
		if err != nil {
			return err
		}
		back, err := r.book.DecodeEvent(e.Kind(), data)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Kind(), err)
		}
		if twice, err := r.book.EncodeEvent(back); err != nil || !bytes.Equal(twice, data) {
			return fmt.Errorf("event %s changes in the store", e.Kind())
		}
		r.game = r.game.Evolve(back)
	}
	return nil
}

// Same tells a viewer who sees the two games differ.
func (r *Replay) Same(g engine.Game) error {
	views := engine.ViewsOf(g)
	for _, v := range Everybody {
		view, sits := views.Of(v)
		if !sits {
			view = g.View(v)
		}
		one, _ := json.Marshal(view)
		two, _ := json.Marshal(r.game.View(v))
		if !bytes.Equal(one, two) {
			return fmt.Errorf("the replayed view of %s differs", v)
		}
		r.Most, r.Largest = max(r.Most, len(view.Offers)), max(r.Largest, len(one))
	}
	return nil
}
