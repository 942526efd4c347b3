package deck

import (
	"slices"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// labels are the names of d that its owner may change.
func (d *Cluedo) labels() map[engine.ID]item {
	all := map[engine.ID]item{d.Pool.ID: {fr: &d.Pool.FR, en: &d.Pool.EN}}
	for i := range d.Suspects {
		all[d.Suspects[i].ID] = item{fr: &d.Suspects[i].FR, en: &d.Suspects[i].EN}
	}
	for i := range d.Weapons {
		all[d.Weapons[i].ID] = item{fr: &d.Weapons[i].FR, en: &d.Weapons[i].EN}
	}
	for i := range d.Rooms {
		all[d.Rooms[i].ID] = item{fr: &d.Rooms[i].FR, en: &d.Rooms[i].EN}
	}
	for i := range d.Events {
		all[d.Events[i].ID] = item{fr: &d.Events[i].FR, en: &d.Events[i].EN}
	}
	return all
}

// copied is a deck whose labels can be changed without changing d.
func (d *Cluedo) copied() *Cluedo {
	e := *d
	e.Suspects, e.Weapons = slices.Clone(d.Suspects), slices.Clone(d.Weapons)
	e.Rooms, e.Events = slices.Clone(d.Rooms), slices.Clone(d.Events)
	return &e
}

// Renamed is d with another label for a suspect, a weapon, a room, the pool or
// an Intrigue card. The label keeps the limits of ParseCluedo.
func (d *Cluedo) Renamed(id engine.ID, label engine.Text) (*Cluedo, *engine.Reject) {
	e := d.copied()
	it, ok := e.labels()[id]
	if !ok {
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

// Overlaid is d with the labels of a deck that its owner has changed before, for
// what both know; see Deck.Overlaid.
func (d *Cluedo) Overlaid(kept []byte) (*Cluedo, error) {
	old := new(Cluedo)
	if err := readKept(kept, old); err != nil {
		return nil, err
	}
	e := d
	for id, was := range old.labels() {
		if f, r := e.Renamed(id, engine.Text{FR: *was.fr, EN: *was.en}); r == nil {
			e = f
		}
	}
	return e, nil
}

// YAML is the deck as a file that ParseCluedo reads.
func (d *Cluedo) YAML() ([]byte, error) { return ownfile.Marshal(d) }
