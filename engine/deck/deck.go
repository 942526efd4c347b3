package deck

import (
	_ "embed"

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
func (n Named) Text() engine.Text { return engine.Text{FR: n.FR, EN: n.EN} }

// Place is a place card and the murder weapon that kills there. That each
// weapon stands inside its place makes the pairing one to one (rules, 1.4).
type Place struct {
	ID     engine.ID `yaml:"id"`
	FR     string    `yaml:"fr"`
	EN     string    `yaml:"en"`
	Weapon Named     `yaml:"weapon"`
}

// Character is a guest and the clues that accuse this guest.
type Character struct {
	ID    engine.ID `yaml:"id"`
	FR    string    `yaml:"fr"`
	EN    string    `yaml:"en"`
	Clues []Named   `yaml:"clues"`
}

// Roles of a RoleCard.
const (
	Murderer = "murderer"
	Innocent = "innocent"
)

// RoleCard is a card of the role pile.
type RoleCard struct {
	ID   engine.ID `yaml:"id"`
	FR   string    `yaml:"fr"`
	EN   string    `yaml:"en"`
	Role string    `yaml:"role"` // Murderer or Innocent
	Tag  string    `yaml:"tag,omitempty"`
}

// Switch is a house rule: its values and the one that holds unless changed.
type Switch struct {
	ID      engine.ID `yaml:"id"`
	FR      string    `yaml:"fr"`
	EN      string    `yaml:"en"`
	Default engine.ID `yaml:"default"`
	Values  []Named   `yaml:"values"`
}

// Deck is one box, checked. It is never changed after Parse.
type Deck struct {
	Game engine.ID `yaml:"game"`
	// Start is the place where the pawns stand at first (HC-021).
	Start engine.ID `yaml:"start"`
	// StartWeapon is the weapon laid there at set-up, wherever it kills (HC-007).
	// A file that does not name it means the one that kills there.
	StartWeapon engine.ID `yaml:"start-weapon"`
	// ObserveDelay is how long the taking waits for observers, in
	// milliseconds, 0 to 60000 (HC-118).
	ObserveDelay int         `yaml:"observe-delay"`
	Places       []Place     `yaml:"places"`
	Characters   []Character `yaml:"characters"`
	RoleCards    []RoleCard  `yaml:"role-cards"`
	Accusations  []Named     `yaml:"accusation-cards"`
	Switches     []Switch    `yaml:"switches"`
}

//go:embed huis-clos.yaml
var huisClos []byte

// HuisClos is the default deck of Huis Clos. Names that the rulebook does not
// give are placeholders, to be replaced in the owner's copy.
func HuisClos() *Deck {
	d, err := Parse("huis-clos.yaml", huisClos)
	if err != nil {
		panic("deck: the embedded default is broken: " + err.Error())
	}
	return d
}

// HuisClosYAML is the text of the default deck, for the owner to copy and edit.
func HuisClosYAML() []byte { return append([]byte(nil), huisClos...) }
