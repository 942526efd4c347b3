package custody

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"

	"majordome/engine"
	"majordome/engine/internal/box"
)

// MaxCard is the highest number of a card.
const MaxCard = 63

// Card is a card of a deck, by its number from 1; zero is none.
type Card uint8

// Set is a set of cards.
type Set uint64

// Of is the set of these cards.
func Of(cs ...Card) (x Set) {
	for _, c := range cs {
		x = x.With(c)
	}
	return x
}

// Has reports that a card is in the set.
func (x Set) Has(c Card) bool { return x>>c&1 != 0 }

// With is the set and a card.
func (x Set) With(c Card) Set { return x | 1<<c }

// Less is the set without a card.
func (x Set) Less(c Card) Set { return x &^ (1 << c) }

// Count is how many cards there are.
func (x Set) Count() int { return bits.OnesCount64(uint64(x)) }

// First is the card of the lowest number.
func (x Set) First() Card { return Card(bits.TrailingZeros64(uint64(x))) }

// Draw draws a card by chance.
func (x Set) Draw(dice engine.Dice) Card {
	for range dice.Intn(x.Count()) {
		x &= x - 1
	}
	return x.First()
}

// Loc is where a card lies. A game numbers its own locations from zero up to Hand.
type Loc uint8

// Hand is the location before the hands of the seats, which come in their order.
const Hand Loc = 32

// nowhere is where a card is that a deck does not have.
const nowhere = Hand + engine.MaxSeats + 1

// HandOf is the hand of a seat.
func HandOf(x engine.Seat) Loc { return Hand + Loc(x) }

// Map are cards by where they lie.
type Map [nowhere]Set

// Ledger records where each card of a game lies and who may know it (GEN-020 to GEN-022), and apart from
// that which cards a seat only says that it holds. A copy of it is a ledger of its own. It prints as a mask.
// Check tests the invariants:
//
//  1. Each card of the deck lies at one location, and no other card does.
//  2. A record of no card is known to nobody.
//  3. What a seat says moves no record, and is known to that seat alone: it may claim a card that is recorded
//     elsewhere, and learns nothing by it.
type Ledger struct {
	claims *[engine.MaxSeats + 1]Set // never changed, see SetClaims
	known  [MaxCard + 1]box.Audience
	at     [MaxCard + 1]byte // a Loc
}

// New is a ledger of so many cards, which all lie at location zero, known to nobody.
func New(cards int) Ledger {
	l := Ledger{claims: new([engine.MaxSeats + 1]Set)}
	for c := range l.at {
		if c == 0 || c > cards {
			l.at[c] = byte(nowhere)
		}
	}
	return l
}

// Put records that a card lies at a location, for the audience that may know it.
func (l *Ledger) Put(c Card, at Loc, aud box.Audience) { l.at[c], l.known[c] = byte(at), aud }

// PutAll is Put for several cards.
func (l *Ledger) PutAll(cs Set, at Loc, aud box.Audience) {
	for ; cs != 0; cs &= cs - 1 {
		l.Put(cs.First(), at, aud)
	}
}

// Forget puts cards at a location, known to nobody, but for those that everybody sees where they lie.
func (l *Ledger) Forget(cs Set, at Loc) {
	for ; cs != 0; cs &= cs - 1 {
		if c := cs.First(); !l.IsOpen(c) {
			l.Put(c, at, box.Nobody)
		}
	}
}

// Show lets an audience know the records of cards, besides those who do.
func (l *Ledger) Show(cs Set, aud box.Audience) {
	for ; cs != 0; cs &= cs - 1 {
		c := cs.First()
		l.known[c] = l.known[c].With(aud)
	}
}

// At is where a card lies, for judging.
func (l *Ledger) At(c Card) Loc { return Loc(l.at[c]) }

// Known is who may know it.
func (l *Ledger) Known(c Card) box.Audience { return l.known[c] }

// IsOpen reports that everybody may know it.
func (l *Ledger) IsOpen(c Card) bool { return l.known[c]&box.All != 0 }

