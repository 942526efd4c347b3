package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Overruling: acts of the host against the rules (GEN-009). Each is an event of its own, announced
// to all, and depends only on public facts: never on whether an answer has been given already. The
// judging of an accusation, and the window of a shown card, have to end first.

func (t *turnState) canSkipAwaitedSeat() bool {
	return t.awaitedSeat() != 0 && t.step != stepVerdict && t.step != stepShown
}

// isActiveSeatAwaited reports whether the active seat is awaited, and not an answer, a displaced seat
// or a verdict.
func (t *turnState) isActiveSeatAwaited() bool {
	return t.canSkipAwaitedSeat() && t.asked == 0 && t.step != stepShowing
}

func (b *Book) hasMurders() bool { return b.timeCards() != 0 }

// decideSkipSeat skips the awaited seat: its answer, or the rest of its turn.
func (s *seatedTurn) decideSkipSeat(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, "GEN-009", s.isSeated)
	switch {
	case r != nil:
		return nil, r
	case !s.canSkipAwaitedSeat():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.unfinished")
	case x != s.awaitedSeat():
		return nil, refuse(engine.NotYou, "GEN-009", "gen.no.skip-other")
	}
	evs := seatEvent(evSkipped, c.At, x)
	if s.isActiveSeatAwaited() {
		evs = append(evs, s.nextTurnEvents(c.At)...)
	}
	return evs, nil
}

// applySkipped ends what a seat was asked for. A seat that answers nothing has not said that it has
// no card.
func (s *answerState) applySkipped(e *event) {
	switch {
	case s.step == stepDisplaced:
		s.asked = 0
		s.startStep(stepShowing, e.at)
	case s.step != stepShowing:
		s.abandonClueAndDraws()
	case showingRows[s.showing.reason].next == nil:
		s.applyAnswersEnd(e)
	default: // another seat is asked
		if s.isAnswering() {
			s.hyp.answerOf[e.seat] = saidSkipped
		}
		s.endQuestioning()
		s.closes = 0
	}
}

// abandonClueAndDraws ends what the active seat has begun.
func (t *turnState) abandonClueAndDraws() { t.clueOpen, t.drawsLeft = false, 0 }

// decideGiveTurnTo begins the turn of another seat; the order goes on from there.
func (s *seatedTurn) decideGiveTurnTo(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, "GEN-009", s.isSeated)
	switch {
	case r != nil:
		return nil, r
	case !s.isActiveSeatAwaited():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	case !s.canReceiveTurn(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "cl.no.turn-to", "seat", x.String())
	}
	e := s.beginTurnEvent(x)
	e.at = c.At
	return append(seatEvent(evTurnTo, c.At, x), e), nil
}

func (s *seatedTurn) canReceiveTurn(x engine.Seat) bool { return x != s.active && s.hasTurns(x) }

// decideNextPhase ends the phase of the turn that the command names.
func (s *public) decideNextPhase(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.isActiveSeatAwaited():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	case c.Args["phase"] != s.stepCode() || s.step == stepEnd:
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.skip-other")
	}
	return seatEvent(evAdvanced, c.At, s.active), nil
}

// applyAdvanced goes on with what was interrupted, or with the next phase of the turn.
func (s *public) applyAdvanced(e *event) {
	s.abandonClueAndDraws()
	switch s.step {
	case stepDraw, stepClue, stepSpy:
		s.resumePhase(e.at)
	case stepStart, stepMove:
		s.points, s.movesLeft = 0, 0
		s.startPhase(s.stepAfterPhase(stepMove), e.at)
	default:
		s.gaveUpAct = s.gaveUpAct || s.step == stepAct
		s.startPhase(s.stepAfterPhase(s.step), e.at)
	}
}

// The rules that the host may waive for the present turn. Their refusals are public.
const (
	waivePlace = iota // where one accuses
	waiveRoom         // no hypothesis in the room of the last one
)

