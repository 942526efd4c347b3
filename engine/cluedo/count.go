package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// The count of the cards (GEN-E09): play pauses, the table counts the mystery cards, the public
// numbers are corrected, and what is missing is declared lost, by number and never by name. A lost
// Butler card has an act of its own.

// canCount reports whether play may pause here: wherever a card may turn up that cannot be there
// (GEN-E13), so at all times except in the window of a shown card and during the judging of an
// accusation. It does not matter whether an answer has been given already. In the deal nothing is
// played yet: a count discards what was read, and all is read again. If the program has dealt, the
// numbers are right, and are only shown.
func (t *turnState) canCount() bool {
	return t.step != stepShown && t.step != stepVerdict
}

func (s *public) decideStartCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.canCount():
		return nil, refuse(engine.NotNow, "GEN-E09", "cl.no.count-later")
	case s.phase == dealing:
		return []*event{{kind: evReadAgain, at: c.At}}, nil
	}
	return seatEvent(evCounting, c.At, 0), nil
}

// decideRedeal begins the deal again with a new envelope: after an alarm a player may know a card
// of the old one (GEN-E13).
func decideRedeal(_ *state, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return seatEvent(evRedealt, c.At, 0), nil
}

// countOutsideEnvelope returns how many mystery cards are not in the envelope, including lost ones.
func (h *houseRules) countOutsideEnvelope() int { return h.book.mysteryCards().Count() - 3 }

// countInPlay returns how many of them are in hands and on the board, by the public numbers.
func (s *boardState) countInPlay() int {
	n := 0
	for a := range s.faceDownCount {
		n += int(s.faceDownCount[a])
	}
	for x := range s.seats {
		n += int(s.seats[x].cards)
	}
	return n
}

// listHolders returns the living seats, the pool, and all other areas with cards. No correction
// may make the sum exceed the box: a holder with fewer cards than recorded is corrected before one
// with more. If the program has dealt, nothing is corrected.
func (s *public) listHolders() (hs []rules.Holder) {
	if s.virtual {
		return nil
	}
	free := max(0, s.countOutsideEnvelope()-s.countInPlay()) // negative only in a store that was tampered with
	add := func(name string, x engine.Seat, now uint8) {
		hs = append(hs, rules.Holder{Name: name, Seat: x, Now: int(now), Most: int(now) + free})
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isSeated(x) && !s.seats[x].dead {
			add(x.String(), x, s.seats[x].cards)
		}
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		switch {
		case a == s.book.pool || s.faceDownCount[a] > 0:
			add(s.book.areaID[a], 0, s.faceDownCount[a])
		case free > 0 && s.countCardsToHide() > 0 && s.book.isRoom(a): // a hidden card that was missing is found
			hs = append(hs, rules.Holder{Name: s.book.areaID[a], Most: 1})
		}
	}
	return hs
}

func (s *public) decideHolderCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	h, n, r := refusalKeys.ParseCount(c, &s.count, s.listHolders())
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evCountIs, at: c.At, seat: h.Seat, pos: pos{area: s.book.areaByID[h.Name]}, n: uint16(n)}}, nil
}

func (s *public) decideEndCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.count.Counting {
		return nil, refuse(engine.NotNow, "GEN-E09", "cl.no.not-now")
	}
	return []*event{{kind: evCounted, at: c.At, n: uint16(max(0, s.countOutsideEnvelope()-s.countInPlay()))}}, nil
}

func (s *recordState) applyCounted(e *event) {
	if s.count.EndCount(uint8(e.n)) && !s.virtual {
		s.forgetHiddenRecords()
	}
	s.startStep(s.step, e.at) // an open window begins again
}

// applyReadAgain discards what was read in the deal.
func (s *answerState) applyReadAgain(*event) {
	s.cards.RecordCards(s.book.mysteryCards(), locUnknown, hidden.Nobody)
	for x := range s.seats {
		s.seats[x].cardsPresented, s.seats[x].dealt = 0, false
	}
	s.dealState = dealState{dealer: s.dealer}
	s.asked, s.count.Alarmed = 0, false
	s.forgetLastRead()
}

// applyCountIs corrects the public number of cards in the hand of x or, for x zero, in an area, and
// forgets which cards are there. Cards that all have seen stay known while there is room for them.
func (s *answerState) applyCountIs(x engine.Seat, a area, n uint8) {
	here, now := locBoard+loc(a), &s.faceDownCount[a]
	if x != 0 {
		here, now = custody.HandOf(x), &s.seats[x].cards
	}
	more := n > *now
	if !s.count.CorrectNumber(now, n) {
		return
	}
	s.seats[x].cardsPresented, s.seats[x].cardsClaimed = 0, 0
	if d, _ := s.denials.Open(); more {
		s.denials = hidden.New(d.withoutSeat(x), hidden.Nobody)
	}
	k := s.knowledgeFor(engine.Public)
	open, lie := k.faceDown, s.cards.CardsAt(here)&s.book.mysteryCards()
	if x != 0 {
		open = k.knownHand(x)
	}
	if open.Count() <= int(n) {
		lie &^= open
	}
	s.cards.RecordCards(lie, locUnknown, hidden.Nobody)
	s.cards.SetClaims(x, s.cards.ClaimsOf(x)&s.book.cardsOfKind(kindEvent))
}

// forgetHiddenRecords discards the records of cards that are not face up. The table has counted and
// every number is right, so the places of cards are recorded wrongly (GEN-E13). It is not known
// which record is wrong, so none stays; each hand keeps what its seat knows of it, and the real
// envelope judges.
func (s *recordState) forgetHiddenRecords() {
	for x := range s.seats {
		p := &s.seats[x]
		p.cardsPresented, p.cardsClaimed = 0, p.cardsClaimed+p.cardsPresented
		s.cards.RecordHiddenUnlessOpen(s.cards.ClaimRecordedHand(engine.Seat(x))&s.book.cardsOfKind(kindEvent), locPile)
	}
	s.cards.RecordHiddenUnlessOpen(s.book.mysteryCards(), locUnknown)
	s.envelopeCards = 0
}
