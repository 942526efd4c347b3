package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// The slot of the urn between two deposits: to which seat does the card in it belong?

// tapTime is the time during which a card at the urn counts as the one that was just deposited on a phone:
// a player who deposits by a tap drops the card a moment later.
const afterTap engine.Millis = 8_000

// slotTime is the time during which two cards in the slot count as cards of the hand that deposited last.
// It matches the time that the table leaves for a card to drop out of the slot.
const heldSlot engine.Millis = 10_000

// hasSecondCard reports whether several cards are in the slot so soon after a deposit that one of them is
// too many from the same hand. Its seat is informed, not the next one (rules, 4.2). All have seen which
// seat deposited last, and when. It does not look at the cards: otherwise two copies could show whether one
// of them was deposited. After a deposit on a phone, refuseAfterTap handles every card.
func (s *public) second(c engine.Command) bool {
	if c.Args["reader"] != engine.ReaderUrn || s.dropper == 0 || s.tap || !s.depositing() {
		return false
	}
	return c.At-s.readAt < heldSlot
}

// isDepositOpen reports whether a card in the slot may still belong to a deposit: deposits go on, or
// nothing has been done with the urn since.
func (s *boardState) depositing() bool {
	return s.phase == deposit || s.phase == reveal && !s.opened && s.step == stepNone
}

// refuseAfterTap answers a card that is presented right after a deposit on a phone: it is taken for the
// deposited clue and counts for no other seat. It is ignored like a repeated reading, and the next seat is
// informed, which may have been quick with its own card. nil: the card counts, as a clue recorded in the
// hand of the next seat that may be deposited.
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
