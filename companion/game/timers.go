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
	c.runDueTimers(in.at)
	in.do(c)
}

// runDueTimers does what is due at a moment, the earliest first, at most maxDueInARow things.
func (c *core) runDueTimers(until time.Time) {
	for range maxDueInARow {
		at, do := c.nextTimer()
		if do == nil || at.After(until) {
			return
		}
		do()
	}
}

// nextWakeTime returns when runDueTimers has to be called next; false for never.
func (c *core) nextWakeTime() (wake time.Time, ok bool) {
	at, do := c.nextTimer()
	return at, do != nil
}

// nextTimer returns the earliest timer of the loop and what to do then. do is nil if there is none, as after a
// loss that the host has not answered yet.
func (c *core) nextTimer() (at time.Time, do func()) {
	addTimer := func(when time.Time, what func()) {
		if do == nil || when.Before(at) {
			at, do = when, what
		}
	}
	if c.scene == nil { // during a scene no card is decided
		c.tagFields.addWindowTimers(addTimer, c.playPresentation)
	}
	switch {
	case c.isLost, c.isHeld:
	case c.pauseMsg != nil:
		addTimer(c.retryAt, c.retryJournal)
	default:
		c.listRunningTimers(addTimer)
	}
	return at, do
}

// listRunningTimers passes to addTimer the timers of a game that is not paused.
func (c *core) listRunningTimers(addTimer func(time.Time, func())) {
	show := func() { c.publish(notices{}) }
	if when, ok := c.Desk.NextInviteChange(); ok {
		addTimer(when, show)
	}
	if c.scene != nil {
		addTimer(c.sceneEnd(), show)
	}
	for _, t := range c.parts.timers {
		t.ListTimers(addTimer)
	}
	for _, d := range c.game.Deadlines() {
		if !c.deadlines.expired[d] {
			addTimer(c.wallTimeOf(d.At+c.deadlines.delays[d]), func() { c.playDeadline(d) })
		}
	}
}

func (c *core) playDeadline(d engine.Deadline) {
	c.deadlines.expired[d] = true
	cmd := engine.Command{At: max(c.gameTime(), d.At), By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}
	if r := c.playCommand(cmd, causeDeadline); r == nil || c.pauseMsg != nil {
		c.publish(notices{})
	}
}

// setMachineState stores the state of readers, phones and display, and publishes a step if it has changed.
func (c *core) setMachineState(readers map[string]string, online []wire.Handset, displayOnline bool) {
	c.setDisplayOnline(displayOnline, c.Clock.Now())
	ended := false
	eachPart(c.parts, func(p master.PhoneWatcher) { ended = p.HandleOnlineChange(online) || ended })
	if maps.Equal(readers, c.readerStates) && slices.Equal(online, c.online) && !ended {
		return
	}
	c.readerStates, c.online = readers, online
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
	case err != nil || !c.reloadAndResume():
		c.publishPauseChange(before)
	case c.isHeld:
		c.publish(notices{})
	default:
		c.Log.Info("the game goes on", "conseil", "la partie reprend")
		c.publish(notices{public: &wire.Notice{Msg: engine.NewMsg("table.resumed")}})
	}
}

// publishPauseChange publishes the pause if its reason has changed.
func (c *core) publishPauseChange(before *engine.Msg) {
	if before == nil || !reflect.DeepEqual(*before, *c.pauseMsg) {
		c.publish(notices{})
	}
}
