package huisclos

import "majordome/engine"

// wrongStep refuses an act of the investigation whose turn has not come.
func (s *state) wrongStep() *engine.Reject {
	if s.step == stepMove {
		return openly(engine.NotNow, "HC-050", engine.Say("hc.no.move-first"))
	}
	return openly(engine.NotNow, "HC-051", engine.Say("hc.no.not-now"))
}

func (s *state) doMove(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepMove {
		return nil, s.wrongStep()
	}
	to, ok := s.book.places[c.Args["place"]]
	if !ok {
		return nil, refuse(engine.Unknown, "HC-050", "hc.no.no-place")
	}
	x := by.seat
	from := s.seats[x].at
	may, _ := s.moves(by.k, x, !by.host)
	switch {
	case to == from:
		return nil, openly(engine.Forbidden, "HC-050", engine.Say("hc.no.stay", "place", c.Args["place"]))
	case s.rooms[to].closed:
		return nil, openly(engine.Forbidden, "HC-057", engine.Say("hc.no.closed", "place", c.Args["place"]))
	case !may[to] && s.excess(by.k, x):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.fullest")
	case !may[to]:
		return nil, refuse(engine.Forbidden, "HC-052", "hc.no.idle", "place", c.Args["place"])
	}
	evs := []*event{{kind: evMoved, at: c.At, seat: x, place: to}}
	if from != 0 && s.rooms[from].cards == 0 && s.standing(from) == 1 { // HC-056
		evs = append(evs, &event{kind: evClosed, at: c.At, place: from})
	}
	if !s.canAct(by.k, x, to, !by.host) { // HC-054
		evs = append(evs, &event{kind: evEnded, at: c.At, seat: x, ends: true})
	}
	return evs, nil
}

func (s *state) doSearch(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepAct {
		return nil, s.wrongStep()
	}
	p := s.seats[by.seat].at
	if s.rooms[p].cards == 0 {
		return nil, openly(engine.Forbidden, "HC-066", engine.Say("hc.no.empty", "place", s.book.placeID[p]))
	}
	return []*event{{kind: evSearched, at: c.At, seat: by.seat, n: s.watchers(by.seat)}}, nil
}

// watchers is not zero if somebody could come forward to observe x (HC-118).
// Only public facts count (GEN-005).
func (s *state) watchers(x engine.Seat) uint16 {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.mayObserve(y, x) {
			return 1
		}
	}
	return 0
}

// idle reports that the active seat has nothing to do where it stands.
func (s *state) idle(by actor) bool {
	p := s.seats[by.seat].at
	if by.host {
		return s.rooms[p].cards == 0 && len(s.victims(by.k, by.seat, p)) == 0
	}
	return !s.canAct(by.k, by.seat, p, true)
}

func (s *state) doPass(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.step != stepAct:
		return nil, s.wrongStep()
	case !s.idle(by):
		return nil, refuse(engine.Forbidden, "HC-051", "hc.no.must-act")
	}
	return []*event{{kind: evEnded, at: c.At, seat: by.seat, ends: true}}, nil
}

func (s *state) doTake(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(c)
	if r != nil {
		return nil, r
	}
	if s.step != stepTake {
		return nil, s.wrongStep()
	}
	return s.take(by, c.At, x)
}

// scanInvestigation does with a clue presented at the refutation reader what
// the step waits for.
func (s *state) scanInvestigation(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch s.step {
	case stepDraw:
		return s.draw(by, at, c)
	case stepGive:
		return s.give(by, at, c)
	}
	return s.take(by, at, c)
}

func (s *state) take(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	here := by.k.place[s.seats[x].at]
	switch {
	case s.window:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case !here.has(c):
		return nil, refuse(engine.Forbidden, "HC-060", "hc.no.not-here")
	case !s.takeable(by.k, x).has(c) && s.excess(by.k, x):
		return nil, refuse(engine.Forbidden, "HC-183", "hc.no.take-other")
	case !s.takeable(by.k, x).has(c):
		return nil, refuse(engine.Forbidden, "HC-067", "hc.no.second-weapon")
	}
	watched := uint16(0)
	for y := range s.seats {
		if s.seats[y].watching {
			watched = 1
		}
	}
	took := &event{kind: evTook, at: at, seat: x, card: hide(c), n: watched, sw: uint8(stepPurge)}
	after := *s
	after.change(took)
	// Whether a step follows is public, so it hangs on public facts; only the
	// swap of HC-181 with a small hand adds to them, and its numbers show anyway.
	if after.full || after.below(x) || s.excess(by.k, x) {
		took.sw = uint8(stepSettle)
	}
	return s.settled(at, x, took), nil
}

