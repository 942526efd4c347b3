package table

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// inventory is the check of the box before a game (GEN-E09): while it is open no
// card reaches the game, whatever reader it passes.
type inventory struct {
	seen    map[engine.ID]bool
	foreign map[string]bool // by UID, so that a tag that stays counts once
	last    engine.ID
}

// maxForeign bounds the tags of no card that are told apart.
const maxForeign = 64

// boxCheck opens and closes the inventory.
func (c *core) boxCheck(args engine.Args) (*wire.Notice, *engine.Reject) {
	switch on := args["on"]; {
	case !c.inLobby():
		return nil, refuse(engine.NotNow, "GEN-E09", "table.box.lobby")
	case on == yes:
		c.box = &inventory{seen: map[engine.ID]bool{}, foreign: map[string]bool{}}
		clear(c.windows)
	case on == no:
		c.box = nil
	default:
		return nil, refuse(engine.Unknown, "GEN-E09", "table.unknown")
	}
	return nil, nil
}

// count takes a reading into the inventory. The reader answers as it does in a
// game: a card, or once more please. What cannot be read is nothing yet, because
// a card that falls past a reader begins and ends with noise.
func (c *core) count(reader string, tags []Tag) {
	var n notices
	known := false
	for _, t := range tags[:min(len(tags), maxTags)] {
		if t.Card == "" {
			if len(c.box.foreign) < maxForeign {
				c.box.foreign[t.UID] = true
			}
			continue
		}
		if !known || !c.box.seen[t.Card] { // of several, the one that is new
			c.box.last = t.Card
		}
		known, c.box.seen[t.Card] = true, true
	}
	switch {
	case known:
		n.public = &wire.Notice{Msg: engine.Say("table.accepted"), Signal: signalAccepted, Reader: reader}
	case len(tags) > 0:
		n.public = &wire.Notice{Msg: engine.Say("table.box.foreign"), Rule: "GEN-E01", Signal: signalAgain, Reader: reader}
	}
	c.publish(n)
}

// shownBox is the inventory as the host sees it. A kind that need not have tags
// counts as soon as one of its cards has one.
func (c *core) shownBox() *wire.BoxCheck {
	if c.box == nil {
		return nil
	}
	names := c.book.Names()
	expected := map[engine.ID]bool{}
	for _, n := range names {
		if n.IsCard() || slices.Contains(c.Enrolled, n.ID) {
			expected[n.Kind] = true
		}
	}
	out := &wire.BoxCheck{Kinds: []wire.KindCount{}, Missing: []engine.ID{}, Last: c.box.last, Foreign: len(c.box.foreign)}
	at := map[engine.ID]int{}
	for _, n := range names {
		if !expected[n.Kind] || n.Untagged && !c.box.seen[n.ID] {
			continue
		}
		i, ok := at[n.Kind]
		if !ok {
			i = len(out.Kinds)
			at[n.Kind] = i
			out.Kinds = append(out.Kinds, wire.KindCount{Kind: n.Kind})
		}
		out.Kinds[i].Of++
		if c.box.seen[n.ID] {
			out.Kinds[i].Seen++
		} else {
			out.Missing = append(out.Missing, n.ID)
		}
	}
	return out
}
