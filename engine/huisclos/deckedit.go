package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

var (
	_ deck.Deck       = (*Deck)(nil)
	_ deck.WeaponDeck = (*Deck)(nil)
)

// ID returns the game.
func (d *Deck) ID() engine.ID { return d.Game }

// DemoCast returns the characters of a demonstration.
func (d *Deck) DemoCast() []engine.ID { return d.Players }

// NewRulebook returns the rulebook with this deck.
func (d *Deck) NewRulebook() (engine.Rulebook, error) { return New(d) }

// IsUntagged reports whether this card is marked as having no tag, so that no reader will ever read it.
func (d *Deck) IsUntagged(id engine.ID) bool {
	n, ok := d.namedItems()[id]
	return ok && n.Tag != nil && *n.Tag == deck.NoTag
}

// namedItems returns the places, weapons, characters, clues and other cards of d by id, with pointers to
// their labels and tags.
func (d *Deck) namedItems() deck.Items {
	all := deck.Items{}
	for i := range d.Places {
		p := &d.Places[i]
		all[p.ID] = deck.Item{FR: &p.FR, EN: &p.EN}
		all[p.Weapon.ID] = deck.Item{FR: &p.Weapon.FR, EN: &p.Weapon.EN, Tag: &p.Weapon.Tag}
	}
	for i := range d.Characters {
		c := &d.Characters[i]
		all[c.ID] = deck.Item{FR: &c.FR, EN: &c.EN}
		for j := range c.Clues {
			all[c.Clues[j].ID] = deck.Item{FR: &c.Clues[j].FR, EN: &c.Clues[j].EN, Tag: &c.Clues[j].Tag}
		}
	}
	for i := range d.RoleCards {
		all[d.RoleCards[i].ID] = deck.Item{Tag: &d.RoleCards[i].Tag}
	}
	for i := range d.Accusations {
		all[d.Accusations[i].ID] = deck.Item{Tag: &d.Accusations[i].Tag}
	}
	return all
}

// copyDeck returns a copy of d that can be changed without changing d.
func (d *Deck) copyDeck() *Deck {
	e := *d
	e.Places, e.Characters = slices.Clone(d.Places), slices.Clone(d.Characters)
	e.RoleCards, e.Accusations = slices.Clone(d.RoleCards), slices.Clone(d.Accusations)
	for i := range e.Characters {
		e.Characters[i].Clues = slices.Clone(d.Characters[i].Clues)
	}
	return &e
}

// WithLabel returns d with another label for a place, a weapon, a character or a clue.
func (d *Deck) WithLabel(id engine.ID, label engine.Text) (deck.Deck, *engine.Reject) {
	e := d.copyDeck()
	if r := e.namedItems().RenameItem(id, label); r != nil {
		return nil, r
	}
	return e, nil
}

// WithSwappedWeapon returns d with that weapon in that place. The two places swap weapons, so that each keeps one
// (HC-A02).
func (d *Deck) WithSwappedWeapon(place, weapon engine.ID) (deck.Deck, *engine.Reject) {
	e := d.copyDeck()
	if !e.swapWeapons(place, weapon) {
		return nil, deck.UnknownItemReject()
	}
	return e, nil
}

// swapWeapons puts the weapon in the place, in exchange for that place's own; false: d lacks one of the
// two.
func (d *Deck) swapWeapons(place, weapon engine.ID) (swapped bool) {
	to := slices.IndexFunc(d.Places, func(p Place) bool { return p.ID == place })
	from := slices.IndexFunc(d.Places, func(p Place) bool { return p.Weapon.ID == weapon })
	if to < 0 || from < 0 {
		return false
	}
	d.Places[to].Weapon, d.Places[from].Weapon = d.Places[from].Weapon, d.Places[to].Weapon
	return true
}

// MergeEdits returns d with the labels, pairings and tags of an older copy.
func (d *Deck) MergeEdits(kept []byte) (deck.Deck, error) {
	old := new(Deck)
	if err := deck.DecodeSavedDeck(kept, old); err != nil {
		return nil, err
	}
	e := d.copyDeck()
	for _, p := range old.Places {
		e.swapWeapons(p.ID, p.Weapon.ID)
	}
	items := e.namedItems()
	items.MergeLabels(old.namedItems())
	for id, was := range old.namedItems() {
		if tag := items[id].Tag; tag != nil && was.Tag != nil && *was.Tag == deck.NoTag {
			*tag = deck.NoTag
		}
	}
	return e, nil
}

// EncodeYAML returns the deck as a file that ParseDeck reads.
func (d *Deck) EncodeYAML() ([]byte, error) { return ownfile.Marshal(d) }
