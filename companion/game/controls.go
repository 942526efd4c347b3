package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// causeButton is the author of acts by a button or a control card.
const causeButton = "button"

// PressControl does what a button or a control card of the table is for. If that is not possible now it does
// nothing. It blocks as HandleReading does.
func (l *Loop) Press(control string) {
	l.tell(input{l.core.Clock.Now(), func(c *core) { c.press(control) }})
}

func (c *core) press(control string) {
	by := master.Actor{Author: causeButton}
	done := false
	eachPart(c.parts, func(p master.ControlHandler) { done = done || p.HandleControl(by, control) })
	switch {
	case done:
	case control == wire.ControlCall:
		c.announce(engine.Say("table.called"))
	case c.paused != nil:
	case control == wire.ControlNext && c.scene != nil:
		c.scene = nil
		c.publish(notices{})
	case control == wire.ControlStart && c.scene == nil:
		c.start(by)
	}
}

// startGame begins the game as the host's page does, or a new game if the last one has ended. A refusal is
// published to all viewers: in the lobby nothing is secret.
func (c *core) start(by master.Actor) {
	switch {
	case c.parts.gate() != nil:
		c.publish(notices{public: &wire.Notice{Msg: engine.Say("table.gate.missing"), Rule: "GEN-E09"}})
	case c.inLobby():
		n := notices{}
		if r := c.play(engine.Command{At: c.now(), By: engine.Host, Act: actBegin}, by.Author); r != nil {
			n.public = &wire.Notice{Msg: r.Why, Rule: r.Rule}
		}
		c.publish(n)
	case c.game.look().Public.Result != nil:
		told, r := c.newGame(by, engine.Args{"seats": keep})
		if r != nil {
			told = &wire.Notice{Msg: r.Why, Rule: r.Rule}
		}
		c.publish(notices{public: told})
	}
}
