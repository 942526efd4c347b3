package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// Evolve returns the game after the events and leaves s unchanged. It decides nothing: results of dice,
// choices and rules are in the events. It ignores events of another game.
func (s *state) Evolve(all ...engine.Event) engine.Game {
	next := s
	for _, e := range all {
		if ev, _ := e.(*event); ev != nil {
			next = next.evolved(ev, next != s)
		}
	}
	return next
}

// withEvent returns the state after e. If own is true it may change s in place, unless the log lines of e
// need the state before it.
func (s *state) evolved(e *event, own bool) *state {
	row, next, was := &events[e.kind], s, (*state)(nil)
	if row.Before || !own {
		next = s.copied()
		if row.Before {
			was = s
		}
	}
	next.apply(e)
	next.log = row.Told(next.log, int(next.round), next.factsOf(e))
	if row.Tell != nil {
		next.log = row.Tell(teller{&next.public, story.Teller{Log: next.log, Round: int(next.round)}, e, next, was})
	}
	return next
}

func (s *state) copied() *state {
	c := *s
	return &c
}

// applyInPlace applies an event in place. Use it only on a copy that nothing else uses. It adds no log lines.
func (s *state) apply(e *event) {
	row := &events[e.kind]
	if row.Apply != nil {
		row.Apply(s, e)
	}
	if !row.NoAct {
		s.idled = 0
	}
}

// factsOf returns the facts that the log lines of an event may name. For an event without a place it uses
// the place of the seat's pawn.
func (s *seatedRules) factsOf(e *event) rules.Facts {
	at := e.place
	if at == 0 {
		at = s.seats[e.seat].at
	}
	return rules.Facts{Seat: e.seat, Other: e.other, Place: engine.ID(s.book.placeID[at]),
		Card:      engine.ID(s.book.cardID[e.clue()]),
		Character: engine.ID(s.book.characterID[e.who]), N: int(e.n)}
}

// seatPlayer puts a player on seat x. Other states share names, so it copies them.
func (s *seating) sit(x engine.Seat, name string, p player) {
	names := *s.names
	names[x] = name
	s.names, s.seats[x] = &names, p
}

// restartRoleDraw starts the drawing of the roles again.
func (s *roleState) redraw(at engine.Millis) {
	s.roles = [maxSeats + 1]box.Small[drawn]{}
	s.fresh()
	s.call(s.first, at)
}

// applyBegun counts the players and gives them their pawns and Accusation cards (HC-010, HC-021).
func (s *seatedRules) begin() {
	s.n = 0
	for x := range s.seats {
		if p := &s.seats[x]; p.who != 0 {
			s.n++
			p.at, p.tokens = s.book.start, 1
		}
	}
}

// placeClue puts a face-down clue on a place.
func (s *recordState) lay(c card, p place) {
	s.cards.Put(c, loc(p), box.Nobody)
	s.rooms[p].cards++
}

// applyLaidAll puts each clue that has no place yet on the place dealt to it.
func (s *state) layDealt(*event) {
	if s.deal == nil { // only in a store that was tampered with
		return
	}
	d, _ := s.deal.Open()
	for out := s.cards.In(locOut); out != 0; out &= out - 1 {
		s.lay(out.First(), d[out.First()])
	}
}

// beginPhase starts a phase in which no seat has been called yet.
func (s *public) begins(p phase, at engine.Millis) {
	s.phase = p
	s.fresh()
	s.call(0, at)
}

// clearDone marks every seat as not done.
func (s *seating) fresh() {
	for x := range s.seats {
		s.seats[x].done = false
	}
}

// callSeat makes x the active seat and starts a new wait; zero: no seat.
func (s *public) call(x engine.Seat, at engine.Millis) {
	s.active, s.step, s.waived = x, stepNone, 0
	s.await(at)
}

// callForStep calls the seat of an event for one step.
func (s *public) callFor(st step, e *event) {
	s.call(e.seat, e.at)
	s.step = st
}

// callToAct calls x for the act of this phase.
func (s *public) callToAct(x engine.Seat, at engine.Millis) {
	s.call(x, at)
	if s.phase == investigation {
		s.step, s.walked = stepMove, false
		s.orStay()
	}
}

// callNextForRole marks the seat of e as done and calls the next seat without a role.
func (s *public) hasRole(e *event) {
	s.seats[e.seat].done = true
	s.call(s.next(s.pending), e.at)
}

// applyPile shows the pile of the initial pick to x.
func (s *state) offerPile(x engine.Seat, at engine.Millis) {
	s.phase = pick
	s.call(x, at)
	s.unveil(s.seats[x].at, box.Only(x))
	s.sawHere(x)
}

