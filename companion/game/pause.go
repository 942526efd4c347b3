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

// pauses are why the game stands.
type pauses struct {
	paused  *engine.Msg  // nil: it goes on
	hold    *wire.Hold   // somebody has stopped the game, as its events tell; nil: nobody
	held    bool         // by hold: somebody ends the pause, not time
	lost    []engine.Msg // what the journal has lost; while there is any, the host alone ends the pause
	retryAt time.Time    // when a journal that has failed is tried again, and how long after that
	backoff time.Duration
}

// read takes who has stopped a game from its events.
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
		master.Read(e, p.hold) // damaged it is a hold all the same
		p.hold.By = e.Cause
	case master.KindResume:
		p.hold = nil
	}
}

// allows reports an act that is possible in the present pause.
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

// timeUp reports a game that a countdown has ended.
func (p *pauses) timeUp() bool { return p.held && p.hold.Over }

// shownHold returns who holds the game, as everybody may know it; nil where the game goes on, or stands still for another reason.
func (p *pauses) shownHold() *wire.Hold {
	if !p.held {
		return nil
	}
	h := *p.hold
	h.By = wire.Nameless(h.By)
	return &h
}

// standing refuses a command because the game is paused.
func (p *pauses) standing() *engine.Reject {
	return &engine.Reject{Code: engine.NotNow, Rule: "GEN-001", Why: *p.paused, Public: *p.paused}
}

// holdGame pauses the game for somebody, until release.
func (c *core) holdGame(author string, h wire.Hold) *engine.Reject {
	if r := c.record(author, master.KindPause, h); r != nil {
		return r
	}
	c.halt()
	return nil
}

// release ends the pause of somebody.
func (c *core) release(author string) *engine.Reject {
	if r := c.record(author, master.KindResume, struct{}{}); r != nil {
		return r
	}
	c.paused, c.held, c.anchor = nil, false, c.Clock.Now()
	return nil
}

// halt makes the game stand while somebody holds it.
func (c *core) halt() {
	c.base = c.now() // before paused is set: the clock stops here
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

// record puts an event of the loop or of a part on disk that is no step of the game; the author is its cause.
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

// mustJSON encodes a value of a type of this program's own.
func mustJSON(data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic("game: encode: " + err.Error())
	}
	return text
}

// settle has parts put on record what a power cut or the store has ended, where something can be written.
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
		c.settle()
		c.publish(notices{})
		return
	}
	c.paused = nil
	if c.settle(); c.paused != nil { // and again
		c.tellPause(before)
		return
	}
	c.Log.Info("the game goes on", "conseil", "la partie reprend")
	m := engine.Say("table.resumed")
	c.publish(notices{public: &wire.Notice{Msg: m}})
}
