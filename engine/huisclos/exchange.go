package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
)

// The forced exchange (HC-081 to HC-088).

// parseActOnSeat reads the argument "seat" of an act on another player. It refuses the act outside stepAct,
// and by rule any seat but that of another living player.
func (s *public) parseActOnSeat(by actor, c engine.Command, rule string) (engine.Seat, *engine.Reject) {
	if s.step != stepAct {
		return 0, s.refuseWrongStep()
	}
	y, r := refusalKeys.ParseSeat(c, maxSeats, "HC-001")
	if r == nil && (y == by.seat || !s.isLiving(y)) {
		r = refuseOpenly(engine.Unknown, rule, "hc.no.empty-seat", "seat", y.String())
	}
	return y, r
}

// hasExchangeHandSize reports whether the hand size of x allows it to force an exchange (HC-081).
func (s *boardState) hasExchangeHandSize(x engine.Seat) bool {
	n := s.seats[x].cards
	return n == handLimit || n > 0 && n < handLimit && s.waived.Contains(waiveHand)
}

func (s *public) decideExchange(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x := by.seat
	y, r := s.parseActOnSeat(by, c, "HC-082")
	if r != nil {
		return nil, r
	}
	switch {
	case !s.hasExchangeHandSize(x):
		return nil, refuseOpenly(engine.Forbidden, "HC-081", "hc.no.exchange-hand")
	case s.seats[y].at != s.seats[x].at || s.seats[y].cards == 0:
		return nil, refuseOpenly(engine.Forbidden, "HC-082", "hc.no.exchange-victim", "seat", y.String())
	case by.mustSearchForExcess(x):
		return nil, refuse(engine.Forbidden, "HC-188", "hc.fact.excess")
	}
	e := &event{kind: evExchange, at: c.At, seat: x, other: y, n: s.observableFlag(x), step: stepDraw}
	if s.ruleValue(swExchangeOrder) == "give-then-draw" {
		e.step = stepGive
	}
	return []*event{e}, nil
}

// decideDrawFromHand draws a clue without looking (HC-083): by dice from a hand that the machine knows, else at the
// table. Neither a refusal nor anything before it shows the actor whether the machine knows the victim's
// hand. To record a clue drawn at the table, the actor presents it at the reader or names it afterwards.
func (s *inquiryState) decideDrawFromHand(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	_, named := c.Args["card"]
	switch {
	case s.step != stepDraw:
		return nil, s.refuseWrongStep()
	case by.isHost && c.Args["card"] != engine.Unnamed:
		return nil, refuse(engine.Forbidden, "GEN-024", "hc.no.host-unnamed")
	case named && !by.isHost:
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.draw-named")
	case s.windowOpen:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case by.isHost || !s.isHandKnown(s.target):
		return s.drawEvents(by, c.At, 0), nil
	}
	from := s.ledger.RecordedOrClaimed(s.target)
	if g, ok := s.given.Open(); ok {
		from = from.WithoutCard(g)
	}
	return s.drawEvents(by, c.At, from.DrawRandom(dice)), nil
}

// drawReadEvents decides a draw whose clue is on the reader (HC-083). mustRaiseAlarm has raised the alarm
// already for a clue that is not in that hand, or that was given first.
func (s *recordState) drawReadEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case s.windowOpen:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case !by.unseenClues(by.seat).Contains(c):
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.not-theirs")
	}
	return s.drawEvents(by, at, c), nil
}

// drawEvents returns the draw of c, and the end of the investigation if it completes the exchange.
func (s *recordState) drawEvents(by actor, at engine.Millis, c card) []*event {
	y := s.target
	e := s.moveEvent(evDrew, at, by, c, custody.HandOf(y), s.seats[y].cards)
	if e.other = y; c == 0 {
		e.trust = trustBlind // it may be any clue of the victim
	}
	return s.withExchangeEnd(e)
}

// withExchangeEnd returns e, and the end of the investigation if e completes the exchange.
func (s *inquiry) withExchangeEnd(e *event) []*event {
	if s.halfDone {
		return []*event{e, {kind: evEnded, at: e.at, seat: e.seat}}
	}
	return []*event{e}
}

func (s *recordState) giveEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	may := by.choiceToGive()
	switch {
	case s.windowOpen:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case may.allowsCard(c):
		e := s.moveEvent(evGave, at, by, c, custody.HandOf(x), s.seats[x].cards)
		e.other = s.target
		return s.withExchangeEnd(e), nil
	case c == 0:
		return nil, refuseUnnamed()
	case c == by.taken:
		return nil, refuse(engine.Forbidden, "HC-084", "hc.no.give-back")
	case !by.possibleHand(x).allowsCard(c):
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.not-held")
	}
	return nil, refuse(engine.Forbidden, "HC-087", "hc.no.leave-weapon")
}

// applyDrew moves a clue from the hand of the victim to the actor.
func (s *state) applyDrew(e *event) {
	x, y, c := e.seat, e.other, e.clue()
	s.recordCardLeftHand(y, c, e.trust)
	s.addToHand(x, c, e.trust)
	s.taken = e.card.WithAudience(hidden.OnlySeats(x))
	s.noteShownToObservers(x, e.card)
	s.step, s.halfDone = stepGive, true
	s.startWaitForActive(e.at)
	s.addObserverSightings(x, y, e.clueSet())
	s.addPassedSighting(e, engine.SawDrawn)
}

// applyGave moves a clue from the actor to the hand of the victim.
func (s *state) applyGave(e *event) {
	x, y, c := e.seat, e.other, e.clue()
	s.recordCardLeftHand(x, c, e.trust)
	s.addToHand(y, c, e.trust)
	s.given = e.card.WithAudience(hidden.OnlySeats(x))
	s.step, s.halfDone = stepDraw, true
	s.startWaitForActive(e.at)
	s.addPassedSighting(e, engine.SawGiven)
}

func (t storyRecorder) recordDrew() {
	t.AddHappeningLine(engine.Happening{What: engine.HapPassed, Seat: t.event.other, Other: t.event.seat},
		"hc.log.drew", "seat", t.event.seat.String(), "other", t.event.other.String())
	t.recordPassed(t.event.other, t.event.seat)
	t.recordForObservers(t.event.seat, t.event.clue())
}

func (t storyRecorder) recordGave() {
	t.recordPassed(t.event.seat, t.event.other)
}

// recordPassed records for both seats which clue passed between them, if it was named.
func (t storyRecorder) recordPassed(from, to engine.Seat) {
	if c := t.event.clue(); c != 0 {
		for _, x := range []engine.Seat{t.event.seat, t.event.other} {
			t.AddPrivateLine(x, "hc.log.drew.own", "seat", from.String(), "other", to.String(), "card", t.book.cardID[c])
		}
	}
}
