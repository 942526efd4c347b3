package table

import (
	"reflect"

	"majordome/companion/wire"
	"majordome/engine"
)

// pause stops the game because the journal has failed.
func (c *core) pause(err error) {
	c.base, c.held = c.now(), false // before paused is set: the clock stops here
	c.Log.Error("the game is paused", "cause", err, "retry", c.backoff,
		"conseil", "la partie est suspendue : la page de l’hôte dit pourquoi ; l’écriture est retentée")
	m := pausedBy(err)
	c.paused = &m
	c.retryAt = c.Clock.Now().Add(c.backoff)
	c.backoff = min(2*c.backoff, retryMax)
}

// tellPause publishes the pause if its reason differs from before.
func (c *core) tellPause(before *engine.Msg) {
	if before == nil || !reflect.DeepEqual(*before, *c.paused) {
		c.publish(notices{})
	}
}

// standing refuses a command because the game is paused.
func (c *core) standing() *engine.Reject {
	return &engine.Reject{Code: engine.NotNow, Rule: "GEN-001", Why: *c.paused, Public: *c.paused}
}

// set keeps a setting of the table; a store that cannot pauses the game.
func (c *core) set(name, value string) *engine.Reject {
	if err := c.journal.SetSetting(name, value); err != nil {
		c.pause(err)
		return c.standing()
	}
	return nil
}

// retry tries the journal again. The game is read from it, because a step whose
// Append failed may be on disk all the same.
func (c *core) retry() {
	before := c.paused
	err := c.journal.Check()
	if err == nil {
		err = c.load()
	}
	if err != nil {
		c.pause(err)
		c.tellPause(before)
		return
	}
	if c.held {
		c.coverLeft()
		c.publish(notices{})
		return
	}
	c.paused = nil
	if c.coverLeft(); c.paused != nil { // and again
		c.tellPause(before)
		return
	}
	c.Log.Info("the game goes on", "conseil", "la partie reprend")
	m := engine.Say("table.resumed")
	c.publish(notices{public: &wire.Notice{Msg: m}})
}
