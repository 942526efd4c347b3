package game

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// handleAct does an act of a phone or of the host's page, replies to it and publishes the result.
func (c *core) handleAct(h wire.Handset, act wire.Act, reply func(wire.Reply)) {
	r, toPublish := c.executeAct(h, act)
	reply(wire.Reply{ID: act.ID, OK: r == nil, Reject: refusalForActor(h.Viewer, r)})
	if toPublish != nil {
		c.publish(*toPublish)
	}
}

// executeAct does an act and returns the notices to publish. They are nil, and there is no step, if the phone or
// the act is invalid or the act has come before.
func (c *core) executeAct(h wire.Handset, act wire.Act) (*engine.Reject, *notices) {
	v := h.Viewer
	switch {
	case !h.IsValid():
		return master.Refuse(engine.NotYou, "GEN-011", "table.not-you"), nil
	case act.CheckLimits() != nil:
		return master.Refuse(engine.Unknown, "GEN-011", "table.unknown"), nil
	case !c.phones.recordNewSeq(h, act.Seq):
		return master.Refuse(engine.NotNow, "GEN-E04", "gen.replayed"), nil
	case c.isLate(act.Rev, c.Clock.Now()):
		return master.Refuse(engine.NotNow, "GEN-E04", "table.late"), nil
	}
	who := c.People.PersonAt(h)
	if r := c.refuseWithoutRight(h, who, act); r != nil {
		return r, &notices{}
	}
	by := master.Actor{Handset: h, Who: who, Author: authorOf(h, who)}
	own, ok := c.acts[act.Act]
	if s, seat := v.Seat(); seat && !own.Silent {
		delete(c.privateNotices, s)
		c.phones.recordPlayerAct(h, act.Seq)
	}
	if act.Act == engine.ActScan || act.Act == engine.ActDeadline { // only the table itself may send these
		return master.Refuse(engine.Unknown, "GEN-011", "table.unknown"), &notices{}
	}
	switch {
	case c.pauseMsg != nil && !(ok && c.allowsAct(own.Pause)):
		return c.refusePaused(), &notices{}
	case !ok:
		return c.executePlayerAct(by, act)
	case !v.IsHost() && !own.Seats:
		return master.Refuse(engine.NotYou, "GEN-011", "table.not-host"), &notices{}
	}
	return withPublicNotice(own.Do(by, act.Args))
}

// executePlayerAct does an act of a player, which the host may do for the player too.
func (c *core) executePlayerAct(by master.Actor, act wire.Act) (*engine.Reject, *notices) {
	v := by.Viewer
	if c.scene != nil { // no act of the game is decided: an answer would show who has died, or that the game is over
		return refuseInScene(), &notices{}
	}
	args, done, r := c.parts.filterAct(by, act.Act, act.Args)
	if done {
		return r, &notices{}
	}
	r = c.playCommand(engine.Command{At: c.gameTime(), By: v, Act: act.Act, Args: args}, by.Author)
	n := noticesOfRejectedAct(v, r)
	return r, &n
}

func refuseInScene() *engine.Reject { return master.Refuse(engine.NotNow, "GEN-001", "table.scene") }

// withPublicNotice returns the result of an act as decideAct does.
func withPublicNotice(public *wire.Notice, r *engine.Reject) (*engine.Reject, *notices) {
	return r, &notices{public: public}
}

// refuseWithoutRight refuses an act of a device of the host if the person signed in there may not do it.
func (c *core) refuseWithoutRight(h wire.Handset, who wire.Person, act wire.Act) *engine.Reject {
	if !h.IsHost() {
		return nil
	}
	c.People.RestartIdleTime(h)
	return refuseRole(who.Role, c.rights.roleNeeded(h, act.Act, c.isOverruleAct(act)))
}

// isOverruleAct reports whether an act goes against the rules: the game offers it as such, or it begins a game
// although the box is not full.
func (c *core) isOverruleAct(act wire.Act) bool {
	if act.Act == actBegin && c.parts.closedGatekeeper() != nil {
		return true
	}
	return slices.ContainsFunc(c.game.currentViews().Host.Offers, func(o engine.Offer) bool { return o.Overrule && o.Act == act.Act })
}

// authorOf returns the author of an act for the journal: a seat, a device of the host or, with accounts, the
// person signed in on it.
func authorOf(h wire.Handset, who wire.Person) string {
	switch {
	case !h.IsHost():
		return h.Viewer.String()
	case who.Name != "":
		return wire.ByStaff + string(who.Role) + "." + who.Name
	}
	return h.String()
}
