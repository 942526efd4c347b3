package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// The slot of the urn between two deposits: to which seat does the card in it belong?

// tapTime is the time during which a card at the urn counts as the one that was just deposited on a phone:
// a player who deposits by a tap drops the card a moment later.
const tapTime engine.Millis = 8_000

// slotTime is the time during which two cards in the slot count as cards of the hand that deposited last.
// It matches the time that the table leaves for a card to drop out of the slot.
const slotTime engine.Millis = 10_000

// isSoonAfterDeposit reports whether several cards are in the slot so soon after a deposit that one of them is
// too many from the same hand. Its seat is informed, not the next one (rules, 4.2). All have seen which
// seat deposited last, and when. It does not look at the cards: otherwise two copies could show whether one
// of them was deposited. After a deposit on a phone, refuseAfterPhoneDeposit handles every card.
func (s *public) isSoonAfterDeposit(c engine.Command) bool {
	if c.Args["reader"] != engine.ReaderUrn || s.lastDepositor == 0 || s.depositedByTap || !s.isDepositOpen() {
		return false
	}
	return c.At-s.lastReadAt < slotTime
}

// isDepositOpen reports whether a card in the slot may still belong to a deposit: deposits go on, or
// nothing has been done with the urn since.
func (s *boardState) isDepositOpen() bool {
	return s.phase == phaseDeposit || s.phase == phaseReveal && !s.urnOpened && s.step == stepNone
}

// refuseAfterPhoneDeposit answers a card that is presented right after a deposit on a phone: it is taken for the
// deposited clue and counts for no other seat. It is ignored like a repeated reading, and the next seat is
// informed, which may have been quick with its own card. nil: the card counts, as a clue recorded in the
// hand of the next seat that may be deposited.
func (s *inquiryState) refuseAfterPhoneDeposit(c engine.Command) *engine.Reject {
	if s.phase != phaseDeposit || !s.depositedByTap || c.At-s.waitingSince >= tapTime {
		return nil
	}
	if id, fault := readingKeys.ParseSingleCard(c); fault == nil {
		x := s.book.cardByID[id]
		by := actor{seat: s.active, fromReader: true, knowledge: s.knowledgeFor(engine.SeatViewer(s.active))}
		if x != 0 && s.ledger.LocationOf(x) == custody.HandOf(s.active) && by.choiceToDeposit().allowsCard(x) {
			return nil
		}
	}
	r := refusalKeys.RefuseRepeatedCard()
	r.To, r.Why = s.active, engine.NewMsg("hc.no.after-tap", "seat", s.lastDepositor.String())
	return r
}
