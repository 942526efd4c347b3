package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Controls are what a button or a control card of the table can ask for. They are the host's acts that need no choice.
const (
	ControlStart = "start" // begins the game, and plays again once it is over
	ControlNext  = "next"  // the phones wait for the display no longer
	ControlPause = "pause" // stops the game and lets it go on
	ControlCall  = "call"  // calls the host
)

// actResume is the host's way out of a pause of a button.
const actResume = "resume"

// Press does what a control asks for; one that makes no sense now does nothing. It waits for room in the queue, as Present does.
func (l *Loop) Press(control string) {
	l.tell(input{l.core.Clock.Now(), func(c *core) { c.press(control) }})
}

func (c *core) press(control string) {
	switch {
	case control == ControlCall:
		c.announce(engine.Say("table.called"))
	case control == ControlPause && c.held:
		n, _ := c.resume(nil)
		c.publish(notices{public: n})
	case c.paused != nil:
	case control == ControlPause && !c.inLobby():
		c.hold()
	case control == ControlNext && c.scene != nil:
		c.scene = nil
		c.publish(notices{})
	case control == ControlStart && c.scene == nil:
		c.start()
	}
}

// start begins the game as the host's page does. What is missing for it is told to everybody: in the lobby nothing is secret.
func (c *core) start() {
	switch {
	case c.inLobby():
		n := notices{}
		if r := c.play(engine.Command{At: c.now(), By: engine.Host, Act: "begin"}, engine.Host.String()); r != nil {
			n.public = &wire.Notice{Msg: r.Why, Rule: r.Rule}
		}
		c.publish(n)
	case c.game.look().Public.Result != nil:
		told, r := c.newGame(engine.Args{"seats": keep})
		if r != nil {
			told = &wire.Notice{Msg: r.Why, Rule: r.Rule}
		}
		c.publish(notices{public: told})
	}
}

// hold stops the game and its clock until somebody lets it go on.
func (c *core) hold() {
	c.base = c.now() // before paused is set: the clock stops here
	m := engine.Say("table.paused.held")
	c.paused, c.held = &m, true
	c.publish(notices{})
}

// resume ends the pause of a button.
func (c *core) resume(engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.held {
		return nil, refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	c.paused, c.held, c.anchor = nil, false, c.Clock.Now()
	return &wire.Notice{Msg: engine.Say("table.resumed")}, nil
}
