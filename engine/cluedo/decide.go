package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// actor is the seat that an act is for, and whether the host declares it; see actorKnowledge.
type actor struct {
	seat   engine.Seat
	isHost bool
}

// act is one of the acts of seats: the steps in which it is possible, and whether only the awaited
// seat may do it.
type act struct {
	inEdition     func(*Book) bool     // whether the edition has it; nil: all have
	steps         []step               // nil: decide checks the moment
	allowsAnySeat bool                 // an interruption: any seat may do it
	needsSeat     bool                 // the host has to name the seat
	canBeWaived   bool                 // the host may waive a rule that refuses it
	rule          func(*public) string // cited at any other moment; nil: Rules.Way (one way of moving, one action)
	decide        func(*state, actor, engine.Command, engine.Dice) ([]*event, *engine.Reject)
}

var acts = map[string]act{
	"roll": {steps: []step{stepStart, stepMove}, decide: (*state).decideRoll},
	"clue": {inEdition: (*Book).hasClueCards, steps: []step{stepClue},
		rule: func(s *public) string { return s.book.Rules.Drawn }, decide: (*state).decideClueChoice},
	"passage": {steps: []step{stepStart, stepMove}, rule: func(s *public) string { return s.book.Rules.Passage },
		decide: (*state).decidePassage},
	"stay": {canBeWaived: true, steps: []step{stepStart, stepMove}, decide: (*state).decideStayByRight},
	"draw": {inEdition: (*Book).hasEventCards, steps: []step{stepDraw, stepDisplaced, stepStart, stepMove},
		rule: func(s *public) string { return s.book.Rules.Drawn }, decide: (*state).decideDrawCard},
	"move":       {steps: []step{stepMove}, decide: (*state).decideMove},
	"hypothesis": {canBeWaived: true, decide: (*state).decideHypothesis},
	"walk-on": {inEdition: (*Book).allowsSpySquares, steps: []step{stepSpy},
		rule: func(s *public) string { return s.book.Rules.Spy }, decide: decideForgoSpying},
	"spy": {inEdition: (*Book).allowsSpySquares, steps: []step{stepSpy},
		rule: func(s *public) string { return s.book.Rules.Spy }, decide: (*state).decideSpyOnSeat},
	"peek": {inEdition: func(b *Book) bool { return b.pool != 0 }, steps: []step{stepAct}, rule: (*public).ruleAgainstPeek,
		decide: (*state).decidePeekAtPool},
	"look": {inEdition: (*Book).hasLookPhase, steps: []step{stepLook, stepStart, stepMove},
		rule: func(s *public) string { return s.book.Rules.Peek }, decide: (*state).decideLookAtHiddenCard},
	"accuse": {canBeWaived: true, decide: (*state).decideAccusation},
	"verdict": {steps: []step{stepVerdict}, rule: func(s *public) string { return s.book.Rules.Look },
		decide: (*state).decideReportedVerdict},
	"answer": {steps: []step{stepShowing}, rule: func(s *public) string { return s.book.Rules.Ask },
		decide: (*state).decideShowCard},
	"none": {steps: []step{stepShowing}, rule: func(s *public) string { return s.book.Rules.Ask },
		decide: (*state).decideNothingToShow},
	"nobody-has": {inEdition: (*Book).hasClueCards, steps: []step{stepShowing}, allowsAnySeat: true,
		rule: func(s *public) string { return s.book.Rules.Draw }, decide: (*state).decideNobodyHas},
	"end": {steps: []step{stepStart, stepMove, stepAct, stepEnd}, decide: (*state).decideEndStep},
	"pass": {inEdition: (*Book).hasInterruptions, steps: []step{stepDisplaced, stepShown}, allowsAnySeat: true,
		rule: func(s *public) string { return s.book.Rules.Window }, decide: (*state).decidePassInterruption},
	"play": {inEdition: (*Book).hasHeldCards, allowsAnySeat: true, needsSeat: true, decide: (*state).decidePlayButler},
	"power": {inEdition: func(b *Book) bool { return len(b.Powers) > 0 }, allowsAnySeat: true, needsSeat: true,
		decide: (*state).decideUsePower},
}

