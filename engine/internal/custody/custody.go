package custody

import (
	"bytes"
	"errors"
	"math/bits"

	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// MaxCard is the highest number of a card.
const MaxCard = 63

// Card is the number of a card in a deck, from 1; zero is no card.
type Card uint8

// Set is a set of cards: bit c is card c.
type Set uint64

// NewSet returns the set of these cards.
func NewSet(cs ...Card) (x Set) {
	for _, c := range cs {
		x = x.WithCard(c)
	}
	return x
}

// Contains reports whether a card is in the set.
func (x Set) Contains(c Card) bool { return x>>c&1 != 0 }

// WithCard returns the set with a card added.
func (x Set) WithCard(c Card) Set { return x | 1<<c }

// WithoutCard returns the set with a card removed.
func (x Set) WithoutCard(c Card) Set { return x &^ (1 << c) }

// Count returns the number of cards.
func (x Set) Count() int { return bits.OnesCount64(uint64(x)) }

// First returns the card with the lowest number. The set must not be empty.
func (x Set) First() Card { return Card(bits.TrailingZeros64(uint64(x))) }

// DrawRandom returns a random card of the set, which must not be empty.
func (x Set) DrawRandom(dice engine.Dice) Card {
	for range dice.Intn(x.Count()) {
		x &= x - 1
	}
	return x.First()
}

// Location is a place where a card can be. A game numbers its own locations from zero up to
// HandBase - 1.
type Location uint8

// HandBase is the location before those of the hands, which follow in seat order.
const HandBase Location = 32

// nowhere is the location of card numbers that the deck does not use.
const nowhere = HandBase + engine.MaxSeats + 1

// HandOf returns the location of a seat's hand.
func HandOf(x engine.Seat) Location { return HandBase + Location(x) }

// CardsByLocation holds a set of cards for each location.
type CardsByLocation [nowhere]Set

// Ledger records where each card of a game is and who may know it (GEN-020 to GEN-022), and
// separately the cards that a seat only claims to have. A copy is independent of the original. It
// prints as a mask. Check tests the invariants:
//
//  1. Each card of the deck is at one location, and no other card is.
//  2. The record of a number that is no card is known to no one.
//  3. A claim changes no record and is known only to its seat: a seat may claim a card that is
//     recorded elsewhere, and learns nothing from it.
type Ledger struct {
	hidden.Masked
	claims    *[engine.MaxSeats + 1]Set // never changed in place, see SetClaims
	audiences [MaxCard + 1]hidden.Audience
	locations [MaxCard + 1]byte // a Location
}

// New returns a ledger of so many cards, all at location zero, known to no one.
func New(cards int) Ledger {
	l := Ledger{claims: new([engine.MaxSeats + 1]Set)}
	for c := range l.locations {
		if c == 0 || c > cards {
			l.locations[c] = byte(nowhere)
		}
	}
	return l
}

// RecordCard records that a card is at a location, and the audience that may know it.
func (l *Ledger) RecordCard(c Card, at Location, aud hidden.Audience) {
	l.locations[c], l.audiences[c] = byte(at), aud
}

// RecordCards is RecordCard for several cards.
func (l *Ledger) RecordCards(cs Set, at Location, aud hidden.Audience) {
	for ; cs != 0; cs &= cs - 1 {
		l.RecordCard(cs.First(), at, aud)
	}
}

// RecordHiddenUnlessOpen records those of the cards that are not face up at a new location, known to no one.
func (l *Ledger) RecordHiddenUnlessOpen(cs Set, newLocation Location) {
	for ; cs != 0; cs &= cs - 1 {
		if c := cs.First(); !l.IsLocationPublic(c) {
			l.RecordCard(c, newLocation, hidden.Nobody)
		}
	}
}

// AddAudience adds an audience to those who may know the records of cards.
func (l *Ledger) AddAudience(cs Set, aud hidden.Audience) {
	for ; cs != 0; cs &= cs - 1 {
		c := cs.First()
		l.audiences[c] = l.audiences[c].Union(aud)
	}
}

// LocationOf returns the recorded location of a card, only for deciding.
func (l *Ledger) LocationOf(c Card) Location { return Location(l.locations[c]) }

// AudienceOf returns the audience that may know the location of a card.
func (l *Ledger) AudienceOf(c Card) hidden.Audience { return l.audiences[c] }

// IsLocationPublic reports whether everyone may know the location of a card.
func (l *Ledger) IsLocationPublic(c Card) bool { return l.audiences[c]&hidden.Everyone != 0 }

// CountAt returns the number of cards recorded at a location.
func (l *Ledger) CountAt(at Location) int { return bytes.Count(l.locations[:], []byte{byte(at)}) }

// CardsAt returns the cards recorded at a location.
func (l *Ledger) CardsAt(at Location) (cs Set) {
	for from := 0; ; from++ {
		next := bytes.IndexByte(l.locations[from:], byte(at))
		if next < 0 {
			return cs
		}
		from += next
		cs = cs.WithCard(Card(from))
	}
}

// RecordedOrClaimed returns the cards recorded in the hand of a seat, and those that it claims to
// have.
func (l *Ledger) RecordedOrClaimed(x engine.Seat) Set { return l.CardsAt(HandOf(x)) | l.claims[x] }

// ClaimsOf returns the cards that a seat claims to have.
func (l *Ledger) ClaimsOf(x engine.Seat) Set { return l.claims[x] }

// ClaimCount returns the number of cards that a seat claims to have.
func (l *Ledger) ClaimCount(x engine.Seat) int { return l.claims[x].Count() }

// SetClaims replaces the claims of a seat.
func (l *Ledger) SetClaims(x engine.Seat, cs Set) {
	if cs != l.claims[x] {
		claims := *l.claims
		claims[x] = cs
		l.claims = &claims
	}
}

// AddClaim records that a seat claims to have a card.
func (l *Ledger) AddClaim(x engine.Seat, c Card) { l.SetClaims(x, l.claims[x].WithCard(c)) }

// RemoveClaim removes that claim.
func (l *Ledger) RemoveClaim(x engine.Seat, c Card) { l.SetClaims(x, l.claims[x].WithoutCard(c)) }

// ClaimRecordedHand adds to the claims of a seat the cards that are recorded in its hand and not open, and
// returns them. Games call it when a count has shown that some record is wrong: the seat keeps what
// it knows. The records do not change.
func (l *Ledger) ClaimRecordedHand(x engine.Seat) (cs Set) {
	for mine := l.CardsAt(HandOf(x)); mine != 0; mine &= mine - 1 {
		if c := mine.First(); !l.IsLocationPublic(c) {
			cs = cs.WithCard(c)
		}
	}
	l.SetClaims(x, l.claims[x]|cs)
	return cs
}

// RemoveClaimsExceptFrom removes all claims to a card that everyone sees now, except the claim of the
// seat from whose hand it comes.
func (l *Ledger) RemoveClaimsExceptFrom(c Card, from Location) {
	for x := range engine.Seat(len(l.claims)) {
		if HandOf(x) != from {
			l.RemoveClaim(x, c)
		}
	}
}

// AllByLocation returns all cards by their recorded location, only for deciding.
func (l *Ledger) AllByLocation() (all CardsByLocation) {
	for c, at := range l.locations {
		if Location(at) < nowhere {
			all[at] = all[at].WithCard(Card(c))
		}
	}
	return all
}

// AddCardsVisibleTo adds to all the cards whose location a viewer knows, including those that it claims to
// have, in its hand. It returns the open cards among them.
func (l *Ledger) AddCardsVisibleTo(v engine.Viewer, all *CardsByLocation) (open Set) {
	who := hidden.AudiencesOf(v)
	for c := 1; c <= MaxCard && Location(l.locations[c]) != nowhere; c++ { // up to the last card of the deck
		at := l.locations[c]
		if !l.audiences[c].ContainsAny(who) {
			continue
		}
		all[at] = all[at].WithCard(Card(c))
		if l.IsLocationPublic(Card(c)) {
			open = open.WithCard(Card(c))
		}
	}
	if x, seat := v.Seat(); seat {
		all[HandOf(x)] |= l.claims[x]
	} else if v == engine.Overseer {
		for x, cs := range l.claims {
			all[HandOf(engine.Seat(x))] |= cs
		}
	}
	return open
}

// ClaimsVisibleTo returns the claims of a seat if the viewer may know them, else no cards.
func (l *Ledger) ClaimsVisibleTo(v engine.Viewer, x engine.Seat) Set {
	if y, seat := v.Seat(); seat && x == y || v == engine.Overseer {
		return l.claims[x]
	}
	return 0
}

// Check returns the first broken invariant in a game of so many cards; nil if there is none.
func (l *Ledger) Check(cards int) error {
	for c, at := range l.locations {
		switch inDeck := c > 0 && c <= cards; {
		case inDeck != (Location(at) < nowhere) || Location(at) > nowhere:
			return errors.New("custody: a card is nowhere")
		case !inDeck && l.audiences[c] != hidden.Nobody:
			return errors.New("custody: somebody knows of no card")
		}
	}
	return nil
}
