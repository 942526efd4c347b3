package cards

import (
	"maps"
	"slices"

	"majordome/engine"
)

// ShowGame sets the game on the table, so that pages and readers use its cards, with the names of its house
// rules.
func (c *Cards) ShowGame(game engine.ID, switches map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if game == c.game && maps.Equal(switches, c.ruled) {
		return
	}
	before := engine.Names(nil)
	if game == c.game {
		before = c.labelsOf(game)
	}
	c.game, c.ruled = game, switches
	if known := c.tags.of(game); before == nil {
		c.current.Store(&known)
	}
	if !slices.Equal(before, c.labelsOf(game)) {
		c.showNames(game)
	}
}

// labelsOf returns the names of a game: those of its house rules for the game on the table, else those of its
// deck. mu is held.
func (c *Cards) labelsOf(game engine.ID) engine.Names {
	if game != c.game {
		return c.opts.Decks.Book(game).Names()
	}
	return engine.NamesUnder(c.opts.Decks.Book(game), c.ruled)
}

// RefreshNames publishes the labels of a game after a change of its deck.
func (c *Cards) Renamed(game engine.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.showNames(game)
}

// showNames publishes the labels of a game to all pages, with those of pawns if some have tags. mu is held.
func (c *Cards) showNames(game engine.ID) {
	n := c.labelsOf(game)
	labels := n
	c.labels.Store(&labels)
	for card := range maps.Values(c.tags.of(game)) {
		if _, pawn := engine.WhosePawn(string(card)); pawn {
			n = slices.Concat(n, engine.Pawns(n))
			break
		}
	}
	c.opts.Named(game, n)
}
