package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
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
	trustExact   trust = iota // recorded: read, shown openly, or chosen where all clues are recorded
	trustSaid                 // named on the phone
	trustUnnamed              // one of the clues that the holder has not named
	trustBlind                // any clue of the holder, whose record is dropped
	numTrusts
)

var trustNames = [numTrusts]string{"", "said", "unnamed", "blind"}

// countUnnamedInHand returns the number of clues in the hand of x that are not recorded there.
func (s *recordState) countUnnamedInHand(x engine.Seat) int {
	return int(s.seats[x].cards) - s.ledger.CountAt(custody.HandOf(x))
}

// isHandKnown reports whether each clue of the hand of x is recorded or claimed (GEN-021).
func (s *recordState) isHandKnown(x engine.Seat) bool {
	return s.ledger.RecordedOrClaimed(x).Count() == int(s.seats[x].cards)
}

// isPlaceRecorded reports whether every clue of p is recorded.
func (s *recordState) isPlaceRecorded(p place) bool {
	return s.ledger.CountAt(loc(p)) == int(s.rooms[p].cards)
}

// countRecordedInUrn returns the number of clues of the urn that are recorded there.
func (s *recordState) countRecordedInUrn() (n int) {
	for x := 1; x <= maxSeats; x++ {
		n += s.ledger.CountAt(locUrn + loc(x))
	}
	return n
}

// forgetCluesAt drops the records of the clues at l; their number stays.
func (s *recordState) forgetCluesAt(l loc) {
	s.ledger.RecordHiddenUnlessOpen(s.ledger.CardsAt(l), locSomewhere)
}

// forgetHand drops the records and claims of the hand of x.
func (s *recordState) forgetHand(x engine.Seat) {
	s.forgetCluesAt(custody.HandOf(x))
	s.ledger.SetClaims(x, 0)
}

// forgetContradictions corrects the record of a clue that all see now and that was recorded elsewhere than at
// from. In the opened urn the cards count more than the record (GEN-001); in other cases the reader has
// raised the alarm before. All other seats lose their claims to the clue. The caller records its new
// location.
func (s *recordState) forgetContradictions(c card, from loc) {
	switch l := s.ledger.LocationOf(c); {
	case l == locOut: // it was recorded as out of the game
		s.unaccounted++
	case l != from && l <= loc(numPlaces):
		s.forgetCluesAt(l)
	}
	s.ledger.RemoveClaimsExceptFrom(c, from)
}

// recordCardLeftHand takes one clue out of the hand of x. A clue that is recorded there and whose new location is
// known stays recorded until the caller puts it there.
func (s *recordState) recordCardLeftHand(x engine.Seat, c card, t trust) {
	switch {
	case t == trustBlind:
		s.forgetHand(x)
	case t == trustUnnamed:
	case s.ledger.LocationOf(c) == custody.HandOf(x):
		if t == trustSaid {
			s.ledger.RecordCard(c, locSomewhere, hidden.Nobody)
		}
	case s.ledger.ClaimsOf(x).Contains(c):
		s.ledger.RemoveClaim(x, c)
	case s.countUnnamedInHand(x) <= s.ledger.ClaimCount(x): // all unnamed clues are claimed and this is none of them: the record is wrong
		s.forgetHand(x)
	}
	s.seats[x].cards--
}

// addToHand adds a clue to the hand of x.
func (s *recordState) addToHand(x engine.Seat, c card, t trust) {
	s.seats[x].cards++
	switch {
	case t == trustExact:
		s.ledger.RemoveClaim(x, c)
		s.ledger.RecordCard(c, custody.HandOf(x), hidden.OnlySeats(x))
	case t == trustSaid && s.ledger.LocationOf(c) != custody.HandOf(x):
		s.ledger.AddClaim(x, c)
	}
}

// takeFromPlace takes one clue from p. With trustExact the caller records its new location.
func (s *recordState) takeFromPlace(p place, c card, t trust) {
	if t != trustExact || s.ledger.LocationOf(c) != loc(p) {
		s.forgetCluesAt(loc(p))
	}
	s.rooms[p].cards--
}

// addToPlace puts a clue face down on p. aud is the audience that looks through p at this moment.
func (s *recordState) addToPlace(p place, c card, t trust, aud hidden.Audience) {
	all := s.isPlaceRecorded(p)
	s.rooms[p].cards++
	switch {
	case all && t == trustExact:
		s.ledger.RecordCard(c, loc(p), aud)
		return
	case t == trustExact:
		s.ledger.RecordCard(c, locSomewhere, hidden.Nobody)
	}
	s.forgetCluesAt(loc(p))
}

// moveHandToPlace puts the hand of x face down on p, after x has died.
func (s *recordState) moveHandToPlace(x engine.Seat, p place) {
	if s.countUnnamedInHand(x) > 0 || !s.isPlaceRecorded(p) {
		s.forgetHand(x)
		s.forgetCluesAt(loc(p))
	}
	s.ledger.RecordCards(s.ledger.CardsAt(custody.HandOf(x)), loc(p), hidden.Nobody)
	s.rooms[p].cards += s.seats[x].cards
	s.seats[x].cards = 0
}

// removeFromHandOpenly puts a clue of x face up, out of the game.
func (s *recordState) removeFromHandOpenly(hiddenClue hidden.SmallValue[card], x engine.Seat) {
	c, _ := hiddenClue.Open()
	s.forgetContradictions(c, custody.HandOf(x))
	s.recordCardLeftHand(x, c, trustExact)
	s.ledger.RecordCard(c, locGone, hidden.Everyone)
}
