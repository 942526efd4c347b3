package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/box"
)

// parseNames reads suspect, weapon and room of a hypothesis or an accusation.
func (h *houseRules) named(c engine.Command, room string) (what [3]card, r *engine.Reject) {
	for i, arg := range []string{c.Args["suspect"], c.Args["weapon"], room} {
		x, ok := h.book.cards[arg]
		if !ok || h.book.kind(x) != cardKind(i)+kindSuspect {
			return what, refuse(engine.Unknown, h.book.Rules.Names, "cl.no.names")
		}
		what[i] = x
	}
	return what, nil
}

// canMakeHypothesis reports whether the active seat may make a hypothesis where its pawn is
// (C8-070, C8-064).
func (s *boardState) hypothetical() bool {
	return s.moved && !s.acted() && s.book.isRoom(s.here()) && !s.sameRoom()
}

// isLastRoomBarred reports whether the active seat made its last hypothesis here and has to make
// the next one elsewhere (SC-071).
func (s *boardState) sameRoom() bool {
	return s.rule(polAgain) == "no" && !s.waived.Has(waiveRoom) && s.here() != 0 &&
		s.seats[s.active].last == s.here()
}

func (s *boardState) doHypothesis(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.inPool() && s.step == stepAct:
		return nil, openly(engine.Forbidden, s.book.Rules.InPool, engine.Say("cl.no.in-pool"))
	case s.here() != 0 && !s.inPool() && !s.book.isRoom(s.here()):
		return nil, openly(engine.Forbidden, s.book.Rules.NoCard, engine.Say("cl.no.no-card"))
	case (s.moved || s.stays) && s.hyp.by == 0 && s.sameRoom(): // its step has ended automatically
		return nil, openly(engine.Forbidden, s.book.Rules.Again, engine.Say("cl.no.same-room"))
	case s.step != stepAct:
		return nil, openly(engine.NotNow, s.noHypothesis(), engine.Say("cl.no.not-now"))
	case !s.hypothetical():
		return nil, openly(engine.Forbidden, s.book.Rules.Hypothesis, engine.Say("cl.no.hypothesis"))
	}
	return s.hypothesisHere(by, c, s.book.Rules.Names)
}

// decideHypothesisHere names the room of the active pawn; rule refuses any other.
func (s *boardState) hypothesisHere(by actor, c engine.Command, rule string) ([]*event, *engine.Reject) {
	room := s.book.areaID[s.here()]
	if c.Args["room"] != "" && c.Args["room"] != room {
		return nil, openly(engine.Forbidden, rule, engine.Say("cl.no.other-room", "room", room))
	}
	what, r := s.named(c, room)
	if r != nil {
		return nil, r
	}
	return s.hypothesis(by, c.At, what), nil
}

// hypothesisEvents returns the event of a hypothesis, with the seat that may draw a card because
// its pawn was moved (C8-072, C8-090 to C8-096).
func (s *boardState) hypothesis(by actor, at engine.Millis, what [3]card) []*event {
	e := &event{kind: evHypothesis, at: at, seat: by.seat, names: what}
	who := uint8(what[0])
	p, y := s.pawns[who], s.playing(who)
	to := s.book.roomOf(what[2])
	if y != 0 && y != by.seat && s.running(y) && s.rule(polTiming) != "never" && p.kind != onNothing && p.area != to &&
		(p.area != 0 || s.rule(polOrigin) == "anywhere") {
		e.other = y
	}
	return []*event{e}
}

// decidePass gives up an interruption, or the card for a displacement.
func (s *public) doPass(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step == stepDisplaced {
		if by.seat != s.asked {
			return nil, openly(engine.NotYou, s.book.Rules.Displaced, engine.Say("cl.no.not-your-turn", "seat", s.asked.String()))
		}
		return one(evDeclined, c.At, by.seat), nil
	}
	if !s.concerned(by.seat) {
		return nil, refuse(engine.NotNow, s.book.Rules.Card, "cl.no.not-now")
	}
	return one(evPassed, c.At, by.seat), nil
}

