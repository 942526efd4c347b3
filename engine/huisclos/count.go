package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// The count of the cards (GEN-E09): play pauses, the table counts, the public
// numbers are corrected, and what is missing is declared lost, by number and
// never by name.

// canCount reports whether play may pause here for a count. It may wherever a card can turn up that cannot
// be there (GEN-E13): at all times except before the urn is opened, and while its last clues are put on the
// crime places, for which no reader waits.
func (s *boardState) canCount() bool {
	switch s.phase {
	case phaseLobby, phaseOver:
		return false
	case phaseReveal:
		return s.step != stepNone
	}
	return s.step != stepLay
}

// isDealing reports whether the cards of this phase are still being presented for the first time.
// Nothing has been played yet: a count discards what was read, and all cards are read again.
func (s *boardState) isDealing() bool { return s.phase == phaseRoles || s.phase == phaseLaying }

func (s *boardState) decideStartCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.canCount() {
		return nil, refuse(engine.NotNow, "GEN-E09", "hc.no.count-later")
	}
	if s.isDealing() {
		return seatEvent(evReadAgain, c.At, 0), nil
	}
	return seatEvent(evCounting, c.At, 0), nil
}

// countAccountedClues returns the number of clues in the public counts and among the open and unplaced ones.
func (s *recordState) countAccountedClues() int {
	n := int(s.urnCount) + s.ledger.CountAt(locShown) + s.ledger.CountAt(locGone) + s.ledger.CountAt(locOut)
	for x := range s.seats {
		n += int(s.seats[x].cards)
	}
	for p := range s.rooms {
		n += int(s.rooms[p].cards)
	}
	return n
}

// countMissingClues returns the number of clues that the counts lack; negative: they exceed the box. Clues of
// the urn that are still to be named are not missing.
func (s *recordState) countMissingClues() int {
	return numCards - s.countAccountedClues() - s.countUnfoundInUrn()
}

// holderBuffer has room for all holders: seats, places and the urn.
type holderBuffer [maxSeats + numPlaces + 1]rules.Holder

// appendHolders adds to hs the living seats, the open places, and the urn while deposits are made. No
// correction makes the sum exceed the box: a holder with fewer clues than recorded must be corrected before
// one with more.
func (s *recordState) appendHolders(hs []rules.Holder) []rules.Holder {
	free := max(0, s.countMissingClues())
	add := func(name string, x engine.Seat, now uint8, most int, of engine.Args) {
		hs = append(hs, rules.Holder{Name: name, Seat: x, Now: int(now), Most: min(most, int(now)+free), OfferArgs: of})
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isLiving(x) {
			most := handLimit
			if s.halfDone && x == s.exchangeReceiver() {
				most--
			}
			add(x.String(), x, s.seats[x].cards, most, nil)
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		if !s.rooms[p].closed {
			add(s.book.placeID[p], 0, s.rooms[p].cards, numCards, s.book.placeArgs[p])
		}
	}
	if s.phase == phaseDeposit {
		add(engine.ReaderUrn, 0, s.urnCount, maxSeats, nil)
	}
	return hs
}

func (s *recordState) decideHolderCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	var room holderBuffer
	h, n, r := refusalKeys.ParseCount(c, &s.count, s.appendHolders(room[:0]))
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evCountIs, at: c.At, seat: h.Seat, place: s.book.placeByID[h.Name], n: uint16(n)}}, nil
}

func (s *recordState) decideEndCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.count.Counting:
		return nil, refuse(engine.NotNow, "GEN-E09", "hc.no.not-now")
	case s.countMissingClues() < 0:
		return nil, refuse(engine.Forbidden, "GEN-E09", "hc.no.count-more")
	}
	return []*event{{kind: evCounted, at: c.At, n: uint16(s.countMissingClues())}}, nil
}

// decideCluesMixed announces that the clues of a place were seen by accident and mixed. Nothing is recorded
// of it (rules, 4.2).
func (s *boardState) decideCluesMixed(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	p, ok := s.book.placeByID[c.Args["place"]]
	if !ok || s.rooms[p].cards == 0 {
		return nil, refuse(engine.Unknown, "GEN-E09", "hc.no.no-place")
	}
	return []*event{{kind: evShuffled, at: c.At, place: p}}, nil
}

// applyCounted declares the missing clues lost and goes on with the game.
func (s *recordState) applyCounted(e *event) {
	if s.count.EndCount(uint8(e.n)) {
		s.forgetHiddenRecords()
	}
	s.urnExpected = max(s.urnExpected, uint8(s.countFoundInUrn())) // a clue found in excess is in no hand any more
	s.unaccounted = int16(s.countUnfoundInUrn())
	s.resumeAfterCount(e.at)
}

// applyReadAgain discards the cards that were read in this phase.
func (s *inquiryState) applyReadAgain(e *event) {
	s.forgetLastRead()
	s.count.Alarmed = false
	if s.phase == phaseRoles {
		s.restartRoleDraw(e.at)
		return
	}
	s.deal = nil // the clues are shuffled again
	for c := card(1); c <= numCards; c++ {
		s.ledger.RecordCard(c, locOut, hidden.Nobody)
	}
	for p := range s.rooms {
		s.rooms[p].cards = 0
	}
}