// settled adds to an event of a search what ends it: in the Confrontation a
// compulsory destruction first (HC-205).
func (s *state) settled(at engine.Millis, x engine.Seat, e *event) []*event {
	after := *s
	after.change(e)
	if after.step != stepPurge {
		return []*event{e}
	}
	if s.duel && after.purgeable(after.see(engine.At(x)), x) != 0 {
		return []*event{e}
	}
	return []*event{e, {kind: evEnded, at: at, seat: x}}
}

func (s *state) doLeave(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(c)
	if r != nil {
		return nil, r
	}
	if s.step != stepSettle {
		return nil, s.wrongStep()
	}
	may := s.leavable(by.k, by.seat)
	switch {
	case !by.k.hand[by.seat].has(x):
		return nil, refuse(engine.Forbidden, "HC-062", "hc.no.not-held")
	case may == 0:
		return nil, refuse(engine.Forbidden, "HC-064", "hc.no.no-swap")
	case x == by.k.taken:
		return nil, refuse(engine.Forbidden, "HC-061", "hc.no.just-taken")
	case !may.has(x) && s.swapping(by.k, by.seat):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.leave-weapon")
	case !may.has(x):
		return nil, refuse(engine.Forbidden, "HC-067", "hc.no.leave-weapon")
	}
	return s.settled(c.At, by.seat, &event{kind: evLeft, at: c.At, seat: by.seat, card: hide(x)}), nil
}

func (s *state) doDestroy(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(c)
	if r != nil {
		return nil, r
	}
	if s.step == stepPurge {
		return s.purge(by, c.At, x)
	}
	if s.step != stepSettle {
		return nil, openly(engine.NotNow, "HC-071", engine.Say("hc.no.destroy-now"))
	}
	hand, p := by.k.hand[by.seat], &s.seats[by.seat]
	switch may := s.destroyable(by.k, by.seat); {
	case !hand.has(x):
		return nil, refuse(engine.Forbidden, "HC-070", "hc.no.not-held")
	case may.has(x):
		return s.settled(c.At, by.seat, &event{kind: evDestroyed, at: c.At, seat: by.seat, card: hide(x)}), nil
	case s.swapping(by.k, by.seat):
		return nil, refuse(engine.Forbidden, "HC-188", "hc.no.leave-weapon")
	case hand.count() < 2:
		return nil, refuse(engine.Forbidden, "HC-080", "hc.no.last-clue")
	case x.weapon():
		return nil, refuse(engine.Forbidden, "HC-075", "hc.no.destroy-weapon")
	case !s.duel && p.destroyed >= maxDestroy:
		return nil, refuse(engine.Forbidden, "HC-073", "hc.no.destroyed-three")
	case !s.duel && x.of() == p.who:
		return nil, refuse(engine.Forbidden, "HC-074", "hc.no.own-clue")
	case s.full:
		return nil, refuse(engine.Forbidden, "HC-067", "hc.no.leave-weapon")
	}
	return nil, refuse(engine.Forbidden, "HC-065", "hc.no.destroy-below")
}

// purge destroys a clue of the searched place (HC-205).
func (s *state) purge(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case !by.k.place[s.seats[by.seat].at].has(c):
		return nil, refuse(engine.Forbidden, "HC-205", "hc.no.not-here")
	case !s.purgeable(by.k, by.seat).has(c):
		return nil, refuse(engine.Forbidden, "HC-206", "hc.no.destroy-weapon")
	}
	evs := oneCard(evPurged, at, by.seat, c)
	return append(evs, &event{kind: evEnded, at: at, seat: by.seat}), nil
}

func (s *state) doDone(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.step != stepSettle:
		return nil, s.wrongStep()
	case s.swapping(by.k, by.seat):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.leave-weapon")
	case s.full:
		return nil, refuse(engine.Forbidden, "HC-062", "hc.no.hand-of-four")
	}
	return []*event{{kind: evEnded, at: c.At, seat: by.seat}}, nil
}
