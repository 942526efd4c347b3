package cluedo

import (
	"maps"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

var (
	_ deck.Deck     = (*Deck)(nil)
	_ deck.ClueDeck = (*Deck)(nil)
)

// ID returns the id of the edition.
func (d *Deck) ID() engine.ID { return d.Game }

// DemoCast returns the suspects of a demonstration.
func (d *Deck) DemoCast() []engine.ID { return d.Players }

// NewRulebook returns the rulebook with this deck.
func (d *Deck) NewRulebook() (engine.Rulebook, error) {
	b, err := New(d)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// namedItems returns the things of d whose names its owner may change.
func (d *Deck) namedItems() deck.Items {
	all := deck.Items{}
	if d.Pool.ID != "" {
		all[d.Pool.ID] = deck.Item{FR: &d.Pool.FR, EN: &d.Pool.EN}
	}
	for i := range d.Places {
		all[d.Places[i].ID] = deck.Item{FR: &d.Places[i].FR, EN: &d.Places[i].EN}
	}
	for i := range d.Suspects {
		all[d.Suspects[i].ID] = deck.Item{FR: &d.Suspects[i].FR, EN: &d.Suspects[i].EN}
	}
	for i := range d.Weapons {
		all[d.Weapons[i].ID] = deck.Item{FR: &d.Weapons[i].FR, EN: &d.Weapons[i].EN}
	}
	for i := range d.Rooms {
		all[d.Rooms[i].ID] = deck.Item{FR: &d.Rooms[i].FR, EN: &d.Rooms[i].EN}
	}
	for i := range d.Events {
		all[d.Events[i].ID] = deck.Item{FR: &d.Events[i].FR, EN: &d.Events[i].EN}
	}
	return all
}

// copyDeck returns a deck whose names can be changed without changing d.
func (d *Deck) copyDeck() *Deck {
	e := *d
	e.Suspects, e.Weapons = slices.Clone(d.Suspects), slices.Clone(d.Weapons)
	e.Rooms, e.Places, e.Events = slices.Clone(d.Rooms), slices.Clone(d.Places), slices.Clone(d.Events)
	e.namingRules = maps.Clone(d.namingRules)
	return &e
}

// WithLabel returns d with another name for a suspect, a weapon, a room, the pool or an Intrigue
// card.
func (d *Deck) WithLabel(id engine.ID, label engine.Text) (deck.Deck, *engine.Reject) {
	e := d.copyDeck()
	if it, has := e.namedItems()[id]; has && (*it.FR != label.FR || *it.EN != label.EN) {
		delete(e.namingRules, id) // a pasted list of names has those by house rules, too
	}
	if r := e.namedItems().RenameItem(id, label); r != nil {
		return nil, r
	}
	return e, nil
}

func (e *EventCard) clueEffect() engine.Effect {
	return engine.Effect{Kind: e.Kind, Who: e.Who, What: e.What, To: e.To}
}

// ClueParams returns the clue cards, and the words for what they do, with the kinds that the edition has
// a rule for.
func (d *Deck) ClueParams() []engine.Param {
	if len(d.Events) == 0 || d.edition.hasHeldCards() {
		return nil
	}
	ids, kinds := make([]string, len(d.Events)), []string(nil)
	for i, e := range d.Events {
		ids[i] = string(e.ID)
	}
	for _, k := range clueActions {
		if _, has := d.edition.Events[k.kind]; has {
			kinds = append(kinds, k.kind)
		}
	}
	return []engine.Param{{Name: "id", Kind: "card", Domain: ids}, {Name: "kind", Kind: "value", Domain: kinds},
		{Name: "who", Kind: "value", Domain: clueWhoWords},
		{Name: "what", Kind: "value", Domain: append(d.clueTargetWords(whoHolds), ofChoice)},
		{Name: "to", Kind: "value", Domain: clueToWords}}
}

// WithClueEffect returns d with another effect of a clue card.
func (d *Deck) WithClueEffect(id engine.ID, does engine.Effect) (deck.Deck, *engine.Reject) {
	i := slices.IndexFunc(d.Events, func(e EventCard) bool { return e.ID == id })
	may := d.ClueParams()
	if i < 0 || may == nil {
		return nil, deck.UnknownItemReject()
	}
	e := d.copyDeck()
	card := &e.Events[i]
	card.Kind, card.Who, card.What, card.To = does.Kind, does.Who, does.What, does.To
	faults := e.clueFaults(card)
	if !slices.Contains(may[1].Domain, does.Kind) {
		faults = []clueFault{{key: "kind"}}
	}
	if len(faults) > 0 {
		return nil, &engine.Reject{Code: engine.Forbidden, Rule: "GEN-010",
			Why: engine.NewMsg("table.deck.clue."+faults[0].key, "card", string(id))}
	}
	return e, nil
}

// MergeEdits returns d with the names, and the effects of clue cards, of an older copy.
func (d *Deck) MergeEdits(text []byte) (deck.Deck, error) {
	old := new(Deck)
	if err := deck.DecodeSavedDeck(text, old); err != nil {
		return nil, err
	}
	e, kept := d.copyDeck(), old.namedItems()
	base := e.namedItems()
	for id := range d.namingRules {
		// An older program wrote the name by the house rule into the file: the same name here is
		// not the owner's.
		if it, has := kept[id]; !has || *it.FR+*it.EN == "" || *it.FR == *base[id].FR && *it.EN == *base[id].EN {
			delete(kept, id)
		} else {
			delete(e.namingRules, id)
		}
	}
	e.namedItems().MergeLabels(kept)
	for _, card := range old.Events {
		if with, r := e.WithClueEffect(card.ID, card.clueEffect()); r == nil { // if it is refused, the card keeps its effect
			e = with.(*Deck)
		}
	}
	return e, nil
}

// EncodeYAML returns the deck as a file that ParseDeck reads. It leaves out the names that house rules
// give.
func (d *Deck) EncodeYAML() ([]byte, error) {
	e := d.copyDeck()
	items := e.namedItems()
	for id := range e.namingRules {
		*items[id].FR, *items[id].EN = "", ""
	}
	return ownfile.Marshal(e)
}