// waivers returns their ids in the edition; "" for those that it does not have.
func (b *Book) waivers() rules.Waivers {
	place := b.Rules.AccuseWhere
	if place == "" {
		place = b.Rules.Accuse
	}
	return rules.Waivers{waivePlace: place, waiveRoom: b.Rules.Again}
}

// waivableRules returns the rules without which the active seat could do more: at its present place
// or, while it may move, at any place.
func (s *boardState) waivableRules() []string {
	if !s.isActiveSeatAwaited() || !s.canWin(s.active) || s.hasActed() {
		return nil
	}
	place := s.policyValue(polAccuseWhere) == "pool" || s.policyValue(polAccuseWhere) == "any-room"
	room := s.policyValue(polSameRoom) == "no" && s.seats[s.active].lastRoom != 0
	if s.phaseStep != stepStart && s.phaseStep != stepMove {
		place, room = place && !s.canAccuseHere(), s.moved && s.isLastRoomBarred()
	}
	return s.book.waivers().UnwaivedRules([]bool{waivePlace: place, waiveRoom: room}, s.waived)
}

// waivableRulesOf returns those of seat x: the active one, or the one of the turn before, after
// which no seat has acted.
func (s *public) waivableRulesOf(x engine.Seat) []string {
	switch {
	case x == s.active:
		return s.waivableRules()
	case s.previousTurn != nil && s.previousTurn.active == x:
		after := *s
		after.restorePreviousTurn(s.since)
		return after.waivableRules()
	}
	return nil
}

// seatsToWaiveRuleFor returns the seats for which a rule may be waived: the active one, and the one
// before it.
func (s *public) seatsToWaiveRuleFor() []engine.Seat {
	if s.previousTurn == nil {
		return []engine.Seat{s.active}
	}
	return []engine.Seat{s.active, s.previousTurn.active}
}

// savePreviousTurn stores the turn that passes to x, unless it was cut short.
func (s *public) savePreviousTurn(x engine.Seat) {
	s.previousTurn = nil
	if s.phase == turn && s.active != x && s.isUninterrupted() {
		before := s.turnState
		s.previousTurn = &before
	}
}

// restorePreviousTurn ends the turn that has just begun, and goes on with the one before where it
// was.
func (s *public) restorePreviousTurn(at engine.Millis) {
	s.seats[s.active].displaced = s.stayRight
	s.turnState, s.previousTurn = *s.previousTurn, nil
	s.resumePhase(at)
}

// waivableRefusalAfterTurn refuses an act of the seat whose turn has passed by the rule that the host
// may still waive; nil: no rule.
func (s *state) waivableRefusalAfterTurn(x engine.Seat, c engine.Command, d act) *engine.Reject {
	binding := s.waivableRulesOf(x)
	if !d.canBeWaived || len(binding) == 0 {
		return nil
	}
	after := s.copyState()
	after.forgetLastRead()
	after.restorePreviousTurn(s.since)
	_, r := after.decideCommand(c, nil)
	return rules.RefusalByWaivableRule(r, binding)
}

// decideWaiveRule lets a seat do what a rule has refused to it: the host insists.
func (s *public) decideWaiveRule(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, "GEN-009", s.isSeated)
	if r == nil {
		r = s.book.waivers().RefuseInvalidWaiver(c, x == s.active, s.waivableRulesOf(x))
	}
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evAllowed, at: c.At, seat: x, text: c.Args["rule"]}}, nil
}

// applyWaivedRule waives a rule, also for the seat whose turn has just passed. The step to act is
// opened again if it ended automatically because nothing could be done.
func (s *answerState) applyWaivedRule(e *event) {
	if e.seat != s.active && s.previousTurn != nil { // a store that was tampered with may say more
		s.forgetLastRead()
		s.restorePreviousTurn(e.at)
	}
	w, _ := s.book.waivers().DecodeRule(e.text)
	s.waived |= w
	if s.step == stepEnd && s.canMakeHypothesis() {
		s.startPhase(stepAct, e.at)
	}
}

