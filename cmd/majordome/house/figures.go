package house

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of the figures of the games of this table. The names in them go after Config.Remember days.
const (
	maxFigures  = 500 // games, the newest
	forgetEvery = time.Hour
)

// figuresRow returns a wire.Figures: public facts of each game, names of guests until they are forgotten, and the cards that were
// missing between two games. It refuses during a scene, because figures would reveal how the game ends.
func (h *House) figuresRow(hints stock) office.Row {
	return office.Row{Name: "figures", Role: wire.RoleOperator, Do: office.Alone(func(context.Context, office.Call) (any, error) {
		if h.loop.InScene() {
			return nil, wire.Refuse("table.scene")
		}
		return h.allFigures(hints)
	})}
}

// allFigures keeps those of games that have ended since, and adds the game on the table.
func (h *House) allFigures(hints stock) (wire.Figures, error) {
	all := wire.Figures{V: wire.Version, Games: []wire.GameFigures{}, Labels: map[engine.ID]map[engine.ID]engine.Text{}, Stock: map[string]engine.Text{}, Days: h.opts.Config.Remember}
	games, err := h.keepFigures()
	if err != nil {
		return all, err
	}
	var now wire.GameFigures
	if len(games) > 0 {
		now, _ = h.gameFigures(games[0]) // of none there are none
	}
	kept, err := h.store.Figures(maxFigures)
	if err != nil {
		return all, err
	}
	if now.Began != 0 {
		all.Games = append(all.Games, now)
	}
	for _, k := range kept {
		var f wire.GameFigures
		if json.Unmarshal(k.Data, &f) != nil || json.Unmarshal(k.Names, &f.GameNames) != nil || k.Game == now.N {
			continue
		}
		all.Games = append(all.Games, f)
	}
	all.Games = played(all.Games)
	for _, g := range all.Games {
		h.label(&all, g)
	}
	for _, game := range hints {
		for _, s := range game {
			all.Stock[s.ID] = s.Text
		}
	}
	return all, nil
}

// played leaves out games that have not begun; a reset before one of them was before the game that has.
func played(all []wire.GameFigures) (begun []wire.GameFigures) {
	begun = []wire.GameFigures{}
	var reset *wire.Reset
	for _, g := range slices.Backward(all) {
		if g.Reset == nil {
			g.Reset = reset
		}
		if reset = g.Reset; g.Began != 0 {
			begun, reset = append(begun, g), nil
		}
	}
	slices.Reverse(begun)
	return begun
}

// label says what the cards of a reset are called.
func (h *House) label(all *wire.Figures, g wire.GameFigures) {
	book := h.decks.Book(g.Game)
	if g.Reset == nil || book == nil || all.Labels[g.Game] != nil {
		return
	}
	all.Labels[g.Game] = map[engine.ID]engine.Text{}
	names, err := namesAt(h.store, book)
	if err != nil { // what is wrong with the game on the table is told elsewhere
		names = book.Names()
	}
	for _, n := range names {
		if n.IsCard() || n.Untagged {
			all.Labels[g.Game][n.ID] = n.Text
		}
	}
}

// keepFigures makes the figures of games that have been put away and have none yet. Games are all, that on the table first.
func (h *House) keepFigures() (games []store.Game, err error) {
	games, err = h.store.Games(maxFigures)
	if err != nil {
		return nil, err
	}
	kept, err := h.store.Figures(maxFigures)
	if err != nil {
		return nil, err
	}
	for _, g := range slices.Backward(games[min(1, len(games)):]) {
		if slices.ContainsFunc(kept, func(f store.Figures) bool { return f.Game == g.ID }) {
			continue
		}
		f, ok := h.gameFigures(g)
		if !ok {
			continue
		}
		names, _ := json.Marshal(f.GameNames)
		f.GameNames = wire.GameNames{}
		data, _ := json.Marshal(f) // both of texts and numbers
		if err := h.store.SetFigures(store.Figures{Game: g.ID, Names: names, Data: data}); err != nil {
			return nil, err
		}
	}
	return games, nil
}

// gameFigures are those of one game. What cannot be read any more has none, and stops nothing.
func (h *House) gameFigures(g store.Game) (f wire.GameFigures, ok bool) {
	book := h.decks.Book(g.Book)
	rows, err := h.store.Events(g.ID)
	if err != nil || book == nil || len(rows) == 0 {
		return f, false
	}
	if f, err = game.Figures(book, g, rows); err != nil {
		h.opts.Log.Warn("a game has no figures: it was played with another deck", "game", g.ID, "conseil", "cette partie, jouée avec un autre jeu de cartes, n’a pas de chiffres")
		return wire.GameFigures{}, false
	}
	return f, true
}

// forget takes the names of guests out of games whose time is over; their figures stay. Without a time nothing is forgotten.
func (h *House) forget(now time.Time) {
	if h.opts.Config.Remember <= 0 {
		return
	}
	_, err := h.keepFigures()
	n := 0
	if err == nil {
		n, err = h.store.Forget(now.AddDate(0, 0, -h.opts.Config.Remember))
	}
	switch {
	case err != nil:
		h.opts.Log.Error("names of guests are kept too long", "error", err, "conseil", "les noms des anciens groupes n’ont pas pu être effacés : vérifiez la carte mémoire")
	case n > 0:
		h.opts.Log.Info("names of guests are forgotten", "games", n, "quoi", "les noms d’anciens groupes sont effacés")
	}
}

// forgetful forgets at the start and every hour.
func (h *House) forgetful(ctx context.Context) {
	h.forget(time.Now())
	every(ctx, forgetEvery, h.forget)
}
