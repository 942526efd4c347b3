package game

import (
	"fmt"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Values of the argument "seats" of a new game.
const (
	seatsKeep  = "keep"
	seatsClear = "clear"
)

// startNewGame closes the current game, finished or not, and opens a new one. With seats=keep the players keep
// their seats; in another game they stay as guests, who have to choose a character.
func (c *currentGame) startNewGame(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	book := c.book
	for _, b := range c.books {
		if string(b.ID()) == args["game"] {
			book = b
		}
	}
	if args["game"] != "" && string(book.ID()) != args["game"] {
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.unknown")
	}
	var first []store.Event
	var stay []wire.Guest
	switch {
	case args["seats"] != seatsKeep:
	case book.ID() != c.book.ID():
		stay = c.parts.listGuests()
		for _, s := range c.game.currentViews().Public.Seats {
			stay = append(stay, wire.Guest{Seat: s.Seat, Name: s.Name})
		}
	default:
		rows, err := c.journal.Events(c.gameID)
		if err != nil {
			c.pauseForFailure(err)
			return nil, c.refusePaused()
		}
		if first, err = eventsOfLobby(book, rows, c.Salt); err != nil {
			panic("game: new game: " + err.Error()) // the journal does not hold what this loop wrote
		}
	}
	p, err := replayGame(book, first)
	if err != nil {
		panic(fmt.Sprintf("game: new game: %v", err))
	}
	eachPart(c.parts, func(l master.GameCloser) { l.HandleGameClosing(by.Author) })
	g, err := c.journal.BeginGame(book.ID(), first)
	if err != nil {
		c.pauseForFailure(err)
		return nil, c.refusePaused()
	}
	c.pauseState.replayHold(nil)
	c.setGame(book, g.ID, p)
	c.parts.foldEvents(nil)
	c.parts.loadSettings()
	if first == nil {
		eachPart(c.parts, func(o master.LobbyListener) { o.HandleLobbyOpened(by.Author, stay) })
	}
	return &wire.Notice{Msg: engine.NewMsg("table.new-game")}, nil
}
