package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/story"
)

// saw notes that seat x saw these clues; x zero: everybody did. Clues that lie
// face up need no note.
func (s *state) saw(x engine.Seat, cs set, g story.Sight) {
	if cs != 0 {
		g.Cards, g.Round = uint64(cs), int(s.round)
		s.sights = s.sights.Add(x, g)
	}
}

// remember notes who saw what by an event; s is the state after it.
func (s *state) remember(e *event) {
	x, y := e.seat, e.other
	at := s.seats[x].at
	here := engine.ID(s.book.placeID[at])
	var one set
	if c, ok := e.card.Open(); ok {
		one = one.with(c)
	}
	switch e.kind {
	case evPile, evSearched:
		s.saw(x, s.at(loc(at)), story.Sight{How: engine.SawThere, Place: here})
	case evKept, evTook:
		s.saw(x, one, story.Sight{How: engine.SawTakenOwn, Place: here})
		s.sawObservers(x, 0, one)
	case evLeft:
		s.saw(x, one, story.Sight{How: engine.SawLeft, Place: here})
	case evDeposited:
		s.saw(x, one, story.Sight{How: engine.SawUrn})
	case evDrew, evGave:
		how := engine.SawDrawn
		if e.kind == evGave {
			how = engine.SawGiven
		} else {
			s.sawObservers(x, y, one)
		}
		s.saw(x, one, story.Sight{How: how, Other: y})
		s.saw(y, one, story.Sight{How: how, Other: x})
	case evRecovered:
		s.saw(0, one, story.Sight{How: engine.SawShown, Other: x})
	case evRest:
		s.saw(0, one, story.Sight{How: engine.SawThere, Place: engine.ID(s.book.placeID[e.place])})
	}
}

// sawObservers notes what the observers of x are shown (HC-114); but has seen
// it better.
func (s *state) sawObservers(x, but engine.Seat, one set) {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.seats[y].watching && y != but {
			s.saw(y, one, story.Sight{How: engine.SawTaken, Place: engine.ID(s.book.placeID[s.seats[x].at]), Other: x})
		}
	}
}
