package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
)

// Mistakes of the hand that the table finds later (rules, 4.2): a pawn that was
// put on another place than declared, and a clue shown to an observer that is
// not the one taken.

// correctable reports that a pawn may be corrected: before the urn is opened,
// from when on the recorded positions decide who dies, and between actions.
func (s *state) correctable() bool {
	return s.countable() && s.phase != recovery && s.step != stepSettle && s.step != stepPurge
}

// doPawn corrects where a pawn stands (GEN-009): like an undo the host's alone,
// and announced to all. What was done on the recorded place stands.
func (s *state) doPawn(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
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
func (s *state) vacated(evs []*event, from place) []*event {
	if from != 0 && s.rooms[from].cards == 0 && s.standing(from) == 1 {
		evs = append(evs, &event{kind: evClosed, at: evs[0].at, place: from})
	}
	return evs
}

// pawnOffers are the corrections that the host may declare.
func (s *state) pawnOffers(out []engine.Offer) []engine.Offer {
	if !s.correctable() || s.counting {
		return out
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		var to [numPlaces + 1]bool
		for p := place(1); p <= numPlaces; p++ {
			to[p] = !s.rooms[p].closed && p != s.seats[x].at
		}
		if ids := s.placeList(to); s.living(x) && len(ids) > 0 {
			out = append(out, engine.Offer{Act: "pawn", Rule: "GEN-009", Aside: true, Fixed: engine.Args{"seat": x.String()},
				Params: []engine.Param{{Name: "place", Kind: "place", Domain: ids}}})
		}
	}
	return out
}

// disagree is an observer who was shown another clue than the one its phone
// names (GEN-E10): whoever took it is asked in private to show again. Nobody else
// hears of it, and where no clue was named there is nothing to disagree with.
func (s *state) disagree(c engine.Command) ([]*event, *engine.Reject) {
	x, ok := c.By.Seat()
	switch {
	case !ok || !s.seated(x):
		return nil, refuse(engine.NotYou, "HC-114", "hc.no.seat-only")
	case s.dead(x):
		return nil, refuse(engine.NotYou, "HC-138", "hc.no.dead", "seat", x.String())
	case !s.mayDisagree(x):
		return nil, refuse(engine.NotNow, "HC-114", "hc.no.not-shown-you")
	}
	return []*event{{kind: evDisagreed, at: c.At, seat: x, other: s.shower}}, nil
}

// mayDisagree reports that x observed the last clue taken, which the machine knows,
// and that neither another one was taken since nor the urn opened.
func (s *state) mayDisagree(x engine.Seat) bool {
	return s.living(x) && !s.counting && s.showed>>x&1 != 0 && (s.phase == investigation || s.phase == deposit)
}

// shows notes that x is to show the clue c to its observers.
func (s *state) shows(x engine.Seat, c box.Box[card]) {
	s.shower, s.showed, s.shown = x, 0, c.For(box.Nobody)
	if known, _ := c.Open(); known == 0 {
		return
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.seats[y].watching {
			s.showed |= 1 << y
		}
	}
}

// applyAmend applies the events of this file.
func (s *state) applyAmend(e *event) {
	switch e.kind {
	case evPawn:
		s.seats[e.seat].at = e.place
	case evDisagreed:
		s.showed &^= 1 << e.seat
	}
}

// narrateAmend adds their log lines.
func (s *state) narrateAmend(e *event, x, p string) {
	switch e.kind {
	case evPawn:
		s.tellOf(s.hap(engine.HapMoved, e.seat, e.place), engine.Say("hc.log.pawn", "seat", x, "place", p))
	case evDisagreed:
		c, _ := s.shown.Open()
		s.whisper(e.other, engine.Say("hc.log.show-again", "seat", x, "card", s.book.cardID[c]))
		s.whisper(e.seat, engine.Say("hc.log.show-again.asked", "seat", e.other.String()))
	}
}
