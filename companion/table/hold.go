package table

import (
	"encoding/json"
	"strings"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts by which the host stops everything and lets it go on.
const (
	actPause  = "pause"
	actAlarm  = "alarm"
	actResume = "resume"
	actLight  = "light" // args {"to": LightGame, LightWhite or LightDark}
)

// holdOffers are the ways into a pause.
func (c *core) holdOffers(all []engine.Offer, over bool) []engine.Offer {
	if !c.inLobby() && !over {
		all = append(all, engine.Offer{Act: actPause, Rule: "GEN-001", Aside: true}, engine.Offer{Act: actAlarm, Rule: "GEN-001", Aside: true})
	}
	return all
}

// pauseGame stops the game and its clock until somebody lets it go on. It is an event, so that a game that was stopped stays so when
// the table loses its power.
func (c *core) pauseGame(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, c.stop(by, false)
}

// alarm is a pause under white light. It comes over any other pause, too.
func (c *core) alarm(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	return nil, c.stop(by, true)
}

func (c *core) stop(by master.Actor, alarm bool) *engine.Reject {
	if c.inLobby() {
		return master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if alarm && c.Lights != nil {
		c.Lights.SetOver(wire.LightWhite)
	}
	if c.paused != nil && !c.held || c.isOver() || c.held && c.hold.Alarm { // it stands still already, and nothing can be written or is to change
		return nil
	}
	if r := c.record(by.Author, kindPause, wire.Hold{Alarm: alarm}); r != nil {
		return r
	}
	c.halt()
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

// shownHold is nil where the game goes on, or stands still for another reason.
func (c *core) shownHold() *wire.Hold {
	if !c.held {
		return nil
	}
	h := *c.hold
	h.By = wire.Nameless(h.By)
	return &h
}

// resume ends the pause of the host or of a button, and the white light that came with it.
func (c *core) resume(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.held {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	alarm := c.hold.Alarm
	if r := c.record(by.Author, kindResume, struct{}{}); r != nil {
		return nil, r
	}
	if alarm && c.Lights != nil {
		c.Lights.SetOver(wire.LightGame)
	}
	c.paused, c.held, c.anchor = nil, false, c.Clock.Now()
	return &wire.Notice{Msg: engine.Say("table.resumed")}, nil
}

// record puts an event of the loop on disk that is no step of the game; the author is its cause.
func (c *core) record(author, kind string, data any) *engine.Reject {
	text, err := json.Marshal(data)
	if err != nil {
		panic("table: record: " + err.Error()) // a type of the loop's own
	}
	at := c.now()
	row := store.Event{Step: c.step + 1, Cause: author, Kind: kind, Data: text, At: at}
	if err := c.journal.Append(c.gameID, []store.Event{row}, resultOf(c.game)); err != nil {
		c.pause(err)
		return c.standing()
	}
	c.past.step, c.past.last = c.step+1, max(c.last, at)
	c.past.own(row)
	return nil
}

// lightOffers are the other lights that the host can have at once, at any time.
func (c *core) lightOffers(all []engine.Offer) []engine.Offer {
	if c.Lights == nil {
		return all
	}
	for _, to := range []string{wire.LightGame, wire.LightWhite, wire.LightDark} {
		if to != c.Lights.Over() {
			all = append(all, engine.Offer{Act: actLight, Rule: "GEN-001", Aside: true, Fixed: engine.Args{"to": to}})
		}
	}
	return all
}

// light gives the room white light, none, or that of the game. It waits for no disk.
func (c *core) light(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	to := args["to"]
	if c.Lights == nil || to != wire.LightGame && to != wire.LightWhite && to != wire.LightDark {
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.unknown")
	}
	c.Lights.SetOver(to)
	if c.paused == nil || c.held {
		return nil, c.record(by.Author, kindLight, map[string]string{"to": to})
	}
	return nil, nil
}

// shownLight is what lights the room in the place of the game.
func (c *core) shownLight() string {
	if c.Lights == nil {
		return ""
	}
	return c.Lights.Over()
}
