package table

import (
	"reflect"
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// DeckChange makes the rulebook of a game with one more change of its deck, of the same ids; lobby: no game is on. keep puts it on disk and
// shows the names; without it nothing has happened. Both are called by the loop's goroutine.
type DeckChange func(game engine.ID, lobby bool) (changed engine.Rulebook, keep func() error, no *engine.Reject)

// ChangeDeck does a change of the deck of the game on the table; no says why it is not done. The game is told anew with the names and
// pairings that hold from now on; nothing in it changes but these. A step is shown only where somebody sees something else then:
// new names show themselves, and a line on every phone for each would be noise.
func (l *Loop) ChangeDeck(change DeckChange) (no *engine.Reject) {
	if !l.ask(func(c *core) { no = c.changeDeck(change) }) {
		return busy()
	}
	return no
}

func (c *core) changeDeck(change DeckChange) *engine.Reject {
	if c.paused != nil {
		return c.standing()
	}
	book, keep, r := change(c.book.ID(), c.inLobby())
	if r != nil {
		return r
	}
	rows, err := c.journal.Events(c.gameID)
	if err != nil {
		c.pause(err)
		c.publish(notices{})
		return c.standing()
	}
	p, err := fold(book, rows)
	if err != nil {
		panic("table: a changed deck: " + err.Error()) // the same ids, and it does not fit
	}
	if err := keep(); err != nil {
		c.Log.Error("the deck is not kept", "cause", err, "conseil", "les noms changés n’ont pas été enregistrés : vérifiez la carte mémoire")
		return refuse(engine.NotNow, "GEN-010", "table.deck.store")
	}
	c.books = slices.Clone(c.books)
	for i, b := range c.books {
		if b.ID() == book.ID() {
			c.books[i] = book
		}
	}
	before := c.game.look()
	c.book, c.past = book, p
	if !reflect.DeepEqual(before, c.game.look()) {
		c.publish(notices{public: &wire.Notice{Msg: engine.Say("table.deck.changed")}})
	}
	return nil
}
