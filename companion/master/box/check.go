package box

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// check is an open check of the box.
type check struct {
	seen    map[engine.ID]bool
	foreign map[string]bool // by UID, so that a tag that stays counts once
	last    engine.ID
	before  map[engine.ID]sighting       // where cards were seen last
	waits   map[engine.ID]wire.ResetCard // of cards that the gate has waited for
	told    engine.Millis                // up to when they are counted
}

func (b *Box) newCheck() *check {
	v := &check{seen: map[engine.ID]bool{}, foreign: map[string]bool{}, waits: map[engine.ID]wire.ResetCard{}}
	if b.gate { // those who have played are gone
		v.before = b.sightings()
	}
	return v
}

// add counts tags, and reports that a card is among them; gate: the gate waits for them.
func (v *check) add(tags []master.Tag, gate bool, now engine.Millis) (known bool) {
	for _, t := range tags {
		if t.Card == "" {
			if len(v.foreign) < maxForeign {
				v.foreign[t.UID] = true
			}
			continue
		}
		if !known || !v.seen[t.Card] { // of several, the one that is new
			v.last = t.Card
		}
		if w := v.waits[t.Card]; gate && !v.seen[t.Card] {
			w.At = now
			v.waits[t.Card] = w
		}
		known, v.seen[t.Card] = true, true
	}
	return known
}

// tick shares the time since the last among the cards that were missing all through it.
func (v *check) tick(now engine.Millis, missing []engine.ID) {
	took := now - v.told
	if v.told = max(now, v.told); took <= 0 {
		return
	}
	for _, card := range missing {
		w := v.waits[card]
		w.Cost += took / engine.Millis(len(missing))
		v.waits[card] = w
	}
}

// full are the cards of a full box, in deck order. A kind that need not have tags counts as soon as one of its cards has one.
func (b *Box) full(v *check) []engine.Name {
	names := b.table.Book().Names()
	names = append(names, engine.Pawns(names)...)
	kinds := map[engine.ID]bool{}
	for _, n := range names {
		if n.IsCard() || slices.Contains(b.table.Enrolled(), n.ID) {
			kinds[n.Kind] = true
		}
	}
	return slices.DeleteFunc(names, func(n engine.Name) bool { return !kinds[n.Kind] || n.Untagged && !v.seen[n.ID] })
}

// missing are those of a full box that were not seen yet.
func (v *check) missing(full []engine.Name) []engine.ID {
	all := []engine.ID{}
	for _, n := range full {
		if !v.seen[n.ID] {
			all = append(all, n.ID)
		}
	}
	return all
}
