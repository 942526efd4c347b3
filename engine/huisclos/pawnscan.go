package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/presentation"
)

// decidePawnScan decides a pawn that is put on the reader of a place. The pawn of the investigating player
// moves there, as if the player had declared it. A pawn that was in that place already has only been put
// straight.
func (s *state) decidePawnScan(c engine.Command, to place, dice engine.Dice) ([]*event, *engine.Reject) {
	if s.phase != phaseInvestigation || s.step != stepMove {
		return nil, refusalKeys.RefuseUnexpectedCard()
	}
	id, fault := presentation.ParsePresentedPawn(c)
	who := s.book.characterByID[id]
	switch {
	case fault != nil:
		return nil, fault
	case who == 0:
		return nil, presentation.RefuseOtherPawn("GEN-E02", s.active)
	case s.pawnPlace(who) == to:
		return nil, refusalKeys.RefuseRepeatedCard()
	case who != s.seats[s.active].character:
		return nil, presentation.RefuseOtherPawn("HC-050", s.active)
	}
	evs, r := s.decideCommand(engine.Command{At: c.At, By: engine.SeatViewer(s.active), Act: "move",
		Args: engine.Args{"place": c.Args["reader"]}}, dice)
	return evs, presentation.SendPrivatelyIfSecret(r, s.active)
}

// pawnPlace returns the place of the pawn of a character; zero: nowhere.
func (s *seating) pawnPlace(who character) place {
	for x := range s.seats {
		if s.seats[x].character == who && !s.seats[x].dead {
			return s.seats[x].at
		}
	}
	return 0
}
