// Package checks is the part that counts the phones that have checked the deal (wire.Proof). The check is
// done on the phone; the table only shows how many have reported that nothing is wrong.
package checks

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// Act is the act of a seat's phone that has checked a deal: args {"root": the root that it has checked}.
const Act = "deal-checked"

// rule is the rule behind the act: secrets and fairness.
const rule = "GEN-001"

// Checks is the part: it remembers the last root that each phone has checked. After a restart the phones check
// again.
type Checks struct {
	table   master.Table
	checked map[wire.Handset]string
}

// New returns the part.
func New(t master.Table) *Checks { return &Checks{t, map[wire.Handset]string{}} }

// Acts implements master.Part. It is no move of the game, so that a phone can report in a pause, too.
func (c *Checks) Acts() []master.Act {
	return []master.Act{{Name: Act, Seats: true, Silent: true, Pause: master.InAnyPause, Do: c.recordCheck}}
}

func (c *Checks) recordCheck(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	seat, ok := by.Seat()
	if !ok || !master.HasPlayer(c.table.PublicView(), seat) {
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	c.checked[by.Handset] = args["root"]
	return nil, nil
}

// ShowPublic implements master.PublicShower: the phones that have checked the root of the update.
func (c *Checks) ShowPublic(u *wire.Update) {
	if u.Proof == nil || u.Proof.Root == "" {
		return
	}
	for h, root := range c.checked {
		if seat, _ := h.Seat(); root == u.Proof.Root && master.HasPlayer(&u.View, seat) {
			u.Proof.Checked = append(u.Proof.Checked, h.String())
		}
	}
	slices.Sort(u.Proof.Checked)
}
