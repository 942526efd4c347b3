package presentation

import "majordome/engine"

// ParsePresentedPawn returns the character whose pawn is on the reader of a place. Positions of pawns are
// public, so all players learn what is wrong. Such a reader reads nothing else, so the reason never
// depends on which card it was instead.
func ParsePresentedPawn(c engine.Command) (who string, fault *engine.Reject) {
	pawn, fault := FaultKeys{}.ParseSingleCard(c)
	switch who, ok := engine.PawnOwner(pawn); {
	case fault != nil && fault.Rule == engine.RuleAlarm:
		return "", fault
	case fault != nil:
		return "", refuseNotPawn(fault.Rule)
	case !ok:
		return "", refuseNotPawn("GEN-E02")
	default:
		return who, nil
	}
}

func refuseNotPawn(rule string) *engine.Reject {
	m := engine.NewMsg("gen.pawn.one")
	return &engine.Reject{Code: engine.BadRead, Rule: rule, Why: m, Public: m}
}

// RefuseOtherPawn refuses a pawn that is not that of the seat whose turn it is.
func RefuseOtherPawn(rule string, turn engine.Seat) *engine.Reject {
	m := engine.NewMsg("gen.pawn.other", "seat", turn.String())
	return &engine.Reject{Code: engine.NotYou, Rule: rule, Why: m, Public: m}
}

// SendPrivatelyIfSecret addresses a refusal of a pawn to seat by if it has no public sentence: the reason may
// be a secret of that seat.
func SendPrivatelyIfSecret(r *engine.Reject, by engine.Seat) *engine.Reject {
	if r != nil && r.Public.IsEmpty() && !r.To.IsValid() {
		r.To = by
	}
	return r
}
