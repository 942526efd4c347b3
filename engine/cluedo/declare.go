package cluedo

import "slices"

// Where moves are declared, the dice are thrown on the table and their points are not declared: a
// turn begins with the move, and the seat says in which room its pawn is, or that it is outside. It
// is believed, except where the rules forbid the move with any dice. Cards that a marked face
// brings are drawn, at most as many as the dice have such faces. A seat that wants its squares
// counted declares the roll instead, before the dice have had an effect.

// hasDeclaredMoves reports whether the table plays this way.
func (h *houseRules) hasDeclaredMoves() bool { return h.policyValue(polMovement) == "declared" }

// startMoving begins a move of the active seat and returns its step: stepStart before a roll, or
// stepMove with dice that are not declared, which counts as a roll.
func (s *seatedTurn) startMoving() step {
	s.diceUnknown, s.diceThrown = s.hasDeclaredMoves() && s.canMove(), false
	if !s.diceUnknown {
		return stepStart
	}
	s.pointsUnknown = true
	s.points, s.faceDraws = 2*s.maxDiePoints(), 2*uint8(s.book.MarkedFace.Draws)
	if !s.book.hasEventCards() || s.policyValue(polClues) == "off" {
		s.faceDraws = 0
	}
	if s.movesLeft > 0 {
		s.movesLeft--
	}
	return stepMove
}

func (h *houseRules) maxDiePoints() uint8 { return uint8(slices.Max(h.book.deck.Faces)) }

// canDeclareRoll reports whether the active seat may still declare its roll: the dice have had no
// effect.
func (t *turnState) canDeclareRoll() bool {
	return t.diceUnknown && t.step == stepMove && !t.diceThrown
}

// canStillChooseHowToMove reports whether the active seat may choose how to move, and has not.
func (t *turnState) canStillChooseHowToMove() bool { return t.canDeclareRoll() && !t.moved }

// markDiceThrown notes that the dice were thrown for this move.
func (s *seatedTurn) markDiceThrown() {
	s.diceThrown = true
	s.setWayToDice()
}

// setWayToDice makes the dice the way of moving, where the way is chosen before the roll.
func (s *seatedTurn) setWayToDice() {
	if s.way == wayNone && s.policyValue(polAlwaysRoll) != "always" {
		s.way = wayDice
	}
}

// countMarkedFaceDraw counts a card that a marked face has brought, and the points of that die once all
// of its cards are drawn (C8-042, C8-044, CC-030).
func (s *seatedTurn) countMarkedFaceDraw() {
	if s.faceDraws == 0 { // only in a store that was tampered with
		return
	}
	s.markDiceThrown()
	s.faceDraws--
	if int(s.faceDraws)%s.book.MarkedFace.Draws == 0 {
		s.points += uint8(s.book.MarkedFace.Points)
		s.points -= min(s.points, s.maxDiePoints())
	}
}

// acceptsCardUnasked reports whether a reader takes such a card without waiting for it: only the table
// sees its dice.
func (s *boardState) acceptsCardUnasked(k cardKind) bool {
	return k == kindEvent && s.step == stepMove && !s.canDrawOwedCard()
}

// hasBoardReach reports whether the drawn board decides which squares the active pawn reaches.
func (s *boardState) hasBoardReach() bool {
	p := s.pawns[s.seats[s.active].suspect]
	return s.book.board != nil && !s.diceUnknown && p.kind == onSquare
}

// canDrawOwedCard reports whether the active seat may draw for a displacement before this turn
// (C8-091).
func (s *boardState) canDrawOwedCard() bool {
	return s.seats[s.active].owedDraws > 0 && !s.isPileEmpty() && (s.step == stepStart || s.canStillChooseHowToMove())
}
