package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// PressControl does what a button or a control card of the table is for. If that is not possible now it does
// nothing. It blocks as HandleReading does.
func (l *Loop) PressControl(control string) {
	l.enqueue(func(c *core) { c.pressControl(control) })
}

func (c *core) pressControl(control string) {
	by := master.Actor{Author: causeButton}
	done := false
	eachPart(c.parts, func(p master.ControlHandler) { done = done || p.HandleControl(by, control) })
	switch {
	case done:
	case control == wire.ControlCall:
		c.publishPhoneNotice(engine.NewMsg("table.called"))
	case c.pauseMsg != nil:
	case control == wire.ControlStart && c.scene == nil:
		c.beginOrRestartGame(by)
	}
}

// beginOrRestartGame begins the game as the host's page does, or a new game if the last one has ended. A refusal is
// published to all viewers: in the lobby nothing is secret.
func (c *core) beginOrRestartGame(by master.Actor) {
	switch {
	case c.parts.closedGatekeeper() != nil:
		c.publish(notices{public: &wire.Notice{Msg: engine.NewMsg("table.gate.missing"), Rule: "GEN-E09"}})
	case c.isInLobby():
		n := notices{}
		if r := c.playCommand(engine.Command{At: c.gameTime(), By: engine.Host, Act: actBegin}, by.Author); r != nil {
			n.public = &wire.Notice{Msg: r.Why, Rule: r.Rule}
		}
		c.publish(n)
	case c.game.currentViews().Public.Result != nil:
		notice, r := c.startNewGame(by, engine.Args{"seats": seatsKeep})
		if r != nil {
			notice = &wire.Notice{Msg: r.Why, Rule: r.Rule}
		}
		c.publish(notices{public: notice})
	}
}
