// Package enrol teaches a table which tag is which card. It asks for cards, judges the tags that are laid, and makes the
// changes that a shelf keeps.
//
//		s, err := enrol.Open(shelf, opts)   it asks for the first card that lacks a tag
//		err = s.Lay(uids)                   tags that have come to a reader; State().Last says what became of them
//		err = s.Do(enrol.Skip), s.Pick(c)   what a person says
//		s.Refuse(uid)                       a phone or a bank card has come to a reader
//		r := s.Read(text); err = s.Take(r)  a list of tags from another table
//		s.State()                           what to show
//
//	 1. A tag belongs to one card. One that is another card's, or a control card, is a conflict: nothing is changed before somebody says so.
//	 2. A tag that cannot name one card and no other is refused (Opts.Unfit).
//	 3. What State calls kept is on disk. An error of the shelf changes nothing.
//	 4. In a game (Opts.Playing) a tag that is any card is not looked at, so that a session tells nobody where a card lies; and no
//	    tag is taken away, so that the game goes on alike whichever card was named.
//
// What may leak: which tag is which card, to whoever is shown State or Export: the host alone.
//
// Limits: MaxPerCard tags a card, one or two asked for, MaxUndo steps to undo, a list of MaxList bytes.
package enrol

import (
	"majordome/companion/store"
	"majordome/engine"
)

// Limits.
const (
	MaxPerCard = 4
	MaxUndo    = 512
	MaxList    = 32 << 10
)

// Shelf is where tags are kept.
type Shelf interface {
	// Tags are all tags of a deck.
	Tags(deck engine.ID) ([]store.Tag, error)
	// ChangeTags takes some away and puts others there, all or nothing. They are on disk when it returns.
	ChangeTags(drop, put []store.TagOf) error
}

// Opts are what a session asks for.
type Opts struct {
	Deck  engine.ID
	Cards engine.Names // in the order in which they are asked for
	// Others are the decks whose tags are no free ones either.
	Others []engine.ID
	// Need is how many tags each card is to have, 1 or 2.
	Need int
	// All asks for every card, and not for those alone that lack a tag.
	All bool
	// Playing is in a game: one card after another is picked, and gets one more tag.
	Playing bool
	// Unfit says why a tag cannot name a card; ok is false for one that can.
	Unfit func(uid string) (why engine.Text, ok bool)
}

// What became of the last thing that was done.
const (
	Kept     = "kept"     // the tag is that card's now
	Same     = "same"     // it was before
	Conflict = "conflict" // it is another card's
	Unfit    = "unfit"    // Last.Why
	Several  = "several"  // more than one at a time
	Full     = "full"     // the card has MaxPerCard
	Unknown  = "unknown"  // of no card, and none is asked for
	Known    = "known"    // of that card, and none is asked for
	Undone   = "undone"
	Dropped  = "dropped" // the tags of that card are forgotten
	Listed   = "listed"  // the list was taken
)

// Last is what became of the last thing that was done.
type Last struct {
	What string
	UID  string
	Card engine.ID
	Deck engine.ID // of the card
	Why  engine.Text
}

// State is what a session shows.
type State struct {
	// Asked is the card that is to be laid; empty: none is. Next is the one after it.
	Asked, Next engine.ID
	Picked      bool     // somebody has picked it
	Tags        []string // of the card that is asked for
	Last        Last
	// Conflict is the tag that is another card's; empty UID: there is none.
	Conflict store.TagOf
	// Unknown is the last tag of no card that was laid while none was asked for.
	Unknown string
	Undo    int // steps
	// Cards are those of the session with how many tags each has.
	Cards []Count
}

// Count is how many tags a card has.
type Count struct {
	Card engine.ID
	Tags int
}

// What a person says, for Do.
const (
	Skip   = "skip"
	Back   = "back"
	Order  = "order"  // on with the first card that lacks a tag
	Move   = "move"   // the tag in conflict is the card's that is asked for
	Leave  = "leave"  // it stays the other's
	Forget = "forget" // the tags of the card that is asked for
	Give   = "give"   // the last unknown tag is the card's that is asked for
	Undo   = "undo"
)
