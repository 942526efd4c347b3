package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// Overruling: what the host does against the rules (GEN-009). Each act is an event of its own, announced to
// all, and only public facts decide whether it is possible. An act that would leave a hand too large, a
// role card unturned or an exchange half done is refused until that is finished.

// canPassOver reports whether the awaited seat can be passed over: it has begun nothing that must be
// finished first.
func (s *boardState) canPassOver() bool {
	switch s.step {
	case stepRole, stepShow, stepLay:
		return false
	}
	return !s.halfDone && s.seats[s.active].cards <= handLimit
}

// isBetweenActs reports whether the awaited seat has begun nothing yet.
func (s *boardState) isBetweenActs() bool {
	if s.phase == phaseInvestigation {
		return s.step == stepMove || s.step == stepAct && !s.hasMoved
	}
	return s.step == stepNone
}

// decideSkipSeat passes over the awaited seat.
func (s *boardState) decideSkipSeat(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch x, r := s.parseTakenSeat(c); {
	case r != nil:
		return nil, r
	case x != s.active:
		return nil, refuse(engine.NotYou, "GEN-009", "gen.no.skip-other")
	case !s.canPassOver():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.unfinished")
	}
	return seatEvent(evSkipped, c.At, s.active), nil
}

// markPassedOver lets x do nothing in this phase. An investigation ends at once; a seat without a deposit
// recovers last (HC-126).
func (s *inquiryState) markPassedOver(x engine.Seat) {
	p := &s.seats[x]
	switch s.phase {
	case phasePick:
		s.setPlaceAudience(p.at, hidden.Nobody)
	case phaseInvestigation:
		s.finishInvestigation(x)
	case phaseDeposit:
		p.noDeposit = true
	}
	p.done = true
}

// decideNextPhase passes over all seats that are still awaited in the phase that the command names.
func (s *boardState) decideNextPhase(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case c.Args["phase"] != phaseNames[s.phase]:
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.skip-other")
	case !s.canPassOver():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.unfinished")
	}
	return seatEvent(evAdvanced, c.At, 0), nil
}

func (s *inquiryState) applyAdvanced(e *event) {
	s.markPassedOver(s.active)
	for x := range s.seats {
		if p := &s.seats[x]; s.isLiving(engine.Seat(x)) && !p.done {
			p.done, p.noDeposit = true, s.phase == phaseDeposit
		}
	}
	s.callSeat(0, e.at)
}

// canReceiveTurn reports whether the turn can be given to x: in an investigation to any other
// living seat, else to a seat that has not acted in this phase, or was passed over.
func (s *boardState) canReceiveTurn(x engine.Seat) bool {
	if !s.isLiving(x) || x == s.active {
		return false
	}
	p := &s.seats[x]
	switch s.phase {
	case phaseInvestigation:
		return true
	case phaseDeposit:
		return !p.done || p.noDeposit
	}
	return !p.done && p.cards < handLimit
}

// decideGiveTurnTo gives the turn to another seat. The seat that was called before is called again after it.
func (s *inquiryState) decideGiveTurnTo(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.parseTakenSeat(c)
	switch {
	case r != nil:
		return nil, r
	case !s.isBetweenActs():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	case s.isDead(x):
		return nil, refuse(engine.Forbidden, "HC-138", "hc.no.dead", "seat", x.String())
	case !s.canReceiveTurn(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "gen.no.turn-done", "seat", x.String())
	}
	evs := seatEvent(evTurnTo, c.At, x)
	if s.phase == phaseDeposit && // HC-125, HC-126
		(actor{seat: x, knowledge: s.knowledgeFor(engine.SeatViewer(x))}).choiceToDeposit().isEmpty() {
		evs = append(evs, &event{kind: evShort, at: c.At, seat: x})
	}
	return evs, nil
}

func (s *public) applyTurnTo(e *event) {
	p := &s.seats[e.seat]
	p.done, p.noDeposit = false, false
	s.callToAct(e.seat, e.at)
}

