package table

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// inventory is the check of the box before a game (GEN-E09): while it is open no
// card reaches the game, whatever reader it passes.
type inventory struct {
	seen    map[engine.ID]bool
	foreign map[string]bool // by UID, so that a tag that stays counts once
	last    engine.ID
	before  map[engine.ID]sighting       // where cards were seen last
	watches map[engine.ID]wire.ResetCard // of cards that the gate has waited for
	told    engine.Millis                // up to when they are counted
}

// tick shares the time since the last among the cards that were missing all through it.
func (v *inventory) tick(now engine.Millis, missing []engine.ID) {
	took := now - v.told
	if v.told = max(now, v.told); took <= 0 {
		return
	}
	for _, card := range missing {
		w := v.watches[card]
		w.Cost += took / engine.Millis(len(missing))
		v.watches[card] = w
	}
}

func (c *core) newInventory() *inventory {
	v := &inventory{seen: map[engine.ID]bool{}, foreign: map[string]bool{}, watches: map[engine.ID]wire.ResetCard{}}
	if c.gate { // those who have played are gone
		v.before = c.sightings()
	}
	return v
}

// maxForeign bounds the tags of no card that are told apart.
const maxForeign = 64

// boxCheck opens and closes the inventory.
func (c *core) boxCheck(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	switch on := args["on"]; {
	case !c.inLobby():
		return nil, master.Refuse(engine.NotNow, "GEN-E09", "table.box.lobby")
	case on == yes:
		c.inventory = c.newInventory()
		clear(c.sensing.windows)
	case on == no:
		c.inventory = nil
	default:
		return nil, master.Refuse(engine.Unknown, "GEN-E09", "table.unknown")
	}
	return nil, nil
}

// count takes a reading into the inventory. The reader answers as it does in a
// game: a card, or once more please. What cannot be read is nothing yet, because
// a card that falls past a reader begins and ends with noise.
func (c *core) count(reader string, tags []Tag) {
	var n notices
	known := false
	if c.gate {
		c.inventory.tick(c.gateTook(), c.inventory.missing(c.inventory.expected(c)))
	}
	for _, t := range tags[:min(len(tags), maxTags)] {
		if t.Card == "" {
			if len(c.inventory.foreign) < maxForeign {
				c.inventory.foreign[t.UID] = true
			}
			continue
		}
		if !known || !c.inventory.seen[t.Card] { // of several, the one that is new
			c.inventory.last = t.Card
		}
		if w := c.inventory.watches[t.Card]; c.gate && !c.inventory.seen[t.Card] {
			w.At = c.gateTook()
			c.inventory.watches[t.Card] = w
		}
		known, c.inventory.seen[t.Card] = true, true
	}
	if c.gate && len(c.inventory.missing(c.inventory.expected(c))) == 0 {
		c.passGate(causeScan, c.resetTook())
	}
	switch {
	case known:
		n.public = &wire.Notice{Msg: engine.Say("table.accepted"), Signal: signalAccepted, Reader: reader}
	case len(tags) > 0:
		n.public = &wire.Notice{Msg: engine.Say("table.box.foreign"), Rule: "GEN-E01", Signal: signalAgain, Reader: reader}
	}
	c.publish(n)
}

// shownInventory is the inventory as the host sees it.
func (c *core) shownInventory() *wire.BoxCheck {
	if c.inventory == nil {
		return nil
	}
	full := c.inventory.expected(c)
	out := &wire.BoxCheck{Kinds: []wire.KindCount{}, Missing: c.inventory.missing(full), Last: c.inventory.last, Foreign: len(c.inventory.foreign), Gate: c.gate}
	if c.gate {
		out.Since = c.gateTook()
	}
	out.Where = c.where(out.Missing, c.inventory.before)
	at := map[engine.ID]int{}
	for _, n := range full {
		i, ok := at[n.Kind]
		if !ok {
			i = len(out.Kinds)
			at[n.Kind] = i
			out.Kinds = append(out.Kinds, wire.KindCount{Kind: n.Kind})
		}
		out.Kinds[i].Of++
		if c.inventory.seen[n.ID] {
			out.Kinds[i].Seen++
		}
	}
	return out
}

// expected are the cards of a full box, in deck order. A kind that need not have tags counts as soon as one of its cards has one.
func (v *inventory) expected(c *core) (all []engine.Name) {
	names := c.book.Names()
	names = append(names, engine.Pawns(names)...)
	kinds := map[engine.ID]bool{}
	for _, n := range names {
		if n.IsCard() || slices.Contains(c.Enrolled, n.ID) {
			kinds[n.Kind] = true
		}
	}
	return slices.DeleteFunc(names, func(n engine.Name) bool { return !kinds[n.Kind] || n.Untagged && !v.seen[n.ID] })
}

// missing are those of a full box that were not seen yet.
func (v *inventory) missing(full []engine.Name) []engine.ID {
	all := []engine.ID{}
	for _, n := range full {
		if !v.seen[n.ID] {
			all = append(all, n.ID)
		}
	}
	return all
}
