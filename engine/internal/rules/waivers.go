package rules

import (
	"errors"
	"slices"

	"majordome/engine"
)

// Waivers lists the rules that the host may waive during the current turn (GEN-009); "" is none. An
// act that they forbid is refused publicly, and the game can go on after the act.
type Waivers []string

// Waived is a set of indices of Waivers.
type Waived uint8

// Contains reports whether the rule with this index is waived.
func (w Waived) Contains(index int) bool { return w>>index&1 != 0 }

// OverruleOffer returns the offer of an act against the rules, which all players see (GEN-009).
func OverruleOffer(act string, fixed engine.Args, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: "GEN-009", Aside: true, Grave: true, Overrule: true, Fixed: fixed, Params: params}
}

// AddWaiverOffers adds an offer to waive each rule that binds a seat.
func AddWaiverOffers(out []engine.Offer, x engine.Seat, binding []string) []engine.Offer {
	for _, rule := range binding {
		out = append(out, OverruleOffer("allow", engine.Args{"seat": x.String(), "rule": rule}))
	}
	return out
}

// RefusalByWaivableRule is for the act of a seat whose turn has just passed, and r is the refusal that it
// would meet if the turn went on. It returns r if its rule is one that the host may still waive,
// else nil.
func RefusalByWaivableRule(r *engine.Reject, binding []string) *engine.Reject {
	if r == nil || !slices.Contains(binding, r.Rule) {
		return nil
	}
	return r
}

// DecodeRule returns the set of one rule that the store names.
func (ws Waivers) DecodeRule(rule string) (Waived, error) {
	n := ws.FindRule(rule)
	if n < 0 {
		return 0, errors.New("no such rule to waive")
	}
	return 1 << n, nil
}

// FindRule returns the index of a rule; below zero: it cannot be waived.
func (ws Waivers) FindRule(rule string) (index int) {
	if rule == "" {
		return -1
	}
	return slices.Index(ws, rule)
}

// UnwaivedRules returns the rules that bind, without the waived ones.
func (ws Waivers) UnwaivedRules(binds []bool, waived Waived) (all []string) {
	for n, rule := range ws {
		if binds[n] && !waived.Contains(n) {
			all = append(all, rule)
		}
	}
	return all
}

// RefuseInvalidWaiver refuses an invalid act by which the host waives a rule for a seat. awaited: it is the
// active seat. binding lists the rules that forbid it something; the seat whose turn has just
// passed may have some too.
func (ws Waivers) RefuseInvalidWaiver(c engine.Command, awaited bool, binding []string) *engine.Reject {
	switch rule := c.Args["rule"]; {
	case !awaited && len(binding) == 0:
		return RefusePrivately(engine.NotYou, "GEN-009", "gen.no.skip-other")
	case ws.FindRule(rule) < 0:
		return RefusePrivately(engine.Unknown, "GEN-009", "gen.no.waiver")
	case !slices.Contains(binding, rule):
		return RefusePrivately(engine.NotNow, "GEN-009", "gen.no.binds-not")
	}
	return nil
}