func (t storyRecorder) recordReadAgain() {
	key := "hc.log.again.laying"
	if t.phase == phaseRoles {
		key = "hc.log.again.roles"
	}
	t.AddHappeningLine(t.newHappening(engine.HapRedrawn, 0, 0), key)
}

// resumeAfterCount goes on after a count, at the same step if the corrected numbers allow it.
func (s *recordState) resumeAfterCount(at engine.Millis) {
	x, here := &s.seats[s.active], s.rooms[s.seats[s.active].at].cards
	s.waitingSince = at
	switch s.step {
	case stepNone: // the called seat may hold nothing, or enough
		s.setPlaceAudience(x.at, hidden.Nobody)
		s.callSeat(0, at)
	case stepExtra:
		if x.cards == 0 {
			s.callSeat(0, at)
		}
	case stepTake:
		if s.handWasFull = x.cards >= handLimit; here == 0 {
			s.step, s.windowOpen, s.handWasFull = stepAct, false, false
		}
	case stepDraw, stepGive:
		if !s.halfDone && !s.canFinishExchange() { // the exchange has not begun
			s.step, s.windowOpen, s.target = stepAct, false, 0
		}
	case stepSettle: // the fourth clue may not exist
		s.handWasFull = x.cards > handLimit
	}
}

// exchangeReceiver returns the seat that has still to receive a clue in the current exchange.
func (s *boardState) exchangeReceiver() engine.Seat {
	if s.step == stepDraw {
		return s.active
	}
	return s.target
}

// canFinishExchange reports whether the current exchange can be completed: the seat that has still to give,
// or to be drawn from, has another clue than the one that it received in the exchange (HC-084).
func (s *boardState) canFinishExchange() bool {
	x, y := s.seats[s.active].cards, s.seats[s.target].cards
	switch {
	case !s.halfDone:
		return x > 0 && y > 0
	case s.step == stepDraw:
		return y > 1
	}
	return x > 1
}

// applyCountIs corrects one public number. The clues of that holder are no longer known.
func (s *recordState) applyCountIs(e *event) {
	n := uint8(e.n)
	change := func(now *uint8, forget func()) {
		if was := int16(*now); s.count.CorrectNumber(now, n) {
			forget()
			s.unaccounted += was - int16(n)
		}
	}
	switch {
	case e.place != 0:
		change(&s.rooms[e.place].cards, func() { s.forgetCluesAt(loc(e.place)) })
	case e.seat != 0:
		change(&s.seats[e.seat].cards, func() { s.forgetHand(e.seat) })
	default:
		change(&s.urnCount, func() {
			for x := engine.Seat(1); x <= maxSeats; x++ {
				s.forgetCluesAt(locUrn + loc(x))
			}
		})
	}
}

// forgetHiddenRecords drops the records of hidden clues. The table has counted and every number is right, so the
// error is in the record of where the cards are (GEN-E13). No one can say which record is wrong, so none is
// kept; each hand keeps what its seat knows of it.
func (s *recordState) forgetHiddenRecords() {
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.ledger.RecordHiddenUnlessOpen(s.ledger.ClaimRecordedHand(x), locSomewhere)
		s.forgetCluesAt(locUrn + loc(x))
	}
	for p := place(1); p <= numPlaces; p++ {
		s.forgetCluesAt(loc(p))
	}
}

// offerCount adds the acts of the host for a count.
func (s *recordState) offerCount(out []engine.Offer) []engine.Offer {
	if !s.count.Counting {
		if s.canCount() {
			out = append(out, engine.Offer{Act: "count", Rule: "GEN-E09", Aside: true, Grave: s.isDealing()})
		}
		return s.offerShuffled(out)
	}
	var room holderBuffer
	return rules.AddCountOffers(out, s.appendHolders(room[:0]), s.countMissingClues() >= 0)
}

func (s *boardState) offerShuffled(out []engine.Offer) []engine.Offer {
	if s.phase < phasePick || s.phase >= phaseOver {
		return out
	}
	places := s.placeIDsWhere(func(p place) bool { return s.rooms[p].cards > 0 })
	if len(places) == 0 {
		return out
	}
	return append(out, engine.Offer{Act: "shuffled", Rule: "GEN-E09", Aside: true,
		Params: []engine.Param{{Name: "place", Kind: "place", Domain: places}}})
}

func (t storyRecorder) recordCountIs() {
	switch n := numbers[t.event.n]; {
	case t.event.place != 0:
		t.AddLine("hc.log.count-place", "place", t.book.placeID[t.event.place], "n", n)
	case t.event.seat != 0:
		t.AddLine("hc.log.count-seat", "seat", t.event.seat.String(), "n", n)
	default:
		t.AddLine("hc.log.count-urn", "n", n)
	}
}
