package game

import (
	"encoding/json"
	"time"

	"majordome/companion/store"
	"majordome/engine"
)

// lastPositionsIn returns where each card was at the end of an earlier game, and when that game ended.
func (c *currentGame) lastPositionsIn(game int64) (at map[engine.ID]string, ended time.Time) {
	rows, err := c.journal.Events(game)
	if err != nil || len(rows) == 0 {
		return nil, ended // the check of the box works without it
	}
	return lastPositions(rows, urnFillingSteps(c.books, rows)), rows[len(rows)-1].Wall
}

// urnFillingSteps returns the steps of a game since its urn was last publicly empty, without those that were
// undone. What was in the urn before was taken out, by hands that the game need not name. It is nil if the urn is
// empty at the end, as in a game without an urn, where that reader reads cards on their way into a hand.
func urnFillingSteps(books []engine.Rulebook, rows []store.Event) map[int64]bool {
	for _, b := range books {
		p, err := replayGame(b, rows)
		if err != nil {
			continue // the game has other rules
		}
		if p.game.currentViews().Public.Urn == 0 {
			return nil
		}
		since, g := map[int64]bool{}, b.NewGame()
		live, _, _, _ := stepsNotUndone(rows) // it cannot fail: fold has read all of it
		for _, s := range live {
			done, _ := decodeStep(b, s)
			since[s[0].Step] = true
			if g = g.Apply(done.events...); g.View(engine.Public).Urn == 0 {
				clear(since)
			}
		}
		return since
	}
	return nil
}

// lastPositions returns where each card of a game was at the end: in the urn, or in a place whose reader has
// read it. It is "" for a card that went into a hand: it was at the table reader, was named later, or was in
// the urn when that was emptied or the step was undone. Whose hand that was stays secret after the game.
func lastPositions(rows []store.Event, fillings map[int64]bool) map[engine.ID]string {
	all := map[engine.ID]string{}
	for _, r := range rows {
		var x storedCommand
		if len(r.Command) == 0 || json.Unmarshal(r.Command, &x) != nil {
			continue
		}
		at := x.Args["reader"]
		if x.Act != engine.ActScan || at == engine.ReaderShow || at == engine.ReaderUrn && !fillings[r.Step] {
			at = ""
		}
		for _, card := range append(x.Args.SplitList("cards"), x.Args["card"]) {
			if card != "" {
				all[engine.ID(card)] = at
			}
		}
	}
	return all
}
