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
	actBegin   = "begin" // of every game; the loop keeps the gate before it
	actGoOn    = "go-on"
	actRestore = "restore"
	actSkip    = "skip-scene"
)

const (
	keep  = "keep"
	clean = "clear"
	yes   = "yes"
	no    = "no"
)

// hostActs returns the acts of the loop for the host.
func (c *core) hostActs() []master.Act {
	const host, operator = wire.RoleHost, wire.RoleOperator
	return []master.Act{
		{Name: actUndo, Role: host, Do: c.undo},
		{Name: actNewGame, Role: host, Pause: master.WhenTimeUp, Do: c.newGame},
		{Name: actSkip, Role: host, Do: c.skip},

		{Name: actNextGroup, Role: operator, Pause: master.InHold, Do: c.nextGroup},
		{Name: actGoOn, Role: operator, Pause: master.WhenLost, Do: c.goOn},
		{Name: actRestore, Role: operator, Pause: master.WhenLost, Do: c.restore},
	}
}

// offers adds the acts of the loop that are possible now to those of the game; over as the host is shown it.
func (c *core) offers(all []engine.Offer, over bool) []engine.Offer {
	if len(c.lost) > 0 { // that is to be decided first
		all = append(all, c.ofLost()...)
	}
	all = c.partOffers(all)
	switch {
	case c.timeUp():
		return c.newGameOffers(c.groupOffers(all, true), true)
	case c.paused != nil:
		return all
	}
	if c.scene != nil {
		all = append(all, engine.Offer{Act: actSkip, Rule: "GEN-001"})
	}
	return c.newGameOffers(c.groupOffers(c.undoOffers(all), over), over)
}

func (c *core) undoOffers(all []engine.Offer) []engine.Offer {
	if c.group.step == 0 {
		return all
	}
	o := engine.Offer{Act: actUndo, Rule: "GEN-009"}
	if c.group.barrier || c.scene != nil { // during a scene nothing tells what it takes back
		o.Fixed, o.Grave = engine.Args{"force": yes}, true
	}
	return append(all, o)
}

// newGameOffers put another game on the table; over: the present one has ended.
func (c *core) newGameOffers(all []engine.Offer, over bool) []engine.Offer {
	for i, b := range c.books {
		o := engine.Offer{Act: actNewGame, Rule: "GEN-001", Grave: !over}
		if b.ID() == c.book.ID() {
			o.Fixed, o.Params = c.again[i], whoseSeats
		} else {
			o.Fixed = c.another[i]
		}
		all = append(all, o)
	}
	return all
}

// whoseSeats asks whether those who sit at the table play on.
var whoseSeats = []engine.Param{{Name: "seats", Kind: "value", Domain: []string{keep, clean}}}

// undo is the host's own: over something that somebody has seen the host must
// insist, where the seats would have to agree.
func (c *core) undo(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.group.step == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.undo.nothing")
	}
	if (c.group.barrier || c.scene != nil) && args["force"] != yes { // as it is offered
		return nil, master.Refuse(engine.Forbidden, "GEN-009", "table.undo.barrier")
	}
	said := engine.Say("table.undone")
	if c.group.barrier && c.scene == nil {
		said = engine.Say("table.undone.insisted")
	}
	if r := c.takeBack(by.Author); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: said, Rule: "GEN-009"}, nil
}

// newGame puts the present game away, finished or not.
func (c *core) newGame(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
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
	if args["seats"] == keep && book.ID() == c.book.ID() {
		rows, err := c.journal.Events(c.gameID)
		if err != nil {
			c.pause(err)
			return nil, c.standing()
		}
		if first, err = lobby(book, rows); err != nil {
			panic("game: new game: " + err.Error()) // the journal is not what this loop wrote
		}
	}
	p, err := fold(book, first)
	if err != nil {
		panic(fmt.Sprintf("game: new game: %v", err))
	}
	eachPart(c.parts, func(l master.GameCloser) { l.CloseGame(by.Author) })
	g, err := c.journal.Begin(book.ID(), first)
	if err != nil {
		c.pause(err)
		return nil, c.standing()
	}
	c.pauses.read(nil)
	c.take(book, g.ID, p)
	c.parts.read(nil)
	c.parts.load()
	if first == nil {
		eachPart(c.parts, func(o master.LobbyListener) { o.LobbyOpened(by.Author) })
	}
	return &wire.Notice{Msg: engine.Say("table.new-game")}, nil
}

// skip ends the scene.
func (c *core) skip(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	c.skipScene(c.game.look().Public.Last())
	return nil, nil
}

// takeBack makes the last group of steps void; the event is stored like any
// other. The caller has seen to it that there is one.
func (c *core) takeBack(cause string) *engine.Reject {
	rows, err := c.journal.Events(c.gameID)
	if err != nil {
		c.pause(err)
		return c.standing()
	}
	data, _ := json.Marshal(master.Undone{Step: c.group.step, Insisted: c.group.barrier && cause != master.ByVote}) // never fails
	event := store.Event{N: int64(len(rows) + 1), Step: c.step + 1, Cause: cause, Kind: master.KindUndo, Data: data, At: c.now()}
	p, err := fold(c.book, append(rows, event))
	if err != nil {
		panic("game: undo: " + err.Error()) // the journal is not what this loop wrote
	}
	if p.game.look().Public.Phase == engine.PhaseLobby {
		if err := c.blankNotes(); err != nil {
			c.pause(err)
			return c.standing()
		}
	}
	if err := c.journal.Append(c.gameID, []store.Event{event}, resultOf(p.game)); err != nil {
		c.pause(err)
		return c.standing()
	}
	late := c.now() - c.group.at
	c.past = p
	c.parts.apply(event)
	c.due.reset()
	c.due.delay(c.game.Deadlines(), late) // each has the time left that it had when the undone step came
	return nil
}

// inLobby reports that the game has not begun.
func (c *core) inLobby() bool { return c.game.look().Public.Phase == engine.PhaseLobby }
