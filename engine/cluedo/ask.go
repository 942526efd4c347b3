package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// parseSuspectWeaponRoom reads suspect, weapon and room of a hypothesis or an accusation.
func (h *houseRules) parseSuspectWeaponRoom(c engine.Command, room string) (what [3]card, r *engine.Reject) {
	for i, arg := range []string{c.Args["suspect"], c.Args["weapon"], room} {
		x, ok := h.book.cardByID[arg]
		if !ok || h.book.kindOf(x) != cardKind(i)+kindSuspect {
			return what, refuse(engine.Unknown, h.book.Rules.Names, "cl.no.names")
		}
		what[i] = x
	}
	return what, nil
}

// canMakeHypothesis reports whether the active seat may make a hypothesis where its pawn is
// (C8-070, C8-064).
func (s *boardState) canMakeHypothesis() bool {
	return s.moved && !s.hasActed() && s.book.isRoom(s.activeArea()) && !s.isLastRoomBarred()
}

// isLastRoomBarred reports whether the active seat made its last hypothesis here and has to make
// the next one elsewhere (SC-071).
func (s *boardState) isLastRoomBarred() bool {
	return s.policyValue(polSameRoom) == "no" && !s.waived.Contains(waiveRoom) && s.activeArea() != 0 &&
		s.seats[s.active].lastRoom == s.activeArea()
}

func (s *boardState) decideHypothesis(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.isInPool() && s.step == stepAct:
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.InPool, "cl.no.in-pool")
	case s.activeArea() != 0 && !s.isInPool() && !s.book.isRoom(s.activeArea()):
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.NoCard, "cl.no.no-card")
	case (s.moved || s.stayRight) && s.hyp.by == 0 && s.isLastRoomBarred(): // its step has ended automatically
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Again, "cl.no.same-room")
	case s.step != stepAct:
		return nil, refuseOpenly(engine.NotNow, s.ruleAgainstHypothesis(), "cl.no.not-now")
	case !s.canMakeHypothesis():
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Hypothesis, "cl.no.hypothesis")
	}
	return s.decideHypothesisHere(by, c, s.book.Rules.Names)
}

// decideHypothesisHere names the room of the active pawn; otherRoomRule refuses any other.
func (s *boardState) decideHypothesisHere(by actor, c engine.Command, otherRoomRule string) ([]*event, *engine.Reject) {
	room := s.book.areaID[s.activeArea()]
	if c.Args["room"] != "" && c.Args["room"] != room {
		return nil, refuseOpenly(engine.Forbidden, otherRoomRule, "cl.no.other-room", "room", room)
	}
	what, r := s.parseSuspectWeaponRoom(c, room)
	if r != nil {
		return nil, r
	}
	return s.hypothesisEvents(by, c.At, what), nil
}

// hypothesisEvents returns the event of a hypothesis, with the seat that may draw a card because
// its pawn was moved (C8-072, C8-090 to C8-096).
func (s *boardState) hypothesisEvents(by actor, at engine.Millis, what [3]card) []*event {
	e := &event{kind: evHypothesis, at: at, seat: by.seat, names: what}
	who := uint8(what[0])
	p, y := s.pawns[who], s.seatPlaying(who)
	to := s.book.roomOf(what[2])
	if y != 0 && y != by.seat && s.canWin(y) && s.policyValue(polDrawTiming) != "never" && p.kind != onNothing && p.area != to &&
		(p.area != 0 || s.policyValue(polDrawOrigin) == "anywhere") {
		e.other = y
	}
	return []*event{e}
}

// decidePassInterruption gives up an interruption, or the card for a displacement.
func (s *public) decidePassInterruption(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step == stepDisplaced {
		if by.seat != s.asked {
			return nil, refuseOpenly(engine.NotYou, s.book.Rules.Displaced, "cl.no.not-your-turn", "seat", s.asked.String())
		}
		return seatEvent(evDeclined, c.At, by.seat), nil
	}
	if !s.canActInWindow(by.seat) {
		return nil, refuse(engine.NotNow, s.book.Rules.Card, "cl.no.not-now")
	}
	return seatEvent(evPassed, c.At, by.seat), nil
}

