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

// Named is one item of the box: its id and its label in both languages.
type Named struct {
	ID engine.ID `yaml:"id"`
	FR string    `yaml:"fr"`
	EN string    `yaml:"en"`
	// Tag is NoTag for a card without a tag, else empty.
	Tag string `yaml:"tag,omitempty"`
}

// Text returns the label in both languages.
func (n Named) Text() engine.Text { return engine.T(n.FR, n.EN) }

// NoTag is the value of "tag" for a card whose tag is missing or dead (GEN-E08).
const NoTag = "none"

// Switch is a house rule: its values and the default.
type Switch struct {
	ID      engine.ID `yaml:"id"`
	FR      string    `yaml:"fr"`
	EN      string    `yaml:"en"`
	Default engine.ID `yaml:"default"`
	Values  []Named   `yaml:"values"`
}

// Deck is the checked box of one game. It never changes; methods that change something return a new
// deck.
type Deck interface {
	// ID returns the id of the game that the box belongs to.
	ID() engine.ID
	// DemoCast returns the characters of a demonstration: at least as many as the game needs.
	DemoCast() []engine.ID
	// NewRulebook returns the rulebook with this deck.
	NewRulebook() (engine.Rulebook, error)
	// EncodeYAML encodes the deck as a file.
	EncodeYAML() ([]byte, error)
	// WithLabel returns the deck with another label for one item. The label must keep the limits of
	// a file.
	WithLabel(id engine.ID, label engine.Text) (Deck, *engine.Reject)
	// MergeEdits returns the deck with the changes that its owner made to an older copy, as
	// EncodeYAML wrote it: the labels and the other editable parts that both copies know. The rest
	// of the older copy is ignored, so that a new version of the program or of the owner's file
	// never stops a table.
	MergeEdits(kept []byte) (Deck, error)
}

// ClueDeck is a deck with clue cards whose effect the owner enters, because the printed texts are
// not in this program.
type ClueDeck interface {
	// ClueParams returns the parameters that the owner chooses for a card, as in an offer: "id",
	// "kind", "who", "what" and "to" (see engine.Effect). A game without clue cards has none.
	ClueParams() []engine.Param
	// WithClueEffect returns the deck with this effect for a card. The effect must pass the checks
	// of a file.
	WithClueEffect(card engine.ID, does engine.Effect) (Deck, *engine.Reject)
}

// WeaponDeck is a deck whose weapons belong to places.
type WeaponDeck interface {
	// WithSwappedWeapon returns the deck with this weapon in this place; the two places swap weapons
	// (HC-A02).
	WithSwappedWeapon(place, weapon engine.ID) (Deck, *engine.Reject)
}
