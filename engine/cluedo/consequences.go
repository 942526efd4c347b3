package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

// applyWithConsequences applies events, and all that follow from them without a choice. It returns the game
// after them, and all of them.
func (s *state) applyWithConsequences(at engine.Millis, evs []*event) (*state, []engine.Event) {
	const most = 100 // more than any chain: at most 10 seats are skipped twice
	next := s
	all := rules.ApplyWithConsequences(at, evs, most, func(e *event) { next = next.withEvent(e, next != s) },
		func() *event { return next.nextConsequence() }, "cluedo: invariant 6 broken")
	return next, all
}

// nextConsequence returns the event that must happen now without a choice; nil: none.
func (s *state) nextConsequence() *event {
	if s.count.IsPlayStopped() {
		return nil
	}
	if follows := phaseRows[s.phase].follows; follows != nil {
		return follows(s)
	}
	return nil
}

// eventAfterDeal begins the first turn once all have their cards, or calls the first seat to roll.
func (s *public) eventAfterDeal() *event {
	if !s.isEveryHandDealt() {
		return nil
	}
	if x := s.startingSeat(); x != 0 {
		return &event{kind: evTurn, seat: x, n: 1}
	}
	return &event{kind: evStarting, seat: s.nextSeatLeftOf(maxSeats)}
}

// highestRollEvent returns what the highest roll gives: the first turn (C8-011), or the deal
// (SC-006).
func (h *houseRules) highestRollEvent(x engine.Seat, at engine.Millis) *event {
	if h.book.needsDealer() {
		return &event{kind: evDealer, at: at, seat: x}
	}
	return &event{kind: evTurn, at: at, seat: x, n: 1}
}

func (s *public) isDealComplete() bool {
	return s.phase > starting || s.phase == starting && !s.book.needsDealer()
}

func (s *seating) isEveryHandDealt() bool {
	for x := range s.seats {
		if s.seats[x].suspect != 0 && !s.seats[x].dealt {
			return false
		}
	}
	return true
}

// callNextRollerEvent calls the next seat to roll, lets ties roll again, and gives the highest roll the
// first turn (C8-011), or the deal (SC-006).
func (s *seatedTurn) callNextRollerEvent() *event {
	if s.asked != 0 {
		return nil
	}
	best, who := uint8(0), uint16(0)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		p := &s.seats[x]
		switch {
		case p.suspect == 0 || p.startTotal == outrolled:
		case p.startTotal == 0:
			return &event{kind: evStarting, seat: x}
		case p.startTotal > best:
			best, who = p.startTotal, 1<<x
		case p.startTotal == best:
			who |= 1 << x
		}
	}
	if who&(who-1) != 0 {
		return &event{kind: evTies, n: who}
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if who == 1<<x {
			return s.highestRollEvent(x, 0)
		}
	}
	return nil
}

// endLostGameEvent ends the game when no player can win any more (C8-191, C8-192).
func (s *seatedTurn) endLostGameEvent() *event {
	switch living, running := s.countLivingAndAbleToWin(); {
	case living == 0:
		return gameOverEvent(s.book.Rules.Murdered, 0)
	case running == 0:
		return gameOverEvent(s.book.Rules.Lost, 0)
	}
	return nil
}

// countLivingAndAbleToWin returns how many players are not murdered, and how many of them can still win.
func (s *seating) countLivingAndAbleToWin() (living, running int) {
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isSeated(x) && !s.seats[x].dead {
			living++
		}
		if s.canWin(x) {
			running++
		}
	}
	return living, running
}

// turnConsequence goes on where nothing is left to choose.
func (s *state) turnConsequence() *event {
	if e := s.endLostGameEvent(); e != nil {
		return e
	}
	if s.seats[s.active].dead { // C8-139
		return s.beginTurnEvent(s.nextSeatWithTurns())
	}
	if follows := stepRows[s.step].autoEvent; follows != nil {
		return follows(s)
	}
	return nil
}

// nextTurnEvent returns the event that begins the next turn: after a replay that of the same seat (C8-154).
func (s *seatedTurn) nextTurnEvent() *event {
	if !s.seats[s.active].accusedWrongly {
		return s.beginTurnEvent(s.active)
	}
	return s.beginTurnEvent(s.nextSeatWithTurns())
}

