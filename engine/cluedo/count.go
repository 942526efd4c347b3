package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
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
func (t *turnState) countable() bool {
	return t.step != stepShown && t.step != stepVerdict
}

func (s *public) doCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.countable():
		return nil, refuse(engine.NotNow, "GEN-E09", "cl.no.count-later")
	case s.phase == dealing:
		return []*event{{kind: evReread, at: c.At}}, nil
	}
	return one(evCounting, c.At, 0), nil
}

// decideRedeal begins the deal again with a new envelope: after an alarm a player may know a card
// of the old one (GEN-E13).
func doRedeal(_ *state, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return one(evRedealt, c.At, 0), nil
}

// countOutsideEnvelope returns how many mystery cards are not in the envelope, including lost ones.
func (h *houseRules) outside() int { return h.book.mystery().Count() - 3 }

// countInPlay returns how many of them are in hands and on the board, by the public numbers.
func (s *boardState) counted() int {
	n := 0
	for a := range s.lying {
		n += int(s.lying[a])
	}
	for x := range s.seats {
		n += int(s.seats[x].cards)
	}
	return n
}

// countHolders returns the living seats, the pool, and all other areas with cards. No correction
// may make the sum exceed the box: a holder with fewer cards than recorded is corrected before one
// with more. If the program has dealt, nothing is corrected.
func (s *public) holders() (hs []rules.Holder) {
	if s.virtual {
		return nil
	}
	free := max(0, s.outside()-s.counted()) // negative only in a store that was tampered with
	add := func(name string, x engine.Seat, now uint8) {
		hs = append(hs, rules.Holder{Name: name, Seat: x, Now: int(now), Most: int(now) + free})
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.seated(x) && !s.seats[x].dead {
			add(x.String(), x, s.seats[x].cards)
		}
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		switch {
		case a == s.book.pool || s.lying[a] > 0:
			add(s.book.areaID[a], 0, s.lying[a])
		case free > 0 && s.hides() > 0 && s.book.isRoom(a): // a hidden card that was missing is found
			hs = append(hs, rules.Holder{Name: s.book.areaID[a], Most: 1})
		}
	}
	return hs
}

func (s *public) doCountIs(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	h, n, r := words.CountIs(c, &s.count, s.holders())
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evCountIs, at: c.At, seat: h.Seat, pos: pos{area: s.book.areas[h.Name]}, n: uint16(n)}}, nil
}

func (s *public) doCounted(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.count.Counting {
		return nil, refuse(engine.NotNow, "GEN-E09", "cl.no.not-now")
	}
	return []*event{{kind: evCounted, at: c.At, n: uint16(max(0, s.outside()-s.counted()))}}, nil
}

func (s *recordState) endCount(e *event) {
	if s.count.EndCount(uint8(e.n)) && !s.virtual {
		s.distrust()
	}
	s.goTo(s.step, e.at) // an open window begins again
}

// applyReadAgain discards what was read in the deal.
func (s *answerState) reread(*event) {
	s.cards.PutAll(s.book.mystery(), locUnknown, box.Nobody)
	for x := range s.seats {
		s.seats[x].told, s.seats[x].dealt = 0, false
	}
	s.dealState = dealState{dealer: s.dealer}
	s.asked, s.count.Alarmed = 0, false
	s.nothingRead()
}

// applyCountIs corrects the public number of cards in the hand of x or, for x zero, in an area, and
// forgets which cards are there. Cards that all have seen stay known while there is room for them.
func (s *answerState) recount(x engine.Seat, a area, n uint8) {
	here, now := locLies+loc(a), &s.lying[a]
	if x != 0 {
		here, now = custody.HandOf(x), &s.seats[x].cards
	}
	more := n > *now
	if !s.count.Recount(now, n) {
		return
	}
	s.seats[x].told, s.seats[x].said = 0, 0
	if d, _ := s.denied.Open(); more {
		s.denied = box.Seal(d.gained(x), box.Nobody)
	}
	k := s.knowledge(engine.Public)
	open, lie := k.lies, s.cards.In(here)&s.book.mystery()
	if x != 0 {
		open = k.hand(x)
	}
	if open.Count() <= int(n) {
		lie &^= open
	}
	s.cards.PutAll(lie, locUnknown, box.Nobody)
	s.cards.SetClaims(x, s.cards.Claims(x)&s.book.all(kindEvent))
}

// forgetHiddenRecords discards the records of cards that are not face up. The table has counted and
// every number is right, so the places of cards are recorded wrongly (GEN-E13). It is not known
// which record is wrong, so none stays; each hand keeps what its seat knows of it, and the real
// envelope judges.
func (s *recordState) distrust() {
	for x := range s.seats {
		p := &s.seats[x]
		p.told, p.said = 0, p.said+p.told
		s.cards.Forget(s.cards.Doubt(engine.Seat(x))&s.book.all(kindEvent), locPile)
	}
	s.cards.Forget(s.book.mystery(), locUnknown)
	s.sealed = 0
}
