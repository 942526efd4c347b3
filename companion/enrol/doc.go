// Package enrol assigns NFC tags to the cards of a deck. It asks for cards, checks the tags placed on a reader, and saves the assignments
// in a TagStore.
//
//	s, err := enrol.Open(tags, opts)         asks for the first card without a tag
//	err = s.AcceptTags(uids)                 tags that a reader has found; State().Last has the outcome
//	err = s.RunHostCommand(enrol.SkipCard)     a command of the host; s.PickCard(card) is another
//	s.ShowUnfitTag(uid)                         a phone or a bank card on a reader
//	l := s.ParseList(text); s.ApplyList(l)   a list of tags from another table
//	s.State()                                what to show
//
// Rules:
//
//  1. A tag belongs to one card. A tag of another card, or of a control card, is a conflict: nothing changes until the host decides.
//  2. A tag that cannot identify one card is refused (Opts.Unfit).
//  3. An outcome of TagAssigned is on disk. After an error of the store nothing has changed.
//  4. In a game (Opts.Playing) tags that already belong to a card are ignored, so that a session reveals no card's place. No tag is taken
//     from a card either, so that the game goes on in the same way whichever card was picked.
//
// What may leak: the card of each tag, to anyone who sees State or ExportList. Show them to the host only.
//
// Limits: at most MaxPerCard tags a card, of which one or two are asked for; MaxUndo steps to undo; a list of MaxList bytes.
package enrol

import (
	"majordome/companion/store"
	"majordome/engine"
)

// Limits; MaxList is in bytes.
const (
	MaxPerCard = 4
	MaxUndo    = 512
	MaxList    = 32 << 10
)

// TagStore stores the card of each tag.
type TagStore interface {
	// Tags returns all tags of a deck.
	Tags(deck engine.ID) ([]store.Tag, error)
	// ChangeTags removes some tags and adds others, all or none. They are on disk when it returns.
	ChangeTags(drop, put []store.DeckTag) error
}

// Opts are the parameters of a Session.
type Opts struct {
	Deck  engine.ID
	Cards engine.Names // in the order in which they are asked for
	// Others are further decks; their tags count as assigned, too.
	Others []engine.ID
	// Need is the number of tags that each card needs, 1 or 2.
	Need int
	// All asks for every card, not only for those that lack a tag.
	All bool
	// Playing means that a game is running: the session asks only for a card that the host picks, and adds one tag to it.
	Playing bool
	// Unfit returns the reason why a tag cannot identify a card; ok is false for a tag that can.
	Unfit func(uid string) (why engine.Text, ok bool)
}

// Outcomes of the last tag or command, in LastResult.Outcome.
const (
	TagAssigned  = "kept"     // the tag is now assigned to the card
	TagUnchanged = "same"     // it was assigned to this card before
	TagConflict  = "conflict" // it belongs to another card
	TagUnfit     = "unfit"    // it cannot identify a card; LastResult.Why has the reason
	SeveralTags  = "several"  // there were several tags at once
	CardFull     = "full"     // the card has MaxPerCard tags
	TagUnknown   = "unknown"  // no card was asked for, and the tag belongs to none
	TagKnown     = "known"    // no card was asked for, and the tag belongs to LastResult.Card
	StepUndone   = "undone"   // the last step was undone
	TagsRemoved  = "dropped"  // all tags of LastResult.Card were removed
	ListApplied  = "listed"   // the list was applied
)

// LastResult is the outcome of the last tag or command.
type LastResult struct {
	Outcome string
	UID     string
	Card    engine.ID
	Deck    engine.ID // the deck of Card
	Why     engine.Text
}

// State is the state of a session, to be shown to the host.
type State struct {
	// Asked is the card to place on a reader now, empty for none; Next is the one after it.
	Asked, Next engine.ID
	Picked      bool     // the host has picked Asked
	Tags        []string // the tags of Asked
	Last        LastResult
	// Conflict is the tag that belongs to another card; its UID is empty if there is none.
	Conflict store.DeckTag
	// Unknown is the last tag of no card that came while no card was asked for.
	Unknown string
	Undo    int // how many steps can be undone
	// Cards are the cards of the session, each with its number of tags.
	Cards []CardTags
}

// CardTags is the number of tags of a card.
type CardTags struct {
	Card engine.ID
	Tags int
}

// Commands of the host, for RunHostCommand.
const (
	SkipCard     = "skip"   // ask for the next card
	PreviousCard = "back"   // ask for the card before
	ResumeOrder  = "order"  // ask for the first card that lacks a tag
	MoveTag      = "move"   // assign the tag in conflict to the card that is asked for
	LeaveTag     = "leave"  // leave the tag in conflict with its card
	ForgetTags   = "forget" // remove all tags of the card that is asked for
	AssignTag    = "give"   // assign the last unknown tag to the card that is asked for
	UndoStep     = "undo"   // undo the last step
)
