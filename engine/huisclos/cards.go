package huisclos

import "majordome/engine/internal/custody"

// card is a clue: 1 to 7 are the weapons in the order of their places, 8 to 39 the clues of the characters,
// four each. Zero is no clue. This is the deck order.
type card = custody.Card

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

func isWeapon(c card) bool { return c >= 1 && c <= numPlaces }

// deadlyPlace returns the place where a weapon kills; zero for other clues.
func deadlyPlace(c card) place {
	if isWeapon(c) {
		return place(c)
	}
	return 0
}

// characterOf returns the character that a clue accuses; zero for weapons.
func characterOf(c card) character {
	if c <= numPlaces {
		return 0
	}
	return character((c-numPlaces-1)/perCharacter + 1)
}

// set is a set of clues.
type set = custody.Set

// weapons holds all seven, clues all 39.
const (
	weapons set = 1<<(numPlaces+1) - 2
	clues   set = 1<<(numCards+1) - 2
)

// countWeapons returns the number of weapons in a set.
func countWeapons(x set) int { return (x & weapons).Count() }

func (f character) cluesAgainst() set { return 0xf << (numPlaces + 1 + perCharacter*(int(f)-1)) }

// partOrAll returns part, or all if part is empty.
func partOrAll(part, all set) set {
	if part == 0 {
		return all
	}
	return part
}

// loc is the location of a clue.
type loc = custody.Location

// Places are loc 1 to 7. Then comes the urn, with one loc for each seat, and after all others the hands.
const (
	locOut       loc = 0  // not in this game, or not placed yet
	locUrn       loc = 16 // plus the seat that deposited
	locShown     loc = 25 // face up, from the opened urn
	locGone      loc = 26 // publicly out of the game
	locSomewhere loc = 27 // in a hand, on a place or in the urn without a record, or lost
)

// role is the role of a player; zero: unknown or not drawn.
type role uint8

const (
	innocent role = 1
	murderer role = 2
)