// startWait starts a new wait for the active seat, for example for its next card.
func (s *public) await(at engine.Millis) {
	s.since, s.reminded = at, false
	s.wait++
}

// beginRound starts round e.n with its investigation phase (HC-025, HC-032).
func (s *state) beginRound(e *event) {
	s.phase, s.roundState = investigation, roundState{round: uint8(e.n), first: e.seat}
	s.fresh()
	for x := range s.seats {
		s.seats[x].short, s.seats[x].observed, s.seats[x].agrees = false, false, false
	}
	for q := range s.rooms {
		s.rooms[q].deaths, s.rooms[q].rest = 0, 0
	}
	s.call(0, e.at)
	s.nothingRead()
}

// finishInvestigation ends the investigation of x and hides the clues that it looked through (HC-068).
func (s *state) finish(x engine.Seat) {
	s.unveil(s.seats[x].at, box.Nobody)
	s.seats[x].done = true
	s.taken, s.given = box.Small[card]{}, box.Small[card]{}
	s.inquiry = inquiry{}
	for y := range s.seats {
		s.seats[y].watching = false
	}
}

// setPlaceAudience sets the viewers that may see the clues in p.
func (s *recordState) unveil(p place, aud box.Audience) {
	if p != 0 {
		s.cards.PutAll(s.cards.In(loc(p)), loc(p), aud)
	}
}

// takeIntoHand moves a clue from the place of the seat into its hand.
func (s *recordState) grab(e *event) {
	c, _ := e.card.Open()
	s.fromPlace(s.seats[e.seat].at, c, e.trust)
	s.intoHand(e.seat, c, e.trust)
}

// applyDeposited moves a clue from the hand of a seat into the urn.
func (s *state) intoUrn(e *event) {
	x, c := e.seat, e.clue()
	s.dropper, s.tap = x, e.n == 0
	if s.fromHand(x, c, e.trust); e.trust == exact {
		s.cards.Put(c, locUrn+loc(x), box.Only(x))
	}
	s.seats[x].done = true
	s.urn++
	s.call(0, e.at)
	s.saw(x, e.clues(), engine.Sighting{How: engine.SawUrn})
	s.keepReadOf(e)
}

// applyRecovered moves a clue of the open urn into the hand of a seat.
func (s *state) recoverTo(e *event) {
	x := e.seat
	if s.step == stepExtra {
		s.repair(x)
	}
	s.intoHand(x, e.clue(), exact)
	s.seats[x].done = true
	s.last = x
	s.call(0, e.at)
	s.saw(0, e.clues(), engine.Sighting{How: engine.SawShown, Other: x})
	s.keepReadOf(e)
}

// applyOpened shows the clues of the urn to all and marks the seats that they kill. Several weapons act at
// once, from the positions at this moment (HC-130). From here on nothing links a clue to its depositor
// (HC-141).
func (s *recordState) open(e *event) {
	s.opened, s.urn = true, 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.cards.PutAll(s.cards.In(locUrn+loc(x)), locShown, box.All)
	}
	ws := s.cards.In(locShown)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		at := s.seats[x].at
		if s.living(x) && at != 0 && !s.rooms[at].closed && ws.Has(card(at)) {
			s.doomed |= 1 << x
		}
	}
	s.call(0, e.at)
}

// applyDied lets the urn kill x, and makes its place a crime place.
func (s *state) die(x engine.Seat) {
	s.doomed &^= 1 << x
	s.rooms[s.seats[x].at].deaths++
	s.fall(x)
}

// applyDeath shows the role card of x and puts its hand face down where it died (HC-131, HC-132, HC-138).
func (s *state) fall(x engine.Seat) {
	p := &s.seats[x]
	s.reveal(x)
	s.saw(x, s.cards.Held(x), engine.Sighting{How: engine.SawLeft, Place: engine.ID(s.book.placeID[p.at])})
	s.layHand(x, p.at)
	p.at, p.dead, p.done, p.tokens = 0, true, true, 0
}

// allowStay lets the active seat act in its place if no other place is open (HC-053).
func (s *boardState) orStay() {
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
func (s *state) end(e *event) {
	switch {
	case s.accuser != 0:
		s.finish(s.accuser)
	case s.phase == investigation && s.active != 0:
		s.finish(s.active)
	}
	s.phase = over
	s.call(0, e.at)
	s.infer()
	for x := range s.roles {
		s.reveal(engine.Seat(x))
	}
	winners := []engine.Seat{}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if e.n&(1<<x) != 0 {
			winners = append(winners, x)
		}
	}
	s.result = &engine.Result{Rule: e.text, Winners: winners, Msg: resultMsg(e.text, winners, e.ends)}
}
