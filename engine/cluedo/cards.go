package cluedo

import "majordome/engine/internal/custody"

// card is the number of a card in deck order, from 1: suspects, weapons, rooms, then event cards.
// Zero is no card. A deck has at most 63.
type card = custody.Card

// set is a set of cards.
type set = custody.Set

// setOf returns the set of a suspect, a weapon and a room.
func setOf(what [3]card) set { return custody.NewSet(what[:]...) }

// cardRange returns the set of the cards from a to b.
func cardRange(a, b card) set { return 1<<(b+1) - 1<<a }

// loc is the place of a card: a hand (custody.HandOf), or one of these.
type loc = custody.Location

const (
	locUnknown  loc = iota // unknown: somewhere in the game
	locEnvelope            // the solution
	locPile                // an event card without another record
	locTrack               // a Time card on the track
	locGone                // out of the game
	locBoard               // + area: face down on the board
)
