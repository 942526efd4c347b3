package huisclos

import "math/bits"

// card is a clue: 1 to 7 the weapons in the order of their places, 8 to 39 the
// clues of the characters, four each. Zero is no clue. This is the deck order.
type card uint8

// place is 1 to 7 in deck order; zero is nowhere.
type place uint8

// character is 1 to 8 in deck order; zero is none.
type character uint8

// Counts of the box (rules, 1.1).
const (
	numPlaces     = 7
	numCharacters = 8
	numCards      = 39
	perCharacter  = 4
	maxSeats      = 8
	minSeats      = 4
	handLimit     = 3 // HC-040
	maxDestroy    = 3 // HC-073
	perPlace      = 5 // HC-009
	atStart       = 9 // HC-007
)

func (c card) weapon() bool { return c >= 1 && c <= numPlaces }

// kills is the place where a weapon kills; zero for other clues.
func (c card) kills() place {
	if c.weapon() {
		return place(c)
	}
	return 0
}

// of is the character whom a clue accuses; zero for weapons.
func (c card) of() character {
	if c <= numPlaces {
		return 0
	}
	return character((c-numPlaces-1)/perCharacter + 1)
}

// set is a set of clues.
type set uint64

// weapons are all seven; clues are all 39.
const (
	weapons set = 1<<(numPlaces+1) - 2
	clues   set = 1<<(numCards+1) - 2
)

func (x set) has(c card) bool  { return x>>c&1 != 0 }
func (x set) with(c card) set  { return x | 1<<c }
func (x set) less(c card) set  { return x &^ (1 << c) }
func (x set) count() int       { return bits.OnesCount64(uint64(x)) }
func (x set) first() card      { return card(bits.TrailingZeros64(uint64(x))) }
func (x set) weapons() int     { return (x & weapons).count() }
func (f character) clues() set { return 0xf << (numPlaces + 1 + perCharacter*(int(f)-1)) }

// or is x, or alt if x is empty.
func (x set) or(alt set) set {
	if x == 0 {
		return alt
	}
	return x
}

// loc is where a clue is.
type loc uint8

// Places are loc 1 to 7; then come hands and the urn, one per seat.
const (
	locOut       loc = 0  // not in this game, or not laid yet
	locHand      loc = 8  // + seat
	locUrn       loc = 16 // + the seat that deposited
	locShown     loc = 25 // face up, from the opened urn
	locGone      loc = 26 // publicly out of the game
	locSomewhere loc = 27 // in a hand, on a place or in the urn without a record, or lost
	numLocs          = 28
)

// role of a player; zero is not known or not drawn.
type role uint8

const (
	innocent role = 1
	murderer role = 2
)
