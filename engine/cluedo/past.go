package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
)

// question is a hypothesis of this game, or an answer that is put right, with what came of
// it. The chain is shared between states: an answer makes a new last one.
type question struct {
	prev   *question
	public engine.Heard      // all but the cards
	card   box.Small[card]   // that was shown
	more   []box.Small[card] // and after it, as public.More
}

// hear keeps what everybody hears of a hypothesis, and for those who see it the card. What
// the right neighbour shows, or whoever is spied on, is none of its answers.
func (s *state) hear(e *event) {
	switch e.kind {
	case evHypothesis:
		s.opened(e.seat, s.book.engineIDs(uint64(s.hyp.set())))
	case evAmend:
		s.opened(e.seat, nil)
	case evNone, evShown, evRevealed, evSaw, evUnrefuted, evHushed, evUpheld:
		if s.past != nil && showings[s.showing.why].heard {
			s.replies(e)
		}
	}
}

// opened adds a hypothesis, or a correction, which names no cards.
func (s *state) opened(by engine.Seat, cards []engine.ID) {
	h := engine.Heard{N: 1, Round: int(s.round), By: by, Cards: cards}
	if s.past != nil {
		h.N = s.past.public.N + 1
	}
	s.past = &question{prev: s.past, public: h}
}

// replies adds to the last one what came of it.
func (s *state) replies(e *event) {
	last := *s.past
	h := &last.public
	switch e.kind {
	case evNone:
		h.None = append(slices.Clip(h.None), e.seat)
	case evShown, evRevealed:
		shown := e.card.For(box.Only(e.seat, e.other))
		if e.open != 0 {
			shown = box.SealSmall(e.open, box.All)
		}
		if h.Shown == 0 {
			h.Shown, h.To, last.card = e.seat, e.other, shown
			break
		}
		h.More = append(slices.Clip(h.More), e.seat)
		last.more = append(slices.Clip(last.more), shown)
	case evSaw:
		seen := &last.card
		if i := slices.Index(h.More, e.other); i >= 0 {
			last.more = slices.Clone(last.more)
			seen = &last.more[i]
		} else {
			h.Saw = append(slices.Clip(h.Saw), e.seat)
		}
		*seen = seen.For(seen.Audience().With(box.Only(e.seat)))
	case evUnrefuted:
		h.Unrefuted = true
	case evHushed:
		h.Hushed = e.seat
	case evUpheld:
		h.Upheld = true
	}
	s.past = &last
}

// heardBy are the hypotheses as the seat v heard them, oldest first.
func (s *state) heardBy(v engine.Viewer) []engine.Heard {
	if s.past == nil {
		return nil
	}
	out := make([]engine.Heard, min(engine.MaxPast, s.past.public.N))
	for i, h := len(out)-1, s.past; i >= 0; i, h = i-1, h.prev {
		out[i] = h.public
		if c, ok := h.card.See(v); ok {
			out[i].Card = engine.ID(s.book.cardID[c])
		}
		for j, shown := range h.more {
			if c, ok := shown.See(v); ok {
				if out[i].MoreCards == nil {
					out[i].MoreCards = make([]engine.ID, len(h.more))
				}
				out[i].MoreCards[j] = engine.ID(s.book.cardID[c])
			}
		}
	}
	return out
}
