package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
)

// Custody (GEN-020 to GEN-022). How many clues each hand, each place and the
// urn holds is public and exact. Which ones is recorded as far as a reader, the
// machine's own deal, a public act or a choice among recorded clues says so; the
// rest of a holder's clues is unnamed, and lies somewhere as far as the machine
// knows.
//
// A hand may be recorded in part. A place is recorded wholly or not at all: if
// an unnamed clue came to lie among recorded ones, the next searcher would see
// which of them a seat with readers had left there (HC-068).
//
// What a seat says on its phone about clues that no reader has read is a claim:
// the machine judges that seat by it and moves no record for it, so that nobody
// can find out by claiming what another one holds.

// trust is how an event knows the clue that it moves. The names are stored.
type trust uint8

const (
	exact  trust = iota // recorded: read, laid open, or chosen where all is recorded
	said                // named on the phone
	silent              // one of those that its holder has not named
	blind               // any one of the holder's: its record is lost
	numTrusts
)

var trustNames = [numTrusts]string{"", "said", "unnamed", "blind"}

// unnamed is how many clues of the hand of x are not recorded there.
func (s *recordState) unnamed(x engine.Seat) int {
	return int(s.seats[x].cards) - s.cards.Count(custody.HandOf(x))
}

// known reports that each clue of the hand of x is recorded or claimed (GEN-021).
func (s *recordState) known(x engine.Seat) bool {
	return s.cards.Held(x).Count() == int(s.seats[x].cards)
}

// recorded reports that every clue of p is.
func (s *recordState) recorded(p place) bool { return s.cards.Count(loc(p)) == int(s.rooms[p].cards) }

// inUrn is how many clues of the urn are recorded there.
func (s *recordState) inUrn() (n int) {
	for x := 1; x <= maxSeats; x++ {
		n += s.cards.Count(locUrn + loc(x))
	}
	return n
}

// blur forgets which clues lie at l; their number stays.
func (s *recordState) blur(l loc) { s.cards.Forget(s.cards.In(l), locSomewhere) }

// blurHand forgets what x holds, recorded or claimed.
func (s *recordState) blurHand(x engine.Seat) {
	s.blur(custody.HandOf(x))
	s.cards.SetClaims(x, 0)
}

// surface corrects the record of a clue that everybody sees now and that was recorded
// elsewhere than at from: in the opened urn, where the cards prevail (GEN-001). What a
// reader finds is met by the alarm before it comes here. Whoever claimed to hold it does
// so no longer. The caller puts it where it lies.
func (s *recordState) surface(c card, from loc) {
	switch l := s.cards.At(c); {
	case l == locOut: // thought to be out of the game
		s.adrift++
	case l != from && l <= loc(numPlaces):
		s.blur(l)
	}
	s.cards.Surface(c, from)
}

// fromHand takes one clue out of the hand of x. A clue that is recorded there
// and whose new place is known stays recorded until it is put there.
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
	case s.unnamed(x) <= s.cards.Claimed(x): // it was none of those: the record is wrong
		s.blurHand(x)
	}
	s.seats[x].cards--
}

// intoHand adds a clue to the hand of x.
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

// fromPlace takes one clue from p. An exact one is put elsewhere by the caller.
func (s *recordState) fromPlace(p place, c card, t trust) {
	if t != exact || s.cards.At(c) != loc(p) {
		s.blur(loc(p))
	}
	s.rooms[p].cards--
}

// ontoPlace lays a clue face down on p. aud looks through p at this moment.
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

// layHand lays what x holds face down on p, when x has died.
func (s *recordState) layHand(x engine.Seat, p place) {
	if s.unnamed(x) > 0 || !s.recorded(p) {
		s.blurHand(x)
		s.blur(loc(p))
	}
	s.cards.PutAll(s.cards.In(custody.HandOf(x)), loc(p), box.Nobody)
	s.rooms[p].cards += s.seats[x].cards
	s.seats[x].cards = 0
}

// drop lays a clue of x face up, out of the game.
func (s *recordState) drop(b box.Small[card], x engine.Seat) {
	c, _ := b.Open()
	s.surface(c, custody.HandOf(x))
	s.fromHand(x, c, exact)
	s.cards.Put(c, locGone, box.All)
}
