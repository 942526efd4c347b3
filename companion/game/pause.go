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
type pauses struct {
	paused  *engine.Msg  // nil: the game is not paused
	hold    *wire.Hold   // the hold that the events of the game describe; nil: none
	held    bool         // the pause is the hold: an actor ends it, and time does not
	lost    []engine.Msg // what the journal has lost; while there is any, only the host ends the pause
	retryAt time.Time    // when a failed journal is tried again; backoff is the time to the try after that
	backoff time.Duration
}

// foldEvents reads the hold from all events of a game.
func (p *pauses) read(rows []store.Event) {
	p.hold = nil
	for _, e := range rows {
		p.apply(e)
	}
}

func (p *pauses) apply(e store.Event) {
	switch e.Kind {
	case master.KindPause:
		p.hold = &wire.Hold{}
		master.Read(e, p.hold) // damaged data also counts as a hold
		p.hold.By = e.Cause
	case master.KindResume:
		p.hold = nil
	}
}

// allowsAct reports whether the current pause allows an act.
func (p *pauses) allows(in master.Pause) bool {
	switch in {
	case master.InAnyPause:
		return true
	case master.InHold:
		return p.held
	case master.WhenTimeUp:
		return p.timeUp()
	case master.WhenLost:
		return len(p.lost) > 0
	}
	return false
}

// isTimeUp reports whether the countdown has ended the game.
func (p *pauses) timeUp() bool { return p.held && p.hold.Over }

// publicHold returns the hold without the name of its author; nil if the game is not on hold.
func (p *pauses) shownHold() *wire.Hold {
	if !p.held {
		return nil
	}
	h := *p.hold
	h.By = wire.Nameless(h.By)
	return &h
}

// refusePaused refuses a command because the game is paused.
func (p *pauses) standing() *engine.Reject {
	return &engine.Reject{Code: engine.NotNow, Rule: "GEN-001", Why: *p.paused, Public: *p.paused}
}

// holdGame puts the game on hold until releaseGame.
func (c *core) holdGame(author string, h wire.Hold) *engine.Reject {
	if r := c.record(author, master.KindPause, h); r != nil {
		return r
	}
	c.halt()
	return nil
}

// releaseGame ends the hold.
func (c *core) release(author string) *engine.Reject {
	if r := c.record(author, master.KindResume, struct{}{}); r != nil {
		return r
	}
	c.paused, c.held, c.anchor = nil, false, c.Clock.Now()
	return nil
}

// pauseForHold pauses the game because of its hold.
func (c *core) halt() {
	c.base = c.now() // before the pause is set, which stops the clock
	m := engine.Say("table.paused.host")
	switch {
	case c.hold.Over:
		m = engine.Say("table.paused.time")
	case c.hold.Alarm:
		m = engine.Say("table.paused.alarm")
	case c.hold.By == causeButton:
		m = engine.Say("table.paused.held")
	case strings.HasPrefix(c.hold.By, wire.ByProgram):
		m = engine.Say("table.paused.house")
	}
	c.paused, c.held = &m, true
}

// recordEvent writes an event of the loop or of a part that is not a step of the game. The author is its cause.
func (c *core) record(author, kind string, data any) *engine.Reject {
	row := store.Event{Step: c.step + 1, Cause: author, Kind: kind, Data: mustJSON(data), At: c.now()}
	if err := c.journal.Append(c.gameID, []store.Event{row}, resultOf(c.game)); err != nil {
		c.pause(err)
		return c.standing()
	}
	c.past.step, c.past.last = c.step+1, max(c.last, row.At)
	c.pauses.apply(row)
	c.parts.apply(row)
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
func (c *core) settle() {
	if c.paused != nil && !c.held {
		return
	}
	eachPart(c.parts, func(s master.Settler) {
		if n := s.Settle(); n != nil {
			c.opened = notices{public: n}
		}
	})
}

// pauseForFailure pauses the game because the journal has failed, and schedules the next try.
func (c *core) pause(err error) {
	c.base, c.held = c.now(), false // before the pause is set, which stops the clock
	c.Log.Error("the game is paused", "cause", err, "retry", c.backoff,
		"conseil", "la partie est suspendue : la page de l’hôte dit pourquoi ; l’écriture est retentée")
	m := pausedBy(err)
	c.paused = &m
	c.retryAt = c.Clock.Now().Add(c.backoff)
	c.backoff = min(2*c.backoff, retryMax)
}

// publishPause publishes the pause if its reason has changed.
func (c *core) tellPause(before *engine.Msg) {
	if before == nil || !reflect.DeepEqual(*before, *c.paused) {
		c.publish(notices{})
	}
}

// setSetting stores a setting of the table. A failure of the store pauses the game.
func (c *core) set(name, value string) *engine.Reject {
	if err := c.journal.SetSetting(name, value); err != nil {
		c.pause(err)
		return c.standing()
	}
	return nil
}

// retryJournal tries the journal again. It reads the game from disk, because a step whose Append failed may be
// there.
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
		c.settle()
		c.publish(notices{})
		return
	}
	c.paused = nil
	if c.settle(); c.paused != nil { // it has failed again
		c.tellPause(before)
		return
	}
	c.Log.Info("the game goes on", "conseil", "la partie reprend")
	m := engine.Say("table.resumed")
	c.publish(notices{public: &wire.Notice{Msg: m}})
}
