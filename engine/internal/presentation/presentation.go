// Package presentation is what every game makes of a presentation at a reader of the
// table, before its rules look at the card: is it one card that can be read, and
// what is said when it does not count.
//
// What may leak: after Again the reason of a refusal goes to one seat alone, and
// the table hears the same line whatever the reason is (GEN-003, GEN-004). An Alarm
// says the same to everybody, and nothing else to anybody (GEN-E13).
package presentation

import "majordome/engine"

// Words are the keys of a game's own words for the faults of a presentation.
type Words struct{ Several, Foreign, Unreadable string }

// Alarm is the refusal of a card that cannot be where it is presented: one that the
// record holds where this seat cannot know, that lies at another reader too, or that is
// one too many (GEN-E13). It names no card, no reason and no seat, so that copies of
// cards tell nobody in private where a card lies.
func Alarm() *engine.Reject {
	m := engine.Say("gen.alarm")
	return &engine.Reject{Code: engine.Forbidden, Rule: engine.RuleAlarm, Why: m, Public: m}
}

// Moment is how long a reader may take to tell one reading twice (GEN-E04): only the
// card that was accepted last, and only within it, is passed over in silence. A tag that
// has not left its reader is told once in any case, and no hand lays a copy so soon. Any
// longer silence would tell whoever is next, who tries a copy, which card was accepted.
const Moment engine.Millis = 50

// Card is the one card of a scan, or the fault of it: a card that lies at another
// reader too (GEN-E13), several at once (GEN-E06), one of another game (GEN-E01),
// nothing that can be read (GEN-E08).
func (w Words) Card(c engine.Command) (id string, fault *engine.Reject) {
	cards, foreign := c.Args.List("cards"), c.Args["foreign"] != ""
	bad := func(rule, key string) (string, *engine.Reject) {
		return "", &engine.Reject{Code: engine.BadRead, Rule: rule, Why: engine.Say(key)}
	}
	switch {
	case c.Args[engine.ArgDoubled] != "" && len(cards) > 0:
		return "", Alarm()
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
// reason for the seat that is to act, or for nobody if to is zero. An Alarm stays one.
func Again(r *engine.Reject, to engine.Seat) *engine.Reject {
	if r.Rule == engine.RuleAlarm {
		return r
	}
	r.To, r.Public = to, engine.Say("gen.again.anyone")
	if to != 0 {
		r.Public = engine.Say("gen.again", "seat", to.String())
	}
	return r
}
