package cluedo

import (
	"slices"
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// actor is the seat that an act is for, and whether the host declares it; see actorKnowledge.
type actor struct {
	seat engine.Seat
	host bool
}

// act is one of the acts of seats: the steps in which it is possible, and whether only the awaited
// seat may do it.
type act struct {
	has    func(*Book) bool     // whether the edition has it; nil: all have
	steps  []step               // nil: decide checks the moment
	anyone bool                 // an interruption: any seat may do it
	whose  bool                 // the host has to name the seat
	bound  bool                 // the host may waive a rule that refuses it
	rule   func(*public) string // cited at any other moment; nil: Rules.Way (one way of moving, one action)
	do     func(*state, actor, engine.Command, engine.Dice) ([]*event, *engine.Reject)
}

var acts = map[string]act{
	"roll": {steps: []step{stepStart, stepMove}, do: (*state).doRoll},
	"clue": {has: (*Book).clued, steps: []step{stepClue},
		rule: func(s *public) string { return s.book.Rules.Drawn }, do: (*state).doClue},
	"passage": {steps: []step{stepStart, stepMove}, rule: func(s *public) string { return s.book.Rules.Passage },
		do: (*state).doPassage},
	"stay": {bound: true, steps: []step{stepStart, stepMove}, do: (*state).doStay},
	"draw": {has: (*Book).draws, steps: []step{stepDraw, stepDisplaced, stepStart, stepMove},
		rule: func(s *public) string { return s.book.Rules.Drawn }, do: (*state).doDraw},
	"move":       {steps: []step{stepMove}, do: (*state).doMove},
	"hypothesis": {bound: true, do: (*state).doHypothesis},
	"walk-on": {has: (*Book).pausesOnMarks, steps: []step{stepSpy},
		rule: func(s *public) string { return s.book.Rules.Spy }, do: doWalkOn},
	"spy": {has: (*Book).pausesOnMarks, steps: []step{stepSpy},
		rule: func(s *public) string { return s.book.Rules.Spy }, do: (*state).doSpy},
	"peek": {has: func(b *Book) bool { return b.pool != 0 }, steps: []step{stepAct}, rule: (*public).noPeek,
		do: (*state).doPeek},
	"look": {has: (*Book).looksFirst, steps: []step{stepLook, stepStart, stepMove},
		rule: func(s *public) string { return s.book.Rules.Peek }, do: (*state).doLook},
	"accuse": {bound: true, do: (*state).doAccuse},
	"verdict": {steps: []step{stepVerdict}, rule: func(s *public) string { return s.book.Rules.Look },
		do: (*state).doVerdict},
	"answer": {steps: []step{stepShowing}, rule: func(s *public) string { return s.book.Rules.Ask },
		do: (*state).doAnswer},
	"none": {steps: []step{stepShowing}, rule: func(s *public) string { return s.book.Rules.Ask },
		do: (*state).doNone},
	"nobody-has": {has: (*Book).clued, steps: []step{stepShowing}, anyone: true,
		rule: func(s *public) string { return s.book.Rules.Draw }, do: (*state).doNobody},
	"end": {steps: []step{stepStart, stepMove, stepAct, stepEnd}, do: (*state).doEnd},
	"pass": {has: (*Book).interrupts, steps: []step{stepDisplaced, stepShown}, anyone: true,
		rule: func(s *public) string { return s.book.Rules.Window }, do: (*state).doPass},
	"play": {has: (*Book).holds, anyone: true, whose: true, do: (*state).doPlay},
	"power": {has: func(b *Book) bool { return len(b.Powers) > 0 }, anyone: true, whose: true,
		do: (*state).doPower},
}

// Decide decides one command. It changes nothing.
func (s *state) Decide(c engine.Command, dice engine.Dice) ([]engine.Event, *engine.Reject) {
	_, evs, r := s.Play(c, dice)
	return evs, r
}

// Play returns the events of Decide, and the game after them.
func (s *state) Play(c engine.Command, dice engine.Dice) (engine.Game, []engine.Event, *engine.Reject) {
	evs, r := s.judge(c, dice)
	if stands := rules.Stands(r, s.phase == dealing); stands != nil {
		evs, r = one(evAlarmed, c.At, 0), stands
	} else if r != nil {
		return s, nil, r
	}
	next, all := s.follow(c.At, evs)
	return next, all, r
}

func (s *state) judge(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if r := words.First(c, &s.count); r != nil {
		return nil, r
	}
	switch c.Act {
	case engine.ActScan:
		return s.scan(c, dice)
	case engine.ActDeadline:
		return s.deadline(c)
	case "hold", "forget":
		return s.mend(c)
	}
	if do, ok := hostActs[c.Act]; ok && (do.has == nil || do.has(s.book)) {
		if r := words.Host(c, do.phases, uint8(s.phase), s.book.Rules.Next); r != nil {
			return nil, r
		}
		return do.do(s, c, dice)
	}
	if do := phases[s.phase].acts[c.Act]; do != nil {
		return do(s, c, dice)
	}
	d, ok := acts[c.Act]
	if !ok || d.has != nil && !d.has(s.book) {
		return nil, refuse(engine.Unknown, s.book.Rules.Way, "cl.no.unknown-act")
	}
	by, r := s.actor(c, d)
	if r != nil {
		return nil, r
	}
	if d.steps == nil || slices.Contains(d.steps, s.step) {
		return d.do(s, by, c, dice)
	}
	rule := s.book.Rules.Way
	if d.rule != nil {
		rule = d.rule(&s.public)
	}
	return nil, openly(engine.NotNow, rule, engine.Say("cl.no.not-now"))
}

// hypothesisRule returns the rule against a hypothesis at this moment: after a look at the pool,
// after another action, or before the move.
func (s *seatedTurn) noHypothesis() string {
	switch {
	case s.peeked():
		return s.book.Rules.InPool
	case s.step == stepLook:
		return s.book.Rules.Peek
	case s.acted():
		return s.book.Rules.Twice
	}
	return s.book.Rules.Hypothesis
}

func (s *seatedTurn) noPeek() string {
	if s.acted() {
		return s.book.Rules.Twice
	}
	return s.book.Rules.Pool
}

// resolveActor returns the seat that a command is for. The host declares for the awaited seat or,
// where any seat may act, for the seat that the command names.
func (s *state) actor(c engine.Command, d act) (actor, *engine.Reject) {
	by := actor{seat: s.waits(), host: c.By.IsHost()}
	if x, ok := c.By.Seat(); ok {
		by.seat = x
	} else if !by.host {
		return by, refuse(engine.NotYou, "GEN-002", "cl.no.seat-only")
	} else if x, err := engine.ParseSeat(c.Args["for"]); err == nil && (d.anyone || s.beside(c.Act, x)) {
		by.seat = x
	} else if d.whose {
		return by, refuse(engine.Unknown, s.book.Rules.Card, "cl.no.no-seat")
	}
	anyone := d.anyone || s.beside(c.Act, by.seat)
	switch {
	case s.phase != turn:
		return by, refuse(engine.NotNow, s.book.Rules.Next, "cl.no.not-now")
	case !s.seated(by.seat):
		return by, refuse(engine.NotYou, s.book.Rules.Next, "cl.no.seat-only")
	case s.seats[by.seat].dead:
		return by, refuse(engine.Forbidden, s.book.Rules.Dead, "cl.no.dead")
	case !anyone && by.seat != s.waits() && !s.turns(by.seat): // it has accused wrongly
		return by, refuse(engine.Forbidden, s.book.Rules.Wrong, "cl.no.accused")
	case !anyone && by.seat != s.waits():
		if s.waits() == 0 {
			return by, openly(engine.NotNow, s.book.Rules.Next, engine.Say("cl.no.not-now"))
		}
		if r := s.boundLate(by.seat, c, d); r != nil {
			return by, r
		}
		return by, openly(engine.NotYou, s.book.Rules.Next, engine.Say("cl.no.not-your-turn", "seat", s.waits().String()))
	}
	return by, nil
}

var refuse, openly = rules.Refuse, rules.Openly

// refusalKeys are the sentences for refusals that all games have.
var words = rules.Words{
	UnknownAct: "cl.no.unknown-act", HostOnly: "cl.no.host-only", NotNow: "cl.no.not-now", Counting: "cl.no.counting",
	Unexpected: "cl.no.unexpected", Repeated: "cl.no.repeated",
	NoSeat: "cl.no.no-seat", EmptySeat: "cl.no.empty-seat", NoSwitch: "cl.no.no-switch", NoValue: "cl.no.no-value", Same: "cl.no.same",
	NoHolder: "cl.no.no-holder", NoNumber: "cl.no.no-number",
}

// readingKeys are the sentences for a presentation that is not one card.
var faults = presentation.Words{Several: "cl.no.several", Foreign: "cl.no.foreign", Unreadable: "cl.no.unreadable"}

// neutralRefusal makes the public part of a refused presentation say nothing about the reason
// (GEN-004).
func (s *public) again(r *engine.Reject) *engine.Reject {
	switch {
	case s.phase != dealing:
		return presentation.Again(r, s.waits())
	case s.asked == 0: // the card goes back to the box: no secret
		r.Public = r.Why
		return r
	}
	return presentation.Again(r, s.asked)
}

// expectedKind returns the kind of card that a reader waits for, kindSuspect for any mystery card;
// zero: none.
func (s *public) listens(reader string) cardKind {
	show := reader == engine.ReaderShow
	switch {
	case s.phase == dealing:
		if show && s.lying[0] == 0 && !s.count.Alarmed {
			return kindSuspect // any mystery card
		}
	case s.count.Counting:
		return kindNone
	case s.looking() && show: // the urn reader takes the cards that the dice draw
		return kindSuspect
	case s.drawing() && (show || reader == engine.ReaderUrn):
		return kindEvent
	case s.step == stepShowing && s.asked != 0 && show:
		return kindSuspect
	}
	return kindNone
}

func (s *boardState) drawing() bool {
	return s.step == stepDraw || s.step == stepDisplaced || s.owes() || s.step == stepMove && s.faces > 0 && !s.exhausted()
}

// decideScan decides a presentation at a reader. A bad reading and a secret refusal get the same
// public answer (GEN-004).
func (s *state) scan(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if a := s.book.areas[c.Args["reader"]]; a != 0 {
		return s.pawnLaid(c, a, dice)
	}
	want := s.listens(c.Args["reader"])
	if want == kindNone {
		return nil, words.Ignored()
	}
	id, fault := faults.Card(c)
	a, given := s.reply.Open()
	switch {
	case s.same(c.At, id, want):
		return nil, words.Repeats()
	case given && !a.none: // the seat that has answered on its phone shows its card here too
		return nil, words.Repeats()
	case given: // no card is expected any more, but the table must not learn that
		return nil, words.Ignored()
	case fault != nil:
		return nil, s.again(fault)
	}
	x, ok := s.book.cards[id]
	if !ok || (s.book.kind(x) == kindEvent) != (want == kindEvent) {
		return nil, s.again(refuse(engine.BadRead, "GEN-E02", "cl.no.kind"))
	}
	var evs []*event
	var r *engine.Reject
	switch {
	case s.phase == dealing:
		evs, r = s.scanDeal(c.At, x)
	case want == kindEvent:
		evs, r = s.drew(actor{seat: s.waits()}, c.At, x)
	case s.looking():
		evs, r = s.readThere(actor{seat: s.active}, c.At, x)
	default:
		evs, r = s.answer(actor{seat: s.asked}, c.At, x, true)
	}
	if r != nil {
		r = s.again(r)
	}
	return evs, r
}

// isRepeatedReading reports whether this is again the card accepted last, or one that is still
// there for all to see (GEN-E04). The last clue card counts where another one is wanted, or where a
// reader reports it twice.
func (s *answerState) same(at engine.Millis, id string, want cardKind) bool {
	if x := s.book.cards[id]; x != 0 && x == s.lastClue() {
		return want == kindEvent || at-s.since < presentation.Moment
	}
	before, ok := s.read.Open()
	if !ok || s.book.cards[id] != before {
		return false
	}
	return s.cards.IsOpen(before) || at-s.readAt < presentation.Moment
}

// parseCardArg reads the argument "card"; named is false for engine.Unnamed.
func (h *houseRules) cardArg(c engine.Command) (x card, named bool, r *engine.Reject) {
	if c.Args["card"] == engine.Unnamed {
		return 0, false, nil
	}
	x, ok := h.book.cards[c.Args["card"]]
	if !ok {
		return 0, false, refuse(engine.Unknown, "GEN-E02", "cl.no.kind")
	}
	return x, true, nil
}

// isWindowOpen reports whether the step ends automatically when its time is over (C8-035): after a
// card was shown, while a displaced seat may draw, and at the end of a turn.
func (s *public) window() bool {
	return s.step == stepShown || steps[s.step].closes != nil && !s.count.Counting && s.book.deck.Pause > 0
}

// reminderDelay is the time that a seat has for presenting a card before it is reminded, in
// milliseconds (GEN-E07).
const reminder engine.Millis = 90_000

// needsReminder reports whether a seat's card is awaited and the seat has not been reminded.
func (s *public) cardless() bool { return steps[s.step].card && !s.reminded }

// Deadlines returns the moment when an answer takes effect, the end of a window, or a reminder.
func (s *state) Deadlines() []engine.Deadline {
	_, waiting := s.reply.Open()
	switch {
	case s.count.Counting:
	case waiting:
		return []engine.Deadline{{ID: "answer-" + strconv.Itoa(int(s.wait)), At: s.closes}}
	case s.window():
		return []engine.Deadline{{ID: "window-" + strconv.Itoa(int(s.wait)), At: s.closes}}
	case s.cardless():
		return []engine.Deadline{{ID: "remind-" + strconv.Itoa(int(s.wait)), At: s.since + reminder}}
	}
	return nil
}

func (s *state) deadline(c engine.Command) ([]*event, *engine.Reject) {
	_, waiting := s.reply.Open()
	closes := steps[s.step].closes
	switch {
	case !rules.Due(c, s.Deadlines()):
		return nil, words.Ignored()
	case !waiting && s.cardless():
		return one(evReminded, c.At, s.waits()), nil
	case closes != nil:
		return closes(s, c.At), nil
	}
	return s.answered(c.At), nil
}
