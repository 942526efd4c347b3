package cluedo

import "slices"

// Where moves are declared, the dice are thrown on the table and their points are not declared: a
// turn begins with the move, and the seat says in which room its pawn is, or that it is outside. It
// is believed, except where the rules forbid the move with any dice. Cards that a marked face
// brings are drawn, at most as many as the dice have such faces. A seat that wants its squares
// counted declares the roll instead, before the dice have had an effect.

// hasDeclaredMoves reports whether the table plays this way.
func (h *houseRules) declares() bool { return h.rule(polMovement) == "declared" }

// startMoving begins a move of the active seat and returns its step: stepStart before a roll, or
// stepMove with dice that are not declared, which counts as a roll.
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

func (h *houseRules) mostOfDie() uint8 { return uint8(slices.Max(h.book.deck.Faces)) }

// canDeclareRoll reports whether the active seat may still declare its roll: the dice have had no
// effect.
func (t *turnState) untold() bool { return t.believed && t.step == stepMove && !t.thrown }

// isAtOutset reports whether the active seat may choose how to move, and has not.
func (t *turnState) setting() bool { return t.untold() && !t.moved }

// markDiceThrown notes that the dice were thrown for this move.
func (s *seatedTurn) throw() {
	s.thrown = true
	s.byDice()
}

// chooseDice makes the dice the way of moving, where the way is chosen before the roll.
func (s *seatedTurn) byDice() {
	if s.way == wayNone && s.rule(polRoll) != "always" {
		s.way = wayDice
	}
}

// countFaceDraw counts a card that a marked face has brought, and the points of that die once all
// of its cards are drawn (C8-042, C8-044, CC-030).
func (s *seatedTurn) byFace() {
	if s.faces == 0 { // only in a store that was tampered with
		return
	}
	s.throw()
	s.faces--
	if int(s.faces)%s.book.MarkedFace.Draws == 0 {
		s.points += uint8(s.book.MarkedFace.Points)
		s.points -= min(s.points, s.mostOfDie())
	}
}

// isOptionalCard reports whether a reader takes such a card without waiting for it: only the table
// sees its dice.
func (s *boardState) mayCome(k cardKind) bool {
	return k == kindEvent && s.step == stepMove && !s.owes()
}

// hasBoardReach reports whether the drawn board decides which squares the active pawn reaches.
func (s *boardState) mapped() bool {
	p := s.pawns[s.seats[s.active].who]
	return s.book.board != nil && !s.believed && p.kind == onSquare
}

// canDrawOwed reports whether the active seat may draw for a displacement before this turn
// (C8-091).
func (s *boardState) owes() bool {
	return s.seats[s.active].owed > 0 && !s.exhausted() && (s.step == stepStart || s.setting())
}