// decideKillPlayer lets a player die without the urn.
func (s *boardState) decideKillPlayer(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.parseTakenSeat(c)
	switch {
	case r != nil:
		return nil, r
	case s.isDead(x):
		return nil, refuse(engine.Forbidden, "HC-138", "hc.no.dead", "seat", x.String())
	case !s.isBetweenActs():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return seatEvent(evKilled, c.At, x), nil
}

// applyKilled takes x out of the game as a murder does (HC-131, HC-132, HC-138), but makes no crime place.
// The urn passes on at once, since a round needs a living first player.
func (s *state) applyKilled(e *event) {
	if s.phase == phasePick {
		s.setPlaceAudience(s.seats[s.active].at, hidden.Nobody)
	}
	s.removeDeadPlayer(e.seat)
	if s.phase != phaseRecovery && s.first == e.seat {
		s.first = s.nextLivingSeatAfter(e.seat)
	}
	s.hostKilled = true
	s.callSeat(0, e.at)
}

// decideRevivePlayer brings a player back, to an open place. In the Confrontation no player comes back: its rules
// allow acts, such as a fourth destruction, that are impossible outside it.
func (s *boardState) decideRevivePlayer(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.parseTakenSeat(c)
	at, ok := s.book.placeByID[c.Args["place"]]
	switch {
	case r != nil:
		return nil, r
	case !s.isDead(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "gen.no.lives", "seat", x.String())
	case !ok:
		return nil, refuse(engine.Unknown, "GEN-009", "hc.no.no-place")
	case s.rooms[at].closed:
		return nil, refuse(engine.Forbidden, "HC-057", "hc.no.closed", "place", c.Args["place"])
	case s.duel:
		return nil, refuse(engine.Forbidden, "HC-200", "hc.no.revive-duel")
	case !s.isBetweenActs():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return []*event{{kind: evRevived, at: c.At, seat: x, place: at}}, nil
}

// applyRevived lets x play on from the next phase, with an empty hand and its role face up.
func (s *boardState) applyRevived(e *event) {
	p := &s.seats[e.seat]
	p.dead, p.at, p.done, p.noDeposit = false, e.place, true, s.phase == phaseDeposit
}

// The rules that the host may waive for the current investigation.
const (
	waiveRound = iota // when one may accuse
	waiveHand         // with how many clues one may force an exchange
)

var waivers = rules.Waivers{waiveRound: "HC-090", waiveHand: "HC-081"}

// waivableRules returns the rules that keep the active seat from an act and can be waived.
func (s *boardState) waivableRules() []string {
	x := &s.seats[s.active]
	if s.phase != phaseInvestigation || s.step != stepMove && s.step != stepAct {
		return nil
	}
	return waivers.UnwaivedRules([]bool{
		waiveRound: !s.allowsAccusations() && !s.duel && x.tokens > 0,
		waiveHand:  x.cards > 0 && x.cards < handLimit,
	}, s.waived)
}

// waivableRulesOf does the same for seat x: the active one, or idleSeat if it could do something without
// the rule.
func (s *public) waivableRulesOf(x engine.Seat) (all []string) {
	switch x {
	case s.idleSeat:
	case s.active:
		return s.waivableRules()
	default:
		return nil
	}
	after := *s
	after.reopenInvestigation(s.waitingSince)
	at := after.seats[x].at
	for _, rule := range after.waivableRules() {
		after.waived, _ = waivers.DecodeRule(rule)
		if len(after.exchangeTargets(x, at)) > 0 || len(after.accusableSeats(x, at)) > 0 {
			all = append(all, rule)
		}
	}
	return all
}

// seatsToWaiveRuleFor returns the seats for which a rule may be waived.
func (s *public) seatsToWaiveRuleFor() []engine.Seat {
	if s.idleSeat == 0 || s.idleSeat == s.active {
		return []engine.Seat{s.active}
	}
	return []engine.Seat{s.active, s.idleSeat}
}

// reopenInvestigation continues the investigation of idleSeat as if no other seat had been called since,
// and no deposit either.
func (s *public) reopenInvestigation(at engine.Millis) {
	x := s.idleSeat
	if s.phase != phaseInvestigation {
		s.phase = phaseInvestigation
		for y := range s.seats {
			s.seats[y].done, s.seats[y].noDeposit = true, false
		}
	}
	s.seats[x].done, s.idleSeat = false, 0
	s.callToAct(x, at)
	s.hasMoved, s.step = s.step == stepMove, stepAct
}

// waivableRefusalAfterTurn returns the refusal of an act of idleSeat if a rule forbids it that the host may
// still waive; nil: no such rule does.
func (s *state) waivableRefusalAfterTurn(c engine.Command) *engine.Reject {
	x, seat := c.By.Seat()
	if !seat || x != s.idleSeat {
		return nil
	}
	after := s.copyState()
	after.reopenInvestigation(s.waitingSince)
	_, r := after.decideCommand(c, nil)
	return rules.RefusalByWaivableRule(r, s.waivableRulesOf(x))
}

// decideWaiveRule waives a rule that has refused an act to a seat: the host insists.
func (s *public) decideWaiveRule(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.parseTakenSeat(c)
	if r == nil {
		r = waivers.RefuseInvalidWaiver(c, x == s.active && s.phase == phaseInvestigation, s.waivableRulesOf(x))
	}
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evAllowed, at: c.At, seat: x, text: c.Args["rule"]}}, nil
}

