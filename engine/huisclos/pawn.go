package huisclos

import "majordome/engine"

// A pawn that was put on another place than declared (rules, 4.2).

// correctable reports that a pawn may be corrected: before the urn is opened,
// from when on the recorded positions decide who dies, and between actions.
func (s *boardState) correctable() bool {
	return s.phase == deposit || s.step == stepMove || s.step == stepAct
}

// doPawn corrects where a pawn stands (GEN-009): like an undo the host's alone,
// and announced to all. What was done on the recorded place stands.
func (s *boardState) doPawn(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.takenSeat(c)
	if r != nil {
		return nil, r
	}
	to, ok := s.book.places[c.Args["place"]]
	switch {
	case !s.correctable():
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
	return s.vacated([]*event{{kind: evPawn, at: c.At, seat: x, place: to}}, s.seats[x].at), nil
}

// vacated adds to events by which a pawn leaves a place that this closes it
// (HC-056).
func (s *boardState) vacated(evs []*event, from place) []*event {
	if from != 0 && s.rooms[from].cards == 0 && s.standing(from) == 1 {
		evs = append(evs, &event{kind: evClosed, at: evs[0].at, place: from})
	}
	return evs
}

// ofSeat are the arguments that name one seat: of all games, so that nobody writes to them.
var ofSeat = func() (all [maxSeats + 1]engine.Args) {
	for x := range all {
		all[x] = engine.Args{"seat": engine.Seat(x).String()}
	}
	return all
}()

// pawnOffers are the corrections that the host may declare.
func (s *public) pawnOffers(out []engine.Offer) []engine.Offer {
	if !s.correctable() || s.count.Counting {
		return out
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.living(x) {
			continue
		}
		var to [numPlaces + 1]bool
		for p := place(1); p <= numPlaces; p++ {
			to[p] = !s.rooms[p].closed && p != s.seats[x].at
		}
		if ids := s.placeList(to); len(ids) > 0 {
			out = append(out, engine.Offer{Act: "pawn", Rule: "GEN-009", Aside: true, Fixed: ofSeat[x],
				Params: []engine.Param{{Name: "place", Kind: "place", Domain: ids}}})
		}
	}
	return out
}
