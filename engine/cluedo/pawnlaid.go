package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/presentation"
)

// decidePawnScan decides a pawn that is placed on the reader of an area. The pawn of the active
// seat moves there, as if the seat declared it: through a passage if one leads there, because no
// one would walk then, else by its dice. A pawn that is already there was only moved on the reader;
// any other one is refused.
func (s *state) pawnLaid(c engine.Command, to area, dice engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepStart && s.step != stepMove {
		return nil, words.Ignored()
	}
	id, fault := presentation.Pawn(c)
	who := s.book.cards[id]
	switch {
	case fault != nil:
		return nil, fault
	case s.book.kind(who) != kindSuspect:
		return nil, presentation.WrongPawn("GEN-E02", s.active)
	case s.pawns[who].area == to:
		return nil, words.Repeats()
	case uint8(who) != s.seats[s.active].who:
		return nil, presentation.WrongPawn(s.book.Rules.Next, s.active)
	}
	act := "move"
	if s.fresh() && s.passages().has(to) {
		act = "passage"
	}
	evs, r := s.judge(engine.Command{At: c.At, By: engine.At(s.active), Act: act, Args: engine.Args{"to": c.Args["reader"]}},
		dice)
	return evs, presentation.Declared(r, s.active)
}
