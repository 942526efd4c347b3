package game

import (
	"encoding/json"
	"time"

	"majordome/companion/store"
	"majordome/engine"
)

// lyingIn is where each card of an earlier game lay at last, and when that ended.
func (c *core) lyingIn(game int64) (at map[engine.ID]string, ended time.Time) {
	rows, err := c.journal.Events(game)
	if err != nil || len(rows) == 0 {
		return nil, ended // the box is checked all the same
	}
	return lying(rows, fillings(c.books, rows)), rows[len(rows)-1].Wall
}

// fillings are the steps of a game since nothing lay in its urn, as everybody saw, but for those that were taken back: what had lain there
// before was taken out, by hands that need not have named it. Where a game has no urn, whose reader then sees what goes into a hand, there are none.
func fillings(books []engine.Rulebook, rows []store.Event) map[int64]bool {
	for _, b := range books {
		p, err := fold(b, rows)
		if err != nil {
			continue // a game by other rules
		}
		if p.game.look().Public.Urn == 0 {
			return nil
		}
		since, g := map[int64]bool{}, b.New()
		live, _, _, _ := liveSteps(rows) // fold has read all of it
		for _, s := range live {
			done, _ := decode(b, s)
			since[s[0].Step] = true
			if g = g.Evolve(done.events...); g.View(engine.Public).Urn == 0 {
				clear(since)
			}
		}
		return since
	}
	return nil
}

// lying is where each card of a game lay at last: in the urn or in a place whose reader has seen it. Nowhere ("") is one that has been at
// the table reader, was named by somebody since, or lay in the urn when that was emptied or the deposit was taken back: it went into a
// hand, and whose that was stays theirs when the game is over.
func lying(rows []store.Event, fillings map[int64]bool) map[engine.ID]string {
	all := map[engine.ID]string{}
	for _, r := range rows {
		var x command
		if len(r.Command) == 0 || json.Unmarshal(r.Command, &x) != nil {
			continue
		}
		at := x.Args["reader"]
		if x.Act != engine.ActScan || at == engine.ReaderShow || at == engine.ReaderUrn && !fillings[r.Step] {
			at = ""
		}
		for _, card := range append(x.Args.List("cards"), x.Args["card"]) {
			if card != "" {
				all[engine.ID(card)] = at
			}
		}
	}
	return all
}