// applyWaivedRule waives a rule. For idleSeat it also reopens the investigation.
func (s *public) applyWaivedRule(e *event) {
	if e.seat == s.idleSeat {
		s.reopenInvestigation(e.at)
	}
	w, _ := waivers.DecodeRule(e.text)
	s.waived |= w
}

func (w *storedEvent) checkAllowedRule(_ *Book, _ *event) error {
	_, err := waivers.DecodeRule(w.Text)
	return err
}

// recordKilled records the death like a murder, and that the host has declared it.
func (t storyRecorder) recordKilled() {
	t.recordDeath(t.event.seat, "hc.log.killed", "hc.log.killed.untold")
}

// phaseArgs has arguments that name each phase. They are shared and must not be changed.
var phaseArgs = func() (all [len(phaseNames)]engine.Args) {
	for p, name := range phaseNames {
		all[p] = engine.Args{"phase": name}
	}
	return all
}()

// offerOverruling adds the acts against the rules that the host may do now.
func (s *public) offerOverruling(out []engine.Offer) []engine.Offer {
	if s.phase < phasePick || s.phase == phaseReveal || s.phase == phaseOver || s.count.Counting {
		return out
	}
	add := func(act string, fixed engine.Args, ps ...engine.Param) {
		out = append(out, rules.OverruleOffer(act, fixed, ps...))
	}
	who := func(may func(engine.Seat) bool) engine.Param {
		return engine.Param{Name: "seat", Kind: "seat", Domain: rules.ListSeats(maxSeats, may)}
	}
	if s.canPassOver() {
		add("skip", seatArgs[s.active])
		add("next-phase", phaseArgs[s.phase])
	}
	for _, x := range s.seatsToWaiveRuleFor() {
		out = rules.AddWaiverOffers(out, x, s.waivableRulesOf(x))
	}
	if !s.isBetweenActs() {
		return out
	}
	if to := who(s.canReceiveTurn); s.phase != phasePick && len(to.Domain) > 0 {
		add("turn-to", nil, to)
	}
	add("kill", nil, who(s.isLiving))
	if dead := who(s.isDead); len(dead.Domain) > 0 && !s.duel {
		open := s.placeIDsWhere(func(p place) bool { return !s.rooms[p].closed })
		add("revive", nil, dead, engine.Param{Name: "place", Kind: "place", Domain: open})
	}
	return out
}