// Decide decides one command. It changes nothing.
func (s *state) Decide(c engine.Command, dice engine.Dice) ([]engine.Event, *engine.Reject) {
	_, evs, r := s.DecideAndApply(c, dice)
	return evs, r
}

// DecideAndApply returns the events of Decide, and the game after them.
func (s *state) DecideAndApply(c engine.Command, dice engine.Dice) (engine.Game, []engine.Event, *engine.Reject) {
	evs, r := s.decideCommand(c, dice)
	if stands := rules.AdaptAlarmToDeal(r, s.phase == dealing); stands != nil {
		evs, r = seatEvent(evAlarmed, c.At, 0), stands
	} else if r != nil {
		return s, nil, r
	}
	next, all := s.applyWithConsequences(c.At, evs)
	return next, all, r
}

func (s *state) decideCommand(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if r := refusalKeys.RefuseOutOfPlace(c, &s.count); r != nil {
		return nil, r
	}
	switch c.Act {
	case engine.ActScan:
		return s.decideScan(c, dice)
	case engine.ActDeadline:
		return s.decideDeadline(c)
	case "hold", "forget":
		return s.decideClaim(c)
	}
	if do, ok := hostActs[c.Act]; ok && (do.has == nil || do.has(s.book)) {
		if r := refusalKeys.RefuseUnlessHost(c, do.phases, uint8(s.phase), s.book.Rules.Next); r != nil {
			return nil, r
		}
		return do.do(s, c, dice)
	}
	if do := phaseRows[s.phase].acts[c.Act]; do != nil {
		return do(s, c, dice)
	}
	d, ok := acts[c.Act]
	if !ok || d.inEdition != nil && !d.inEdition(s.book) {
		return nil, refuse(engine.Unknown, s.book.Rules.Way, "cl.no.unknown-act")
	}
	by, r := s.resolveActor(c, d)
	if r != nil {
		return nil, r
	}
	if d.steps == nil || slices.Contains(d.steps, s.step) {
		return d.decide(s, by, c, dice)
	}
	rule := s.book.Rules.Way
	if d.rule != nil {
		rule = d.rule(&s.public)
	}
	return nil, refuseOpenly(engine.NotNow, rule, "cl.no.not-now")
}

// ruleAgainstHypothesis returns the rule against a hypothesis at this moment: after a look at the pool,
// after another action, or before the move.
func (s *seatedTurn) ruleAgainstHypothesis() string {
	switch {
	case s.hasPeeked():
		return s.book.Rules.InPool
	case s.step == stepLook:
		return s.book.Rules.Peek
	case s.hasActed():
		return s.book.Rules.Twice
	}
	return s.book.Rules.Hypothesis
}

func (s *seatedTurn) ruleAgainstPeek() string {
	if s.hasActed() {
		return s.book.Rules.Twice
	}
	return s.book.Rules.Pool
}

// resolveActor returns the seat that a command is for. The host declares for the awaited seat or,
// where any seat may act, for the seat that the command names.
func (s *state) resolveActor(c engine.Command, d act) (actor, *engine.Reject) {
	by := actor{seat: s.awaitedSeat(), isHost: c.By.IsHost()}
	if x, ok := c.By.Seat(); ok {
		by.seat = x
	} else if !by.isHost {
		return by, refuse(engine.NotYou, "GEN-002", "cl.no.seat-only")
	} else if x, err := engine.ParseSeat(c.Args["for"]); err == nil && (d.allowsAnySeat || s.canShowBeforeAsked(c.Act, x)) {
		by.seat = x
	} else if d.needsSeat {
		return by, refuse(engine.Unknown, s.book.Rules.Card, "cl.no.no-seat")
	}
	anyone := d.allowsAnySeat || s.canShowBeforeAsked(c.Act, by.seat)
	switch {
	case s.phase != turn:
		return by, refuse(engine.NotNow, s.book.Rules.Next, "cl.no.not-now")
	case !s.isSeated(by.seat):
		return by, refuse(engine.NotYou, s.book.Rules.Next, "cl.no.seat-only")
	case s.seats[by.seat].dead:
		return by, refuse(engine.Forbidden, s.book.Rules.Dead, "cl.no.dead")
	case !anyone && by.seat != s.awaitedSeat() && !s.hasTurns(by.seat): // it has accused wrongly
		return by, refuse(engine.Forbidden, s.book.Rules.Wrong, "cl.no.accused")
	case !anyone && by.seat != s.awaitedSeat():
		if s.awaitedSeat() == 0 {
			return by, refuseOpenly(engine.NotNow, s.book.Rules.Next, "cl.no.not-now")
		}
		if r := s.waivableRefusalAfterTurn(by.seat, c, d); r != nil {
			return by, r
		}
		return by, refuseOpenly(engine.NotYou, s.book.Rules.Next, "cl.no.not-your-turn", "seat", s.awaitedSeat().String())
	}
	return by, nil
}

