package house

import (
	"maps"
	"slices"

	"majordome/engine"
)

// turnTo makes pages and readers speak of the game that is on the table now, in the words of its house rules.
func (h *House) turnTo(game engine.ID, switches map[string]string) {
	h.labelMu.Lock()
	defer h.labelMu.Unlock()
	if game == h.game && maps.Equal(switches, h.ruled) {
		return
	}
	before := engine.Names(nil)
	if game == h.game {
		before = h.labelsOf(game)
	}
	h.game, h.ruled = game, switches
	if c := h.tags.of(game); before == nil {
		h.cards.Store(&c)
	}
	if !slices.Equal(before, h.labelsOf(game)) {
		h.showNames(game)
	}
}

// labelsOf lists the names of a game: of the one on the table under its house rules, of another under those of its deck.
// labelMu is held.
func (h *House) labelsOf(game engine.ID) engine.Names {
	if game != h.game {
		return h.decks.Book(game).Names()
	}
	return engine.NamesUnder(h.decks.Book(game), h.ruled)
}

// renamed shows the labels of a game after a change of its deck.
func (h *House) renamed(game engine.ID) {
	h.labelMu.Lock()
	defer h.labelMu.Unlock()
	h.showNames(game)
}

// showNames shows the labels of a game to all pages at once; those of pawns where some have tags. labelMu is held.
func (h *House) showNames(game engine.ID) {
	n := h.labelsOf(game)
	labels := n
	h.labels.Store(&labels)
	for card := range maps.Values(h.tags.of(game)) {
		if _, pawn := engine.WhosePawn(string(card)); pawn {
			n = slices.Concat(n, engine.Pawns(n))
			break
		}
	}
	if h.opts.Named != nil {
		h.opts.Named(game, n)
	}
	if err := h.relay.SetNames(slices.Concat(n, h.decks.Others(game))); err != nil {
		h.opts.Log.Error("new names were not shown", "error", err, "conseil", "les nouveaux noms n’ont pas été montrés")
	}
	h.smartHome.SetNames(n)
}
