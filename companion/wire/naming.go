package wire

import "majordome/engine"

// MaxLabel is the longest name of an item of the deck, in bytes (deck.MaxName).
const MaxLabel = 48

// Naming lists the changes that the owner can make to the deck of the current game.
type Naming struct {
	IDs   []engine.ID    `json:"ids"`             // ids that can be renamed, in deck order
	Lobby bool           `json:"lobby,omitempty"` // no game is running: everything can be changed, not only names
	Clues []engine.Param `json:"clues,omitempty"` // the parameters to choose for a clue card
	Own   bool           `json:"own,omitempty"`   // the owner has changed something
}
