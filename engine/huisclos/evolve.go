package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// Apply returns the game after the events and leaves s unchanged. It decides nothing: results of dice,
// choices and rules are in the events. It ignores events of another game.
func (s *state) Apply(all ...engine.Event) engine.Game {
	next := s
	for _, e := range all {
		if ev, _ := e.(*event); ev != nil {
			next = next.withEvent(ev, next != s)
		}
	}
	return next
}

// withEvent returns the state after e. If own is true it may change s in place, unless the log lines of e
// need the state before it.
func (s *state) withEvent(e *event, own bool) *state {
	row, next, was := &eventRows[e.kind], s, (*state)(nil)
	if row.NeedsBefore || !own {
		next = s.copyState()
		if row.NeedsBefore {
			was = s
		}
	}
	before := next.log
	next.applyMutating(e)
	next.log = row.AddToLog(next.log, int(next.round), next.logFactsOf(e))
	if row.Narrate != nil {
		row.Narrate(storyRecorder{&next.public, story.Recorder{Log: &next.log, Round: int(next.round)}, e, next, was})
	}
	next.log.StampHappenings(before, e.at)
	return next
}

func (s *state) copyState() *state {
	c := *s
	return &c
}

// applyMutating applies an event in place. Use it only on a copy that nothing else uses. It adds no log lines.
func (s *state) applyMutating(e *event) {
	row := &eventRows[e.kind]
	if row.Apply != nil {
		row.Apply(s, e)
	}
	if !row.NotAnAct {
		s.idleSeat = 0
	}
}

// logFactsOf returns the facts that the log lines of an event may name. For an event without a place it uses
// the place of the seat's pawn.
func (s *seatedRules) logFactsOf(e *event) rules.Facts {
	at := e.place
	if at == 0 {
		at = s.seats[e.seat].at
	}
	return rules.Facts{Seat: e.seat, Other: e.other, Place: engine.ID(s.book.placeID[at]),
		Card:      engine.ID(s.book.cardID[e.clue()]),
		Character: engine.ID(s.book.characterID[e.character]), N: int(e.n), Rule: e.text}
}

// seatPlayer puts a player on seat x. Other states share names, so it copies them.
func (s *seating) seatPlayer(x engine.Seat, name string, p player) {
	names := *s.names
	names[x] = name
	s.names, s.seats[x] = &names, p
}

// restartRoleDraw starts the drawing of the roles again.
func (s *roleState) restartRoleDraw(at engine.Millis) {
	s.roles = [maxSeats + 1]hidden.SmallValue[drawnRole]{}
	s.markNoSeatDone()
	s.callSeat(s.first, at)
}

// applyBegun counts the players and gives them their pawns and Accusation cards (HC-010, HC-021).
func (s *seatedRules) applyBegun() {
	s.startPlayers = 0
	for x := range s.seats {
		if p := &s.seats[x]; p.character != 0 {
			s.startPlayers++
			p.at, p.tokens = s.book.startPlace, 1
		}
	}
}

// placeClue puts a face-down clue on a place.
func (s *recordState) placeClue(c card, p place) {
	s.ledger.RecordCard(c, loc(p), hidden.Nobody)
	s.rooms[p].cards++
}

// applyLaidAll puts each clue that has no place yet on the place dealt to it.
func (s *inquiryState) applyLaidAll(*event) {
	if s.deal == nil { // only in a store that was tampered with
		return
	}
	d, _ := s.deal.Open()
	for out := s.ledger.CardsAt(locOut); out != 0; out &= out - 1 {
		s.placeClue(out.First(), d[out.First()])
	}
}

// beginPhase starts a phase in which no seat has been called yet.
func (s *public) beginPhase(p phase, at engine.Millis) {
	s.phase = p
	s.markNoSeatDone()
	s.callSeat(0, at)
}

// markNoSeatDone marks every seat as not done.
func (s *seating) markNoSeatDone() {
	for x := range s.seats {
		s.seats[x].done = false
	}
}

// callSeat makes x the active seat and starts a new wait; zero: no seat.
func (s *public) callSeat(x engine.Seat, at engine.Millis) {
	s.active, s.step, s.waived = x, stepNone, 0
	s.startWaitForActive(at)
}

// callForStep calls the seat of an event for one step.
func (s *public) callForStep(st step, e *event) {
	s.callSeat(e.seat, e.at)
	s.step = st
}

// callToAct calls x for the act of this phase.
func (s *public) callToAct(x engine.Seat, at engine.Millis) {
	s.callSeat(x, at)
	if s.phase == phaseInvestigation {
		s.step, s.hasMoved = stepMove, false
		s.skipImpossibleMove()
	}
}

// callNextForRole marks the seat of e as done and calls the next seat without a role.
func (s *public) callNextForRole(e *event) {
	s.seats[e.seat].done = true
	s.callSeat(s.findFirstLiving(s.hasNotActed), e.at)
}

// showPileForPick shows the pile of the initial pick to x.
func (s *state) showPileForPick(x engine.Seat, at engine.Millis) {
	s.phase = phasePick
	s.callSeat(x, at)
	s.setPlaceAudience(s.seats[x].at, hidden.OnlySeats(x))
	s.addPlaceSighting(x)
}

// startWaitForActive starts a new wait for the active seat, for example for its next card.
func (s *public) startWaitForActive(at engine.Millis) {
	s.waitingSince, s.reminded = at, false
	s.waitNumber++
}

