package deck

import (
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Limits of a deck file, in bytes.
const (
	MaxFile = ownfile.MaxBytes
	MaxID   = 40
	MaxName = 48
)

// Named is one thing of the box: its id and its label in both languages.
type Named struct {
	ID engine.ID `yaml:"id"`
	FR string    `yaml:"fr"`
	EN string    `yaml:"en"`
	// Tag is NoTag for a card without a tag, else empty.
	Tag string `yaml:"tag,omitempty"`
}

// Text is the label in both languages.
func (n Named) Text() engine.Text { return engine.T(n.FR, n.EN) }

// NoTag is the value of "tag" for a card whose tag is missing or dead (GEN-E08).
const NoTag = "none"

// Switch is a house rule: its values and the one that holds unless changed.
type Switch struct {
	ID      engine.ID `yaml:"id"`
	FR      string    `yaml:"fr"`
	EN      string    `yaml:"en"`
	Default engine.ID `yaml:"default"`
	Values  []Named   `yaml:"values"`
}

// Deck is the box of one game, checked. It is never changed: what changes it makes another one.
type Deck interface {
	// ID is the game that the box is of.
	ID() engine.ID
	// Cast is what the players of a demonstration play: as many as the game needs at least.
	Cast() []engine.ID
	// Book is the rulebook with this deck.
	Book() (engine.Rulebook, error)
	// YAML is the deck as a file.
	YAML() ([]byte, error)
	// Renamed is the deck with another label for one thing. The label keeps the limits of a file.
	Renamed(id engine.ID, label engine.Text) (Deck, *engine.Reject)
	// Overlaid is the deck with the labels and whatever else its owner has changed before, as YAML wrote
	// it: for what both know. What only the older copy has is left out, so that a new version of the
	// program or of the owner's file never stops a table.
	Overlaid(kept []byte) (Deck, error)
}

// Clued is a deck with cards whose effect its owner may say: the real ones are not printed here.
type Clued interface {
	// Clues are what the owner chooses for a card, as an offer asks for it: "id", "kind", "who",
	// "what" and "to", which engine.Effect explains. A game without clue cards has none.
	Clues() []engine.Param
	// Rewritten is the deck in which that card does this. An effect keeps the rules of a file.
	Rewritten(card engine.ID, does engine.Effect) (Deck, *engine.Reject)
}

// Pairer is a deck whose weapons belong to places.
type Pairer interface {
	// Paired is the deck with that weapon in that place; the two places change weapons (HC-A02).
	Paired(place, weapon engine.ID) (Deck, *engine.Reject)
}
