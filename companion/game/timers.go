package game

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// maxDueInARow limits the timers that run between two inputs.
const maxDueInARow = 64

// handleInput does what was due before an input, then the input itself.
func (c *core) handleInput(in input) {
	c.runDue(in.at)
	in.do(c)
}

// runDue does what is due at a moment, the earliest first, at most maxDueInARow things.
func (c *core) runDue(by time.Time) {
	for range maxDueInARow {
		at, do := c.nextDue()
		if do == nil || at.After(by) {
			return
		}
		do()
	}
}

// nextWake returns when runDue has to be called next; false for never.
func (c *core) nextWake() (time.Time, bool) {
	at, do := c.nextDue()
	return at, do != nil
}

// nextDue returns the earliest timer of the loop and what to do then. do is nil if there is none, as after a
// loss that the host has not answered yet.
func (c *core) nextDue() (at time.Time, do func()) {
	due := func(when time.Time, what func()) {
		if do == nil || when.Before(at) {
			at, do = when, what
		}
	}
	if c.scene == nil { // during a scene no card is decided
		c.fields.scheduleWindows(due, c.playPresentation)
	}
	switch {
	case c.isLost, c.isHeld:
	case c.pauseMsg != nil:
		due(c.retryAt, c.retryJournal)
	default:
		c.listRunningTimers(due)
	}
	return at, do
}

// listRunningTimers passes to due the timers of a game that is not paused.
func (c *core) listRunningTimers(due func(time.Time, func())) {
	show := func() { c.publish(notices{}) }
	if when, ok := c.Desk.NextChange(); ok {
		due(when, show)
	}
	if c.scene != nil {
		due(c.sceneEnd(), show)
	}
	for _, t := range c.parts.timers {
		t.ListTimers(due)
	}
	for _, d := range c.game.Deadlines() {
		if !c.deadlines.sent[d] {
			due(c.wallTimeOf(d.At+c.deadlines.delays[d]), func() { c.expireDeadline(d) })
		}
	}
}

func (c *core) expireDeadline(d engine.Deadline) {
	c.deadlines.sent[d] = true
	cmd := engine.Command{At: max(c.gameTime(), d.At), By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}
	if r := c.playCommand(cmd, causeDeadline); r == nil || c.pauseMsg != nil {
		c.publish(notices{})
	}
}

// setMachineState stores the state of readers, phones and display, and publishes a step if it has changed.
func (c *core) setMachineState(readers map[string]string, online []wire.Handset, displayOnline bool) {
	c.setDisplayOnline(displayOnline, c.Clock.Now())
	ended := false
	eachPart(c.parts, func(p master.PhoneWatcher) { ended = p.OnlineChanged(online) || ended })
	if maps.Equal(readers, c.readers) && slices.Equal(online, c.online) && !ended {
		return
	}
	c.readers, c.online = readers, online
	c.publish(notices{})
}

// retryJournal tries the journal again. It reads the game from disk, because a step whose Append failed may be
// there.
func (c *core) retryJournal() {
	before := c.pauseMsg
	err := c.journal.CheckWritable()
	if err != nil {
		c.pauseForFailure(err)
	}
	switch {
	case err != nil || !c.reload():
		c.publishPause(before)
	case c.isHeld:
		c.publish(notices{})
	default:
		c.Log.Info("the game goes on", "conseil", "la partie reprend")
		c.publish(notices{public: &wire.Notice{Msg: engine.NewMsg("table.resumed")}})
	}
}

// publishPause publishes the pause if its reason has changed.
func (c *core) publishPause(before *engine.Msg) {
	if before == nil || !reflect.DeepEqual(*before, *c.pauseMsg) {
		c.publish(notices{})
	}
}
