package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// act is one act of a phone or of the host's page.
func (c *core) act(h wire.Handset, act wire.Act, reply func(wire.Reply)) {
	r, told := c.judge(h, act)
	reply(wire.Reply{ID: act.ID, OK: r == nil, Reject: forActor(h.Viewer, r)})
	if told != nil {
		c.publish(*told)
	}
}

// judge does an act and says what everybody is told; nil for an act that is not
// even looked at, because it is no viewer's or has come before.
func (c *core) judge(h wire.Handset, act wire.Act) (*engine.Reject, *notices) {
	v := h.Viewer
	switch {
	case !h.Valid():
		return refuse(engine.NotYou, "GEN-011", "table.not-you"), nil
	case act.Check() != nil:
		return refuse(engine.Unknown, "GEN-011", "table.unknown"), nil
	case act.Seq <= c.seqs[v][h.N-1]:
		return refuse(engine.NotNow, "GEN-E04", "gen.replayed"), nil
	}
	counts := c.seqs[v]
	counts[h.N-1] = act.Seq
	c.seqs[v] = counts
	who := c.People.Who(h)
	if r := c.may(h, who, act); r != nil {
		return r, &notices{}
	}
	c.acting, c.author = actor{h, who}, nameOf(h, who)
	if s, ok := v.Seat(); ok && act.Act != wire.ActNote {
		delete(c.whispers, s) // it has read on
	}
	if act.Act == engine.ActScan || act.Act == engine.ActDeadline { // these come from the table itself
		return refuse(engine.Unknown, "GEN-011", "table.unknown"), &notices{}
	}
	if c.paused != nil && !c.inPause(act.Act) {
		return c.standing(), &notices{}
	}
	if do, ok := hostActs[act.Act]; ok {
		if !v.IsHost() {
			return refuse(engine.NotYou, "GEN-011", "table.not-host"), &notices{}
		}
		return announced(do(c, act.Args))
	}
	if _, ok := deviceActs[act.Act]; ok {
		return announced(c.ofDevice(act.Act, h, act.Args))
	}
	return c.judgePlayer(h, act)
}

// judgePlayer is judge for the acts of players, which the host may do for them.
func (c *core) judgePlayer(h wire.Handset, act wire.Act) (*engine.Reject, *notices) {
	v := h.Viewer
	if act.Act == actAskHint && c.scene == nil {
		seat, _ := v.Seat() // the host asks itself for none: no seat is nobody's
		return c.askHint(seat, act.Args), &notices{}
	}
	if act.Act == wire.ActNote {
		return c.writeNotes(h, act.Args), &notices{}
	}
	if act.Act == wire.ActCutPhone {
		return announced(c.cutPhone(v, act.Args))
	}
	if c.scene != nil { // nothing of the game is judged: an answer would tell who has died, or that all is over
		return refuse(engine.NotNow, "GEN-001", "table.scene"), &notices{}
	}
	if do, ok := seatActs[act.Act]; ok {
		seat, ok := v.Seat()
		if !ok {
			return refuse(engine.NotYou, "GEN-009", "table.vote.living"), &notices{}
		}
		return announced(do(c, seat))
	}
	if act.Act == actSit {
		act.Args = composed(act.Args)
		at, _ := v.Seat()
		if _, is := c.guests[at]; is {
			return c.ask(at, act.Args), &notices{}
		}
		if at, err := engine.ParseSeat(act.Args["seat"]); err == nil && v.IsHost() {
			if r := c.sameName(at, act.Args["name"]); r != nil {
				return r, &notices{}
			}
		}
	}
	if act.Act == actBegin && v.IsHost() && c.gated() {
		return c.beginAnyway(h, act.Args)
	}
	r := c.play(engine.Command{At: c.now(), By: v, Act: act.Act, Args: act.Args}, c.author)
	n := ofAct(v, r)
	return r, &n
}

// announced is what comes of an act, as judge gives it.
func announced(public *wire.Notice, r *engine.Reject) (*engine.Reject, *notices) {
	return r, &notices{public: public}
}

// inPause reports an act of the host that is possible in the present pause. The device that is to end it may be a new one, and
// one that tries PINs meanwhile is to be ended.
func (c *core) inPause(act string) bool {
	switch act {
	case actLight, actAlarm, actAdmit, actDeny, actEndHost, actCover:
		return true
	case actResume, actUnlock, actCountdown, actCountdownAdd, actCountdownEnd, actFines, actNextGroup:
		return c.held
	case actGoOn, actRestore:
		return len(c.lost) > 0
	case actNewGame:
		return c.isOver()
	}
	return false
}