// Count is how many cards lie at a location.
func (l *Ledger) Count(at Loc) int { return bytes.Count(l.at[:], []byte{byte(at)}) }

// In are the cards that lie at a location.
func (l *Ledger) In(at Loc) (cs Set) {
	for from := 0; ; from++ {
		next := bytes.IndexByte(l.at[from:], byte(at))
		if next < 0 {
			return cs
		}
		from += next
		cs = cs.With(Card(from))
	}
}

// Held are the cards that are recorded in the hand of a seat, or that it says it holds.
func (l *Ledger) Held(x engine.Seat) Set { return l.In(HandOf(x)) | l.claims[x] }

// Claims are the cards that a seat says it holds.
func (l *Ledger) Claims(x engine.Seat) Set { return l.claims[x] }

// Claimed is how many they are.
func (l *Ledger) Claimed(x engine.Seat) int { return l.claims[x].Count() }

// SetClaims makes these the cards that a seat says it holds.
func (l *Ledger) SetClaims(x engine.Seat, cs Set) {
	if cs != l.claims[x] {
		claims := *l.claims
		claims[x] = cs
		l.claims = &claims
	}
}

// Claim takes the word of a seat that it holds a card.
func (l *Ledger) Claim(x engine.Seat, c Card) { l.SetClaims(x, l.claims[x].With(c)) }

// Unclaim takes that word back.
func (l *Ledger) Unclaim(x engine.Seat, c Card) { l.SetClaims(x, l.claims[x].Less(c)) }

// Doubt makes claims of what is recorded in a hand and does not lie open, and returns it: a count has found the
// record wrong somewhere, and the seat keeps what it knows. The record itself stays.
func (l *Ledger) Doubt(x engine.Seat) (cs Set) {
	for mine := l.In(HandOf(x)); mine != 0; mine &= mine - 1 {
		if c := mine.First(); !l.IsOpen(c) {
			cs = cs.With(c)
		}
	}
	l.SetClaims(x, l.claims[x]|cs)
	return cs
}

// Surface ends the claims to a card that everybody sees now, but that of the seat whose hand it comes from.
func (l *Ledger) Surface(c Card, from Loc) {
	for x := range engine.Seat(len(l.claims)) {
		if HandOf(x) != from {
			l.Unclaim(x, c)
		}
	}
}

// Truth are all cards by where they lie, for judging.
func (l *Ledger) Truth() (all Map) {
	for c, at := range l.at {
		if Loc(at) < nowhere {
			all[at] = all[at].With(Card(c))
		}
	}
	return all
}

// Seen adds to all the cards that a viewer knows of, by where they lie, those that it says it holds among its
// hand. It returns those that everybody knows of.
func (l *Ledger) Seen(v engine.Viewer, all *Map) (open Set) {
	who := box.Of(v)
	for c := 1; c <= MaxCard && Loc(l.at[c]) != nowhere; c++ { // those of the deck
		at := l.at[c]
		if !l.known[c].Meets(who) {
			continue
		}
		all[at] = all[at].With(Card(c))
		if l.IsOpen(Card(c)) {
			open = open.With(Card(c))
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

// ClaimsTo are the claims of a seat, if the viewer may know them.
func (l *Ledger) ClaimsTo(v engine.Viewer, x engine.Seat) Set {
	if y, seat := v.Seat(); seat && x == y || v == engine.Overseer {
		return l.claims[x]
	}
	return 0
}

// Check tells whether an invariant does not hold in a game of so many cards; nil when all do.
func (l *Ledger) Check(cards int) error {
	for c, at := range l.at {
		switch inDeck := c > 0 && c <= cards; {
		case inDeck != (Loc(at) < nowhere) || Loc(at) > nowhere:
			return errors.New("custody: a card is nowhere")
		case !inDeck && l.known[c] != box.Nobody:
			return errors.New("custody: somebody knows of no card")
		}
	}
	return nil
}

// Format prints the mask for every verb.
func (l Ledger) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(box.Mask)) }

// MarshalJSON gives the mask.
func (l Ledger) MarshalJSON() ([]byte, error) { return []byte(`"` + box.Mask + `"`), nil }