func (w *storedEvent) checkAllowedRule(b *Book, _ *event) error {
	_, err := b.waivers().DecodeRule(w.Text)
	return err
}

// decideKillPlayer lets a player be murdered without a Time card. decideNoMoreTurns ends the turns of a seat as a
// wrong accusation does: it still answers.
func (s *seatedTurn) decideKillPlayer(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return s.decideElimination(c, evKilled, func(x engine.Seat) bool { return !s.seats[x].dead })
}

func (s *seatedTurn) decideNoMoreTurns(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return s.decideElimination(c, evOut, s.canWin)
}

func (s *seatedTurn) decideElimination(c engine.Command, k eventKind, may func(engine.Seat) bool) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, "GEN-009", s.isSeated)
	switch {
	case r != nil:
		return nil, r
	case !may(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "cl.no.out", "seat", x.String())
	case !s.isActiveSeatAwaited():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return seatEvent(k, c.At, x), nil
}

func (s *recordState) applyKilled(e *event) {
	if e.seat == s.active {
		s.abandonClueAndDraws()
	}
	s.murderSeat(e.seat)
}

func (s *seatedTurn) applyTurnsEnded(e *event) {
	s.seats[e.seat].accusedWrongly = true
	if e.seat == s.active {
		s.abandonClueAndDraws()
		s.step = stepNone
	}
}

// decideRevivePlayer lets a seat play again that was murdered or has accused wrongly.
func (s *seatedTurn) decideRevivePlayer(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, "GEN-009", s.isSeated)
	switch {
	case r != nil:
		return nil, r
	case s.canWin(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "gen.no.lives", "seat", x.String())
	case !s.isActiveSeatAwaited():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return seatEvent(evRevived, c.At, x), nil
}

// applyRevived brings the pawn of a murdered seat home. Its hand stays face up, and a wrong accuser
// still knows what it has seen in the envelope.
func (s *boardState) applyRevived(e *event) {
	p := &s.seats[e.seat]
	if p.dead {
		s.sendPawnHome(p.suspect)
	}
	p.dead, p.accusedWrongly = false, false
}

// recordKilled names the hand that is face up now. It is not a midnight: no hour has struck.
func (t storyRecorder) recordKilled() {
	t.AddHappeningLine(t.newHappening(engine.HapKilled, t.e.seat), "cl.log.killed", "seat", t.e.seat.String())
	if cards := t.newState.faceUpHand(t.e.seat); len(cards) > 0 {
		t.AddHappening(engine.Happening{What: engine.HapExposed, Seat: t.e.seat, Cards: cards})
	}
}

func (t storyRecorder) recordRevived() {
	at := t.pawns[t.seats[t.e.seat].suspect].area
	t.AddHappeningLine(engine.Happening{What: engine.HapRevived, Seat: t.e.seat, Place: engine.ID(t.book.areaID[at])}, "cl.log.revived",
		"seat", t.e.seat.String())
}

func (l *offerList) offerOverrule() {
	if l.canSkipAwaitedSeat() {
		l.addOffers(rules.OverruleOffer("skip", engine.Args{"seat": l.awaitedSeat().String()}))
	}
	if !l.isActiveSeatAwaited() {
		return
	}
	for _, x := range l.seatsToWaiveRuleFor() {
		l.out = rules.AddWaiverOffers(l.out, x, l.waivableRulesOf(x))
	}
	if l.step != stepEnd {
		l.addOffers(rules.OverruleOffer("next-phase", engine.Args{"phase": l.stepCode()}))
	}
	of := func(act string, may func(engine.Seat) bool) {
		if who := l.seatIDsWhere(may); len(who) > 0 {
			l.addOffers(rules.OverruleOffer(act, nil, seatParam("seat", who)))
		}
	}
	of("turn-to", l.canReceiveTurn)
	if l.book.hasMurders() {
		of("kill", func(x engine.Seat) bool { return !l.seats[x].dead })
	}
	of("out", l.canWin)
	of("revive", func(x engine.Seat) bool { return !l.canWin(x) })
}
