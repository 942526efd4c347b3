package game

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// BuildFigures returns the figures of a stored game. They name no one outside wire.GameNames, and no cards
// except those of a reset of the box before the game.
func BuildFigures(book engine.Rulebook, g store.Game, rows []store.Event) (wire.GameFigures, error) {
	f := wire.GameFigures{N: g.ID, Game: g.Book, End: wire.EndOpen}
	p, err := replayGame(book, rows)
	if err != nil {
		return f, err
	}
	lastPublicAt, err := addPlayedFigures(&f, book, rows)
	if err != nil {
		return f, err
	}
	view := p.game.currentViews().Public
	f.Seats = len(view.Seats)
	for _, s := range view.Seats {
		f.Players = append(f.Players, s.Name)
	}
	if r := view.Result; r != nil {
		f.End, f.Rule = wire.EndLost, r.Rule
		for _, s := range view.Seats {
			if slices.Contains(r.Winners, s.Seat) {
				f.End, f.Winners = wire.EndWon, append(f.Winners, s.Name)
			}
		}
	}
	all := newFoldingParts()
	all.foldEvents(rows)
	eachPart(all, func(c master.FiguresAdder) { c.AddToFigures(&f, lastPublicAt) })
	return f, nil
}

// addPlayedFigures adds the figures of the steps that were not undone: when the game began, how long each phase
// took, what was overruled. Steps without a public trace, such as a card that is placed now and shown later, do
// not count. lastPublicAt is the time of the last public step.
func addPlayedFigures(f *wire.GameFigures, book engine.Rulebook, rows []store.Event) (lastPublicAt engine.Millis, err error) {
	live, _, _, err := stepsNotUndone(rows)
	if err != nil {
		return 0, err
	}
	game := book.NewGame()
	was := game.Progress()
	lobby, first := was.Phase, engine.Millis(0)
	for _, s := range live {
		c, err := decodeStep(book, s)
		if err != nil {
			return 0, err
		}
		if _, ok := findOverruleOffer(game, c.command); ok {
			f.Overruled++
			f.UpdateShareOf(s[0].Cause, func(one *wire.StaffShare) { one.Overruled++ })
		}
		game = game.Apply(c.events...)
		now := game.Progress()
		if now.Phase == was.Phase && now.LastHappening == was.LastHappening || was.Over {
			continue
		}
		if f.Began == 0 && now.Phase != lobby {
			f.Began, first, lastPublicAt = s[0].Wall.Unix(), c.at, c.at
			f.UpdateShareOf(s[0].Cause, func(one *wire.StaffShare) { one.Began = true })
		}
		if f.Began != 0 {
			f.Played = c.at - first
			f.Phases = addPhaseTime(f.Phases, was.Phase, c.at-lastPublicAt)
			lastPublicAt = c.at
		}
		was = now
	}
	return lastPublicAt, nil
}

func addPhaseTime(all []wire.PhaseTime, phase string, took engine.Millis) []wire.PhaseTime {
	if took <= 0 {
		return all
	}
	i := slices.IndexFunc(all, func(p wire.PhaseTime) bool { return p.Phase == phase })
	if i < 0 {
		return append(all, wire.PhaseTime{Phase: phase, Took: took})
	}
	all[i].Took += took
	return all
}
