package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
)

// Custody (GEN-020 to GEN-022). The number of clues in each hand, on each place and in the urn is public
// and exact. The clues themselves are recorded if a reader, the machine's own deal, a public act or a
// choice among recorded clues shows them. The other clues of a holder are unnamed: the machine knows only
// that they are somewhere.
//
// A hand may be recorded in part. A place is recorded wholly or not at all: if an unnamed clue came among
// recorded ones, the next searcher would see which of them a seat with readers had left there (HC-068).
//
// What a seat declares on its phone about clues that no reader has read is a claim. The machine decides
// that seat's acts by it but changes no record, so that no seat can find out by claims what another one
// holds.

// trust says how an event knows the clue that it moves. Its names are stored.
type trust uint8

const (
	exact  trust = iota // recorded: read, shown openly, or chosen where all clues are recorded
	said                // named on the phone
	silent              // one of the clues that the holder has not named
	blind               // any clue of the holder, whose record is dropped
	numTrusts
)

var trustNames = [numTrusts]string{"", "said", "unnamed", "blind"}

// countUnnamed returns the number of clues in the hand of x that are not recorded there.
func (s *recordState) unnamed(x engine.Seat) int {
	return int(s.seats[x].cards) - s.cards.Count(custody.HandOf(x))
}

// isHandKnown reports whether each clue of the hand of x is recorded or claimed (GEN-021).
func (s *recordState) known(x engine.Seat) bool {
	return s.cards.Held(x).Count() == int(s.seats[x].cards)
}

// isPlaceRecorded reports whether every clue of p is recorded.
func (s *recordState) recorded(p place) bool { return s.cards.Count(loc(p)) == int(s.rooms[p].cards) }

// countRecordedUrn returns the number of clues of the urn that are recorded there.
func (s *recordState) inUrn() (n int) {
	for x := 1; x <= maxSeats; x++ {
		n += s.cards.Count(locUrn + loc(x))
	}
	return n
}

// forgetLocation drops the records of the clues at l; their number stays.
func (s *recordState) blur(l loc) { s.cards.Forget(s.cards.In(l), locSomewhere) }

// forgetHand drops the records and claims of the hand of x.
func (s *recordState) blurHand(x engine.Seat) {
	s.blur(custody.HandOf(x))
	s.cards.SetClaims(x, 0)
}

// correctRecord corrects the record of a clue that all see now and that was recorded elsewhere than at
// from. In the opened urn the cards count more than the record (GEN-001); in other cases the reader has
// raised the alarm before. All other seats lose their claims to the clue. The caller records its new
// location.
func (s *recordState) surface(c card, from loc) {
	switch l := s.cards.At(c); {
	case l == locOut: // it was recorded as out of the game
		s.adrift++
	case l != from && l <= loc(numPlaces):
		s.blur(l)
	}
	s.cards.Surface(c, from)
}

// takeFromHand takes one clue out of the hand of x. A clue that is recorded there and whose new location is
// known stays recorded until the caller puts it there.
func (s *recordState) fromHand(x engine.Seat, c card, t trust) {
	switch {
	case t == blind:
		s.blurHand(x)
	case t == silent:
	case s.cards.At(c) == custody.HandOf(x):
		if t == said {
			s.cards.Put(c, locSomewhere, box.Nobody)
		}
	case s.cards.Claims(x).Has(c):
		s.cards.Unclaim(x, c)
	case s.unnamed(x) <= s.cards.Claimed(x): // all unnamed clues are claimed and this is none of them: the record is wrong
		s.blurHand(x)
	}
	s.seats[x].cards--
}

// addToHand adds a clue to the hand of x.
func (s *recordState) intoHand(x engine.Seat, c card, t trust) {
	s.seats[x].cards++
	switch {
	case t == exact:
		s.cards.Unclaim(x, c)
		s.cards.Put(c, custody.HandOf(x), box.Only(x))
	case t == said && s.cards.At(c) != custody.HandOf(x):
		s.cards.Claim(x, c)
	}
}

// takeFromPlace takes one clue from p. With trustExact the caller records its new location.
func (s *recordState) fromPlace(p place, c card, t trust) {
	if t != exact || s.cards.At(c) != loc(p) {
		s.blur(loc(p))
	}
	s.rooms[p].cards--
}

// addToPlace puts a clue face down on p. aud is the audience that looks through p at this moment.
func (s *recordState) ontoPlace(p place, c card, t trust, aud box.Audience) {
	all := s.recorded(p)
	s.rooms[p].cards++
	switch {
	case all && t == exact:
		s.cards.Put(c, loc(p), aud)
		return
	case t == exact:
		s.cards.Put(c, locSomewhere, box.Nobody)
	}
	s.blur(loc(p))
}

// moveHandToPlace puts the hand of x face down on p, after x has died.
func (s *recordState) layHand(x engine.Seat, p place) {
	if s.unnamed(x) > 0 || !s.recorded(p) {
		s.blurHand(x)
		s.blur(loc(p))
	}
	s.cards.PutAll(s.cards.In(custody.HandOf(x)), loc(p), box.Nobody)
	s.rooms[p].cards += s.seats[x].cards
	s.seats[x].cards = 0
}

// removeFromGame puts a clue of x face up, out of the game.
func (s *recordState) drop(b box.Small[card], x engine.Seat) {
	c, _ := b.Open()
	s.surface(c, custody.HandOf(x))
	s.fromHand(x, c, exact)
	s.cards.Put(c, locGone, box.All)
}
