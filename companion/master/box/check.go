package box

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// check is an open check of the box.
type check struct {
	seen         map[engine.ID]bool
	foreign      map[string]bool // by UID, so that each tag counts once
	last         engine.ID
	before       map[engine.ID]sighting       // where cards were last seen
	waits        map[engine.ID]wire.ResetCard // cards that the gate has waited for
	countedUntil engine.Millis                // the time up to which the waits are counted
}

func (b *Box) newCheck() *check {
	v := &check{seen: map[engine.ID]bool{}, foreign: map[string]bool{}, waits: map[engine.ID]wire.ResetCard{}}
	if b.gate { // the last players have left, so their positions may be shown
		v.before = b.allSightings()
	}
	return v
}

// addTags counts tags, and reports whether any is a card. If gate is true it also notes when each card was first
// seen.
func (v *check) addTags(tags []master.Tag, gate bool, now engine.Millis) (known bool) {
	for _, t := range tags {
		if t.Card == "" {
			if len(v.foreign) < maxForeign {
				v.foreign[t.UID] = true
			}
			continue
		}
		if !known || !v.seen[t.Card] { // of several cards the new one
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

// addWaitingTime divides the time since the last call among the cards that were missing in it.
func (v *check) addWaitingTime(now engine.Millis, missing []engine.ID) {
	took := now - v.countedUntil
	if v.countedUntil = max(now, v.countedUntil); took <= 0 {
		return
	}
	for _, card := range missing {
		w := v.waits[card]
		w.Cost += took / engine.Millis(len(missing))
		v.waits[card] = w
	}
}

// fullBoxCards returns the cards of a full box, in deck order. Pawns, which need no tags, count as soon as one of their
// kind has a tag. A card that the deck declares as untagged counts once it was seen.
func (b *Box) fullBoxCards(v *check) []engine.Name {
	names := b.table.Book().Names()
	names = append(names, engine.NamesOfPawns(names)...)
	kinds := map[engine.ID]bool{}
	for _, n := range names {
		if n.IsCard() || slices.Contains(b.table.Enrolled(), n.ID) {
			kinds[n.Kind] = true
		}
	}
	return slices.DeleteFunc(names, func(n engine.Name) bool { return !kinds[n.Kind] || n.Untagged && !v.seen[n.ID] })
}

// missingCards returns the cards of a full box that were not seen yet.
func (v *check) missingCards(full []engine.Name) []engine.ID {
	all := []engine.ID{}
	for _, n := range full {
		if !v.seen[n.ID] {
			all = append(all, n.ID)
		}
	}
	return all
}
