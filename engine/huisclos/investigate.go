package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// refuseWrongStep refuses an act of the investigation that the current step does not allow.
func (s *public) wrongStep() *engine.Reject {
	switch {
	case s.step == stepMove:
		return openly(engine.NotNow, "HC-050", engine.Say("hc.no.move-first"))
	case s.step == stepRole, s.phase != investigation:
		return s.notNow()
	}
	return openly(engine.NotNow, "HC-051", engine.Say("hc.no.not-now"))
}

// refuseNotNow refuses an act of this phase at the wrong moment, by the rule of the act that is awaited.
func (s *public) notNow() *engine.Reject {
	_, rule := s.awaited()
	return openly(engine.NotNow, rule, engine.Say("hc.no.not-now"))
}

func (s *public) doMove(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepMove {
		return nil, s.wrongStep()
	}
	to, ok := s.book.places[c.Args["place"]]
	if !ok {
		return nil, refuse(engine.Unknown, "HC-050", "hc.no.no-place")
	}
	x := by.seat
	from := s.seats[x].at
	may, _, _ := by.moves(x, !by.host)
	switch {
	case to == from:
		return nil, openly(engine.Forbidden, "HC-050", engine.Say("hc.no.stay", "place", c.Args["place"]))
	case s.rooms[to].closed:
		return nil, openly(engine.Forbidden, "HC-057", engine.Say("hc.no.closed", "place", c.Args["place"]))
	case !may[to] && by.compelled(x):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.fullest")
	case !may[to]:
		return nil, refuse(engine.Forbidden, "HC-052", "hc.no.idle", "place", c.Args["place"])
	}
	evs := s.vacated([]*event{{kind: evMoved, at: c.At, seat: x, place: to}}, from)
	if !by.canAct(x, to, !by.host) { // HC-054
		evs = append(evs, &event{kind: evEnded, at: c.At, seat: x, ends: true})
	}
	return evs, nil
}

func (s *public) doSearch(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepAct {
		return nil, s.wrongStep()
	}
	p := s.seats[by.seat].at
	if s.rooms[p].cards == 0 {
		return nil, openly(engine.Forbidden, "HC-066", engine.Say("hc.no.empty", "place", s.book.placeID[p]))
	}
	return []*event{{kind: evSearched, at: c.At, seat: by.seat, n: s.watchers(by.seat)}}, nil
}

// observerFlag returns 1 if a player could come forward to observe x (HC-118), else 0. Only public facts
// count (GEN-005).
func (s *boardState) watchers(x engine.Seat) uint16 {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.mayObserve(y, x) {
			return 1
		}
	}
	return 0
}

// isIdle reports whether the active seat x has nothing to do in its place, apart from an accusation.
func (s *boardState) idle(x engine.Seat) bool {
	p := s.seats[x].at
	return s.rooms[p].cards == 0 && len(s.victims(x, p)) == 0
}

// canPass reports whether the actor has nothing to do; its hand counts if it is known.
func (by actor) mayPass() bool {
	x := by.seat
	return by.idle(x) && (!by.knows(x) || !by.canAct(x, by.seats[x].at, true))
}

func (s *public) doPass(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.step == stepExtra:
		return one(evNotShort, c.At, by.seat), nil
	case s.step != stepAct:
		return nil, s.wrongStep()
	case !by.mayPass():
		return nil, refuse(engine.Forbidden, "HC-051", "hc.no.must-act")
	}
	return []*event{{kind: evEnded, at: c.At, seat: by.seat, ends: true}}, nil
}

func (s *state) doTake(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(by, c)
	if r != nil {
		return nil, r
	}
	if s.step != stepTake {
		return nil, s.wrongStep()
	}
	return s.take(by, c.At, x)
}

// decideInvestigationScan decides a clue presented at the show reader, by the act that the step waits for.
func (s *state) scanInvestigation(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch s.step {
	case stepDraw:
		return s.draw(by, at, c)
	case stepGive:
		return s.give(by, at, c)
	case stepSettle:
		return s.leave(by, at, c)
	}
	return s.take(by, at, c)
}

func (s *state) take(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	p := s.seats[x].at
	may := by.takes()
	switch {
	case s.window:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case may.has(c):
	case c == 0:
		return nil, nameless()
	case may.unnamed || !by.place(p).Has(c):
		return nil, refuse(engine.Forbidden, "HC-060", "hc.no.not-here")
	case by.swapping(x):
		return nil, refuse(engine.Forbidden, "HC-183", "hc.no.take-other")
	default:
		return nil, refuse(engine.Forbidden, "HC-067", "hc.no.second-weapon")
	}
	took := s.moved(evTook, at, by, c, loc(p), s.rooms[p].cards)
	took.step = stepPurge
	for y := range s.seats {
		if s.seats[y].watching {
			took.n = 1
		}
	}
	// Only public facts decide whether a step follows: a seat that has moved and now has three clues in
	// hand may owe the swap of HC-181, but only that seat knows.
	if cards := s.seats[x].cards + 1; s.full || s.below(x, cards) || s.mayOweSwap(cards) {
		took.step = stepSettle
	}
	return s.settled(at, x, took), nil
}