// beginRound starts round e.n with its investigation phase (HC-025, HC-032).
func (s *inquiryState) beginRound(e *event) {
	s.phase, s.roundState = phaseInvestigation, roundState{round: uint8(e.n), first: e.seat}
	s.markNoSeatDone()
	for x := range s.seats {
		s.seats[x].noDeposit, s.seats[x].usedObservation, s.seats[x].offeredDraw = false, false, false
	}
	for q := range s.rooms {
		s.rooms[q].deaths, s.rooms[q].urnClues = 0, 0
	}
	s.callSeat(0, e.at)
	s.forgetLastRead()
}

// finishInvestigation ends the investigation of x and hides the clues that it looked through (HC-068).
func (s *inquiryState) finishInvestigation(x engine.Seat) {
	s.setPlaceAudience(s.seats[x].at, hidden.Nobody)
	s.seats[x].done = true
	s.taken, s.given = hidden.SmallValue[card]{}, hidden.SmallValue[card]{}
	s.inquiry = inquiry{}
	for y := range s.seats {
		s.seats[y].observing = false
	}
}

// setPlaceAudience sets the viewers that may see the clues in p.
func (s *recordState) setPlaceAudience(p place, aud hidden.Audience) {
	if p != 0 {
		s.ledger.RecordCards(s.ledger.CardsAt(loc(p)), loc(p), aud)
	}
}

// takeIntoHand moves a clue from the place of the seat into its hand.
func (s *recordState) takeIntoHand(e *event) {
	c, _ := e.card.Open()
	s.takeFromPlace(s.seats[e.seat].at, c, e.trust)
	s.addToHand(e.seat, c, e.trust)
}

// applyDeposited moves a clue from the hand of a seat into the urn.
func (s *state) applyDeposited(e *event) {
	x, c := e.seat, e.clue()
	s.lastDepositor, s.depositedByTap = x, e.n == 0
	if s.recordCardLeftHand(x, c, e.trust); e.trust == trustExact {
		s.ledger.RecordCard(c, locUrn+loc(x), hidden.OnlySeats(x))
	}
	s.seats[x].done = true
	s.urnCount++
	s.callSeat(0, e.at)
	s.addSighting(x, e.clueSet(), engine.Sighting{How: engine.SawUrn})
	s.rememberLastReadFrom(e)
}

// applyRecovered moves a clue of the open urn into the hand of a seat.
func (s *state) applyRecovered(e *event) {
	x := e.seat
	if s.step == stepExtra {
		s.correctShortHand(x)
	}
	s.addToHand(x, e.clue(), trustExact)
	s.seats[x].done = true
	s.lastRecovery = x
	s.callSeat(0, e.at)
	s.addSighting(0, e.clueSet(), engine.Sighting{How: engine.SawShown, Other: x})
	s.rememberLastReadFrom(e)
}

// applyUrnOpened shows the clues of the urn to all and marks the seats that they kill. Several weapons act at
// once, from the positions at this moment (HC-130). From here on nothing links a clue to its depositor
// (HC-141).
func (s *recordState) applyUrnOpened(e *event) {
	s.urnOpened, s.urnCount = true, 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.ledger.RecordCards(s.ledger.CardsAt(locUrn+loc(x)), locShown, hidden.Everyone)
	}
	ws := s.ledger.CardsAt(locShown)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		at := s.seats[x].at
		if s.isLiving(x) && at != 0 && !s.rooms[at].closed && ws.Contains(card(at)) {
			s.doomed |= 1 << x
		}
	}
	s.callSeat(0, e.at)
}

// applyUrnDeath lets the urn kill x, and makes its place a crime place.
func (s *state) applyUrnDeath(x engine.Seat) {
	s.doomed &^= 1 << x
	s.rooms[s.seats[x].at].deaths++
	s.removeDeadPlayer(x)
}

// removeDeadPlayer shows the role card of x and puts its hand face down where it died (HC-131, HC-132, HC-138).
func (s *state) removeDeadPlayer(x engine.Seat) {
	p := &s.seats[x]
	s.revealRole(x)
	s.addSighting(x, s.ledger.RecordedOrClaimed(x), engine.Sighting{How: engine.SawLeft, Place: engine.ID(s.book.placeID[p.at])})
	s.moveHandToPlace(x, p.at)
	p.at, p.dead, p.done, p.tokens = 0, true, true, 0
}

// skipImpossibleMove lets the active seat act in its place if no other place is open (HC-053).
func (s *boardState) skipImpossibleMove() {
	if s.step != stepMove {
		return
	}
	for q := place(1); q <= numPlaces; q++ {
		if !s.rooms[q].closed && q != s.seats[s.active].at {
			return
		}
	}
	s.step = stepAct
}

// applyOver ends the game and shows every role (HC-157).
func (s *inquiryState) applyOver(e *event) {
	switch {
	case s.accuser != 0:
		s.finishInvestigation(s.accuser)
	case s.phase == phaseInvestigation && s.active != 0:
		s.finishInvestigation(s.active)
	}
	s.phase = phaseOver
	s.callSeat(0, e.at)
	s.inferRoles()
	for x := range s.roles {
		s.revealRole(engine.Seat(x))
	}
	winners := rules.SeatsOf(e.n, maxSeats)
	s.result = &engine.Result{Rule: e.text, Winners: winners, Msg: resultMessage(e.text, winners, e.ends)}
}