// decideWalkOn gives up the card that the active seat could see on a spy square (SC-061).
func doWalkOn(_ *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return one(evActed, c.At, by.seat), nil
}

// decideSpy decides the choice of the seat whose card the active seat wants to see (SC-062).
func (s *seatedTurn) doSpy(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, s.book.Rules.Spy, s.seated)
	switch {
	case r != nil:
		return nil, r
	case !s.spied(x):
		return nil, openly(engine.Forbidden, s.book.Rules.Spy, engine.Say("cl.no.spy"))
	}
	return []*event{{kind: evSpied, at: c.At, seat: x, other: by.seat}}, nil
}

// canBeSpied reports whether x is an opponent of the active seat and has a card to show.
func (s *seatedTurn) spied(x engine.Seat) bool {
	return x != s.active && s.seats[x].cards > 0 && !s.seats[x].dead
}

func (s *recordState) doAccuse(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if no := s.noAccuse(by.seat); no.key != "" {
		return nil, openly(no.code, no.rule, engine.Say(no.key))
	}
	if by.host && s.accusesUnheard() {
		if c.Args["card"] != engine.Unnamed || len(c.Args) > 1 {
			return nil, refuse(engine.NotYou, s.book.Rules.Look, "cl.no.seat-only")
		}
		return []*event{{kind: evAccused, at: c.At, seat: by.seat, n: 1}}, nil
	}
	what, r := s.named(c, c.Args["room"])
	if r != nil {
		return nil, r
	}
	e := &event{kind: evAccused, at: c.At, seat: by.seat, accused: box.Seal(what, box.All)}
	if s.accusesUnheard() {
		e.accused, e.n = box.Seal(what, box.Only(by.seat)), 1
	}
	if solution, ok := s.solution(); ok {
		return append([]*event{e}, s.judged(c.At, by.seat, what, solution == setOf(what))...), nil
	}
	return []*event{e}, nil
}

// verdictEvents returns the result of an accusation (C8-113, C8-114). After one that was written on
// paper no card is revealed here: the three are on the table.
func (s *recordState) judged(at engine.Millis, x engine.Seat, what [3]card, right bool) []*event {
	switch {
	case right && what[0] == 0:
		return []*event{ending(s.book.Rules.Wins, at, x)}
	case right:
		return []*event{{kind: evVerdict, at: at, seat: x, names: what}, ending(s.book.Rules.Wins, at, x)}
	}
	e := &event{kind: evWrong, at: at, seat: x}
	// where the program does not know it, the accuser looks in the real envelope (SC-094)
	if solution, ok := s.solution(); ok && s.rule(polLooks) == "yes" {
		e.accused = box.Seal(s.book.each(solution), box.Only(x))
	}
	return []*event{e}
}

// cardPerKind returns the cards of a solution, one of each kind.
func (b *Book) each(solution set) (what [3]card) {
	for i := range what {
		what[i] = (solution & b.all(kindSuspect+cardKind(i))).First()
	}
	return what
}

// decideVerdict decides the accuser's report of what is in the envelope, when the program cannot
// judge (C8-112, C8-120).
func (s *answerState) doVerdict(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	what, named := s.accused.Open()
	switch c.Args["value"] {
	case "right":
		if solution, ok := s.solution(); ok && !named {
			what = s.book.each(solution)
		}
		return s.judged(c.At, by.seat, what, true), nil
	case "wrong":
		return s.judged(c.At, by.seat, what, false), nil
	case "void": // the envelope does not have one card of each kind
		return []*event{ending("GEN-E09", c.At)}, nil
	}
	return nil, refuse(engine.Unknown, s.book.Rules.Look, "cl.no.no-value")
}

func ending(rule string, at engine.Millis, winners ...engine.Seat) *event {
	e := &event{kind: evOver, at: at, text: rule}
	for _, x := range winners {
		e.n |= 1 << x
	}
	return e
}
