package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// The slot of the urn between two deposits: whose is the card that lies there?

// afterTap is how long a card at the urn is taken for the one that was just
// deposited on a phone: who taps first drops the card a moment later.
const afterTap engine.Millis = 8_000

// heldSlot is for how long two cards in the slot are taken for those of the hand that
// deposited last: as long as the table lets one that has not dropped yet keep it.
const heldSlot engine.Millis = 10_000

// second reports that several cards lie in the slot so soon after a deposit that one
// of them is too much of that hand, which hears so, and not the seat that is next
// (rules, 4.2). Who deposited last and when, everybody has seen; which cards they are
// is not asked: a pair of copies would tell whether one of them was deposited. After a
// deposit on a phone whatever comes is passed over, see tapped.
func (s *public) second(c engine.Command) bool {
	if c.Args["reader"] != engine.ReaderUrn || s.dropper == 0 || s.tap || !s.depositing() {
		return false
	}
	return c.At-s.readAt < heldSlot
}

// depositing reports that a card which lies in the slot may still be one of the deposit:
// it goes on, or nothing has come of the urn since.
func (s *boardState) depositing() bool {
	return s.phase == deposit || s.phase == reveal && !s.opened && s.step == stepNone
}

// tapped answers whatever is presented right after a deposit on a phone: it is the
// clue that was meant, and counts for nobody else. It is passed over like the same card
// once more, and whoever is next hears so, for it may have been quick. Only a clue that
// is recorded in that hand and may be deposited counts at once.
func (s *state) tapped(c engine.Command) *engine.Reject {
	if s.phase != deposit || !s.tap || c.At-s.since >= afterTap {
		return nil
	}
	if id, fault := faults.Card(c); fault == nil {
		x := s.book.cards[id]
		by := actor{seat: s.active, reader: true, knowledge: s.knowledge(engine.At(s.active))}
		if x != 0 && s.cards.At(x) == custody.HandOf(s.active) && by.deposits().has(x) {
			return nil
		}
	}
	r := words.Repeats()
	r.To, r.Why = s.active, engine.Say("hc.no.after-tap", "seat", s.dropper.String())
	return r
}
