package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
)

// how a seat saw a clue; zero: it did not.
type how uint8

const (
	sawThere how = iota + 1
	sawTaken
	sawDrawn
	sawGiven
	sawLeft
	sawUrn
	sawShown
	sawTakenOwn
)

var howNames = [...]string{"", engine.SawThere, engine.SawTaken, engine.SawDrawn, engine.SawGiven,
	engine.SawLeft, engine.SawUrn, engine.SawShown, engine.SawTakenOwn}

// glimpse is the last time that a seat saw one clue. moment is a rising number;
// clues seen together have the same. Zero: never seen.
type glimpse struct {
	moment uint32
	how    how
	place  place
	other  engine.Seat
	round  uint8
}

// memory is what one audience saw last of each clue. It is never changed: a new
// sighting is a new memory.
type memory [numCards + 1]glimpse

// saw notes that seat x saw these clues; x zero: everybody did. Clues that lie
// face up need no note.
func (s *state) saw(x engine.Seat, cs set, g glimpse) {
	if cs == 0 {
		return
	}
	m, _ := s.seen[x].Open()
	s.moment++
	g.moment, g.round = s.moment, s.round
	for ; cs != 0; cs &= cs - 1 {
		m[cs.first()] = g
	}
	aud := box.All
	if x != 0 {
		aud = box.Only(x)
	}
	s.seen[x] = box.Seal(m, aud)
}

// remember notes who saw what by an event; s is the state after it.
func (s *state) remember(e *event) {
	x, y := e.seat, e.other
	at := s.seats[x].at
	var one set
	if c, ok := e.card.Open(); ok {
		one = one.with(c)
	}
	switch e.kind {
	case evPile, evSearched:
		s.saw(x, s.at(loc(at)), glimpse{how: sawThere, place: at})
	case evKept, evTook:
		s.saw(x, one, glimpse{how: sawTakenOwn, place: at})
		s.sawObservers(x, 0, one)
	case evLeft:
		s.saw(x, one, glimpse{how: sawLeft, place: at})
	case evDeposited:
		s.saw(x, one, glimpse{how: sawUrn})
	case evDrew, evGave:
		h := sawDrawn
		if e.kind == evGave {
			h = sawGiven
		} else {
			s.sawObservers(x, y, one)
		}
		s.saw(x, one, glimpse{how: h, other: y})
		s.saw(y, one, glimpse{how: h, other: x})
	case evRecovered:
		s.saw(0, one, glimpse{how: sawShown, other: x})
	case evRest:
		s.saw(0, one, glimpse{how: sawThere, place: e.place})
	}
}

// sawObservers notes what the observers of x are shown (HC-114); but has seen
// it better.
func (s *state) sawObservers(x, but engine.Seat, one set) {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.seats[y].watching && y != but {
			s.saw(y, one, glimpse{how: sawTaken, place: s.seats[x].at, other: x})
		}
	}
}
