package rules

import (
	"errors"
	"slices"

	"majordome/engine"
)

// Waivers are the rules that the host may waive for the turn that goes on (GEN-009), by number; "" is
// none. What they refuse is refused openly, and what comes of it is a game that goes on.
type Waivers []string

// Waived is a set of their numbers.
type Waived uint8

// Has reports that a rule does not bind.
func (w Waived) Has(n int) bool { return w>>n&1 != 0 }

// Overrule is the offer of an act against the rules, which all are told of (GEN-009).
func Overrule(act string, fixed engine.Args, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: "GEN-009", Aside: true, Grave: true, Overrule: true, Fixed: fixed, Params: params}
}

// OfferWaivers adds the waivers of the rules that bind a seat.
func OfferWaivers(out []engine.Offer, x engine.Seat, binding []string) []engine.Offer {
	for _, rule := range binding {
		out = append(out, Overrule("allow", engine.Args{"seat": x.String(), "rule": rule}))
	}
	return out
}

// Late is the refusal of an act of a seat whose turn has passed, which it met if the turn went on, by one of the
// rules that the host may still waive; nil: another.
func Late(r *engine.Reject, binding []string) *engine.Reject {
	if r == nil || !slices.Contains(binding, r.Rule) {
		return nil
	}
	return r
}

// Read is the number of a rule that the store names.
func (ws Waivers) Read(rule string) (Waived, error) {
	n := ws.Find(rule)
	if n < 0 {
		return 0, errors.New("no such rule to waive")
	}
	return 1 << n, nil
}

// Find is the number of a rule; less than zero: it is none of them.
func (ws Waivers) Find(rule string) int {
	if rule == "" {
		return -1
	}
	return slices.Index(ws, rule)
}

// Binding are the rules of those that bind, but for the waived ones.
func (ws Waivers) Binding(binds []bool, waived Waived) (all []string) {
	for n, rule := range ws {
		if binds[n] && !waived.Has(n) {
			all = append(all, rule)
		}
	}
	return all
}

// Refuse judges the act by which the host waives a rule for a seat, which awaited says to be the active
// one; those of binding are what it may not do. The seat whose turn has just passed may have some, too.
func (ws Waivers) Refuse(c engine.Command, awaited bool, binding []string) *engine.Reject {
	switch rule := c.Args["rule"]; {
	case !awaited && len(binding) == 0:
		return Refuse(engine.NotYou, "GEN-009", "gen.no.skip-other")
	case ws.Find(rule) < 0:
		return Refuse(engine.Unknown, "GEN-009", "gen.no.waiver")
	case !slices.Contains(binding, rule):
		return Refuse(engine.NotNow, "GEN-009", "gen.no.binds-not")
	}
	return nil
}
