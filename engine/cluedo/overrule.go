package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// Overruling: acts of the host against the rules (GEN-009). Each is an event of its own, announced
// to all, and depends only on public facts: never on whether an answer has been given already. The
// judging of an accusation, and the window of a shown card, have to end first.

func (t *turnState) passable() bool {
	return t.waits() != 0 && t.step != stepVerdict && t.step != stepShown
}

// isActiveAwaited reports whether the active seat is awaited, and not an answer, a displaced seat
// or a verdict.
func (t *turnState) between() bool { return t.passable() && t.asked == 0 && t.step != stepShowing }

func (b *Book) kills() bool { return b.timeCards() != 0 }

// decideSkip skips the awaited seat: its answer, or the rest of its turn.
func (s *seatedTurn) doSkip(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, "GEN-009", s.seated)
	switch {
	case r != nil:
		return nil, r
	case !s.passable():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.unfinished")
	case x != s.waits():
		return nil, refuse(engine.NotYou, "GEN-009", "gen.no.skip-other")
	}
	evs := one(evSkipped, c.At, x)
	if s.between() {
		evs = append(evs, s.nextTurn(c.At)...)
	}
	return evs, nil
}

// applySkipped ends what a seat was asked for. A seat that answers nothing has not said that it has
// no card.
func (s *answerState) skip(e *event) {
	switch {
	case s.step == stepDisplaced:
		s.asked = 0
		s.goTo(stepShowing, e.at)
	case s.step != stepShowing:
		s.cutShort()
	case showings[s.showing.why].next == nil:
		s.settle(e)
	default: // another seat is asked
		if s.answering() {
			s.hyp.said[e.seat] = saidSkipped
		}
		s.endAsking()
		s.closes = 0
	}
}

// abandonActs ends what the active seat has begun.
func (t *turnState) cutShort() { t.carrying, t.draws = false, 0 }

// decideTurnTo begins the turn of another seat; the order goes on from there.
func (s *seatedTurn) doTurnTo(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, "GEN-009", s.seated)
	switch {
	case r != nil:
		return nil, r
	case !s.between():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	case !s.givable(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "cl.no.turn-to", "seat", x.String())
	}
	e := s.turnOf(x)
	e.at = c.At
	return append(one(evTurnTo, c.At, x), e), nil
}

func (s *seatedTurn) givable(x engine.Seat) bool { return x != s.active && s.turns(x) }

// decideNextPhase ends the phase of the turn that the command names.
func (s *public) doNextPhase(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.between():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	case c.Args["phase"] != s.code() || s.step == stepEnd:
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.skip-other")
	}
	return one(evAdvanced, c.At, s.active), nil
}

// applyAdvanced goes on with what was interrupted, or with the next phase of the turn.
func (s *public) advance(e *event) {
	s.cutShort()
	switch s.step {
	case stepDraw, stepClue, stepSpy:
		s.resume(e.at)
	case stepStart, stepMove:
		s.points, s.moves = 0, 0
		s.enter(s.onward(stepMove), e.at)
	default:
		s.forgone = s.forgone || s.step == stepAct
		s.enter(s.onward(s.step), e.at)
	}
}

// The rules that the host may waive for the present turn. Their refusals are public.
const (
	waivePlace = iota // where one accuses
	waiveRoom         // no hypothesis in the room of the last one
)

// waivers returns their ids in the edition; "" for those that it does not have.
func (b *Book) waivers() rules.Waivers {
	place := b.Rules.AccuseWhere
	if place == "" {
		place = b.Rules.Accuse
	}
	return rules.Waivers{waivePlace: place, waiveRoom: b.Rules.Again}
}

// waivableRules returns the rules without which the active seat could do more: at its present place
// or, while it may move, at any place.
func (s *boardState) binding() []string {
	if !s.between() || !s.running(s.active) || s.acted() {
		return nil
	}
	place := s.rule(polAccuseWhere) == "pool" || s.rule(polAccuseWhere) == "any-room"
	room := s.rule(polAgain) == "no" && s.seats[s.active].last != 0
	if s.part != stepStart && s.part != stepMove {
		place, room = place && !s.accusesHere(), s.moved && s.sameRoom()
	}
	return s.book.waivers().Binding([]bool{waivePlace: place, waiveRoom: room}, s.waived)
}

// waivableRulesOf returns those of seat x: the active one, or the one of the turn before, after
// which no seat has acted.
func (s *public) bindingOf(x engine.Seat) []string {
	switch {
	case x == s.active:
		return s.binding()
	case s.passedOn != nil && s.passedOn.active == x:
		after := *s
		after.giveBack(s.since)
		return after.binding()
	}
	return nil
}

// waivableSeats returns the seats for which a rule may be waived: the active one, and the one
// before it.
func (s *public) waivable() []engine.Seat {
	if s.passedOn == nil {
		return []engine.Seat{s.active}
	}
	return []engine.Seat{s.active, s.passedOn.active}
}

// keepPreviousTurn stores the turn that passes to x, unless it was cut short.
func (s *public) keepTurn(x engine.Seat) {
	s.passedOn = nil
	if s.phase == turn && s.active != x && s.uninterrupted() {
		before := s.turnState
		s.passedOn = &before
	}
}