var refuse, refuseOpenly = rules.RefusePrivately, rules.RefuseOpenly

// refusalKeys are the sentences for refusals that all games have.
var refusalKeys = rules.RefusalKeys{
	UnknownAct: "cl.no.unknown-act", HostOnly: "cl.no.host-only", NotNow: "cl.no.not-now", Counting: "cl.no.counting",
	Unexpected: "cl.no.unexpected", Repeated: "cl.no.repeated",
	NoSeat: "cl.no.no-seat", EmptySeat: "cl.no.empty-seat", NoSwitch: "cl.no.no-switch", NoValue: "cl.no.no-value", SameValue: "cl.no.same",
	NoHolder: "cl.no.no-holder", NoNumber: "cl.no.no-number",
}

// readingKeys are the sentences for a presentation that is not one card.
var readingKeys = presentation.FaultKeys{Several: "cl.no.several", Foreign: "cl.no.foreign", Unreadable: "cl.no.unreadable"}

// asNeutralRefusal makes the public part of a refused presentation say nothing about the reason
// (GEN-004).
func (s *public) asNeutralRefusal(r *engine.Reject) *engine.Reject {
	switch {
	case s.phase != dealing:
		return presentation.AsNeutralRefusal(r, s.awaitedSeat())
	case s.asked == 0: // the card goes back to the box: no secret
		r.Public = r.Why
		return r
	}
	return presentation.AsNeutralRefusal(r, s.asked)
}

// expectedKind returns the kind of card that a reader waits for, kindSuspect for any mystery card;
// zero: none.
func (s *public) expectedKind(reader string) cardKind {
	show := reader == engine.ReaderShow
	switch {
	case s.phase == dealing:
		if show && s.faceDownCount[0] == 0 && !s.count.Alarmed {
			return kindSuspect // any mystery card
		}
	case s.count.Counting:
		return kindNone
	case s.canLookNow() && show: // the urn reader takes the cards that the dice draw
		return kindSuspect
	case s.canDrawEventCard() && (show || reader == engine.ReaderUrn):
		return kindEvent
	case s.step == stepShowing && s.asked != 0 && show:
		return kindSuspect
	}
	return kindNone
}

func (s *boardState) canDrawEventCard() bool {
	return s.step == stepDraw || s.step == stepDisplaced || s.canDrawOwedCard() || s.step == stepMove && s.faceDraws > 0 && !s.isPileEmpty()
}

