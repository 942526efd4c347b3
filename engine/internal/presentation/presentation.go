// Package presentation checks a presentation at a reader of the table before the rules of a game
// look at the card: is it exactly one card that the reader could read? It also builds the refusals
// of presentations.
//
// What may leak: after AsNeutralRefusal only one seat receives the reason of a refusal, and the
// table receives the same line for every reason (GEN-003, GEN-004). An alarm is the same for
// everyone, and no one receives anything else (GEN-E13).
package presentation

import "majordome/engine"

// FaultKeys are a game's sentences for the faults of a presentation, by key.
type FaultKeys struct{ Several, Foreign, Unreadable string }

// NewAlarmReject refuses a card that cannot be where it is presented: one that is recorded where this
// seat cannot know, that is also on another reader, or that is one too many (GEN-E13). It names no
// card, no reason and no seat, so that no one learns in private from a copy where a card is.
func NewAlarmReject() *engine.Reject {
	m := engine.NewMsg("gen.alarm")
	return &engine.Reject{Code: engine.Forbidden, Rule: engine.RuleAlarm, Why: m, Public: m}
}

// RepeatWindow is the time within which a reader may report one reading twice (GEN-E04). Within it,
// and only for the card accepted last, the game ignores the repetition in silence. A tag that stays
// on its reader is reported once anyway, and no hand puts down a copy so fast. A longer silence
// would show the next seat, if it tries a copy, which card was accepted.
const RepeatWindow engine.Millis = 50

// ParseSingleCard returns the one card of a scan, or a fault: a card that is also on another reader
// (GEN-E13), several cards (GEN-E06), a card of another game (GEN-E01), or nothing that the reader
// could read (GEN-E08).
func (w FaultKeys) ParseSingleCard(c engine.Command) (id string, fault *engine.Reject) {
	cards, foreign := c.Args.SplitList("cards"), c.Args["foreign"] != ""
	bad := func(rule, key string) (string, *engine.Reject) {
		return "", &engine.Reject{Code: engine.BadRead, Rule: rule, Why: engine.NewMsg(key)}
	}
	switch {
	case c.Args[engine.ArgDoubled] != "" && len(cards) > 0:
		return "", NewAlarmReject()
	case len(cards) > 1 || len(cards) == 1 && foreign:
		return bad("GEN-E06", w.Several)
	case foreign:
		return bad("GEN-E01", w.Foreign)
	case len(cards) == 0:
		return bad("GEN-E08", w.Unreadable)
	}
	return cards[0], nil
}

// AsNeutralRefusal turns r into the refusal of a presentation: a neutral line for the table, and the
// reason for the seat to, or for no one if to is zero. An alarm stays as it is.
func AsNeutralRefusal(r *engine.Reject, to engine.Seat) *engine.Reject {
	if r.Rule == engine.RuleAlarm {
		return r
	}
	r.To, r.Public = to, engine.NewMsg("gen.again.anyone")
	if to != 0 {
		r.Public = engine.NewMsg("gen.again", "seat", to.String())
	}
	return r
}
