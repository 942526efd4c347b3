package cluedo

import (
	"slices"
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// actor is for whom an act is, and whether the host declares it; see knows.
type actor struct {
	seat engine.Seat
	host bool
}

// act is one of seats: the steps in which it is possible, and whether only
// the seat that is awaited may do it.
type act struct {
	has    func(*Book) bool     // whether the edition has it; nil: every one
	steps  []step               // nil: its own rules judge the moment
	anyone bool                 // an interruption
	whose  bool                 // the host has to say for whom
	bound  bool                 // a rule that the host may waive can refuse it
	rule   func(*public) string // cited at any other moment; nil: one way of moving, and one action
	do     func(*state, actor, engine.Command, engine.Dice) ([]*event, *engine.Reject)
}

var acts = map[string]act{
	"roll":       {steps: []step{stepStart, stepMove}, do: (*state).doRoll},
	"clue":       {has: (*Book).clued, steps: []step{stepClue}, rule: func(s *public) string { return s.book.Rules.Drawn }, do: (*state).doClue},
	"passage":    {steps: []step{stepStart, stepMove}, rule: func(s *public) string { return s.book.Rules.Passage }, do: (*state).doPassage},
	"stay":       {bound: true, steps: []step{stepStart, stepMove}, do: (*state).doStay},
	"draw":       {has: (*Book).draws, steps: []step{stepDraw, stepDisplaced, stepStart, stepMove}, rule: func(s *public) string { return s.book.Rules.Drawn }, do: (*state).doDraw},
	"move":       {steps: []step{stepMove}, do: (*state).doMove},
	"hypothesis": {bound: true, do: (*state).doHypothesis},
	"walk-on":    {has: (*Book).pausesOnMarks, steps: []step{stepSpy}, rule: func(s *public) string { return s.book.Rules.Spy }, do: doWalkOn},
	"spy":        {has: (*Book).pausesOnMarks, steps: []step{stepSpy}, rule: func(s *public) string { return s.book.Rules.Spy }, do: (*state).doSpy},
	"peek":       {has: func(b *Book) bool { return b.pool != 0 }, steps: []step{stepAct}, rule: (*public).noPeek, do: (*state).doPeek},
	"look":       {has: (*Book).looksFirst, steps: []step{stepLook, stepStart, stepMove}, rule: func(s *public) string { return s.book.Rules.Peek }, do: (*state).doLook},
	"accuse":     {bound: true, do: (*state).doAccuse},
	"verdict":    {steps: []step{stepVerdict}, rule: func(s *public) string { return s.book.Rules.Look }, do: (*state).doVerdict},
	"answer":     {steps: []step{stepShowing}, rule: func(s *public) string { return s.book.Rules.Ask }, do: (*state).doAnswer},
	"none":       {steps: []step{stepShowing}, rule: func(s *public) string { return s.book.Rules.Ask }, do: (*state).doNone},
	"nobody-has": {has: (*Book).clued, steps: []step{stepShowing}, anyone: true, rule: func(s *public) string { return s.book.Rules.Draw }, do: (*state).doNobody},
	"end":        {steps: []step{stepStart, stepMove, stepAct, stepEnd}, do: (*state).doEnd},
	"pass":       {has: (*Book).interrupts, steps: []step{stepDisplaced, stepShown}, anyone: true, rule: func(s *public) string { return s.book.Rules.Window }, do: (*state).doPass},
	"play":       {has: (*Book).holds, anyone: true, whose: true, do: (*state).doPlay},
	"power":      {has: func(b *Book) bool { return len(b.Powers) > 0 }, anyone: true, whose: true, do: (*state).doPower},
}

// Decide judges one command. Nothing changes by it.
func (s *state) Decide(c engine.Command, dice engine.Dice) ([]engine.Event, *engine.Reject) {
	_, evs, r := s.Play(c, dice)
	return evs, r
}

// Play is Decide, and the game after its events.
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

// noHypothesis is the rule against one at this moment: after a look at the pool cards,
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

// actor is for whom a command is. The host declares for the seat that is
// awaited, or, where anybody may act, for the seat that the command names.
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

// words are those of what every game refuses.
var words = rules.Words{
	UnknownAct: "cl.no.unknown-act", HostOnly: "cl.no.host-only", NotNow: "cl.no.not-now", Counting: "cl.no.counting",
	Unexpected: "cl.no.unexpected", Repeated: "cl.no.repeated",
	NoSeat: "cl.no.no-seat", EmptySeat: "cl.no.empty-seat", NoSwitch: "cl.no.no-switch", NoValue: "cl.no.no-value", Same: "cl.no.same",
	NoHolder: "cl.no.no-holder", NoNumber: "cl.no.no-number",
}

// faults are the words for a presentation that is not one card.
var faults = presentation.Words{Several: "cl.no.several", Foreign: "cl.no.foreign", Unreadable: "cl.no.unreadable"}

// again is the refusal of a presentation (GEN-004).
func (s *public) again(r *engine.Reject) *engine.Reject {
	switch {
	case s.phase != dealing:
		return presentation.Again(r, s.waits())
	case s.asked == 0: // a card that goes back to the box; nobody's secret
		r.Public = r.Why
		return r
	}
	return presentation.Again(r, s.asked)
}

// listens are the kinds of cards that a reader waits for; zero: none.
func (s *public) listens(reader string) cardKind {
	show := reader == engine.ReaderShow
	switch {
	case s.phase == dealing:
		if show && s.lying[0] == 0 && !s.count.Alarmed {
			return kindSuspect // any mystery card
		}
	case s.count.Counting:
		return kindNone
	case s.looking() && show: // the urn takes what the dice bring
		return kindSuspect
	case s.drawing() && (show || reader == engine.ReaderUrn):
		return kindEvent
	case s.step == stepShowing && s.asked != 0 && show:
		return kindSuspect
	}
	return kindNone
}

// drawing reports that an event card may be taken now.
func (s *boardState) drawing() bool {
	return s.step == stepDraw || s.step == stepDisplaced || s.owes() || s.step == stepMove && s.faces > 0 && !s.exhausted()
}

// scan judges a presentation at a reader. The public answer to a bad reading
// and to a secret refusal is the same (GEN-004).
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
	case given && !a.none: // the hand that has answered shows its card beside the phone
		return nil, words.Repeats()
	case given: // nothing is expected any more, which the table does not learn
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

// same reports that this is the reading of the card that was accepted last, or of one
// that lies there for all to see (GEN-E04): the last clue card, where another is wanted, or
// where a reader tells it twice.
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

// cardArg reads the argument "card"; named is false for engine.Unnamed.
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

// window reports that a step ends by itself when its time is over (C8-035): after
// a card was shown, when a displaced seat may draw, and at the end of a turn.
func (s *public) window() bool {
	return s.step == stepShown || steps[s.step].closes != nil && !s.count.Counting && s.book.deck.Pause > 0
}

// reminder is how long a seat is left alone with a card that it is to present
// (GEN-E07).
const reminder engine.Millis = 90_000

// cardless reports that a card of some seat is awaited, which has not been reminded.
func (s *public) cardless() bool { return steps[s.step].card && !s.reminded }

// Deadlines are the moment of an answer, the end of a window, and a reminder.
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
