package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// refuseWrongStep refuses an act of the investigation that the current step does not allow.
func (s *public) refuseWrongStep() *engine.Reject {
	switch {
	case s.step == stepMove:
		return refuseOpenly(engine.NotNow, "HC-050", "hc.no.move-first")
	case s.step == stepRole, s.phase != phaseInvestigation:
		return s.refuseNotNow()
	}
	return refuseOpenly(engine.NotNow, "HC-051", "hc.no.not-now")
}

// refuseNotNow refuses an act of this phase at the wrong moment, by the rule of the act that is awaited.
func (s *public) refuseNotNow() *engine.Reject {
	_, rule := s.promptKey()
	return refuseOpenly(engine.NotNow, rule, "hc.no.not-now")
}

func (s *public) decideMove(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepMove {
		return nil, s.refuseWrongStep()
	}
	to, ok := s.book.placeByID[c.Args["place"]]
	if !ok {
		return nil, refuse(engine.Unknown, "HC-050", "hc.no.no-place")
	}
	x := by.seat
	from := s.seats[x].at
	may, _, _ := by.allowedMoves(x, !by.isHost)
	switch {
	case to == from:
		return nil, refuseOpenly(engine.Forbidden, "HC-050", "hc.no.stay", "place", c.Args["place"])
	case s.rooms[to].closed:
		return nil, refuseOpenly(engine.Forbidden, "HC-057", "hc.no.closed", "place", c.Args["place"])
	case !may[to] && by.mustSearchForExcess(x):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.fullest")
	case !may[to]:
		return nil, refuse(engine.Forbidden, "HC-052", "hc.no.idle", "place", c.Args["place"])
	}
	evs := s.withClosing([]*event{{kind: evMoved, at: c.At, seat: x, place: to}}, from)
	if !by.hasSomethingToDoIn(x, to, !by.isHost) { // HC-054
		evs = append(evs, &event{kind: evEnded, at: c.At, seat: x, ends: true})
	}
	return evs, nil
}

func (s *public) decideSearch(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepAct {
		return nil, s.refuseWrongStep()
	}
	p := s.seats[by.seat].at
	if s.rooms[p].cards == 0 {
		return nil, refuseOpenly(engine.Forbidden, "HC-066", "hc.no.empty", "place", s.book.placeID[p])
	}
	return []*event{{kind: evSearched, at: c.At, seat: by.seat, n: s.observableFlag(by.seat)}}, nil
}

// observableFlag returns 1 if a player could come forward to observe x (HC-118), else 0. Only public facts
// count (GEN-005).
func (s *boardState) observableFlag(x engine.Seat) uint16 {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.canObserve(y, x) {
			return 1
		}
	}
	return 0
}

// hasNoActionHere reports whether the active seat x has nothing to do in its place, apart from an accusation.
func (s *boardState) hasNoActionHere(x engine.Seat) bool {
	p := s.seats[x].at
	return s.rooms[p].cards == 0 && len(s.exchangeTargets(x, p)) == 0
}

// hasNothingToDo reports whether the actor has nothing to do; its hand counts if it is known.
func (by actor) hasNothingToDo() bool {
	x := by.seat
	return by.hasNoActionHere(x) && (!by.knowsHand(x) || !by.hasSomethingToDoIn(x, by.seats[x].at, true))
}

func (s *public) decideNothingToDo(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.step == stepExtra:
		return seatEvent(evNotShort, c.At, by.seat), nil
	case s.step != stepAct:
		return nil, s.refuseWrongStep()
	case !by.hasNothingToDo():
		return nil, refuse(engine.Forbidden, "HC-051", "hc.no.must-act")
	}
	return []*event{{kind: evEnded, at: c.At, seat: by.seat, ends: true}}, nil
}

// decideInvestigationScan decides a clue presented at the show reader, by the act that the step waits for.
func (s *state) decideInvestigationScan(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch s.step {
	case stepDraw:
		return s.drawReadEvents(by, at, c)
	case stepGive:
		return s.giveEvents(by, at, c)
	case stepSettle:
		return s.leaveEvents(by, at, c)
	}
	return s.takeEvents(by, at, c)
}

// takeEvents decides the taking of a clue, after which the searcher may do more if the rules allow more.
func (s *state) takeEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	took, r := s.tookEvent(by, at, c)
	if r != nil {
		return nil, r
	}
	// Only public facts decide whether a step follows: a seat that has moved and now has three clues in
	// hand may owe the swap of HC-181, but only that seat knows.
	if s.handWasFull || s.canTakeAndEnd(by.seat) {
		took.step = stepSettle
	}
	return s.withSearchEnd(at, by.seat, took), nil
}

// takeLastEvents decides the taking of a clue as the last thing that the searcher does: one act instead of two, where
// HC-065 would allow a destruction that the searcher does not want.
func (s *state) takeLastEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	if by.mustSwap(by.seat) {
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.leave-weapon")
	}
	took, r := s.tookEvent(by, at, c)
	if r != nil {
		return nil, r
	}
	return s.withSearchEnd(at, by.seat, took), nil
}

// tookEvent returns the event of a clue taken, without a step after it.
func (s *state) tookEvent(by actor, at engine.Millis, c card) (*event, *engine.Reject) {
	x := by.seat
	p := s.seats[x].at
	may := by.choiceToTake()
	switch {
	case s.windowOpen:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case may.allowsCard(c):
	case c == 0:
		return nil, refuseUnnamed()
	case may.unnamed || !by.knownCluesIn(p).Contains(c):
		return nil, refuse(engine.Forbidden, "HC-060", "hc.no.not-here")
	case by.mustSwap(x):
		return nil, refuse(engine.Forbidden, "HC-183", "hc.no.take-other")
	default:
		return nil, refuse(engine.Forbidden, "HC-067", "hc.no.second-weapon")
	}
	took := s.moveEvent(evTook, at, by, c, loc(p), s.rooms[p].cards)
	took.step = stepPurge
	if s.hasObserver() {
		took.n = 1
	}
	return took, nil
}

