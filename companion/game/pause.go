package game

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// pauseState holds the reasons for which the game is paused.
type pauseState struct {
	pauseMsg *engine.Msg  // nil: the game is not paused
	hold     *wire.Hold   // the hold that the events of the game describe; nil: none
	isHeld   bool         // the pause is the hold: an actor ends it, and time does not
	losses   []engine.Msg // what the journal has lost; while there is any, only the host ends the pause
	retryAt  time.Time    // when a failed journal is tried again; backoff is the time to the try after that
	backoff  time.Duration
}

// foldEvents reads the hold from all events of a game.
func (p *pauseState) foldEvents(rows []store.Event) {
	p.hold = nil
	for _, e := range rows {
		p.applyEvent(e)
	}
}

func (p *pauseState) applyEvent(e store.Event) {
	switch e.Kind {
	case master.KindPause:
		p.hold = &wire.Hold{}
		master.DecodeData(e, p.hold) // damaged data also counts as a hold
		p.hold.By = e.Cause
	case master.KindResume:
		p.hold = nil
	}
}

// allowsAct reports whether the current pause allows an act.
func (p *pauseState) allowsAct(in master.Pause) bool {
	switch in {
	case master.InAnyPause:
		return true
	case master.InHold:
		return p.isHeld
	case master.WhenTimeUp:
		return p.isTimeUp()
	case master.WhenLost:
		return len(p.losses) > 0
	}
	return false
}

// isTimeUp reports whether the countdown has ended the game.
func (p *pauseState) isTimeUp() bool { return p.isHeld && p.hold.Over }

// publicHold returns the hold without the name of its author; nil if the game is not on hold.
func (p *pauseState) publicHold() *wire.Hold {
	if !p.isHeld {
		return nil
	}
	h := *p.hold
	h.By = wire.Nameless(h.By)
	return &h
}

// refusePaused refuses a command because the game is paused.
func (p *pauseState) refusePaused() *engine.Reject {
	return &engine.Reject{Code: engine.NotNow, Rule: "GEN-001", Why: *p.pauseMsg, Public: *p.pauseMsg}
}

// holdGame puts the game on hold until releaseGame.
func (c *core) holdGame(author string, h wire.Hold) *engine.Reject {
	if r := c.recordEvent(author, master.KindPause, h); r != nil {
		return r
	}
	c.pauseForHold()
	return nil
}

// releaseGame ends the hold.
func (c *core) releaseGame(author string) *engine.Reject {
	if r := c.recordEvent(author, master.KindResume, struct{}{}); r != nil {
		return r
	}
	c.pauseMsg, c.isHeld, c.anchor = nil, false, c.Clock.Now()
	return nil
}

// pauseForHold pauses the game because of its hold.
func (c *core) pauseForHold() {
	c.base = c.gameTime() // before the pause is set, which stops the clock
	m := engine.NewMsg("table.paused.host")
	switch {
	case c.hold.Over:
		m = engine.NewMsg("table.paused.time")
	case c.hold.Alarm:
		m = engine.NewMsg("table.paused.alarm")
	case c.hold.By == causeButton:
		m = engine.NewMsg("table.paused.held")
	case strings.HasPrefix(c.hold.By, wire.ByProgram):
		m = engine.NewMsg("table.paused.house")
	}
	c.pauseMsg, c.isHeld = &m, true
}

// recordEvent writes an event of the loop or of a part that is not a step of the game. The author is its cause.
func (c *core) recordEvent(author, kind string, data any) *engine.Reject {
	row := store.Event{Step: c.lastStep + 1, Cause: author, Kind: kind, Data: mustJSON(data), At: c.gameTime()}
	if err := c.journal.Append(c.gameID, []store.Event{row}, resultOf(c.game)); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	c.gameState.lastStep, c.gameState.lastStamp = c.lastStep+1, max(c.lastStamp, row.At)
	c.pauseState.applyEvent(row)
	c.parts.applyEvents(row)
	return nil
}

// mustJSON encodes a value of this program's own types, which always encode.
func mustJSON(data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic("game: encode: " + err.Error())
	}
	return text
}

// recordInterruptions lets the parts record what a power cut or a failure of the store has interrupted, if the
// journal can be written.
func (c *core) recordInterruptions() {
	if c.pauseMsg != nil && !c.isHeld {
		return
	}
	eachPart(c.parts, func(s master.InterruptionRecorder) {
		if n := s.RecordInterruption(); n != nil {
			c.openingNotices = notices{public: n}
		}
	})
}

// pauseForFailure pauses the game because the journal has failed, and schedules the next try.
func (c *core) pauseForFailure(err error) {
	c.base, c.isHeld = c.gameTime(), false // before the pause is set, which stops the clock
	c.Log.Error("the game is paused", "cause", err, "retry", c.backoff,
		"conseil", "la partie est suspendue : la page de l’hôte dit pourquoi ; l’écriture est retentée")
	m := pauseMessage(err)
	c.pauseMsg = &m
	c.retryAt = c.Clock.Now().Add(c.backoff)
	c.backoff = min(2*c.backoff, retryMax)
}

// publishPause publishes the pause if its reason has changed.
func (c *core) publishPause(before *engine.Msg) {
	if before == nil || !reflect.DeepEqual(*before, *c.pauseMsg) {
		c.publish(notices{})
	}
}

// setSetting stores a setting of the table. A failure of the store pauses the game.
func (c *core) setSetting(name, value string) *engine.Reject {
	if err := c.journal.SetSetting(name, value); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	return nil
}

// retryJournal tries the journal again. It reads the game from disk, because a step whose Append failed may be
// there.
func (c *core) retryJournal() {
	before := c.pauseMsg
	err := c.journal.CheckWritable()
	if err == nil {
		err = c.loadGame()
	}
	if err != nil {
		c.pauseForFailure(err)
		c.publishPause(before)
		return
	}
	if c.isHeld {
		c.recordInterruptions()
		c.publish(notices{})
		return
	}
	c.pauseMsg = nil
	if c.recordInterruptions(); c.pauseMsg != nil { // it has failed again
		c.publishPause(before)
		return
	}
	c.Log.Info("the game goes on", "conseil", "la partie reprend")
	m := engine.NewMsg("table.resumed")
	c.publish(notices{public: &wire.Notice{Msg: m}})
}
