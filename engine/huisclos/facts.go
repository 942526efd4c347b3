package huisclos

import "majordome/engine"

// seatFacts returns the limits that bind only this seat now (HC-045). If the machine does not know the hand
// or the role, they are a reminder of the limits of both roles, the same for all (rules, 4.1).
func (s *roleState) facts(k *knowledge, x engine.Seat) []engine.Msg {
	out := []engine.Msg{}
	if !s.living(x) || s.phase < pick || s.phase == over {
		return out
	}
	switch {
	case s.duel:
		out = append(out, engine.Say("hc.fact.duel"))
	case k.role[x] == 0 || !k.knows(x):
		out = append(out, engine.Say("hc.fact.both-roles"))
	}
	switch {
	case k.excess(x):
		out = append(out, engine.Say(k.excessFact(x)))
	case k.bound(x) && k.knows(x) && weaponsIn(k.hand(x)) == 1:
		out = append(out, engine.Say("hc.fact.one-weapon"))
	}
	if x == s.active && s.phase == investigation {
		out = s.factsOfStep(out, k, x)
	}
	if s.phase != deposit || !s.pending(x) {
		return out
	}
	return k.factsOfDeposit(out, x)
}

// excessFactKey returns the message for the duty of x with too many weapons: to leave or give one now, to
// move and leave one, or nothing before the urn (HC-043, HC-087, HC-181, HC-185).
func (k *knowledge) excessFact(x engine.Seat) string {
	switch mine := k.phase == investigation && k.pending(x); {
	case mine && x == k.active && k.step == stepGive:
		return "hc.fact.give-weapon"
	case mine && x == k.active && k.step == stepSettle && (k.full || k.swapping(x)):
		return "hc.fact.leave-weapon"
	case mine && k.compelled(x) && !(x == k.active && k.step == stepSettle):
		return "hc.fact.excess"
	}
	return "hc.fact.excess-urn"
}

func (s *roleState) factsOfStep(out []engine.Msg, k *knowledge, x engine.Seat) []engine.Msg {
	switch {
	case s.step == stepSettle && !s.full && !k.swapping(x) && k.trusting(x) &&
		!(actor{seat: x, knowledge: k}).leaves().none():
		return append(out, engine.Say("hc.fact.may-leave"))
	case s.step != stepAct:
		return out
	}
	for _, y := range s.accusable(x, s.seats[x].at) {
		if s.cleared(y) { // HC-099
			out = append(out, engine.Say("hc.fact.known-innocent", "seat", y.String()))
		}
	}
	return out
}

func (k *knowledge) factsOfDeposit(out []engine.Msg, x engine.Seat) []engine.Msg {
	switch may := (actor{seat: x, knowledge: k}).deposits(); {
	case k.role[x] == 0 && !k.duel, may.unnamed && !k.duel, may.cards == k.hand(x):
	case k.bound(x) && may.cards&^weapons == 0 && may.cards != 0 && k.kills(may.cards.First()) > 0:
		out = append(out, engine.Say("hc.fact.fewest"))
	case k.bound(x):
		out = append(out, engine.Say("hc.fact.no-kill"))
	default:
		out = append(out, engine.Say("hc.fact.no-suicide"))
	}
	return out
}
