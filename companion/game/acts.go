package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// handleAct does an act of a phone or of the host's page, replies to it and publishes the result.
func (c *core) act(h wire.Handset, act wire.Act, reply func(wire.Reply)) {
	r, told := c.judge(h, act)
	reply(wire.Reply{ID: act.ID, OK: r == nil, Reject: forActor(h.Viewer, r)})
	if told != nil {
		c.publish(*told)
	}
}

// decideAct does an act and returns the notices to publish. They are nil, and there is no step, if the phone or
// the act is invalid or the act has come before.
func (c *core) judge(h wire.Handset, act wire.Act) (*engine.Reject, *notices) {
	v := h.Viewer
	switch {
	case !h.Valid():
		return master.Refuse(engine.NotYou, "GEN-011", "table.not-you"), nil
	case act.Check() != nil:
		return master.Refuse(engine.Unknown, "GEN-011", "table.unknown"), nil
	case !c.phones.take(h, act.Seq):
		return master.Refuse(engine.NotNow, "GEN-E04", "gen.replayed"), nil
	}
	who := c.People.Who(h)
	if r := c.may(h, who, act); r != nil {
		return r, &notices{}
	}
	by := master.Actor{Handset: h, Who: who, Author: nameOf(h, who)}
	if s, ok := v.Seat(); ok && act.Act != wire.ActNote {
		delete(c.whispers, s) // an act shows that the player has read it
	}
	if act.Act == engine.ActScan || act.Act == engine.ActDeadline { // only the table itself may send these
		return master.Refuse(engine.Unknown, "GEN-011", "table.unknown"), &notices{}
	}
	own, ok := c.acts[act.Act]
	switch {
	case c.paused != nil && !(ok && c.allows(own.Pause)):
		return c.standing(), &notices{}
	case !ok:
		return c.judgePlayer(by, act)
	case !v.IsHost() && !own.Seats:
		return master.Refuse(engine.NotYou, "GEN-011", "table.not-host"), &notices{}
	}
	return announced(own.Do(by, act.Args))
}

// decidePlayerAct does an act of a player, which the host may do for the player too.
func (c *core) judgePlayer(by master.Actor, act wire.Act) (*engine.Reject, *notices) {
	v := by.Viewer
	if act.Act == wire.ActNote {
		return c.writeNotes(by.Handset, act.Args), &notices{}
	}
	if c.scene != nil { // no act of the game is decided: an answer would show who has died, or that the game is over
		return inScene(), &notices{}
	}
	args, done, r := c.parts.filter(by, act.Act, act.Args)
	if done {
		return r, &notices{}
	}
	r = c.play(engine.Command{At: c.now(), By: v, Act: act.Act, Args: args}, by.Author)
	n := ofAct(v, r)
	return r, &n
}

func inScene() *engine.Reject { return master.Refuse(engine.NotNow, "GEN-001", "table.scene") }

// withPublicNotice returns the result of an act as decideAct does.
func announced(public *wire.Notice, r *engine.Reject) (*engine.Reject, *notices) {
	return r, &notices{public: public}
}
