package cluedo

import (
	"math/bits"

	"majordome/engine"
)

// card is a card of the deck, from 1 in deck order: suspects, weapons, rooms,
// then event cards. Zero is no card. A deck has at most 63.
type card uint8

// set is a set of cards.
type set uint64

func (x set) has(c card) bool { return x>>c&1 != 0 }
func (x set) with(c card) set { return x | 1<<c }
func (x set) less(c card) set { return x &^ (1 << c) }
func (x set) count() int      { return bits.OnesCount64(uint64(x)) }
func (x set) first() card     { return card(bits.TrailingZeros64(uint64(x))) }

// byChance is one of them.
func (x set) byChance(dice engine.Dice) card {
	for range dice.Intn(x.count()) {
		x &= x - 1
	}
	return x.first()
}

// setOf are a suspect, a weapon and a room.
func setOf(what [3]card) set { return set(0).with(what[0]).with(what[1]).with(what[2]) }

// span is the set of the cards from a to b.
func span(a, b card) set { return 1<<(b+1) - 1<<a }

// loc is where a card is.
type loc uint8

const (
	locUnknown  loc = iota // somewhere in the game
	locEnvelope            // the solution
	locPile                // an event card that no record places elsewhere
	locTrack               // a Time card on the track
	locGone                // out of the game
	locLies                // + area: face down on the board

	locHand = locLies + maxAreas + 1 // + seat
	numLocs = locHand + maxSeats + 1
)
