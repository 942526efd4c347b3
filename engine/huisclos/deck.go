package huisclos

import (
	_ "embed"
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

// Place is a place card with the murder weapon that kills there. Because each weapon is nested in its
// place, the pairing is one to one (rules, 1.4).
type Place struct {
	ID     engine.ID  `yaml:"id"`
	FR     string     `yaml:"fr"`
	EN     string     `yaml:"en"`
	Weapon deck.Named `yaml:"weapon"`
}

// Character is a guest and the clues that accuse this guest.
type Character struct {
	ID    engine.ID    `yaml:"id"`
	FR    string       `yaml:"fr"`
	EN    string       `yaml:"en"`
	Clues []deck.Named `yaml:"clues"`
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

// Deck is the checked content of a box of Huis Clos. It is never changed after ParseDeck.
type Deck struct {
	Game engine.ID `yaml:"game"`
	// Start is the place of all pawns at the beginning (HC-021).
	Start engine.ID `yaml:"start"`
	// StartWeapon is the weapon put there at set-up, wherever it kills (HC-007). If the file does not name
	// one, it is the weapon that kills there.
	StartWeapon engine.ID `yaml:"start-weapon"`
	// ObserveDelay is the time that taking waits for observers, in milliseconds, 0 to 60000 (HC-118).
	ObserveDelay int `yaml:"observe-delay"`
	// Players are the characters of a demonstration; empty: the first ones of the deck.
	Players     []engine.ID   `yaml:"cast,omitempty"`
	Places      []Place       `yaml:"places"`
	Characters  []Character   `yaml:"characters"`
	RoleCards   []RoleCard    `yaml:"role-cards"`
	Accusations []deck.Named  `yaml:"accusation-cards"`
	Switches    []deck.Switch `yaml:"switches"`
}

//go:embed huis-clos.yaml
var defaultYAML []byte

// DefaultDeck returns the built-in deck. Names that the rulebook does not give are placeholders, to be
// replaced in the owner's copy.
func DefaultDeck() *Deck {
	d, err := ParseDeck("huis-clos.yaml", defaultYAML)
	if err != nil {
		panic("huisclos: the embedded default is broken: " + err.Error())
	}
	return d
}

// DefaultYAML returns the text of the default deck, for the owner to copy and edit.
func DefaultYAML() []byte { return append([]byte(nil), defaultYAML...) }

// ParseDeck parses and checks a deck. name is the file name, for messages. The error is an ownfile.Faults
// with all that is wrong.
func ParseDeck(name string, data []byte) (*Deck, error) {
	d := new(Deck)
	c := deckChecker{deck.Parse(name, data, d)}
	c.checkDeck(d)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return d, nil
}

// deckChecker collects everything in a deck that the rules could not play with.
type deckChecker struct{ *deck.Checker }

func (c deckChecker) checkDeck(d *Deck) {
	c.CheckGame(d.Game, gameID)
	if d.ObserveDelay < 0 || d.ObserveDelay > 60_000 {
		c.AddFaultUnlessEmpty("$.observe-delay", engine.T("délai hors limites", "delay out of range"),
			engine.T("de 0 à 60000 millisecondes", "0 to 60000 milliseconds"))
	}
	for _, part := range []func(*Deck){c.checkPlaces, c.checkCharacters, c.checkRoleCards, c.checkAccusationCards} {
		part(d)
	}
	c.CheckHouseRules(d.Switches, switches.ValuesByID())
}

func (c deckChecker) checkPlaces(d *Deck) {
	c.CheckCount("$.places", len(d.Places), 7, "lieux", "places")
	start := false
	for i, p := range d.Places {
		path := fmt.Sprintf("$.places[%d]", i)
		c.CheckNamed(path, deck.Named{ID: p.ID, FR: p.FR, EN: p.EN})
		if p.Weapon == (deck.Named{}) {
			c.AddFaultUnlessEmpty(path+".weapon", engine.T("ce lieu n’a pas d’arme", "this place has no weapon"),
				engine.T("ajoutez « weapon: {id: …, fr: …, en: …} »", "add \"weapon: {id: ..., fr: ..., en: ...}\""))
		} else {
			c.CheckNamed(path+".weapon", p.Weapon)
		}
		if p.ID == d.Start {
			start = true
			if d.StartWeapon == "" {
				d.StartWeapon = p.Weapon.ID
			}
		}
	}
	if len(d.Places) == 0 {
		return
	}
	if !start {
		c.AddFaultUnlessEmpty("$.start", engine.Tf("« %s » n’est pas un lieu", "%q is no place", ownfile.ClipQuote(string(d.Start))),
			engine.T("écrivez l’identifiant du lieu de départ", "write the id of the place where pawns start"))
	}
	if d.StartWeapon != "" && !slices.ContainsFunc(d.Places, func(p Place) bool { return p.Weapon.ID == d.StartWeapon }) {
		c.AddFaultUnlessEmpty("$.start-weapon", engine.Tf("« %s » n’est pas une arme", "%q is no weapon",
			ownfile.ClipQuote(string(d.StartWeapon))),
			engine.T("écrivez l’identifiant de l’arme posée au lieu de départ",
				"write the id of the weapon that is laid on the place of the start"))
	}
}

func (c deckChecker) checkCharacters(d *Deck) {
	c.CheckCount("$.characters", len(d.Characters), 8, "personnages", "characters")
	guests := make([]engine.ID, len(d.Characters))
	for i, p := range d.Characters {
		guests[i] = p.ID
	}
	c.CheckDemoCast("$.cast", d.Players, minSeats, maxSeats, guests)
	if len(d.Players) == 0 {
		d.Players = guests[:min(len(guests), minSeats)]
	}
	for i, p := range d.Characters {
		path := fmt.Sprintf("$.characters[%d]", i)
		c.CheckNamed(path, deck.Named{ID: p.ID, FR: p.FR, EN: p.EN})
		c.CheckCount(path+".clues", len(p.Clues), 4, "indices", "clues")
		for j, clue := range p.Clues {
			c.CheckNamed(fmt.Sprintf("%s.clues[%d]", path, j), clue)
		}
	}
}

func (c deckChecker) checkRoleCards(d *Deck) {
	c.CheckCount("$.role-cards", len(d.RoleCards), 8, "cartes Suspect", "role cards")
	murderers := 0
	for i, r := range d.RoleCards {
		path := fmt.Sprintf("$.role-cards[%d]", i)
		c.CheckNamed(path, deck.Named{ID: r.ID, FR: r.FR, EN: r.EN, Tag: r.Tag})
		switch r.Role {
		case Murderer:
			murderers++
		case Innocent:
		default:
			c.AddFaultUnlessEmpty(path+".role", engine.Tf("rôle inconnu « %s »", "unknown role %q", ownfile.ClipQuote(r.Role)),
				engine.T("murderer ou innocent", "murderer or innocent"))
		}
	}
	if len(d.RoleCards) == 0 {
		return // already reported
	}
	c.CheckCount("$.role-cards", murderers, 1, "cartes Meurtrier", "Murderer cards")
}

func (c deckChecker) checkAccusationCards(d *Deck) {
	c.CheckCount("$.accusation-cards", len(d.Accusations), 8, "cartes Accusation", "Accusation cards")
	for i, a := range d.Accusations {
		c.CheckNamed(fmt.Sprintf("$.accusation-cards[%d]", i), a)
	}
}
