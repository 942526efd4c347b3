package game

import (
	"reflect"
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// DeckChange returns the rulebook of a game with one change of its deck and the same ids; lobby: no game is
// running. keep writes the change to disk and publishes the names. The loop calls both.
type DeckChange func(game engine.ID, lobby bool) (changed engine.Rulebook, keep func() error, no *engine.Reject)

// ChangeDeck applies a change to the deck of the current game, or returns a refusal. The game is folded again
// with the new rulebook. It publishes a step only if views change, since labels are published as names.
func (l *Loop) ChangeDeck(change DeckChange) (no *engine.Reject) {
	if !l.runInLoop(func(c *core) { no = c.changeDeck(change) }) {
		return refuseBusy()
	}
	return no
}

func (c *core) changeDeck(change DeckChange) *engine.Reject {
	if c.pauseMsg != nil {
		return c.refusePaused()
	}
	book, keep, r := change(c.book.ID(), c.isInLobby())
	if r != nil {
		return r
	}
	rows, err := c.journal.Events(c.gameID)
	if err != nil {
		c.pauseForFailure(err)
		c.publish(notices{})
		return c.refusePaused()
	}
	p, err := replayGame(book, rows)
	if err != nil {
		panic("game: a changed deck: " + err.Error()) // the ids are the same and yet the events do not fit
	}
	if err := keep(); err != nil {
		c.Log.Error("the deck is not kept", "cause", err,
			"conseil", "les noms changés n’ont pas été enregistrés : vérifiez la carte mémoire")
		return master.Refuse(engine.NotNow, "GEN-010", "table.deck.store")
	}
	c.books = slices.Clone(c.books)
	for i, b := range c.books {
		if b.ID() == book.ID() {
			c.books[i] = book
		}
	}
	before := c.game.currentViews()
	c.book, c.gameState = book, p
	if !reflect.DeepEqual(before, c.game.currentViews()) {
		c.publish(notices{public: &wire.Notice{Msg: engine.NewMsg("table.deck.changed")}})
	}
	return nil
}
