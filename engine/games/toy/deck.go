package toy

import (
	_ "embed"
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/games"
	"majordome/engine/internal/custody"
	"majordome/engine/ownfile"
)

//go:embed toy.yaml
var defaultYAML []byte

// TableEntry returns the row of this game in a table of games.
func TableEntry() games.Game {
	return games.Game{ID: "toy", Default: defaultYAML, DeckKeys: ownfile.YAMLKeys(Deck{}), Parse: games.AdaptParser(ParseDeck)}
}

// Deck is the box of the toy game, checked.
type Deck struct {
	Game   engine.ID    `yaml:"game"`
	Guests []deck.Named `yaml:"guests"`
	Cards  []deck.Named `yaml:"cards"` // in ascending order of worth
}

// ParseDeck parses and checks a deck.
func ParseDeck(name string, data []byte) (*Deck, error) {
	d := new(Deck)
	c := deck.Parse(name, data, d)
	c.CheckGame(d.Game, "toy")
	c.CheckCount("$.guests", len(d.Guests), maxGuests, "invités", "guests")
	c.CheckCount("$.cards", len(d.Cards), handSize*maxGuests, "cartes", "cards")
	for key, list := range map[string][]deck.Named{"guests": d.Guests, "cards": d.Cards} {
		for i, n := range list {
			c.CheckNamed(fmt.Sprintf("$.%s[%d]", key, i), n)
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return d, nil
}

// ID returns the id of the game.
func (d *Deck) ID() engine.ID { return d.Game }

// DemoCast returns the first two guests.
func (d *Deck) DemoCast() []engine.ID { return []engine.ID{d.Guests[0].ID, d.Guests[1].ID} }

// NewRulebook returns the rulebook with this deck.
func (d *Deck) NewRulebook() (engine.Rulebook, error) { return book{d}, nil }

// EncodeYAML encodes the deck as a file.
func (d *Deck) EncodeYAML() ([]byte, error) { return ownfile.Marshal(d) }

// cardsByWorth returns the ids of the cards; the index is the worth, from 1.
func (d *Deck) cardsByWorth() []string {
	ids := []string{""}
	for _, c := range d.Cards {
		ids = append(ids, string(c.ID))
	}
	return ids
}

// cardNumber returns the number of a card, which is its worth; 0: no such card.
func (d *Deck) cardNumber(id string) custody.Card {
	return custody.Card(max(0, slices.Index(d.cardsByWorth(), id)))
}

func (d *Deck) editableItems() deck.Items {
	all := deck.Items{}
	for _, list := range [][]deck.Named{d.Guests, d.Cards} {
		for i := range list {
			all[list[i].ID] = deck.Item{FR: &list[i].FR, EN: &list[i].EN}
		}
	}
	return all
}

func (d *Deck) clone() *Deck {
	return &Deck{d.Game, slices.Clone(d.Guests), slices.Clone(d.Cards)}
}

// WithLabel returns d with another label for a guest or a card.
func (d *Deck) WithLabel(id engine.ID, label engine.Text) (deck.Deck, *engine.Reject) {
	e := d.clone()
	if r := e.editableItems().RenameItem(id, label); r != nil {
		return nil, r
	}
	return e, nil
}

// MergeEdits returns d with the labels of an older copy.
func (d *Deck) MergeEdits(kept []byte) (deck.Deck, error) {
	old, e := new(Deck), d.clone()
	if err := deck.DecodeSavedDeck(kept, old); err != nil {
		return nil, err
	}
	e.editableItems().MergeLabels(old.editableItems())
	return e, nil
}

// Names returns the labels of the guests and cards.
func (b book) Names() (all engine.Names) {
	for _, n := range b.Guests {
		all = append(all, engine.Name{ID: n.ID, Kind: "character", Text: n.Text()})
	}
	for _, n := range b.Cards {
		all = append(all, engine.Name{ID: n.ID, Kind: "clue", Text: n.Text()})
	}
	return all
}
