package cards

import (
	"maps"
	"slices"

	"majordome/engine"
)

// SetCurrentGame sets the game on the table, so that pages and readers use its cards, with the names of its house
// rules.
func (c *Cards) SetCurrentGame(game engine.ID, houseRules map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if game == c.shownGame && maps.Equal(houseRules, c.houseRules) {
		return
	}
	before := engine.Names(nil)
	if game == c.shownGame {
		before = c.labelsOf(game)
	}
	c.shownGame, c.houseRules = game, houseRules
	if known := c.tags.tagsOf(game); before == nil {
		c.currentTags.Store(&known)
	}
	if !slices.Equal(before, c.labelsOf(game)) {
		c.publishLabels(game)
	}
}

// labelsOf returns the names of a game: those of its house rules for the game on the table, else those of its
// deck. mu is held.
func (c *Cards) labelsOf(game engine.ID) engine.Names {
	if game != c.shownGame {
		return c.opts.Decks.RulebookOf(game).Names()
	}
	return engine.NamesUnderHouseRules(c.opts.Decks.RulebookOf(game), c.houseRules)
}

// PublishChangedLabels publishes the labels of a game after a change of its deck.
func (c *Cards) PublishChangedLabels(game engine.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.publishLabels(game)
}

// publishLabels publishes the labels of a game to all pages, with those of pawns if some have tags. mu is held.
func (c *Cards) publishLabels(game engine.ID) {
	n := c.labelsOf(game)
	labels := n
	c.labels.Store(&labels)
	if c.tags.tagsOf(game).hasPawns() {
		n = slices.Concat(n, engine.NamesOfPawns(n))
	}
	c.opts.OnNames(game, n)
}
