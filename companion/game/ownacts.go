package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the loop itself.
const (
	actUndo    = "undo"
	actNewGame = "new-game"
	actSkip    = "skip-scene"
)

// partsOfLoop returns the acts of the loop as parts, so that they are offered, refused and done as those of the
// game master: the first come before the act for the next group, the last after it.
func (c *core) partsOfLoop() (first []master.Part, last master.Part) {
	return []master.Part{scenePart{c}, undoPart{c}, notePart{c}}, newNewGamePart(c)
}

// scenePart ends the scene that a display plays.
type scenePart struct{ c *core }

// Acts implements master.Part.
func (p scenePart) Acts() []master.Act {
	return []master.Act{{Name: actSkip, Role: wire.RoleHost, Do: p.skipScene}}
}

// AppendOffers implements master.Offerer.
func (p scenePart) AppendOffers(all []engine.Offer) []engine.Offer {
	if p.c.scene == nil {
		return all
	}
	return append(all, engine.Offer{Act: actSkip, Rule: "GEN-001"})
}

func (p scenePart) skipScene(master.Actor, engine.Args) (*wire.Notice, *engine.Reject) {
	p.c.endSceneNow(p.c.game.currentViews().Public.LastHappeningNumber())
	return nil, nil
}

// Orders implements master.OrderLister.
func (p scenePart) Orders() []master.Act {
	return []master.Act{{Name: wire.OrderNext, Do: p.orderSkipScene}}
}

func (p scenePart) orderSkipScene(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if p.c.scene == nil {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.order.scene")
	}
	return p.skipScene(by, args)
}

// HandleControl implements master.ControlHandler. The display plays on.
func (p scenePart) HandleControl(_ master.Actor, control string) bool {
	if control != wire.ControlNext || p.c.scene == nil {
		return false
	}
	p.c.scene = nil
	p.c.publish(notices{})
	return true
}

// undoPart takes the last act back for the host, who must add force if a player has seen something by it. Seats
// need a vote for the same (package corrections).
type undoPart struct{ c *core }

// Acts implements master.Part.
func (p undoPart) Acts() []master.Act {
	return []master.Act{{Name: actUndo, Role: wire.RoleHost, Do: p.undoLastAct}}
}

// undoNeedsForce reports whether an undo must be forced. During a scene the offer must not show what would be undone.
func (p undoPart) undoNeedsForce() bool { return p.c.group.barrier || p.c.scene != nil }

// AppendOffers implements master.Offerer.
func (p undoPart) AppendOffers(all []engine.Offer) []engine.Offer {
	if p.c.group.step == 0 {
		return all
	}
	o := engine.Offer{Act: actUndo, Rule: "GEN-009"}
	if p.undoNeedsForce() {
		o.Fixed, o.Grave = engine.Args{"force": yes}, true
	}
	return append(all, o)
}

func (p undoPart) undoLastAct(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if p.c.group.step == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-009", "table.undo.nothing")
	}
	if p.undoNeedsForce() && args["force"] != yes {
		return nil, master.Refuse(engine.Forbidden, "GEN-009", "table.undo.barrier")
	}
	said := engine.NewMsg("table.undone")
	if p.c.group.barrier && p.c.scene == nil {
		said = engine.NewMsg("table.undone.insisted")
	}
	if r := p.c.undoLastAct(by.Author); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: said, Rule: "GEN-009"}, nil
}

// ShowHost implements master.HostShower: the first public sentence about the act that undo takes back. During a
// scene it must not be shown.
func (p undoPart) ShowHost(to *wire.ForHost) {
	if c := p.c; c.group.step != 0 && c.pauseMsg == nil && c.scene == nil {
		to.Desk.Undo = firstNewLine(c.group.before.currentViews().Public.Log, c.game.currentViews().Public.Log)
	}
}

// firstNewLine returns the first sentence of a log that was not in it before; nil if there is none.
func firstNewLine(before, now []engine.Line) *engine.Msg {
	last := uint16(0)
	if len(before) > 0 {
		last = before[len(before)-1].N
	}
	for _, line := range now {
		if line.N > last {
			return line.Msg
		}
	}
	return nil
}

// notePart stores the note sheets of seats. It is not a step: the game does not change, undo does not reach it
// and no vote ends by it. All viewers get an update, as after any act.
type notePart struct{ c *core }

// Acts implements master.Part.
func (p notePart) Acts() []master.Act {
	return []master.Act{{Name: wire.ActNote, Seats: true, Silent: true, Do: p.writeNotes}}
}

func (p notePart) writeNotes(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, p.c.writeNotes(by.Handset, args)
}

// newGamePart opens another game.
type newGamePart struct {
	c     *core
	games []engine.Args // for each book the fixed arguments of the offer to open it
}

func newNewGamePart(c *core) newGamePart {
	p := newGamePart{c: c}
	for _, b := range c.books {
		p.games = append(p.games, engine.Args{"game": string(b.ID())})
	}
	return p
}

// Acts implements master.Part.
func (p newGamePart) Acts() []master.Act {
	return []master.Act{{Name: actNewGame, Role: wire.RoleHost, Pause: master.WhenTimeUp, Do: p.c.startNewGame}}
}

// AppendOffers implements master.Offerer. They need a second thought while the current game has not ended.
func (p newGamePart) AppendOffers(all []engine.Offer) []engine.Offer {
	grave := !p.c.isEndKnownToPhones() && !p.c.isTimeUp()
	for _, fixed := range p.games {
		all = append(all, engine.Offer{Act: actNewGame, Rule: "GEN-001", Grave: grave, Fixed: fixed, Params: seatsParam})
	}
	return all
}

// seatsParam asks whether the players keep their seats.
var seatsParam = []engine.Param{{Name: "seats", Kind: "value", Domain: []string{seatsKeep, seatsClear}}}

// closeGameForNextGroup closes the game for another group of players, and forgets what was shown to the last one.
func (c *core) closeGameForNextGroup(author string) (no *engine.Reject) {
	if err := c.clearNotes(); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	eachPart(c.parts, func(g master.GroupListener) {
		if no == nil {
			no = g.PrepareNextGroup()
		}
	})
	if no == nil {
		_, no = c.startNewGame(master.Actor{Author: author}, engine.Args{"seats": seatsClear})
	}
	if no == nil {
		clear(c.privateNotices)
	}
	return no
}
