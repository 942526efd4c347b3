package presentation

import "majordome/engine"

// ReadPawn returns the character whose pawn is on the reader of a place. Positions of pawns are
// public, so all players learn what is wrong. Such a reader reads nothing else, so the reason never
// depends on which card it was instead.
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

// RefuseOtherPawn refuses a pawn that is not that of the seat whose turn it is.
func WrongPawn(rule string, turn engine.Seat) *engine.Reject {
	m := engine.Say("gen.pawn.other", "seat", turn.String())
	return &engine.Reject{Code: engine.NotYou, Rule: rule, Why: m, Public: m}
}

// KeepPrivate addresses a refusal of a pawn to seat by if it has no public sentence: the reason may
// be a secret of that seat.
func Declared(r *engine.Reject, by engine.Seat) *engine.Reject {
	if r != nil && r.Public.None() && !r.To.Valid() {
		r.To = by
	}
	return r
}
