package house

import (
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
)

// Deck is the deck of one game: HuisClos and Cluedo make one.
type Deck interface {
	// Book is the rulebook of this deck.
	Book() (engine.Rulebook, error)
	// YAML is the deck as a file.
	YAML() ([]byte, error)

	id() engine.ID
	renamed(engine.ID, engine.Text) (Deck, *engine.Reject)
	paired(place, weapon engine.ID) (Deck, *engine.Reject)
	overlaid(kept []byte) (Deck, error)
}

// HuisClos is a deck of Huis Clos.
func HuisClos(d *deck.Deck) Deck { return huisClos{d} }

// Cluedo is a deck of a Cluedo.
func Cluedo(d *deck.Cluedo) Deck { return cluedoDeck{d} }

// Decks are the built-in decks of all games.
func Decks() []Deck { return []Deck{HuisClos(deck.HuisClos()), Cluedo(deck.Cluedo2008())} }

// ReadDeck reads a deck file of any game; the file says which.
func ReadDeck(name string, text []byte) (Deck, error) {
	if deck.IsCluedo(text) {
		d, err := deck.ParseCluedo(name, text)
		if err != nil {
			return nil, err
		}
		return Cluedo(d), nil
	}
	d, err := deck.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return HuisClos(d), nil
}

// With are the built-in decks with d in the place of its own game's, and before
// the others.
func With(d Deck) []Deck {
	all := []Deck{d}
	for _, o := range Decks() {
		if o.id() != d.id() {
			all = append(all, o)
		}
	}
	return all
}

type huisClos struct{ deck *deck.Deck }

func (h huisClos) id() engine.ID                  { return h.deck.Game }
func (h huisClos) Book() (engine.Rulebook, error) { return huisclos.New(h.deck) }
func (h huisClos) YAML() ([]byte, error)          { return h.deck.YAML() }

func (h huisClos) renamed(id engine.ID, label engine.Text) (Deck, *engine.Reject) {
	d, r := h.deck.Renamed(id, label)
	return huisClos{d}, r
}

func (h huisClos) paired(place, weapon engine.ID) (Deck, *engine.Reject) {
	d, r := h.deck.Paired(place, weapon)
	return huisClos{d}, r
}

func (h huisClos) overlaid(kept []byte) (Deck, error) {
	d, err := h.deck.Overlaid(kept)
	return huisClos{d}, err
}

type cluedoDeck struct{ deck *deck.Cluedo }

func (c cluedoDeck) id() engine.ID                  { return c.deck.Game }
func (c cluedoDeck) Book() (engine.Rulebook, error) { return cluedo.New(c.deck) }
func (c cluedoDeck) YAML() ([]byte, error)          { return c.deck.YAML() }

func (c cluedoDeck) renamed(id engine.ID, label engine.Text) (Deck, *engine.Reject) {
	d, r := c.deck.Renamed(id, label)
	return cluedoDeck{d}, r
}

// paired has nothing to change: no weapon of a Cluedo belongs to a room.
func (c cluedoDeck) paired(_, _ engine.ID) (Deck, *engine.Reject) {
	return nil, &engine.Reject{Code: engine.Unknown, Rule: "GEN-010", Why: engine.Say("table.deck.unknown")}
}

func (c cluedoDeck) overlaid(kept []byte) (Deck, error) {
	d, err := c.deck.Overlaid(kept)
	return cluedoDeck{d}, err
}
