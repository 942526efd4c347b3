package game

import (
	"errors"
	"fmt"
	"slices"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// OtherDeckError says that the events of the game on the table make no sense
// with the rulebook of its name: the owner has edited the deck since.
type OtherDeckError struct {
	Game  store.Game
	Cause error
}

// Error leaves the cause out: it may quote the game.
func (e *OtherDeckError) Error() string {
	return fmt.Sprintf("game: open the game: %s was played with another deck", e.Game.Book)
}

// Unwrap is the cause.
func (e *OtherDeckError) Unwrap() error { return e.Cause }

// Msg says in the reader's language what is wrong and what to do.
func (e *OtherDeckError) Msg() engine.Msg { return engine.Say("table.other-deck") }

// open puts the game of the last time on the table, or a new one where that is
// asked for, and pauses it where the journal has lost something. A game that is over and was played with another deck is put away
// too, which everybody is told; one that is not over is for the owner to decide.
func (c *core) open() error {
	if err := c.stand(); err != nil {
		return err
	}
	c.mourn()
	c.settle()
	return nil
}

// stand puts the game of the last time, or a new one, on the table.
func (c *core) stand() error {
	lost := c.Keeper != nil && len(c.Keeper.Losses()) > 0 // then the host decides first
	if c.NewGame && !lost {
		if c.load() == nil { // what was open at its end is closed in its minutes; one that does not load has none
			c.settle()
			c.opened = notices{}
		}
		if err := c.putAway(); err != nil {
			return err
		}
	}
	err := c.load()
	var other *OtherDeckError
	if !errors.As(err, &other) || !other.Game.Over && !c.NewGame {
		return err
	}
	c.Log.Warn("the game on the table was played with another deck; it is kept, and a new one begins", "game", other.Game.ID,
		"conseil", "la partie sur la table a été jouée avec un autre jeu de cartes ; elle est gardée, et une nouvelle commence")
	if err := c.putAway(); err != nil {
		return err
	}
	c.opened = notices{public: &wire.Notice{Msg: engine.Say("table.put-away")}}
	return c.load()
}

// putAway opens a new game, of the rulebook on the table if there is one.
func (c *core) putAway() error {
	book := c.books[0].ID()
	g, ok, err := c.journal.Current()
	if ok && slices.ContainsFunc(c.books, func(b engine.Rulebook) bool { return b.ID() == g.Book }) {
		book = g.Book
	}
	if err == nil {
		_, err = c.journal.Begin(book, nil)
	}
	if err != nil {
		return fmt.Errorf("game: open a new game: %w", err)
	}
	return nil
}
