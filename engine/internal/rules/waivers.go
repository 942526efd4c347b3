package rules

import (
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
