package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// Observation (HC-110 to HC-118), and an observer who was shown another clue than
// the one taken (rules, 4.2).

// decideObserve decides an observation, an act of another seat than the active one (HC-110 to HC-116).
func (s *boardState) decideObserve(c engine.Command) ([]*event, *engine.Reject) {
	y, ok, r := s.parseBystander(c)
	if r != nil {
		return nil, r
	}
	no := func(code engine.Code, rule, key string) ([]*event, *engine.Reject) {
		return nil, refuseOpenly(code, rule, key, "seat", y.String())
	}
	at := s.seats[s.active].at
	switch {
	case !ok:
		return nil, refuse(engine.NotYou, "HC-110", "hc.no.seat-only")
	case s.isDead(y):
		return no(engine.NotYou, "HC-138", "hc.no.dead")
	case s.duel:
		return no(engine.Forbidden, "HC-204", "hc.no.observe-duel")
	case s.phase != phaseInvestigation:
		return no(engine.NotNow, "HC-110", "hc.no.observe-phase")
	case y == s.active:
		return no(engine.Forbidden, "HC-110", "hc.no.observe-self")
	case s.step < stepTake || s.step == stepRole:
		return no(engine.NotNow, "HC-116", "hc.no.observe-early")
	case !s.isSeated(y) || s.seats[y].at != at:
		return no(engine.Forbidden, "HC-111", "hc.no.observe-place")
	case s.seats[y].usedObservation:
		return no(engine.Forbidden, "HC-110", "hc.no.observe-used")
	case !s.isBeforeTaking():
		return no(engine.NotNow, "HC-112", "hc.no.observe-late")
	}
	return []*event{{kind: evObserved, at: c.At, seat: y, other: s.active}}, nil
}

// isBeforeTaking reports whether an action has been announced and nothing is taken yet (HC-112, HC-116),
// whether or not the machine learns which clue it was.
func (s *boardState) isBeforeTaking() bool {
	return s.step == stepTake || s.step == stepDraw || s.step == stepGive && !s.halfDone
}

// canObserve reports whether y is in the same place as x and has not observed in this round (HC-110,
// HC-111, HC-204).
func (s *boardState) canObserve(y, x engine.Seat) bool {
	return y != x && !s.duel && s.isLiving(y) && !s.seats[y].usedObservation && s.seats[y].at == s.seats[x].at
}

// canObserveNow reports whether y may come forward now to observe what is taken.
func (s *boardState) canObserveNow(y engine.Seat) bool {
	return y != 0 && s.phase == phaseInvestigation && s.active != 0 && s.isBeforeTaking() && s.canObserve(y, s.active)
}

// decideObserverDisagrees decides the act of an observer who was shown another clue than the one that the observer's
// phone names (GEN-E10). The seat that took the clue is asked in private to show it again, and no other
// seat learns of it. Where no clue was named there is nothing to disagree with.
func (s *public) decideObserverDisagrees(c engine.Command) ([]*event, *engine.Reject) {
	x, ok := c.By.Seat()
	switch {
	case !ok || !s.isSeated(x):
		return nil, refuse(engine.NotYou, "HC-114", "hc.no.seat-only")
	case s.isDead(x):
		return nil, refuse(engine.NotYou, "HC-138", "hc.no.dead", "seat", x.String())
	case !s.canDisagree(x):
		return nil, refuse(engine.NotNow, "HC-114", "hc.no.not-shown-you")
	}
	return []*event{{kind: evDisagreed, at: c.At, seat: x, other: s.shownBy}}, nil
}

// canDisagree reports whether x observed the last clue taken, and the machine knows that clue, and since
// then neither another clue was taken nor the urn opened.
func (s *public) canDisagree(x engine.Seat) bool {
	return s.isLiving(x) && !s.count.Counting && s.shownTo>>x&1 != 0 && (s.phase == phaseInvestigation || s.phase == phaseDeposit)
}

// noteShownToObservers notes that x is to show the clue c to its observers.
func (s *inquiryState) noteShownToObservers(x engine.Seat, c hidden.SmallValue[card]) {
	s.shownBy, s.shownTo, s.lastShown = x, 0, c.WithAudience(hidden.Nobody)
	if known, _ := c.Open(); known == 0 {
		return
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.seats[y].observing {
			s.shownTo |= 1 << y
		}
	}
}

func (t storyRecorder) recordDisagreed() {
	c, _ := t.newState.lastShown.Open()
	t.AddPrivateLine(t.event.other, "hc.log.show-again", "seat", t.event.seat.String(), "card", t.book.cardID[c])
	t.AddPrivateLine(t.event.seat, "hc.log.show-again.asked", "seat", t.event.other.String())
}
