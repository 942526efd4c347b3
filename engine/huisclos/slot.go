package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/reading"
)

// The slot of the urn between two deposits: whose is the card that lies there?

// afterTap is how long a card at the urn is taken for the one that was just
// deposited on a phone: who taps first drops the card a moment later.
const afterTap engine.Millis = 8_000

// second refuses a presentation that is not one card. A clue beside the one that
// was just deposited is one too many of that hand: it hears so, not the seat that
// is next (rules, 4.2). Who deposited last, everybody has seen.
func (s *state) second(c engine.Command, fault *engine.Reject) *engine.Reject {
	before, _ := s.read.Open()
	lies := func(id string) bool { return before != 0 && s.book.cards[id] == before }
	if s.phase != deposit || s.dropper == 0 || !slices.ContainsFunc(c.Args.List("cards"), lies) {
		return reading.Again(fault, s.active)
	}
	fault.Why = engine.Say("hc.no.second")
	return reading.Again(fault, s.dropper)
}

// tapped answers whatever is presented right after a deposit on a phone of a clue
// that no record shows in that hand: it is the clue that was meant, and counts for
// nobody else. It is passed over like the same card once more, and whoever is next
// hears so, for it may have been quick. Only a clue that is recorded in that hand
// and may be deposited counts at once.
func (s *state) tapped(c engine.Command) *engine.Reject {
	if s.phase != deposit || !s.tap || c.At-s.since >= afterTap {
		return nil
	}
	if id, fault := faults.Card(c); fault == nil {
		x := s.book.cards[id]
		by := actor{seat: s.active, reader: true, k: s.see(engine.At(s.active))}
		if x != 0 && s.is(x, inHand(s.active)) && s.deposits(by).has(x) {
			return nil
		}
	}
	r := repeated()
	r.To, r.Why = s.active, engine.Say("hc.no.after-tap", "seat", s.dropper.String())
	return r
}
