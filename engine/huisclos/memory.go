package huisclos

import (
	"majordome/engine"
)

// addSighting records that seat x saw these clues; x zero: every player did. Face-up clues need no
// sighting.
func (s *state) saw(x engine.Seat, cs set, g engine.Sighting) {
	if cs != 0 {
		g.Cards, g.Round = s.book.engineIDs(cs), int(s.round)
		s.sights = s.sights.Add(x, uint64(cs), g)
	}
}

// placeOf returns the place of the pawn of x.
func (s *seatedRules) here(x engine.Seat) engine.ID { return engine.ID(s.book.placeID[s.seats[x].at]) }

// addPlaceSighting records that x looks through the clues of its place.
func (s *state) sawHere(x engine.Seat) {
	s.saw(x, s.cards.In(loc(s.seats[x].at)), engine.Sighting{How: engine.SawThere, Place: s.here(x)})
}

// addTakenSighting records that a seat and its observers have seen the clue that it took.
func (s *state) sawTaken(e *event) {
	s.saw(e.seat, e.clues(), engine.Sighting{How: engine.SawTakenOwn, Place: s.here(e.seat)})
	s.sawObservers(e.seat, 0, e.clues())
	s.keepReadOf(e)
}

// addPassedSighting records that two seats have seen the clue that passed from one to the other.
func (s *state) sawPassed(e *event, how string) {
	s.saw(e.seat, e.clues(), engine.Sighting{How: how, Other: e.other})
	s.saw(e.other, e.clues(), engine.Sighting{How: how, Other: e.seat})
	s.keepReadOf(e)
}

// addObserverSightings records what the observers of x are shown (HC-114). It leaves out the seat except,
// which has seen more.
func (s *state) sawObservers(x, but engine.Seat, one set) {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.seats[y].watching && y != but {
			s.saw(y, one, engine.Sighting{How: engine.SawTaken, Place: s.here(x), Other: x})
		}
	}
}
