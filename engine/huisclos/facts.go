package huisclos

import "majordome/engine"

// facts are the limits that bind this seat alone now (HC-045). Where the machine
// does not know the hand or the role, they are a reminder of the limits of both
// roles, the same for everybody (rules, 4.1).
func (s *roleState) facts(k *knowledge, x engine.Seat) []engine.Msg {
	out := []engine.Msg{}
	if !s.living(x) || s.phase < pick || s.phase == over {
		return out
	}
	switch {
	case s.duel:
		out = append(out, engine.Say("hc.fact.duel"))
	case k.role[x] == 0 || !s.knows(k, x):
		out = append(out, engine.Say("hc.fact.both-roles"))
	}
	switch {
	case s.excess(k, x):
		out = append(out, engine.Say(s.excessFact(k, x)))
	case s.bound(k, x) && s.knows(k, x) && weaponsIn(k.hand(x)) == 1:
		out = append(out, engine.Say("hc.fact.one-weapon"))
	}
	if x == s.active && s.phase == investigation {
		out = s.factsOfStep(out, k, x)
	}
	if s.phase != deposit || !s.pending(x) {
		return out
	}
	return s.factsOfDeposit(out, k, x)
}

// excessFact is what too many weapons bind x to now: to leave or to give one, to
// go and leave one, or nothing before the urn (HC-043, HC-087, HC-181, HC-185).
func (s *boardState) excessFact(k *knowledge, x engine.Seat) string {
	switch mine := s.phase == investigation && s.pending(x); {
	case mine && x == s.active && s.step == stepGive:
		return "hc.fact.give-weapon"
	case mine && x == s.active && s.step == stepSettle && (s.full || s.swapping(k, x)):
		return "hc.fact.leave-weapon"
	case mine && s.compelled(k, x) && !(x == s.active && s.step == stepSettle):
		return "hc.fact.excess"
	}
	return "hc.fact.excess-urn"
}

func (s *roleState) factsOfStep(out []engine.Msg, k *knowledge, x engine.Seat) []engine.Msg {
	switch {
	case s.step == stepSettle && !s.full && !s.swapping(k, x) && s.trusting(k, x) && !s.leaves(actor{seat: x, k: k}).none():
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

func (s *boardState) factsOfDeposit(out []engine.Msg, k *knowledge, x engine.Seat) []engine.Msg {
	switch may := s.deposits(actor{seat: x, k: k}); {
	case k.role[x] == 0 && !s.duel, may.unnamed && !s.duel, may.cards == k.hand(x):
	case s.bound(k, x) && may.cards&^weapons == 0 && may.cards != 0 && s.kills(may.cards.First()) > 0:
		out = append(out, engine.Say("hc.fact.fewest"))
	case s.bound(k, x):
		out = append(out, engine.Say("hc.fact.no-kill"))
	default:
		out = append(out, engine.Say("hc.fact.no-suicide"))
	}
	return out
}
