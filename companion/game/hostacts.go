package game

import (
	"encoding/json"
	"fmt"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the loop for the host.
const (
	actUndo    = "undo"
	actNewGame = "new-game"
	actBegin   = "begin" // an act of each game; the loop knows it because of the gate (master.Gatekeeper)
	actGoOn    = "go-on"
	actRestore = "restore"
	actSkip    = "skip-scene"
)

const (
	seatsKeep  = "keep"
	seatsClear = "clear"
	yes        = "yes"
	no         = "no"
)

// hostActs returns the acts of the loop for the host.
func (c *core) hostActs() []master.Act {
	const host, operator = wire.RoleHost, wire.RoleOperator
	return []master.Act{
		{Name: actUndo, Role: host, Do: c.undoForHost},
		{Name: actNewGame, Role: host, Pause: master.WhenTimeUp, Do: c.startNewGame},
		{Name: actSkip, Role: host, Do: c.endScene},

		{Name: actNextGroup, Role: operator, Pause: master.InHold, Do: c.startNextGroup},
		{Name: actGoOn, Role: operator, Pause: master.WhenLost, Do: c.continueWithLosses},
		{Name: actRestore, Role: operator, Pause: master.WhenLost, Do: c.restoreBackup},
	}
}

// appendHostOffers adds the host's acts of the loop and the parts to those of the game; over: the host's page
// shows that the game has ended.
func (c *core) appendHostOffers(all []engine.Offer, over bool) []engine.Offer {
	if len(c.losses) > 0 { // the host has to choose first
		all = append(all, c.lossOffers()...)
	}
	all = c.appendPartOffers(all)
	switch {
	case c.isTimeUp():
		return c.appendNewGameOffers(c.appendNextGroupOffer(all, true), true)
	case c.pauseMsg != nil:
		return all
	}
	if c.scene != nil {
		all = append(all, engine.Offer{Act: actSkip, Rule: "GEN-001"})
	}
	return c.appendNewGameOffers(c.appendNextGroupOffer(c.appendUndoOffer(all), over), over)
}

func (c *core) appendUndoOffer(all []engine.Offer) []engine.Offer {
	if c.group.step == 0 {
		return all
	}
	o := engine.Offer{Act: actUndo, Rule: "GEN-009"}
	if c.group.barrier || c.scene != nil { // during a scene the offer must not show what would be undone
		o.Fixed, o.Grave = engine.Args{"force": yes}, true
	}
	return append(all, o)
}

// undoSummary returns the first public sentence about the act that undo takes back; nil if there is none.
func (c *core) undoSummary() *engine.Msg {
	if c.group.step == 0 || c.pauseMsg != nil || c.scene != nil { // during a scene it must not be shown
		return nil
	}
	var last uint16
	if before := c.group.before.currentViews().Public.Log; len(before) > 0 {
		last = before[len(before)-1].N
	}
	for _, line := range c.game.currentViews().Public.Log {
		if line.N > last {
			return line.Msg
		}
	}
	return nil
}

// appendNewGameOffers adds the offers to open another game; over: the current one has ended.
func (c *core) appendNewGameOffers(all []engine.Offer, over bool) []engine.Offer {
	for i := range c.books {
		all = append(all, engine.Offer{Act: actNewGame, Rule: "GEN-001", Grave: !over, Fixed: c.fixedGames[i], Params: seatsParam})
	}
	return all
}

// seatsParam asks whether the players keep their seats.
var seatsParam = []engine.Param{{Name: "seats", Kind: "value", Domain: []string{seatsKeep, seatsClear}}}

// undoForHost takes the last act back for the host, who must add force if a player has seen something by it. Seats
// need a vote for the same.
func (c *core) undoForHost(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.group.step == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.undo.nothing")
	}
	if (c.group.barrier || c.scene != nil) && args["force"] != yes { // the same condition as in the offer
		return nil, master.Refuse(engine.Forbidden, "GEN-009", "table.undo.barrier")
	}
	said := engine.NewMsg("table.undone")
	if c.group.barrier && c.scene == nil {
		said = engine.NewMsg("table.undone.insisted")
	}
	if r := c.undoLastAct(by.Author); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: said, Rule: "GEN-009"}, nil
}

// startNewGame closes the current game, finished or not, and opens a new one. With seats=keep the players keep
// their seats; in another game they stay as guests, who have to choose a character.
func (c *core) startNewGame(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
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
		if first, err = lobbyEvents(book, rows); err != nil {
			panic("game: new game: " + err.Error()) // the journal does not hold what this loop wrote
		}
	}
	p, err := foldGame(book, first)
	if err != nil {
		panic(fmt.Sprintf("game: new game: %v", err))
	}
	eachPart(c.parts, func(l master.GameCloser) { l.CloseGame(by.Author) })
	g, err := c.journal.Begin(book.ID(), first)
	if err != nil {
		c.pauseForFailure(err)
		return nil, c.refusePaused()
	}
	c.pauseState.foldEvents(nil)
	c.setGame(book, g.ID, p)
	c.parts.foldEvents(nil)
	c.parts.loadSettings()
	if first == nil {
		eachPart(c.parts, func(o master.LobbyListener) { o.LobbyOpened(by.Author, stay) })
	}
	return &wire.Notice{Msg: engine.NewMsg("table.new-game")}, nil
}

// endScene ends the scene.
func (c *core) endScene(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	c.skipScene(c.game.currentViews().Public.LastHappeningN())
	return nil, nil
}

// undoLastAct makes the last group of steps void, and stores that as an event. The caller checks that there is
// one.
func (c *core) undoLastAct(cause string) *engine.Reject {
	rows, err := c.journal.Events(c.gameID)
	if err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	data, _ := json.Marshal(master.Undone{Step: c.group.step, Insisted: c.group.barrier && cause != master.ByVote}) // it cannot fail
	event := store.Event{N: int64(len(rows) + 1), Step: c.lastStep + 1, Cause: cause, Kind: master.KindUndo, Data: data, At: c.gameTime()}
	p, err := foldGame(c.book, append(rows, event))
	if err != nil {
		panic("game: undo: " + err.Error()) // the journal does not hold what this loop wrote
	}
	if p.game.currentViews().Public.Phase == engine.PhaseLobby {
		if err := c.clearNotes(); err != nil {
			c.pauseForFailure(err)
			return c.refusePaused()
		}
	}
	if err := c.journal.Append(c.gameID, []store.Event{event}, resultOf(p.game)); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	late := c.gameTime() - c.group.at
	c.gameState = p
	c.parts.applyEvents(event)
	c.deadlines.reset()
	c.deadlines.delayAll(c.game.Deadlines(), late) // each deadline keeps the time that it had left at the undone step
	return nil
}

// isInLobby reports whether the game has not begun.
func (c *core) isInLobby() bool { return c.game.currentViews().Public.Phase == engine.PhaseLobby }
