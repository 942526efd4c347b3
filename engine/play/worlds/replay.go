package worlds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"majordome/engine"
	"majordome/engine/play"
)

// Replay is a second game, built from the events of the first as the store returns them.
type Replay struct {
	book engine.Rulebook
	game engine.Game
	// Largest is the length of the longest view so far, in bytes; Most is the most offers in one
	// view.
	Largest, Most int
}

// NewReplay returns a replay in the lobby.
func NewReplay(b engine.Rulebook) *Replay { return &Replay{book: b, game: b.NewGame()} }

// CheckStep checks one step of the first game: Apply of its events must give the same game, and so
// must the events after they were encoded and decoded.
func (r *Replay) CheckStep(s play.Step) error {
	if !reflect.DeepEqual(s.After, s.Before.Apply(s.Events...)) {
		return fmt.Errorf("%s was played otherwise than its events tell", s.Command.Act)
	}
	if err := r.replayEvents(s.Events); err != nil {
		return err
	}
	return r.compareViews(s.After)
}

// replayEvents encodes events, decodes them and applies them. An event whose second encoding
// differs from the first is an error.
func (r *Replay) replayEvents(evs []engine.Event) error {
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
		r.game = r.game.Apply(back)
	}
	return nil
}

// compareViews returns an error if any viewer sees the two games differ.
func (r *Replay) compareViews(g engine.Game) error {
	views := engine.BuildViews(g)
	for _, v := range AllViewers {
		view, sits := views.ViewOf(v)
		if !sits {
			view = g.View(v)
		}
		if apart := FirstDifference(view, r.game.View(v)); apart != "" {
			return fmt.Errorf("the replayed view of %s differs:\n%s", v, apart)
		}
		text, _ := json.Marshal(view)
		r.Most, r.Largest = max(r.Most, len(view.Offers)), max(r.Largest, len(text))
	}
	return nil
}
