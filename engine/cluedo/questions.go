package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// question is a hypothesis of this game, or the correction of an answer, with what came of it.
// States share the chain: an answer makes a new last element.
type question struct {
	prev   *question
	public engine.Heard              // all except the cards
	card   hidden.SmallValue[card]   // the shown card
	more   []hidden.SmallValue[card] // those shown after it, as public.More
}

// updateQuestions adds what all players hear of a hypothesis and, for those who see it, the card.
// Cards of the right neighbour or of a player who is spied on are not answers to it.
func (s *state) updateQuestions(e *event) {
	switch e.kind {
	case evHypothesis:
		s.questions = s.questions.withQuestion(engine.Heard{Round: int(s.round), By: e.seat,
			Cards: s.book.cardEngineIDs(uint64(s.hyp.cardSet()))})
	case evCorrection: // which names no cards
		s.questions = s.questions.withQuestion(engine.Heard{Round: int(s.round), By: e.seat})
	case evNone, evShown, evRevealed, evSawShown, evUnrefuted, evNoAnswer, evUpheld:
		if s.questions != nil && showingRows[s.showing.reason].heard {
			s.questions = s.questions.withOutcome(e)
		}
	}
}

// withQuestion returns the chain with a hypothesis, or a correction, after q.
func (q *question) withQuestion(h engine.Heard) *question {
	h.N = 1
	if q != nil {
		h.N = q.public.N + 1
	}
	return &question{prev: q, public: h}
}

// withOutcome returns the question with what came of it by e.
func (q *question) withOutcome(e *event) *question {
	last := *q
	h := &last.public
	switch e.kind {
	case evNone:
		h.None = append(slices.Clip(h.None), e.seat)
	case evShown, evRevealed:
		shown := e.card.WithAudience(hidden.OnlySeats(e.seat, e.other))
		if e.openCard != 0 {
			shown = hidden.NewSmall(e.openCard, hidden.Everyone)
		}
		if h.Shown == 0 {
			h.Shown, h.To, last.card = e.seat, e.other, shown
			break
		}
		h.More = append(slices.Clip(h.More), e.seat)
		last.more = append(slices.Clip(last.more), shown)
	case evSawShown:
		seen := &last.card
		if i := slices.Index(h.More, e.other); i >= 0 {
			last.more = slices.Clone(last.more)
			seen = &last.more[i]
		} else {
			h.Saw = append(slices.Clip(h.Saw), e.seat)
		}
		*seen = seen.WithAudience(seen.Audience().Union(hidden.OnlySeats(e.seat)))
	case evUnrefuted:
		h.Unrefuted = true
	case evNoAnswer:
		h.Hushed = e.seat
	case evUpheld:
		h.Upheld = true
	}
	return &last
}

// heardBy returns the hypotheses up to q as the seat v heard them, the oldest first, at most
// engine.MaxPast.
func (q *question) heardBy(v engine.Viewer, b *Book) []engine.Heard {
	if q == nil {
		return nil
	}
	out := make([]engine.Heard, min(engine.MaxPast, q.public.N))
	for i, h := len(out)-1, q; i >= 0; i, h = i-1, h.prev {
		out[i] = h.public
		if c, ok := h.card.ValueFor(v); ok {
			out[i].Card = engine.ID(b.cardID[c])
		}
		for j, shown := range h.more {
			if c, ok := shown.ValueFor(v); ok {
				if out[i].MoreCards == nil {
					out[i].MoreCards = make([]engine.ID, len(h.more))
				}
				out[i].MoreCards[j] = engine.ID(b.cardID[c])
			}
		}
	}
	return out
}