// refuseUnnamed refuses an act that has to name its clue.
func refuseUnnamed() *engine.Reject { return refuse(engine.Forbidden, "GEN-022", "hc.no.name-it") }

// withSearchEnd returns e and, unless a step follows, the end of the search. In the Confrontation a
// compulsory destruction comes first (HC-205).
func (s *state) withSearchEnd(at engine.Millis, x engine.Seat, e *event) []*event {
	if e.step == stepSettle {
		return []*event{e}
	}
	if s.duel {
		after := *s
		after.applyMutating(e)
		may, forced := (actor{seat: x, knowledge: after.knowledgeFor(engine.SeatViewer(x))}).purgeableClues()
		if after.rooms[after.seats[x].at].cards > 0 && (may != 0 || !forced) {
			return []*event{e}
		}
	}
	return []*event{e, {kind: evEnded, at: at, seat: x}}
}

func (s *state) leaveEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	may := by.choiceToLeave()
	switch {
	case may.allowsCard(c):
		return s.withSearchEnd(at, x, s.moveEvent(evLeft, at, by, c, custody.HandOf(x), s.seats[x].cards)), nil
	case may.isEmpty():
		return nil, refuse(engine.Forbidden, "HC-064", "hc.no.no-swap")
	case c == 0:
		return nil, refuseUnnamed()
	case c == by.taken:
		return nil, refuse(engine.Forbidden, "HC-061", "hc.no.just-taken")
	case !by.possibleHand(x).allowsCard(c):
		return nil, refuse(engine.Forbidden, "HC-062", "hc.no.not-held")
	case by.mustSwap(x):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.leave-weapon")
	}
	return nil, refuse(engine.Forbidden, "HC-067", "hc.no.leave-weapon")
}

// destroyEvents decides the destruction of a clue of the hand or, after a search, of the place.
func (s *state) destroyEvents(by actor, at engine.Millis, x card) ([]*event, *engine.Reject) {
	if s.step == stepPurge {
		return s.purgeEvents(by, at, x)
	}
	if s.step != stepSettle {
		return nil, refuseOpenly(engine.NotNow, "HC-071", "hc.no.destroy-now")
	}
	p := &s.seats[by.seat]
	switch alarm := s.alarmIfRecordedElsewhere(x, custody.HandOf(by.seat)); {
	case by.destroyableClues().Contains(x) && alarm != nil:
		return nil, alarm
	case by.destroyableClues().Contains(x):
		return s.withSearchEnd(at, by.seat, &event{kind: evDestroyed, at: at, seat: by.seat, card: hideCard(x)}), nil
	case !by.possibleHand(by.seat).allowsCard(x):
		return nil, refuse(engine.Forbidden, "HC-070", "hc.no.not-held")
	case by.mustSwap(by.seat):
		return nil, refuse(engine.Forbidden, "HC-188", "hc.no.leave-weapon")
	case isWeapon(x):
		return nil, refuseDestruction(by, "HC-075", "hc.no.destroy-weapon")
	case s.hasUsedDestructions(by.seat):
		return nil, refuseDestruction(by, "HC-073", "hc.no.destroyed-three")
	case !s.duel && characterOf(x) == p.character:
		return nil, refuseDestruction(by, "HC-074", "hc.no.own-clue")
	case s.handWasFull:
		return nil, refuse(engine.Forbidden, "HC-067", "hc.no.leave-weapon")
	}
	return nil, refuse(engine.Forbidden, "HC-065", "hc.no.destroy-below")
}

// refuseDestruction refuses to destroy a clue. If the host declares the act, the clue was already shown, so
// the reason is public too (rules, 4.2). A choice on a phone was shown to no one.
func refuseDestruction(by actor, rule, key string) *engine.Reject {
	r := refuse(engine.Forbidden, rule, key)
	if by.isHost {
		r.Public = r.Why
	}
	return r
}

// purgeEvents decides the destruction of a clue of the searched place (HC-205).
func (s *recordState) purgeEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	may, forced := by.purgeableClues()
	switch alarm := s.alarmIfRecordedElsewhere(c, loc(s.seats[by.seat].at)); {
	case may.Contains(c) && alarm != nil:
		return nil, alarm
	case may.Contains(c):
	case forced && !by.knownCluesIn(s.seats[by.seat].at).Contains(c) || !forced && !by.unseenClues(by.seat).Contains(c):
		return nil, refuse(engine.Forbidden, "HC-205", "hc.no.not-here")
	default:
		return nil, refuseDestruction(by, "HC-206", "hc.no.destroy-weapon")
	}
	evs := cardEvent(evPurged, at, by.seat, c)
	return append(evs, &event{kind: evEnded, at: at, seat: by.seat}), nil
}

func (s *public) decideFinishSearch(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step == stepPurge {
		if _, forced := by.purgeableClues(); forced {
			return nil, refuse(engine.Forbidden, "HC-205", "hc.no.must-destroy")
		}
		return seatEvent(evEnded, c.At, by.seat), nil
	}
	switch {
	case s.step != stepSettle:
		return nil, s.refuseWrongStep()
	case by.mustSwap(by.seat):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.leave-weapon")
	case s.handWasFull:
		return nil, refuse(engine.Forbidden, "HC-062", "hc.no.hand-of-four")
	}
	return seatEvent(evEnded, c.At, by.seat), nil
}
