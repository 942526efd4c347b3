package deck

import (
	"slices"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// NoTag is the value of "tag" for a card whose tag is missing or dead (GEN-E08).
const NoTag = "none"

// Untagged reports that no reader will ever see this card.
func (d *Deck) Untagged(id engine.ID) bool {
	n, ok := d.items()[id]
	return ok && n.tag != nil && *n.tag == NoTag
}

// item is what can be changed about one id of a deck; the labels are nil where
// the rulebook gives them.
type item struct{ fr, en, tag *string }

// items are the places, weapons, characters, clues and other cards of d.
func (d *Deck) items() map[engine.ID]item {
	all := map[engine.ID]item{}
	for i := range d.Places {
		p := &d.Places[i]
		all[p.ID] = item{&p.FR, &p.EN, nil}
		all[p.Weapon.ID] = item{&p.Weapon.FR, &p.Weapon.EN, &p.Weapon.Tag}
	}
	for i := range d.Characters {
		c := &d.Characters[i]
		all[c.ID] = item{&c.FR, &c.EN, nil}
		for j := range c.Clues {
			all[c.Clues[j].ID] = item{&c.Clues[j].FR, &c.Clues[j].EN, &c.Clues[j].Tag}
		}
	}
	for i := range d.RoleCards {
		all[d.RoleCards[i].ID] = item{tag: &d.RoleCards[i].Tag}
	}
	for i := range d.Accusations {
		all[d.Accusations[i].ID] = item{tag: &d.Accusations[i].Tag}
	}
	return all
}

// copied is a deck that can be changed without changing d.
func (d *Deck) copied() *Deck {
	e := *d
	e.Places, e.Characters = slices.Clone(d.Places), slices.Clone(d.Characters)
	e.RoleCards, e.Accusations = slices.Clone(d.RoleCards), slices.Clone(d.Accusations)
	for i := range e.Characters {
		e.Characters[i].Clues = slices.Clone(d.Characters[i].Clues)
	}
	return &e
}

// Renamed is d with another label for a place, a weapon, a character or a clue.
// The label keeps the limits of Parse.
func (d *Deck) Renamed(id engine.ID, label engine.Text) (*Deck, *engine.Reject) {
	e := d.copied()
	it, ok := e.items()[id]
	if !ok || it.fr == nil {
		return nil, no(engine.Unknown, engine.Say("table.deck.unknown"))
	}
	for _, l := range []struct{ lang, text string }{{"fr", label.FR}, {"en", label.EN}} {
		if fault := labelFault(l.text); fault != "" {
			return nil, no(engine.Forbidden, engine.Say("table.deck."+fault, "id", string(id), "lang", l.lang))
		}
	}
	*it.fr, *it.en = label.FR, label.EN
	return e, nil
}

func no(code engine.Code, why engine.Msg) *engine.Reject {
	return &engine.Reject{Code: code, Rule: "GEN-010", Why: why}
}

// Paired is d with that weapon in that place; the two places change weapons, so
// that each keeps one (HC-A02).
func (d *Deck) Paired(place, weapon engine.ID) (*Deck, *engine.Reject) {
	e := d.copied()
	to := slices.IndexFunc(e.Places, func(p Place) bool { return p.ID == place })
	from := slices.IndexFunc(e.Places, func(p Place) bool { return p.Weapon.ID == weapon })
	if to < 0 || from < 0 {
		return nil, no(engine.Unknown, engine.Say("table.deck.unknown"))
	}
	e.Places[to].Weapon, e.Places[from].Weapon = e.Places[from].Weapon, e.Places[to].Weapon
	return e, nil
}

// Overlaid is d with the labels, pairings and tags of a deck that its owner has
// changed before: for what both know. What only the older copy has is left out,
// so that a new version of the program or of the owner's file never stops a table.
func (d *Deck) Overlaid(kept []byte) (*Deck, error) {
	old := new(Deck)
	if err := readKept(kept, old); err != nil {
		return nil, err
	}
	e := d.copied()
	for _, p := range old.Places {
		if f, r := e.Paired(p.ID, p.Weapon.ID); r == nil {
			e = f
		}
	}
	for id, was := range old.items() {
		if was.fr != nil {
			if f, r := e.Renamed(id, engine.Text{FR: *was.fr, EN: *was.en}); r == nil {
				e = f
			}
		}
		if tag := e.items()[id].tag; tag != nil && was.tag != nil && *was.tag == NoTag {
			*tag = NoTag
		}
	}
	return e, nil
}

// YAML is the deck as a file that Parse reads.
func (d *Deck) YAML() ([]byte, error) { return ownfile.Marshal(d) }

// readKept reads a deck that YAML wrote, perhaps for another version of the program: keys that are
// unknown now, and values that do not fit, are left out. What is no such file at all is an error.
func readKept(kept []byte, into any) error {
	f := ownfile.Parse("deck", kept)
	err := f.Err()
	f.Decode(into)
	return err
}
