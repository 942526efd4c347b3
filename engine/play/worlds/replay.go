package worlds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"majordome/engine"
	"majordome/engine/play"
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

// Step is a step of the other game, which is what Evolve makes of its events, and what comes
// of them when they are read back.
func (r *Replay) Step(s play.Step) error {
	if !reflect.DeepEqual(s.After, s.Before.Evolve(s.Events...)) {
		return fmt.Errorf("%s was played otherwise than its events tell", s.Command.Act)
	}
	if err := r.add(s.Events); err != nil {
		return err
	}
	return r.same(s.After)
}

// add writes events, reads them back and lets them happen. An event that would be
// written otherwise the second time is an error.
func (r *Replay) add(evs []engine.Event) error {
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

// same tells a viewer who sees the two games differ.
func (r *Replay) same(g engine.Game) error {
	views := engine.ViewsOf(g)
	for _, v := range Everybody {
		view, sits := views.Of(v)
		if !sits {
			view = g.View(v)
		}
		if apart := Apart(view, r.game.View(v)); apart != "" {
			return fmt.Errorf("the replayed view of %s differs:\n%s", v, apart)
		}
		text, _ := json.Marshal(view)
		r.Most, r.Largest = max(r.Most, len(view.Offers)), max(r.Largest, len(text))
	}
	return nil
}
