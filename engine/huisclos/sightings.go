package huisclos

import (
	"majordome/engine"
)

// addSighting records that seat x saw these clues; x zero: every player did. Face-up clues need no
// sighting.
func (s *state) addSighting(x engine.Seat, cs set, g engine.Sighting) {
	if cs != 0 {
		g.Cards, g.Round = s.book.listEngineIDs(cs), int(s.round)
		s.sightings = s.sightings.Add(x, uint64(cs), g)
	}
}

// placeOf returns the place of the pawn of x.
func (s *seatedRules) placeOf(x engine.Seat) engine.ID {
	return engine.ID(s.book.placeID[s.seats[x].at])
}

// addPlaceSighting records that x looks through the clues of its place.
func (s *state) addPlaceSighting(x engine.Seat) {
	s.addSighting(x, s.ledger.CardsAt(loc(s.seats[x].at)), engine.Sighting{How: engine.SawThere, Place: s.placeOf(x)})
}

// addTakenSighting records that a seat and its observers have seen the clue that it took.
func (s *state) addTakenSighting(e *event) {
	s.addSighting(e.seat, e.clueSet(), engine.Sighting{How: engine.SawTakenOwn, Place: s.placeOf(e.seat)})
	s.addObserverSightings(e.seat, 0, e.clueSet())
	s.rememberLastReadFrom(e)
}

// addPassedSighting records that two seats have seen the clue that passed from one to the other.
func (s *state) addPassedSighting(e *event, how string) {
	s.addSighting(e.seat, e.clueSet(), engine.Sighting{How: how, Other: e.other})
	s.addSighting(e.other, e.clueSet(), engine.Sighting{How: how, Other: e.seat})
	s.rememberLastReadFrom(e)
}

// addObserverSightings records what the observers of x are shown (HC-114). It leaves out the seat except,
// which has seen more.
func (s *state) addObserverSightings(x, except engine.Seat, one set) {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.seats[y].observing && y != except {
			s.addSighting(y, one, engine.Sighting{How: engine.SawTaken, Place: s.placeOf(x), Other: x})
		}
	}
}
