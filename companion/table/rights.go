package table

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// anyone is who stands at a device of the host that is locked.
const anyone wire.Role = ""

// rights are the acts of the host's page and the least role that may do them, where there are accounts; without, whoever has the page may do
// all of them. An act of a game that is in no row is a host's, and an operator's where it goes against the rules (needs).
var rights = map[string]wire.Role{
	actAlarm: anyone, // whoever sees the smoke

	actUndo:          wire.RoleHost,
	actInvite:        wire.RoleHost,
	actTurnAway:      wire.RoleHost,
	actMore:          wire.RoleHost,
	actEnd:           wire.RoleHost,
	wire.ActCutPhone: wire.RoleHost,
	actBegin:         wire.RoleHost, // with the box not full it is an operator's
	actSit:           wire.RoleHost,
	actNewGame:       wire.RoleHost,
	actBoxCheck:      wire.RoleHost,
	actSkip:          wire.RoleHost,
	actLessons:       wire.RoleHost,

	actPause:        wire.RoleOperator,
	actResume:       wire.RoleOperator,
	actLight:        wire.RoleOperator,
	actHints:        wire.RoleOperator,
	actHint:         wire.RoleOperator,
	actUnhint:       wire.RoleOperator,
	actUnasked:      wire.RoleOperator,
	actSecrets:      wire.RoleOperator,
	actUnlock:       wire.RoleOperator,
	actCover:        anyone, // whoever walks by
	actCountdown:    wire.RoleOperator,
	actCountdownAdd: wire.RoleOperator,
	actCountdownEnd: wire.RoleOperator,
	actFines:        wire.RoleOperator,
	actNextGroup:    wire.RoleOperator,
	actTeam:         wire.RoleOperator,
	actGoOn:         wire.RoleOperator,
	actRestore:      wire.RoleOperator,
	actAdmit:        wire.RoleOperator,
	actDeny:         wire.RoleOperator,
	actEndHost:      wire.RoleOperator,

	actRoom: wire.RoleOwner,
}

// needs is the least role for an act of a device; overrules: it goes against the rules. The first device ends a further one while it is
// locked itself: its owner may be kept from signing in by what is done there.
func needs(h wire.Handset, act string, overrules bool) wire.Role {
	switch {
	case overrules:
		return wire.RoleOperator
	case act == actEndHost && h == wire.First(engine.Host):
		return anyone
	}
	if role, ok := rights[act]; ok {
		return role
	}
	return wire.RoleHost
}

// may refuses an act of a device of the host to who may not do it.
func (c *core) may(h wire.Handset, who wire.Person, act wire.Act) *engine.Reject {
	if !h.IsHost() {
		return nil
	}
	c.People.Touch(h)
	return short(who.Role, needs(h, act.Act, c.overrules(act)))
}

// overrules reports an act against the rules: one that the game offers so, or a beginning without a full box.
func (c *core) overrules(act wire.Act) bool {
	if act.Act == actBegin && c.gated() {
		return true
	}
	return slices.ContainsFunc(c.game.look().Host.Offers, func(o engine.Offer) bool { return o.Overrule && o.Act == act.Act })
}

// short refuses what a role is too little for.
func short(has, needs wire.Role) *engine.Reject {
	switch {
	case has.AtLeast(needs):
		return nil
	case has == anyone:
		return refuse(engine.NotYou, "GEN-011", "table.staff.locked")
	}
	return refuse(engine.NotYou, "GEN-011", "table.staff.needs."+string(needs))
}

// permitted are the offers that a role may take at a device. Who is signed in signs with that name.
func permitted(all []engine.Offer, h wire.Handset, role wire.Role) []engine.Offer {
	out := make([]engine.Offer, 0, len(all))
	for _, o := range all {
		overrules := o.Overrule || o.Act == actBegin && o.Fixed["force"] == yes
		if short(role, needs(h, o.Act, overrules)) == nil {
			if o.Act == actNextGroup {
				o.Params = nil
			}
			out = append(out, o)
		}
	}
	return out
}
