// Package reading is what every game makes of a presentation at a reader of the
// table, before its rules look at the card: is it one card that can be read, and
// what is said when it does not count.
//
// What may leak: after Again the reason of a refusal goes to one seat alone, and
// the table hears the same line whatever the reason is (GEN-003, GEN-004).
package reading

import "majordome/engine"

// Words are the keys of a game's own words for the faults of a presentation.
type Words struct{ Several, Foreign, Unreadable string }

// Card is the one card of a scan, or the fault of it: several cards at once
// (GEN-E06), one of another game (GEN-E01), nothing that can be read (GEN-E08).
func (w Words) Card(c engine.Command) (id string, fault *engine.Reject) {
	cards, foreign := c.Args.List("cards"), c.Args["foreign"] != ""
	bad := func(rule, key string) (string, *engine.Reject) {
		return "", &engine.Reject{Code: engine.BadRead, Rule: rule, Why: engine.Say(key)}
	}
	switch {
	case len(cards) > 1 || len(cards) == 1 && foreign:
		return bad("GEN-E06", w.Several)
	case foreign:
		return bad("GEN-E01", w.Foreign)
	case len(cards) == 0:
		return bad("GEN-E08", w.Unreadable)
	}
	return cards[0], nil
}

// Again makes r the refusal of a presentation: a neutral line for the table, the
// reason for the seat that is to act, or for nobody if to is zero.
func Again(r *engine.Reject, to engine.Seat) *engine.Reject {
	r.To, r.Public = to, engine.Say("gen.again.anyone")
	if to != 0 {
		r.Public = engine.Say("gen.again", "seat", to.String())
	}
	return r
}
