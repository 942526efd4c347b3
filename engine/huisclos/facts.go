package huisclos

import "majordome/engine"

// limitsOnSeat returns the limits that bind only this seat now (HC-045). If the machine does not know the hand
// or the role, they are a reminder of the limits of both roles, the same for all (rules, 4.1).
func (s *roleState) limitsOnSeat(k *knowledge, x engine.Seat) []engine.Msg {
	out := []engine.Msg{}
	if !s.isLiving(x) || s.phase < phasePick || s.phase == phaseOver {
		return out
	}
	switch {
	case s.duel:
		out = append(out, engine.NewMsg("hc.fact.duel"))
	case k.roleOf[x] == 0 || !k.knowsHand(x):
		out = append(out, engine.NewMsg("hc.fact.both-roles"))
	}
	switch {
	case k.hasExcessWeapons(x):
		out = append(out, engine.NewMsg(k.excessFactKey(x)))
	case k.isBoundAsInnocent(x) && k.knowsHand(x) && countWeapons(k.knownHandOf(x)) == 1:
		out = append(out, engine.NewMsg("hc.fact.one-weapon"))
	}
	if x == s.active && s.phase == phaseInvestigation {
		out = s.appendStepFacts(out, k, x)
	}
	if s.phase != phaseDeposit || !s.hasNotActed(x) {
		return out
	}
	return k.appendDepositFacts(out, x)
}

// excessFactKey returns the message for the duty of x with too many weapons: to leave or give one now, to
// move and leave one, or nothing before the urn (HC-043, HC-087, HC-181, HC-185).
func (k *knowledge) excessFactKey(x engine.Seat) string {
	switch mine := k.phase == phaseInvestigation && k.hasNotActed(x); {
	case mine && x == k.active && k.step == stepGive:
		return "hc.fact.give-weapon"
	case mine && x == k.active && k.step == stepSettle && (k.handWasFull || k.mustSwap(x)):
		return "hc.fact.leave-weapon"
	case mine && k.mustSearchForExcess(x) && !(x == k.active && k.step == stepSettle):
		return "hc.fact.excess"
	}
	return "hc.fact.excess-urn"
}

func (s *roleState) appendStepFacts(out []engine.Msg, k *knowledge, x engine.Seat) []engine.Msg {
	switch {
	case s.step == stepSettle && !s.handWasFull && !k.mustSwap(x) && k.isSwapUncertain(x) &&
		!(actor{seat: x, knowledge: k}).choiceToLeave().isEmpty():
		return append(out, engine.NewMsg("hc.fact.may-leave"))
	case s.step != stepAct:
		return out
	}
	for _, y := range s.accusableSeats(x, s.seats[x].at) {
		if s.isKnownInnocent(y) { // HC-099
			out = append(out, engine.NewMsg("hc.fact.known-innocent", "seat", y.String()))
		}
	}
	return out
}

func (k *knowledge) appendDepositFacts(out []engine.Msg, x engine.Seat) []engine.Msg {
	switch may := (actor{seat: x, knowledge: k}).choiceToDeposit(); {
	case k.roleOf[x] == 0 && !k.duel, may.unnamed && !k.duel, may.cards == k.knownHandOf(x):
	case k.isBoundAsInnocent(x) && may.cards&^weapons == 0 && may.cards != 0 && k.countKilledBy(may.cards.First()) > 0:
		out = append(out, engine.NewMsg("hc.fact.fewest"))
	case k.isBoundAsInnocent(x):
		out = append(out, engine.NewMsg("hc.fact.no-kill"))
	default:
		out = append(out, engine.NewMsg("hc.fact.no-suicide"))
	}
	return out
}
