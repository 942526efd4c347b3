package wire

import "majordome/engine"

// MaxLabel is the longest name of a thing of the deck, in bytes (deck.MaxName).
const MaxLabel = 48

// Naming lists the changes that the owner can make to the deck of the current game.
type Naming struct {
	IDs   []engine.ID    `json:"ids"`             // what can be called otherwise, in the order of the deck
	Lobby bool           `json:"lobby,omitempty"` // no game is on: all can be changed, not names alone
	Clues []engine.Param `json:"clues,omitempty"` // what is chosen then for a clue card
	Own   bool           `json:"own,omitempty"`   // something was changed
}
