package cluedo

import "slices"

// Where moves are declared, the dice are thrown on the table and nobody tells here what they show:
// a turn begins with the move, and the seat says in which room its pawn stands, or that it stands
// outside. It is believed, but for what the rules forbid whatever the dice show. Cards that a marked
// face brings are drawn, at most as many as the dice have such faces. Who wants the squares counted
// tells the roll instead, before anything has come of it.

// declares reports that the table plays so.
func (h *houseRules) declares() bool { return h.rule(polMovement) == "declared" }

// outset is the step in which the active seat sets out: before its roll, or with dice that nobody
// tells, which are thrown by that.
func (s *seatedTurn) outset() step {
	s.believed, s.thrown = s.declares() && s.mayRoll(), false
	if !s.believed {
		return stepStart
	}
	s.guessed = true
	s.points, s.faces = 2*s.mostOfDie(), 2*uint8(s.book.MarkedFace.Draws)
	if !s.book.draws() || s.rule(polClues) == "off" {
		s.faces = 0
	}
	if s.moves > 0 {
		s.moves--
	}
	return stepMove
}

// mostOfDie is the most points that one die gives.
func (h *houseRules) mostOfDie() uint8 { return uint8(slices.Max(h.book.deck.Faces)) }

// untold reports that the active seat may tell its roll: nothing has come of it yet.
func (t *turnState) untold() bool { return t.believed && t.step == stepMove && !t.thrown }

// setting reports that it may choose how to move, and has not.
func (t *turnState) setting() bool { return t.untold() && !t.moved }

// throw settles that the dice were thrown for this move.
func (s *seatedTurn) throw() {
	s.thrown = true
	s.byDice()
}

// byDice makes the dice the way of moving, where that is chosen before the roll.
func (s *seatedTurn) byDice() {
	if s.way == wayNone && s.rule(polRoll) != "always" {
		s.way = wayDice
	}
}

// byFace counts a card that a marked face has brought, and the points of that die when all of its
// cards are drawn (C8-042, C8-044, CC-030).
func (s *seatedTurn) byFace() {
	if s.faces == 0 { // a store that was tampered with may say more
		return
	}
	s.throw()
	s.faces--
	if int(s.faces)%s.book.MarkedFace.Draws == 0 {
		s.points += uint8(s.book.MarkedFace.Points)
		s.points -= min(s.points, s.mostOfDie())
	}
}

// mayCome reports that a reader takes such a card and nobody waits for one: only the table sees what
// its dice show.
func (s *boardState) mayCome(k cardKind) bool {
	return k == kindEvent && s.step == stepMove && !s.owes()
}

// mapped reports that the squares which the active pawn reaches are those of the drawn board.
func (s *boardState) mapped() bool {
	p := s.pawns[s.seats[s.active].who]
	return s.book.board != nil && !s.believed && p.kind == onSquare
}

// owes reports that the active seat may draw for a displacement before this turn (C8-091).
func (s *boardState) owes() bool {
	return s.seats[s.active].owed > 0 && !s.exhausted() && (s.step == stepStart || s.setting())
}