// refuseUnnamed refuses an act that has to name its clue.
func nameless() *engine.Reject { return refuse(engine.Forbidden, "GEN-022", "hc.no.name-it") }

// withSearchEnd returns e and, unless a step follows, the end of the search. In the Confrontation a
// compulsory destruction comes first (HC-205).
func (s *state) settled(at engine.Millis, x engine.Seat, e *event) []*event {
	if e.step == stepSettle {
		return []*event{e}
	}
	if s.duel {
		after := *s
		after.apply(e)
		may, forced := (actor{seat: x, knowledge: after.knowledge(engine.At(x))}).purges()
		if after.rooms[after.seats[x].at].cards > 0 && (may != 0 || !forced) {
			return []*event{e}
		}
	}
	return []*event{e, {kind: evEnded, at: at, seat: x}}
}

func (s *state) doLeave(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(by, c)
	if r != nil {
		return nil, r
	}
	if s.step != stepSettle {
		return nil, s.wrongStep()
	}
	return s.leave(by, c.At, x)
}

func (s *state) leave(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	may := by.leaves()
	switch {
	case may.has(c):
		return s.settled(at, x, s.moved(evLeft, at, by, c, custody.HandOf(x), s.seats[x].cards)), nil
	case may.none():
		return nil, refuse(engine.Forbidden, "HC-064", "hc.no.no-swap")
	case c == 0:
		return nil, nameless()
	case c == by.taken:
		return nil, refuse(engine.Forbidden, "HC-061", "hc.no.just-taken")
	case !by.mine(x).has(c):
		return nil, refuse(engine.Forbidden, "HC-062", "hc.no.not-held")
	case by.swapping(x):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.leave-weapon")
	}
	return nil, refuse(engine.Forbidden, "HC-067", "hc.no.leave-weapon")
}

func (s *state) doDestroy(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.openCard(c)
	if r != nil {
		return nil, r
	}
	if s.step == stepPurge {
		return s.purge(by, c.At, x)
	}
	if s.step != stepSettle {
		return nil, openly(engine.NotNow, "HC-071", engine.Say("hc.no.destroy-now"))
	}
	p := &s.seats[by.seat]
	switch alarm := s.laid(x, custody.HandOf(by.seat)); {
	case by.destroys().Has(x) && alarm != nil:
		return nil, alarm
	case by.destroys().Has(x):
		return s.settled(c.At, by.seat, &event{kind: evDestroyed, at: c.At, seat: by.seat, card: hide(x)}), nil
	case !by.mine(by.seat).has(x):
		return nil, refuse(engine.Forbidden, "HC-070", "hc.no.not-held")
	case by.swapping(by.seat):
		return nil, refuse(engine.Forbidden, "HC-188", "hc.no.leave-weapon")
	case isWeapon(x):
		return nil, protected(by, "HC-075", "hc.no.destroy-weapon")
	case s.spent(by.seat):
		return nil, protected(by, "HC-073", "hc.no.destroyed-three")
	case !s.duel && accuses(x) == p.who:
		return nil, protected(by, "HC-074", "hc.no.own-clue")
	case s.full:
		return nil, refuse(engine.Forbidden, "HC-067", "hc.no.leave-weapon")
	}
	return nil, refuse(engine.Forbidden, "HC-065", "hc.no.destroy-below")
}

// refuseDestruction refuses to destroy a clue. If the host declares the act, the clue was already shown, so
// the reason is public too (rules, 4.2). A choice on a phone was shown to no one.
func protected(by actor, rule, key string) *engine.Reject {
	r := refuse(engine.Forbidden, rule, key)
	if by.host {
		r.Public = r.Why
	}
	return r
}

// purgeEvents decides the destruction of a clue of the searched place (HC-205).
func (s *recordState) purge(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	may, forced := by.purges()
	switch alarm := s.laid(c, loc(s.seats[by.seat].at)); {
	case may.Has(c) && alarm != nil:
		return nil, alarm
	case may.Has(c):
	case forced && !by.place(s.seats[by.seat].at).Has(c) || !forced && !by.maybe(by.seat).Has(c):
		return nil, refuse(engine.Forbidden, "HC-205", "hc.no.not-here")
	default:
		return nil, protected(by, "HC-206", "hc.no.destroy-weapon")
	}
	evs := oneCard(evPurged, at, by.seat, c)
	return append(evs, &event{kind: evEnded, at: at, seat: by.seat}), nil
}

func (s *public) doDone(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step == stepPurge {
		if _, forced := by.purges(); forced {
			return nil, refuse(engine.Forbidden, "HC-205", "hc.no.must-destroy")
		}
		return one(evEnded, c.At, by.seat), nil
	}
	switch {
	case s.step != stepSettle:
		return nil, s.wrongStep()
	case by.swapping(by.seat):
		return nil, refuse(engine.Forbidden, "HC-181", "hc.no.leave-weapon")
	case s.full:
		return nil, refuse(engine.Forbidden, "HC-062", "hc.no.hand-of-four")
	}
	return one(evEnded, c.At, by.seat), nil
}
