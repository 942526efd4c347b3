package game

import (
	"errors"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// A journal that has failed is tried again after retryFirst, then after twice as long each time, up to retryMax.
const (
	retryFirst = time.Second
	retryMax   = 30 * time.Second
)

// pauseState holds the reasons for which the game is paused.
type pauseState struct {
	pauseMsg *engine.Msg // nil: the game is not paused
	hold     *wire.Hold  // the hold that the events of the game describe; nil: none
	isHeld   bool        // the pause is the hold: an actor ends it, and time does not
	isLost   bool        // a part has paused the start (master.StartBlocker): only the host ends it
	retryAt  time.Time   // when a failed journal is tried again; backoff is the time to the try after that
	backoff  time.Duration
}

// replayHold reads the hold from all events of a game.
func (p *pauseState) replayHold(rows []store.Event) {
	p.hold = nil
	for _, e := range rows {
		p.applyHoldEvent(e)
	}
}

func (p *pauseState) applyHoldEvent(e store.Event) {
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
func (p *pauseState) allowsAct(pause master.Pause) bool {
	switch pause {
	case master.InAnyPause:
		return true
	case master.InHold:
		return p.isHeld
	case master.WhenTimeUp:
		return p.isTimeUp()
	case master.WhenLost:
		return p.isLost
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
	h.By = wire.WithoutStaffName(h.By)
	return &h
}

// refusePaused refuses a command because the game is paused.
func (p *pauseState) refusePaused() *engine.Reject {
	return &engine.Reject{Code: engine.NotNow, Rule: "GEN-001", Why: *p.pauseMsg, Public: *p.pauseMsg}
}

// holdGame puts the game on hold until releaseGame.
func (c *currentGame) holdGame(author string, h wire.Hold) *engine.Reject {
	if r := c.recordEvent(author, master.KindPause, h); r != nil {
		return r
	}
	c.pauseForHold()
	return nil
}

// releaseGame ends the hold.
func (c *currentGame) releaseGame(author string) *engine.Reject {
	if r := c.recordEvent(author, master.KindResume, struct{}{}); r != nil {
		return r
	}
	c.pauseMsg, c.isHeld, c.anchor = nil, false, c.Clock.Now()
	return nil
}

// pauseForHold pauses the game because of its hold.
func (c *currentGame) pauseForHold() {
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

// pauseAtStartIfAsked pauses the game at its start if a part asks for it (master.StartBlocker).
func (c *currentGame) pauseAtStartIfAsked() {
	if why := c.parts.startPauseReason(); why != nil {
		c.pauseMsg, c.isHeld, c.isLost = why, false, true
	}
}

// resumeAfterLosses ends that pause.
func (c *currentGame) resumeAfterLosses() *engine.Reject {
	c.isLost = false
	if !c.reloadAndResume() {
		return c.refusePaused()
	}
	return nil
}

// reloadAndResume reads the game from disk and ends the pause, unless the game is on hold. If the journal fails again it
// returns false, and the game is paused for that.
func (c *currentGame) reloadAndResume() (loaded bool) {
	if err := c.loadGame(); err != nil {
		c.pauseForFailure(err)
		return false
	}
	if c.isHeld {
		c.letPartsRecordInterruption()
		return true
	}
	c.pauseMsg = nil
	c.letPartsRecordInterruption()
	return c.pauseMsg == nil
}

// letPartsRecordInterruption lets the parts record what a power cut or a failure of the store has interrupted, if the
// journal can be written.
func (c *currentGame) letPartsRecordInterruption() {
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
func (c *currentGame) pauseForFailure(err error) {
	c.base, c.isHeld = c.gameTime(), false // before the pause is set, which stops the clock
	c.Log.Error("the game is paused", "cause", err, "retry", c.backoff,
		"conseil", "la partie est suspendue : la page de l’hôte dit pourquoi ; l’écriture est retentée")
	m := pauseMessage(err)
	c.pauseMsg = &m
	c.retryAt = c.Clock.Now().Add(c.backoff)
	c.backoff = min(2*c.backoff, retryMax)
}

// pauseMessage returns the public message about a journal that has failed.
func pauseMessage(err error) engine.Msg {
	var e *store.Error
	if errors.As(err, &e) {
		switch e.Trouble {
		case store.Full:
			return engine.NewMsg("table.paused.full")
		case store.FileGone:
			if e.Backup != "" {
				return engine.NewMsg("table.paused.saved", "file", e.Backup)
			}
			return engine.NewMsg("table.paused.gone")
		}
	}
	return engine.NewMsg("table.paused.store")
}
