package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// rights are the acts of the loop and its parts with the role that each needs. Without accounts the host's page
// may do all of them.
type rights map[string]right

type right struct {
	leastRole      wire.Role
	firstDeviceMay bool // master.Act.FirstDeviceMay
	signed         bool // master.Act.Signed
}

func rightsOf(acts map[string]master.Act) rights {
	all := rights{}
	for _, a := range acts {
		if a.Role != master.Anyone || !a.Seats {
			all[a.Name] = right{a.Role, a.FirstDeviceMay, a.Signed}
		}
	}
	return all
}

// roleNeeded returns the least role that a device of the host needs for an act: that of its row; RoleHost for
// an act of the game; RoleOperator for one against the rules.
func (all rights) roleNeeded(h wire.Handset, act string, overrules bool) wire.Role {
	own, ok := all[act]
	switch {
	case overrules:
		return wire.RoleOperator
	case own.firstDeviceMay && h == wire.FirstPhoneOf(engine.Host):
		return master.Anyone
	case ok:
		return own.leastRole
	}
	return wire.RoleHost
}

// refuseRole returns a refusal if a role is not sufficient; nil if it is.
func refuseRole(has, needs wire.Role) *engine.Reject {
	switch {
	case has.Includes(needs):
		return nil
	case has == master.Anyone:
		return master.Refuse(engine.NotYou, "GEN-011", "table.staff.locked")
	}
	return master.Refuse(engine.NotYou, "GEN-011", "table.staff.needs."+string(needs))
}

// permittedOffers returns the offers that a role may use at a device. It removes the question for a signature:
// an account signs with its name.
func (r rights) permittedOffers(all []engine.Offer, h wire.Handset, role wire.Role) []engine.Offer {
	out := make([]engine.Offer, 0, len(all))
	for _, o := range all {
		overrules := o.Overrule || o.Act == actBegin && o.Fixed["force"] == yes
		if refuseRole(role, r.roleNeeded(h, o.Act, overrules)) == nil {
			if r[o.Act].signed {
				o.Params = nil
			}
			out = append(out, o)
		}
	}
	return out
}