// endIdleStepEvent ends the step of a seat that has acted or has nothing to do.
func (s *public) endIdleStepEvent() *event {
	if !s.canActiveSeatAct() {
		return &event{kind: evStepEnded, seat: s.active}
	}
	return nil
}

// callNextShowerEvent calls the next seat that shows a card, unless the asked seat still has to.
func (s *state) callNextShowerEvent() *event {
	row := &showingRows[s.showing.reason]
	follows := row.moot
	if s.asked == 0 {
		follows = row.next
	}
	if follows == nil {
		return nil
	}
	return follows(s)
}

// askNextSeatEvent asks the next seat, or ends the questioning.
func (s *seatedTurn) askNextSeatEvent() *event {
	if x := s.nextSeatToAsk(); x != 0 {
		return &event{kind: evAsked, seat: x}
	}
	if s.hyp.hasShownCard() {
		return &event{kind: evSettled, seat: s.active}
	}
	return &event{kind: evUnrefuted, seat: s.active}
}

// closeIdleWindowEvent closes the window when no seat can do anything in it any more.
func (s *public) closeIdleWindowEvent() *event {
	if len(s.awaitedSeats()) == 0 {
		return s.windowClosedEvents(0)[0]
	}
	return nil
}

func (t *turnState) windowClosedEvents(at engine.Millis) []*event {
	return seatEvent(evClosed, at, t.active)
}

func (t *turnState) drawDeclinedEvents(at engine.Millis) []*event {
	return seatEvent(evDeclined, at, t.asked)
}

// callOtherNeighbourEvent calls another neighbour when the count has found the hand of the first one
// empty.
func (s *seatedTurn) callOtherNeighbourEvent() *event {
	if y := s.rightNeighbour(); y != 0 && s.seats[s.asked].cards == 0 {
		return &event{kind: evNeighbour, seat: y, other: s.active}
	}
	return s.endEmptyHandShowingEvent()
}

// endEmptyHandShowingEvent ends the showing of a seat whose hand the count has found empty.
func (s *seatedTurn) endEmptyHandShowingEvent() *event {
	if s.seats[s.asked].cards > 0 {
		return nil
	}
	return &event{kind: evSettled, seat: s.active}
}

// confirmAnswerEvent confirms an answer that the corrected record of the hand supports.
func (s *answerState) confirmAnswerEvent() *event {
	if a, _ := s.correction.Open(); s.cards.RecordedOrClaimed(a.seat)&a.named == 0 {
		return a.correctionEvent(evUpheld)
	}
	return nil
}

// eventAfterTurnEnd has a wrong answer corrected, or begins the next turn unless the seat could still play
// something, by public facts (C8-033, GEN-005).
func (s *answerState) eventAfterTurnEnd() *event {
	if a, ok := s.findFalseDenial(); ok {
		return a.correctionEvent(evCorrection)
	}
	if s.canWin(s.active) && s.canUseAnySpecial(s.active) || s.canAccuse() {
		return nil
	}
	return s.beginTurnEvent(s.nextSeatWithTurns())
}

// skipImpossibleLookEvent skips the look where there is nothing to look at.
func (s *boardState) skipImpossibleLookEvent() *event {
	if s.mustLookBeforeHypothesis() {
		return nil
	}
	return &event{kind: evStepEnded, seat: s.active}
}

// canActiveSeatAct reports whether the active seat could act, by public facts.
func (s *public) canActiveSeatAct() bool {
	switch {
	case s.canMakeHypothesis():
		return true
	case s.isInPool() && s.moved && s.hasFaceDownCardHere(), s.isAccusationExclusive() && s.canAccuse():
		return true
	}
	return s.canUseAnySpecial(s.active)
}

// nextSeatWithTurns returns the next seat to the left that has turns (C8-012, C8-036).
func (s *seatedTurn) nextSeatWithTurns() engine.Seat {
	for x := s.nextSeatLeftOf(s.active); ; x = s.nextSeatLeftOf(x) {
		if s.hasTurns(x) || x == s.active {
			return x
		}
	}
}

func (t *turnState) beginTurnEvent(x engine.Seat) *event {
	return &event{kind: evTurn, seat: x, n: t.round + 1}
}

func (s *seatedTurn) nextTurnEvents(at engine.Millis) []*event {
	e := s.beginTurnEvent(s.nextSeatWithTurns())
	e.at = at
	return []*event{e}
}