// decideScan decides a presentation at a reader. A bad reading and a secret refusal get the same
// public answer (GEN-004).
func (s *state) decideScan(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if a := s.book.areaByID[c.Args["reader"]]; a != 0 {
		return s.decidePawnScan(c, a, dice)
	}
	want := s.expectedKind(c.Args["reader"])
	if want == kindNone {
		return nil, refusalKeys.RefuseUnexpectedCard()
	}
	id, fault := readingKeys.ParseSingleCard(c)
	a, given := s.reply.Open()
	switch {
	case s.isSameReadingAgain(c.At, id, want):
		return nil, refusalKeys.RefuseRepeatedCard()
	case given && !a.showsNothing: // the seat that has answered on its phone shows its card here too
		return nil, refusalKeys.RefuseRepeatedCard()
	case given: // no card is expected any more, but the table must not learn that
		return nil, refusalKeys.RefuseUnexpectedCard()
	case fault != nil:
		return nil, s.asNeutralRefusal(fault)
	}
	x, ok := s.book.cardByID[id]
	if !ok || (s.book.kindOf(x) == kindEvent) != (want == kindEvent) {
		return nil, s.asNeutralRefusal(refuse(engine.BadRead, "GEN-E02", "cl.no.kind"))
	}
	var evs []*event
	var r *engine.Reject
	switch {
	case s.phase == dealing:
		evs, r = s.decideDealScan(c.At, x)
	case want == kindEvent:
		evs, r = s.eventsOfDrawnCard(actor{seat: s.awaitedSeat()}, c.At, x)
	case s.canLookNow():
		evs, r = s.decideLookScan(actor{seat: s.active}, c.At, x)
	default:
		evs, r = s.decideShownCard(actor{seat: s.asked}, c.At, x, true)
	}
	if r != nil {
		r = s.asNeutralRefusal(r)
	}
	return evs, r
}

// isSameReadingAgain reports whether this is again the card accepted last, or one that is still
// there for all to see (GEN-E04). The last clue card counts where another one is wanted, or where a
// reader reports it twice.
func (s *answerState) isSameReadingAgain(at engine.Millis, id string, want cardKind) bool {
	if x := s.book.cardByID[id]; x != 0 && x == s.lastClue() {
		return want == kindEvent || at-s.since < presentation.RepeatWindow
	}
	before, ok := s.lastRead.Open()
	if !ok || s.book.cardByID[id] != before {
		return false
	}
	return s.cards.IsLocationPublic(before) || at-s.lastReadAt < presentation.RepeatWindow
}

// parseCardArg reads the argument "card"; named is false for engine.Unnamed.
func (h *houseRules) parseCardArg(c engine.Command) (x card, named bool, r *engine.Reject) {
	if c.Args["card"] == engine.Unnamed {
		return 0, false, nil
	}
	x, ok := h.book.cardByID[c.Args["card"]]
	if !ok {
		return 0, false, refuse(engine.Unknown, "GEN-E02", "cl.no.kind")
	}
	return x, true, nil
}

// isStepTimed reports whether the step ends automatically when its time is over (C8-035): after a
// card was shown, while a displaced seat may draw, and at the end of a turn.
func (s *public) isStepTimed() bool {
	return s.step == stepShown || stepRows[s.step].onClose != nil && !s.count.Counting && s.book.deck.Pause > 0
}

// needsReminder reports whether a seat's card is awaited and the seat has not been reminded.
func (s *public) needsReminder() bool { return stepRows[s.step].needsCard && !s.reminded }

// Deadlines returns the moment when an answer takes effect, the end of a window, or a reminder.
func (s *state) Deadlines() []engine.Deadline {
	_, waiting := s.reply.Open()
	switch {
	case s.count.Counting:
	case waiting:
		return rules.NewDeadline("answer", s.waitNumber, s.closes)
	case s.isStepTimed():
		return rules.NewDeadline("window", s.waitNumber, s.closes)
	case s.needsReminder():
		return rules.NewDeadline("remind", s.waitNumber, s.since+rules.ReminderDelay)
	}
	return nil
}

func (s *state) decideDeadline(c engine.Command) ([]*event, *engine.Reject) {
	_, waiting := s.reply.Open()
	closes := stepRows[s.step].onClose
	switch {
	case !rules.IsDueDeadline(c, s.Deadlines()):
		return nil, refusalKeys.RefuseUnexpectedCard()
	case !waiting && s.needsReminder():
		return seatEvent(evReminded, c.At, s.awaitedSeat()), nil
	case closes != nil:
		return closes(s, c.At), nil
	}
	return s.replyDueEvents(c.At), nil
}
