package huisclos

import "majordome/engine"

// The draw by agreement (HC-211).

// decideOfferDraw decides an offer to end the Confrontation without a winner.
func (s *boardState) decideOfferDraw(c engine.Command) ([]*event, *engine.Reject) {
	x, ok, r := s.parseBystander(c)
	if r != nil {
		return nil, r
	}
	switch {
	case s.isDead(x):
		return nil, refuse(engine.NotYou, "HC-138", "hc.no.dead", "seat", x.String())
	case !ok || !s.isSeated(x):
		return nil, refuse(engine.NotYou, "HC-211", "hc.no.seat-only")
	case !s.canOfferDraw(x):
		return nil, refuseOpenly(engine.NotNow, "HC-211", "hc.no.not-now")
	}
	evs := seatEvent(evAgreed, c.At, x)
	if s.findFirstLiving(func(y engine.Seat) bool { return y != x && !s.seats[y].offeredDraw }) == 0 {
		evs = append(evs, &event{kind: evOver, at: c.At, text: "HC-211", ends: true})
	}
	return evs, nil
}

// canOfferDraw reports whether x may offer to end the game without a winner: only with the round limit
// lifted, and never in the middle of an action (HC-211).
func (s *boardState) canOfferDraw(x engine.Seat) bool {
	return s.isEndless() && s.phase == phaseInvestigation && s.step <= stepAct && s.isLiving(x) && !s.seats[x].offeredDraw
}
