package cluedo

import "majordome/engine/internal/custody"

// card is a card of the deck, from 1 in deck order: suspects, weapons, rooms,
// then event cards. Zero is no card. A deck has at most 63.
type card = custody.Card

// set is a set of cards.
type set = custody.Set

// setOf are a suspect, a weapon and a room.
func setOf(what [3]card) set { return custody.Of(what[:]...) }

// span is the set of the cards from a to b.
func span(a, b card) set { return 1<<(b+1) - 1<<a }

// loc is where a card is: in a hand (custody.HandOf), or
type loc = custody.Loc

const (
	locUnknown  loc = iota // somewhere in the game
	locEnvelope            // the solution
	locPile                // an event card that no record places elsewhere
	locTrack               // a Time card on the track
	locGone                // out of the game
	locLies                // + area: face down on the board
)
