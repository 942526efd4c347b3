package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/presentation"
)

// decidePawnScan decides a pawn that is put on the reader of a place. The pawn of the investigating player
// moves there, as if the player had declared it. A pawn that was in that place already has only been put
// straight.
func (s *state) pawnLaid(c engine.Command, to place, dice engine.Dice) ([]*event, *engine.Reject) {
	if s.phase != investigation || s.step != stepMove {
		return nil, words.Ignored()
	}
	id, fault := presentation.Pawn(c)
	who := s.book.characters[id]
	switch {
	case fault != nil:
		return nil, fault
	case who == 0:
		return nil, presentation.WrongPawn("GEN-E02", s.active)
	case s.stands(who) == to:
		return nil, words.Repeats()
	case who != s.seats[s.active].who:
		return nil, presentation.WrongPawn("HC-050", s.active)
	}
	evs, r := s.judge(engine.Command{At: c.At, By: engine.At(s.active), Act: "move",
		Args: engine.Args{"place": c.Args["reader"]}}, dice)
	return evs, presentation.Declared(r, s.active)
}

// pawnPlace returns the place of the pawn of a character; zero: nowhere.
func (s *seating) stands(who character) place {
	for x := range s.seats {
		if s.seats[x].who == who && !s.seats[x].dead {
			return s.seats[x].at
		}
	}
	return 0
}