// restorePreviousTurn ends the turn that has just begun, and goes on with the one before where it
// was.
func (s *public) giveBack(at engine.Millis) {
	s.seats[s.active].brought = s.stays
	s.turnState, s.passedOn = *s.passedOn, nil
	s.resume(at)
}

// lateWaivableRefusal refuses an act of the seat whose turn has passed by the rule that the host
// may still waive; nil: no rule.
func (s *state) boundLate(x engine.Seat, c engine.Command, d act) *engine.Reject {
	binding := s.bindingOf(x)
	if !d.bound || len(binding) == 0 {
		return nil
	}
	after := s.copied()
	after.nothingRead()
	after.giveBack(s.since)
	_, r := after.judge(c, nil)
	return rules.Late(r, binding)
}

// decideAllow lets a seat do what a rule has refused to it: the host insists.
func (s *public) doAllow(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, "GEN-009", s.seated)
	if r == nil {
		r = s.book.waivers().Refuse(c, x == s.active, s.bindingOf(x))
	}
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evAllowed, at: c.At, seat: x, text: c.Args["rule"]}}, nil
}

// applyAllowed waives a rule, also for the seat whose turn has just passed. The step to act is
// opened again if it ended automatically because nothing could be done.
func (s *answerState) allow(e *event) {
	if e.seat != s.active && s.passedOn != nil { // a store that was tampered with may say more
		s.nothingRead()
		s.giveBack(e.at)
	}
	w, _ := s.book.waivers().Read(e.text)
	s.waived |= w
	if s.step == stepEnd && s.hypothetical() {
		s.enter(stepAct, e.at)
	}
}

func (b *Book) decodeAllowed(_ *event, w *stored) error {
	_, err := b.waivers().Read(w.Text)
	return err
}

func (t teller) tellAllowed() story.Log {
	t.TellOf(t.hap(engine.HapOverruled, t.e.seat), "gen.log.allowed", "seat", t.e.seat.String(), "rule", t.e.text)
	return t.Log
}

// decideKill lets a player be murdered without a Time card. decideOut ends the turns of a seat as a
// wrong accusation does: it still answers.
func (s *seatedTurn) doKill(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return s.strike(c, evKilled, func(x engine.Seat) bool { return !s.seats[x].dead })
}

func (s *seatedTurn) doOut(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return s.strike(c, evOut, s.running)
}

func (s *seatedTurn) strike(c engine.Command, k eventKind, may func(engine.Seat) bool) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, "GEN-009", s.seated)
	switch {
	case r != nil:
		return nil, r
	case !may(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "cl.no.out", "seat", x.String())
	case !s.between():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return one(k, c.At, x), nil
}

func (s *recordState) kill(e *event) {
	if e.seat == s.active {
		s.cutShort()
	}
	s.murder(e.seat)
}

func (s *seatedTurn) leave(e *event) {
	s.seats[e.seat].wrong = true
	if e.seat == s.active {
		s.cutShort()
		s.step = stepNone
	}
}

// decideRevive lets a seat play again that was murdered or has accused wrongly.
func (s *seatedTurn) doRevive(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, "GEN-009", s.seated)
	switch {
	case r != nil:
		return nil, r
	case s.running(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "gen.no.lives", "seat", x.String())
	case !s.between():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return one(evRevived, c.At, x), nil
}

// applyRevived brings the pawn of a murdered seat home. Its hand stays face up, and a wrong accuser
// still knows what it has seen in the envelope.
func (s *boardState) revive(e *event) {
	p := &s.seats[e.seat]
	if p.dead {
		s.sendHome(p.who)
	}
	p.dead, p.wrong = false, false
}

// recordKilled names the hand that is face up now. It is not a midnight: no hour has struck.
func (t teller) tellKilled() story.Log {
	t.TellOf(t.hap(engine.HapKilled, t.e.seat), "cl.log.killed", "seat", t.e.seat.String())
	if cards := t.now.laidOpen(t.e.seat); len(cards) > 0 {
		t.Happen(engine.Happening{What: engine.HapExposed, Seat: t.e.seat, Cards: cards})
	}
	return t.Log
}

func (t teller) tellRevived() story.Log {
	at := t.pawns[t.seats[t.e.seat].who].area
	t.TellOf(engine.Happening{What: engine.HapRevived, Seat: t.e.seat, Place: engine.ID(t.book.areaID[at])}, "cl.log.revived",
		"seat", t.e.seat.String())
	return t.Log
}

func (l *offerList) offerOverrule() {
	if l.passable() {
		l.add(rules.Overrule("skip", engine.Args{"seat": l.waits().String()}))
	}
	if !l.between() {
		return
	}
	for _, x := range l.waivable() {
		l.out = rules.OfferWaivers(l.out, x, l.bindingOf(x))
	}
	if l.step != stepEnd {
		l.add(rules.Overrule("next-phase", engine.Args{"phase": l.code()}))
	}
	of := func(act string, may func(engine.Seat) bool) {
		if who := l.seatList(may); len(who) > 0 {
			l.add(rules.Overrule(act, nil, seatParam("seat", who)))
		}
	}
	of("turn-to", l.givable)
	if l.book.kills() {
		of("kill", func(x engine.Seat) bool { return !l.seats[x].dead })
	}
	of("out", l.running)
	of("revive", func(x engine.Seat) bool { return !l.running(x) })
}
