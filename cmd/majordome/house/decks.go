package house

import (
	"strings"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/ownfile"
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

// deckReaders are what reads the deck of each game.
var deckReaders = []struct {
	game engine.ID
	read func(name string, text []byte) (Deck, error)
}{
	{"huis-clos", func(name string, text []byte) (Deck, error) {
		d, err := deck.Parse(name, text)
		return huisClos{d}, err
	}},
	{"cluedo-2008", func(name string, text []byte) (Deck, error) {
		d, err := deck.ParseCluedo(name, text)
		return cluedoDeck{d}, err
	}},
}

// Games are the games whose decks are known, the first one that of a new table.
func Games() []string {
	names := make([]string, len(deckReaders))
	for i, r := range deckReaders {
		names[i] = string(r.game)
	}
	return names
}

// ReadDeck reads a deck file of any game; the file says which. Its error is
// ownfile.Faults, all that is wrong.
func ReadDeck(name string, text []byte) (Deck, error) {
	f := ownfile.Parse(name, text)
	game, named := f.Key("game")
	for _, r := range deckReaders {
		if string(r.game) == game {
			d, err := r.read(name, text)
			if err != nil {
				return nil, err // not d, which holds no deck
			}
			return d, nil
		}
	}
	known := ownfile.Bothf("un de : %s", "one of: %s", strings.Join(Games(), ", "))
	if named {
		f.Note("$.game", ownfile.Bothf("jeu inconnu « %s »", "unknown game %q", ownfile.Quote(game)), known)
	} else {
		f.Note("$", ownfile.Both("« game » manque : de quel jeu est-ce ?", "\"game\" is missing: which game is it of?"), known)
	}
	return nil, f.Err()
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
