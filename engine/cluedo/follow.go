package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

// resolveEvents applies events, and all that follow from them without a choice. It returns the game
// after them, and all of them.
func (s *state) follow(at engine.Millis, evs []*event) (*state, []engine.Event) {
	const most = 100 // more than any chain: at most 10 seats are skipped twice
	next := s
	all := rules.Follow(at, evs, most, func(e *event) { next = next.evolved(e, next != s) },
		func() *event { return next.consequence() }, "cluedo: invariant 6 broken")
	return next, all
}

// nextConsequence returns the event that must happen now without a choice; nil: none.
func (s *state) consequence() *event {
	if s.count.Stands() {
		return nil
	}
	if follows := phases[s.phase].follows; follows != nil {
		return follows(s)
	}
	return nil
}

// afterDeal begins the first turn once all have their cards, or calls the first seat to roll.
func (s *public) afterDeal() *event {
	if !s.allDealt() {
		return nil
	}
	if x := s.opener(); x != 0 {
		return &event{kind: evTurn, seat: x, n: 1}
	}
	return &event{kind: evStarting, seat: s.after(maxSeats)}
}

// highestRollEvent returns what the highest roll gives: the first turn (C8-011), or the deal
// (SC-006).
func (h *houseRules) highest(x engine.Seat, at engine.Millis) *event {
	if h.book.dealsFirst() {
		return &event{kind: evDealer, at: at, seat: x}
	}
	return &event{kind: evTurn, at: at, seat: x, n: 1}
}

func (s *public) dealt() bool {
	return s.phase > starting || s.phase == starting && !s.book.dealsFirst()
}

func (s *seating) allDealt() bool {
	for x := range s.seats {
		if s.seats[x].who != 0 && !s.seats[x].dealt {
			return false
		}
	}
	return true
}

// nextStarter calls the next seat to roll, lets ties roll again, and gives the highest roll the
// first turn (C8-011), or the deal (SC-006).
func (s *seatedTurn) nextStarter() *event {
	if s.asked != 0 {
		return nil
	}
	best, who := uint8(0), uint16(0)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		p := &s.seats[x]
		switch {
		case p.who == 0 || p.rolled == outrolled:
		case p.rolled == 0:
			return &event{kind: evStarting, seat: x}
		case p.rolled > best:
			best, who = p.rolled, 1<<x
		case p.rolled == best:
			who |= 1 << x
		}
	}
	if who&(who-1) != 0 {
		return &event{kind: evTies, n: who}
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if who == 1<<x {
			return s.highest(x, 0)
		}
	}
	return nil
}

// lostGameEvent ends the game when no player can win any more (C8-191, C8-192).
func (s *seatedTurn) nobodyLeft() *event {
	switch living, running := s.left(); {
	case living == 0:
		return ending(s.book.Rules.Murdered, 0)
	case running == 0:
		return ending(s.book.Rules.Lost, 0)
	}
	return nil
}

// countLeft returns how many players are not murdered, and how many of them can still win.
func (s *seating) left() (living, running int) {
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.seated(x) && !s.seats[x].dead {
			living++
		}
		if s.running(x) {
			running++
		}
	}
	return living, running
}

// turnConsequence goes on where nothing is left to choose.
func (s *state) nextStep() *event {
	if e := s.nobodyLeft(); e != nil {
		return e
	}
	if s.seats[s.active].dead { // C8-139
		return s.turnOf(s.nextSeat())
	}
	if follows := steps[s.step].follows; follows != nil {
		return follows(s)
	}
	return nil
}

// afterTurn begins the next turn: after a replay another one of the same seat (C8-154).
func (s *seatedTurn) afterTurn() *event {
	if !s.seats[s.active].wrong {
		return s.turnOf(s.active)
	}
	return s.turnOf(s.nextSeat())
}

// afterAct ends the step of a seat that has acted or has nothing to do.
func (s *public) afterAct() *event {
	if !s.something() {
		return &event{kind: evActed, seat: s.active}
	}
	return nil
}

// afterShowing calls the next seat that shows a card, unless the asked seat still has to.
func (s *state) afterShowing() *event {
	row := &showings[s.showing.why]
	follows := row.moot
	if s.asked == 0 {
		follows = row.next
	}
	if follows == nil {
		return nil
	}
	return follows(s)
}

// nextAnswer asks the next seat, or ends the questioning.
func (s *seatedTurn) nextAnswer() *event {
	if x := s.asks(); x != 0 {
		return &event{kind: evAsked, seat: x}
	}
	if s.hyp.shown() {
		return &event{kind: evSettled, seat: s.active}
	}
	return &event{kind: evUnrefuted, seat: s.active}
}

// afterShown closes the window when no seat can do anything in it any more.
func (s *public) afterShown() *event {
	if len(s.awaited()) == 0 {
		return s.closed(0)[0]
	}
	return nil
}

func (t *turnState) closed(at engine.Millis) []*event { return one(evClosed, at, t.active) }

func (t *turnState) declined(at engine.Millis) []*event { return one(evDeclined, at, t.asked) }

// callOtherNeighbour calls another neighbour when the count has found the hand of the first one
// empty.
func (s *seatedTurn) otherNeighbour() *event {
	if y := s.neighbour(); y != 0 && s.seats[s.asked].cards == 0 {
		return &event{kind: evNeighbour, seat: y, other: s.active}
	}
	return s.spyAgain()
}

// endIfHandEmpty ends the showing of a seat whose hand the count has found empty.
func (s *seatedTurn) spyAgain() *event {
	if s.seats[s.asked].cards > 0 {
		return nil
	}
	return &event{kind: evSettled, seat: s.active}
}

// afterCorrection confirms an answer that the corrected record of the hand supports.
func (s *answerState) afterMending() *event {
	if a, _ := s.amend.Open(); s.cards.Held(a.seat)&a.named == 0 {
		return a.amended(evUpheld)
	}
	return nil
}

// afterEnd has a wrong answer corrected, or begins the next turn unless the seat could still play
// something, by public facts (C8-033, GEN-005).
func (s *answerState) afterEnd() *event {
	if a, ok := s.contradicted(); ok {
		return a.amended(evAmend)
	}
	if s.running(s.active) && s.could(s.active) || s.accuses() {
		return nil
	}
	return s.turnOf(s.nextSeat())
}

// afterLook skips the look where there is nothing to look at.
func (s *boardState) afterLook() *event {
	if s.due() {
		return nil
	}
	return &event{kind: evActed, seat: s.active}
}

// canDoSomething reports whether the active seat could act, by public facts.
func (s *public) something() bool {
	switch {
	case s.hypothetical():
		return true
	case s.inPool() && s.moved && s.lyingHere(), s.instead() && s.accuses():
		return true
	}
	return s.could(s.active)
}

// nextSeatWithTurns returns the next seat to the left that has turns (C8-012, C8-036).
func (s *seatedTurn) nextSeat() engine.Seat {
	for x := s.after(s.active); ; x = s.after(x) {
		if s.turns(x) || x == s.active {
			return x
		}
	}
}

func (t *turnState) turnOf(x engine.Seat) *event {
	return &event{kind: evTurn, seat: x, n: t.round + 1}
}

func (s *seatedTurn) nextTurn(at engine.Millis) []*event {
	e := s.turnOf(s.nextSeat())
	e.at = at
	return []*event{e}
}
