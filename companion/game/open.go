package game

import (
	"errors"
	"fmt"
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// openGameAtStart loads the game of the last start, or begins a new one if Opts.NewGame asks for it, and pauses it if
// the journal has lost events. A finished game that was played with another deck is also replaced by a new one,
// with a public notice. For an unfinished one it returns an OtherDeckError, because the owner has to decide.
func (c *currentGame) openGameAtStart() error {
	if err := c.loadOrReplaceGame(); err != nil {
		return err
	}
	c.pauseAtStartIfAsked()
	c.letPartsRecordInterruption()
	return nil
}

// loadOrReplaceGame loads the game of the last start, or begins a new one.
func (c *currentGame) loadOrReplaceGame() error {
	if c.NewGame && c.parts.startPauseReason() == nil { // else the host decides first
		if c.loadGame() == nil { // records in its minutes what the last start has interrupted; impossible for a game that does not load
			c.letPartsRecordInterruption()
			c.openingNotices = notices{}
		}
		if err := c.beginNewGame(); err != nil {
			return err
		}
	}
	err := c.loadGame()
	var other *OtherDeckError
	if !errors.As(err, &other) || !other.Game.Over && !c.NewGame {
		return err
	}
	c.Log.Warn("the game on the table was played with another deck; it is kept, and a new one begins", "game", other.Game.ID,
		"conseil", "la partie sur la table a été jouée avec un autre jeu de cartes ; elle est gardée, et une nouvelle commence")
	if err := c.beginNewGame(); err != nil {
		return err
	}
	c.openingNotices = notices{public: &wire.Notice{Msg: engine.NewMsg("table.put-away")}}
	return c.loadGame()
}

// beginNewGame begins a new game, of the current rulebook if there is one.
func (c *currentGame) beginNewGame() error {
	book := c.books[0].ID()
	g, ok, err := c.journal.CurrentGame()
	if ok && slices.ContainsFunc(c.books, func(b engine.Rulebook) bool { return b.ID() == g.Book }) {
		book = g.Book
	}
	if err == nil {
		_, err = c.journal.BeginGame(book, nil)
	}
	if err != nil {
		return fmt.Errorf("game: open a new game: %w", err)
	}
	return nil
}
