package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/presentation"
)

// decidePawnScan decides a pawn that is placed on the reader of an area. The pawn of the active
// seat moves there, as if the seat declared it: through a passage if one leads there, because no
// one would walk then, else by its dice. A pawn that is already there was only moved on the reader;
// any other one is refused.
func (s *state) decidePawnScan(c engine.Command, to area, dice engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepStart && s.step != stepMove {
		return nil, refusalKeys.RefuseUnexpectedCard()
	}
	id, fault := presentation.ParsePresentedPawn(c)
	who := s.book.cardByID[id]
	switch {
	case fault != nil:
		return nil, fault
	case s.book.kindOf(who) != kindSuspect:
		return nil, presentation.RefuseOtherPawn("GEN-E02", s.active)
	case s.pawns[who].area == to:
		return nil, refusalKeys.RefuseRepeatedCard()
	case uint8(who) != s.seats[s.active].suspect:
		return nil, presentation.RefuseOtherPawn(s.book.Rules.Next, s.active)
	}
	act := "move"
	if s.canChooseWay() && s.passageAreas().hasArea(to) {
		act = "passage"
	}
	evs, r := s.decideCommand(
		engine.Command{At: c.At, By: engine.SeatViewer(s.active), Act: act, Args: engine.Args{"to": c.Args["reader"]}},
		dice,
	)
	return evs, presentation.SendPrivatelyIfSecret(r, s.active)
}
