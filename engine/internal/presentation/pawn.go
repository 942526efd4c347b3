package presentation

import "majordome/engine"

// Pawn is whose pawn lies on the reader of a place. Where pawns stand is public, so all hear what is
// wrong; and because nothing else is read there, that never hangs on which card it was instead.
func Pawn(c engine.Command) (who string, fault *engine.Reject) {
	pawn, fault := Words{}.Card(c)
	switch who, ok := engine.WhosePawn(pawn); {
	case fault != nil && fault.Rule == engine.RuleAlarm:
		return "", fault
	case fault != nil:
		return "", noPawn(fault.Rule)
	case !ok:
		return "", noPawn("GEN-E02")
	default:
		return who, nil
	}
}

func noPawn(rule string) *engine.Reject {
	m := engine.Say("gen.pawn.one")
	return &engine.Reject{Code: engine.BadRead, Rule: rule, Why: m, Public: m}
}

// WrongPawn is the refusal of another pawn than that of the seat whose turn it is.
func WrongPawn(rule string, turn engine.Seat) *engine.Reject {
	m := engine.Say("gen.pawn.other", "seat", turn.String())
	return &engine.Reject{Code: engine.NotYou, Rule: rule, Why: m, Public: m}
}

// Declared makes what a seat would be told of its own act a refusal of its pawn: a reason that the
// seat alone may hear stays with it.
func Declared(r *engine.Reject, by engine.Seat) *engine.Reject {
	if r != nil && r.Public.None() && !r.To.Valid() {
		r.To = by
	}
	return r
}
