package records

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of the figures of games.
const (
	maxFigures  = 500 // newest games
	forgetEvery = time.Hour
)

// figuresRow returns the row for wire.Figures: public facts of each game, names of guests until they are
// removed, and the cards that were missing between two games. It refuses during a scene, because figures
// would reveal how the game ends.
func (r *Records) figuresRow() office.Row {
	return office.Row{Name: "figures", Role: wire.RoleOperator, Do: office.RefuseWhileBusy(func(context.Context, office.Call) (any, error) {
		if r.opts.Table.IsInScene() {
			return nil, wire.NewRefusal("table.scene")
		}
		return r.SaveAndListFigures()
	})}
}

// SaveAndListFigures returns the figures of all games, with the game on the table. It first saves those of games that
// have ended since the last call.
func (r *Records) SaveAndListFigures() (wire.Figures, error) {
	all := wire.Figures{V: wire.Version, Games: []wire.GameFigures{}, Labels: map[engine.ID]map[engine.ID]engine.Text{},
		Stock: map[string]engine.Text{}, Days: r.opts.Days}
	games, err := r.saveEndedFigures()
	if err != nil {
		return all, err
	}
	var now wire.GameFigures
	if len(games) > 0 {
		now, _ = r.buildFigures(games[0]) // the zero value if there are none
	}
	kept, err := r.opts.Store.Figures(maxFigures)
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
	all.Games = keepBegunGames(all.Games)
	for _, g := range all.Games {
		r.addCardLabels(&all, g)
	}
	for _, ofGame := range r.opts.Hints {
		for _, s := range ofGame {
			all.Stock[s.ID] = s.Text
		}
	}
	return all, nil
}

// keepBegunGames removes games that never began. A reset before such a game is moved to the next game that
// began.
func keepBegunGames(all []wire.GameFigures) (begun []wire.GameFigures) {
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

// addCardLabels adds the names of a game's cards to all, if its figures list the cards with which its box was refilled
// (wire.Reset).
func (r *Records) addCardLabels(all *wire.Figures, g wire.GameFigures) {
	book := r.opts.Decks.RulebookOf(g.Game)
	if g.Reset == nil || book == nil || all.Labels[g.Game] != nil {
		return
	}
	all.Labels[g.Game] = map[engine.ID]engine.Text{}
	names, err := NamesOfOpenGame(r.opts.Store, book)
	if err != nil { // trouble with the game on the table is reported elsewhere
		names = book.Names()
	}
	for _, n := range names {
		if n.IsCard() || n.Untagged {
			all.Labels[g.Game][n.ID] = n.Text
		}
	}
}

// saveEndedFigures saves the figures of games that have ended and have none yet. It returns all games, the one on
// the table first.
func (r *Records) saveEndedFigures() (games []store.Game, err error) {
	games, err = r.opts.Store.Games(maxFigures)
	if err != nil {
		return nil, err
	}
	kept, err := r.opts.Store.Figures(maxFigures)
	if err != nil {
		return nil, err
	}
	for _, g := range slices.Backward(games[min(1, len(games)):]) {
		if slices.ContainsFunc(kept, func(f store.Figures) bool { return f.Game == g.ID }) {
			continue
		}
		f, ok := r.buildFigures(g)
		if !ok {
			continue
		}
		names, _ := json.Marshal(f.GameNames)
		f.GameNames = wire.GameNames{}
		data, _ := json.Marshal(f) // never fails: texts and numbers only
		if err := r.opts.Store.SetFigures(store.Figures{Game: g.ID, Names: names, Data: data}); err != nil {
			return nil, err
		}
	}
	return games, nil
}

// buildFigures returns the figures of one game; ok is false if the game cannot be read any more.
func (r *Records) buildFigures(g store.Game) (f wire.GameFigures, ok bool) {
	book := r.opts.Decks.RulebookOf(g.Book)
	rows, err := r.opts.Store.Events(g.ID)
	if err != nil || book == nil || len(rows) == 0 {
		return f, false
	}
	if f, err = game.BuildFigures(book, g, rows); err != nil {
		r.opts.Log.Warn("a game has no figures: it was played with another deck", "game", g.ID,
			"conseil", "cette partie, jouée avec un autre jeu de cartes, n’a pas de chiffres")
		return wire.GameFigures{}, false
	}
	return f, true
}

// ForgetNames removes the names of guests from games older than Opts.Days, after saving their figures. It
// does nothing if Days is 0.
func (r *Records) ForgetNames(now time.Time) {
	if r.opts.Days <= 0 {
		return
	}
	_, err := r.saveEndedFigures()
	n := 0
	if err == nil {
		n, err = r.opts.Store.ForgetGuestNames(now.AddDate(0, 0, -r.opts.Days))
	}
	switch {
	case err != nil:
		r.opts.Log.Error("names of guests are kept too long", "error", err,
			"conseil", "les noms des anciens groupes n’ont pas pu être effacés : vérifiez la carte mémoire")
	case n > 0:
		r.opts.Log.Info("names of guests are forgotten", "games", n, "quoi", "les noms d’anciens groupes sont effacés")
	}
}

// ForgetNamesHourly calls ForgetNames at the start and every hour, until ctx ends.
func (r *Records) ForgetNamesHourly(ctx context.Context) {
	tick := time.NewTicker(forgetEvery)
	defer tick.Stop()
	for now := time.Now(); ; {
		r.ForgetNames(now)
		select {
		case <-ctx.Done():
			return
		case now = <-tick.C:
		}
	}
}

// NamesOfOpenGame returns the names of a game. If the open game in the store has the same rulebook, its house rules
// apply.
func NamesOfOpenGame(s *store.Store, book engine.Rulebook) (engine.Names, error) {
	g, ok, err := s.CurrentGame()
	if err != nil || !ok || g.Book != book.ID() {
		return book.Names(), err
	}
	rows, err := s.Events(g.ID)
	if err != nil {
		return nil, err
	}
	switches, err := game.FinalHouseRules(book, rows)
	if err != nil {
		return nil, fmt.Errorf("records: labels: %w", err)
	}
	return engine.NamesUnderHouseRules(book, switches), nil
}
