// Package corrections is the part by which seats take back what was done (GEN-009). A seat withdraws its last
// public declaration, if no seat knows more or less by it. Anything else is taken back when all living seats
// agree. What is offered depends only on the last actor and on the seat's own phone, so that no offer shows a
// secret.
package corrections

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of seats.
const (
	ActWithdraw = "withdraw"     // takes back this seat's last public declaration
	ActPropose  = "propose-undo" // asks all living seats to take the last step back, whatever it shows
	ActAgree    = "agree-undo"   // one vote for it; when all have agreed the step is taken back
	ActRefuse   = "refuse-undo"  // one vote against it ends the proposal, as does any further step of the game
)

const rule = "GEN-009"

// Corrections is the part.
type Corrections struct {
	table master.Table
	vote  *vote // nil: nothing is proposed
}

// vote is a proposal to take the last act back. It ends when the game goes on or the daemon restarts, since
// nothing has been changed yet.
type vote struct {
	about  master.LastAct
	by     engine.Seat
	agreed []engine.Seat
}

// New returns the part.
func New(t master.Table) *Corrections { return &Corrections{table: t} }

// LoadSettings implements master.Loader: it drops a proposal.
func (c *Corrections) LoadSettings() { c.vote = nil }

// Acts implements master.Part. During a scene all are refused, because an answer would show who has died or
// that the game is over.
func (c *Corrections) Acts() []master.Act {
	act := func(name string, do func(by master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject)) master.Act {
		return master.Act{Name: name, Seats: true, Do: func(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
			seat, ok := by.Seat()
			switch {
			case c.table.InScene():
				return nil, master.Refuse(engine.NotNow, "GEN-001", "table.scene")
			case !ok:
				return nil, master.Refuse(engine.NotYou, rule, "table.vote.living")
			}
			return do(by, seat)
		}}
	}
	return []master.Act{
		act(ActWithdraw, c.withdrawAct),
		act(ActPropose, c.proposeUndo),
		act(ActAgree, c.agreeToUndo),
		act(ActRefuse, c.refuseUndo),
	}
}

// refreshVote returns the current proposal; nil if there is none.
func (c *Corrections) refreshVote() *vote {
	if c.vote != nil && c.vote.about != c.table.LastAct() {
		c.vote = nil // there has been another step
	}
	return c.vote
}

// livingSeats returns the seats that may vote.
func (c *Corrections) livingSeats() []engine.Seat {
	all := []engine.Seat{}
	for _, s := range c.table.PublicView().Seats {
		if s.Alive {
			all = append(all, s.Seat)
		}
	}
	return all
}

// AppendSeatOffers implements master.SeatOfferer.
func (c *Corrections) AppendSeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer {
	t := c.table
	if t.InScene() || t.LastAct().Step == 0 {
		return all
	}
	offer := func(act string) { all = append(all, engine.Offer{Act: act, Rule: rule, Aside: true}) }
	if t.CanWithdraw(seat) {
		offer(ActWithdraw)
	}
	v := c.refreshVote()
	switch {
	case t.InLobby() || !slices.ContainsFunc(t.PublicView().Seats, func(s engine.SeatView) bool { return s.Seat == seat && s.Alive }):
	case v == nil:
		offer(ActPropose)
	case slices.Contains(v.agreed, seat):
		offer(ActRefuse)
	default:
		offer(ActAgree)
		offer(ActRefuse)
	}
	return all
}

// withdrawAct takes back the last public declaration of a seat.
func (c *Corrections) withdrawAct(by master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	if !c.table.CanWithdraw(seat) {
		return nil, master.Refuse(engine.NotNow, rule, "table.withdraw.no")
	}
	if r := c.table.UndoLastAct(by.Author); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: engine.NewMsg("table.withdrawn", "seat", seat.String()), Rule: rule}, nil
}

func (c *Corrections) proposeUndo(by master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	last := c.table.LastAct()
	switch {
	case last.Step == 0 || c.table.InLobby():
		return nil, master.Refuse(engine.NotNow, rule, "table.undo.nothing")
	case !slices.Contains(c.livingSeats(), seat):
		return nil, master.Refuse(engine.NotYou, rule, "table.vote.living")
	case c.refreshVote() != nil:
		return nil, master.Refuse(engine.NotNow, rule, "table.vote.open")
	}
	c.vote = &vote{about: last, by: seat}
	said, r := c.agreeToUndo(by, seat)
	if said == nil && r == nil {
		said = &wire.Notice{Msg: engine.NewMsg("table.vote.proposed", "seat", seat.String()), Rule: rule}
	}
	return said, r
}

// agreeToUndo counts the agreement of a seat to the proposal, and takes the last act back when all living seats have
// agreed.
func (c *Corrections) agreeToUndo(_ master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	v, living := c.refreshVote(), c.livingSeats()
	switch {
	case v == nil:
		return nil, master.Refuse(engine.NotNow, rule, "table.vote.none")
	case !slices.Contains(living, seat):
		return nil, master.Refuse(engine.NotYou, rule, "table.vote.living")
	case slices.Contains(v.agreed, seat):
		return nil, master.Refuse(engine.NotNow, "GEN-E04", "table.vote.twice")
	}
	v.agreed = append(v.agreed, seat)
	slices.Sort(v.agreed)
	if len(v.agreed) < len(living) {
		return nil, nil
	}
	if r := c.table.UndoLastAct(master.ByVote); r != nil {
		return nil, r
	}
	return &wire.Notice{Msg: engine.NewMsg("table.corrected"), Rule: rule}, nil
}

func (c *Corrections) refuseUndo(_ master.Actor, seat engine.Seat) (*wire.Notice, *engine.Reject) {
	switch {
	case c.refreshVote() == nil:
		return nil, master.Refuse(engine.NotNow, rule, "table.vote.none")
	case !slices.Contains(c.livingSeats(), seat):
		return nil, master.Refuse(engine.NotYou, rule, "table.vote.living")
	}
	c.vote = nil
	return &wire.Notice{Msg: engine.NewMsg("table.vote.refused", "seat", seat.String()), Rule: rule}, nil
}

// ShowPublic implements master.PublicShower: the current proposal.
func (c *Corrections) ShowPublic(u *wire.Update) {
	if v := c.refreshVote(); v != nil {
		u.Vote = &wire.Vote{By: v.by, Agreed: slices.Clone(v.agreed), Of: c.livingSeats()}
	}
}