// decideForgoSpying gives up the card that the active seat could see on a spy square (SC-061).
func decideForgoSpying(_ *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return seatEvent(evStepEnded, c.At, by.seat), nil
}

// decideSpyOnSeat decides the choice of the seat whose card the active seat wants to see (SC-062).
func (s *seatedTurn) decideSpyOnSeat(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, s.book.Rules.Spy, s.isSeated)
	switch {
	case r != nil:
		return nil, r
	case !s.canBeSpied(x):
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Spy, "cl.no.spy")
	}
	return []*event{{kind: evSpied, at: c.At, seat: x, other: by.seat}}, nil
}

// canBeSpied reports whether x is an opponent of the active seat and has a card to show.
func (s *seatedTurn) canBeSpied(x engine.Seat) bool {
	return x != s.active && s.seats[x].cards > 0 && !s.seats[x].dead
}

func (s *recordState) decideAccusation(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if no := s.accusationRefusal(by.seat); no.key != "" {
		return nil, refuseOpenly(no.code, no.rule, no.key)
	}
	if by.isHost && s.hasSecretAccusations() {
		if c.Args["card"] != engine.Unnamed || len(c.Args) > 1 {
			return nil, refuse(engine.NotYou, s.book.Rules.Look, "cl.no.seat-only")
		}
		return []*event{{kind: evAccused, at: c.At, seat: by.seat, n: 1}}, nil
	}
	what, r := s.parseSuspectWeaponRoom(c, c.Args["room"])
	if r != nil {
		return nil, r
	}
	e := &event{kind: evAccused, at: c.At, seat: by.seat, accusation: hidden.New(what, hidden.Everyone)}
	if s.hasSecretAccusations() {
		e.accusation, e.n = hidden.New(what, hidden.OnlySeats(by.seat)), 1
	}
	if solution, ok := s.deducedSolution(); ok {
		return append([]*event{e}, s.verdictEvents(c.At, by.seat, what, solution == setOf(what))...), nil
	}
	return []*event{e}, nil
}

// verdictEvents returns the result of an accusation (C8-113, C8-114). After one that was written on
// paper no card is revealed here: the three are on the table.
func (s *recordState) verdictEvents(at engine.Millis, x engine.Seat, what [3]card, isRight bool) []*event {
	switch {
	case isRight && what[0] == 0:
		return []*event{gameOverEvent(s.book.Rules.Wins, at, x)}
	case isRight:
		return []*event{{kind: evVerdict, at: at, seat: x, names: what}, gameOverEvent(s.book.Rules.Wins, at, x)}
	}
	e := &event{kind: evWrong, at: at, seat: x}
	// where the program does not know it, the accuser looks in the real envelope (SC-094)
	if solution, ok := s.deducedSolution(); ok && s.policyValue(polAccuserLooks) == "yes" {
		e.accusation = hidden.New(s.book.solutionCards(solution), hidden.OnlySeats(x))
	}
	return []*event{e}
}

// solutionCards returns the cards of a solution, one of each kind.
func (b *Book) solutionCards(solution set) (what [3]card) {
	for i := range what {
		what[i] = (solution & b.cardsOfKind(kindSuspect+cardKind(i))).First()
	}
	return what
}

// decideReportedVerdict decides the accuser's report of what is in the envelope, when the program cannot
// judge (C8-112, C8-120).
func (s *answerState) decideReportedVerdict(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	what, named := s.accusation.Open()
	switch c.Args["value"] {
	case "right":
		if solution, ok := s.deducedSolution(); ok && !named {
			what = s.book.solutionCards(solution)
		}
		return s.verdictEvents(c.At, by.seat, what, true), nil
	case "wrong":
		return s.verdictEvents(c.At, by.seat, what, false), nil
	case "void": // the envelope does not have one card of each kind
		return []*event{gameOverEvent("GEN-E09", c.At)}, nil
	}
	return nil, refuse(engine.Unknown, s.book.Rules.Look, "cl.no.no-value")
}

func gameOverEvent(rule string, at engine.Millis, winners ...engine.Seat) *event {
	return &event{kind: evOver, at: at, text: rule, n: rules.SetOfSeats(winners...)}
}
