package huisclos

import "majordome/engine"

// A pawn that was put on another place than declared (rules, 4.2).

// canCorrectPawn reports whether the place of a pawn may be corrected: between actions, and before the urn
// is opened, because then the recorded places decide the deaths.
func (s *boardState) canCorrectPawn() bool {
	return s.phase == phaseDeposit || s.step == stepMove || s.step == stepAct
}

// decideCorrectPawn corrects the place of a pawn (GEN-009). Like an undo it belongs to the host, and it is
// announced to all. What was done in the recorded place stays valid.
func (s *boardState) decideCorrectPawn(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.parseTakenSeat(c)
	if r != nil {
		return nil, r
	}
	to, ok := s.book.placeByID[c.Args["place"]]
	switch {
	case !s.canCorrectPawn():
		return nil, refuse(engine.NotNow, "GEN-009", "hc.no.pawn-later")
	case !ok:
		return nil, refuse(engine.Unknown, "GEN-009", "hc.no.no-place")
	case s.seats[x].dead:
		return nil, refuse(engine.Forbidden, "HC-138", "hc.no.dead", "seat", x.String())
	case s.rooms[to].closed:
		return nil, refuse(engine.Forbidden, "HC-057", "hc.no.closed", "place", c.Args["place"])
	case s.seats[x].at == to:
		return nil, refuse(engine.Forbidden, "GEN-009", "hc.no.same")
	}
	return s.withClosing([]*event{{kind: evPawn, at: c.At, seat: x, place: to}}, s.seats[x].at), nil
}

// withClosing adds the closing of the place that a pawn leaves by these events, if that makes it empty
// (HC-056).
func (s *boardState) withClosing(evs []*event, from place) []*event {
	if from != 0 && s.rooms[from].cards == 0 && s.countPawns(from) == 1 {
		evs = append(evs, &event{kind: evClosed, at: evs[0].at, place: from})
	}
	return evs
}

// seatArgs has arguments that name each seat. All games share them, so they must not be changed.
var seatArgs = func() (all [maxSeats + 1]engine.Args) {
	for x := range all {
		all[x] = engine.Args{"seat": engine.Seat(x).String()}
	}
	return all
}()

// offerPawnCorrections adds the corrections of pawns that the host may declare.
func (s *public) offerPawnCorrections(out []engine.Offer) []engine.Offer {
	if !s.canCorrectPawn() || s.count.Counting {
		return out
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.isLiving(x) {
			continue
		}
		ids := s.placeIDsWhere(func(p place) bool { return !s.rooms[p].closed && p != s.seats[x].at })
		if len(ids) > 0 {
			out = append(out, engine.Offer{Act: "pawn", Rule: "GEN-009", Aside: true, Fixed: seatArgs[x],
				Params: []engine.Param{{Name: "place", Kind: "place", Domain: ids}}})
		}
	}
	return out
}
