package cluedo

import (
	"majordome/engine"
)

// phase is a part of the evening.
type phase uint8

const (
	lobby phase = iota
	dealing
	starting // who begins (C8-011)
	turn
	over
)

// does judges an act that needs no more than the phase.
type does func(*state, engine.Command, engine.Dice) ([]*event, *engine.Reject)

// phases say what each has of its own: its code in View.Phase, acts of seats that are in no
// turn, and what must happen now without anybody's choice. What is offered says offerPhase.
var phases = [...]struct {
	code    string
	acts    map[string]does
	follows func(s *state) *event
}{
	lobby:    {"lobby", nil, nil},
	dealing:  {"dealing", map[string]does{"dealt": (*state).doDealt}, (*state).afterDeal},
	starting: {"starting", map[string]does{"roll": (*state).startRoll}, (*state).nextStarter},
	turn:     {"turn", nil, (*state).nextStep},
	over:     {"over", nil, nil},
}

// step is where a turn stands (T1 to T8), or what interrupts it.
type step uint8

const (
	stepNone step = iota // the next turn begins
	stepStart
	stepDraw
	stepMove
	stepLook // at the card that is hidden in the room (CC-134)
	stepAct
	stepDisplaced
	stepShowing // a seat is to show a card of its choice: see showings
	stepShown   // it has: who may look at it too?
	stepSpy     // on a spy square: whose card does the active seat see? (SC-060)
	stepVerdict // the accuser looks into the envelope
	stepClue    // a clue card is carried out
	stepEnd
	numSteps
)

// turnPhases are the steps of which an edition makes a turn; edition.Turn says in which order. All
// other steps interrupt one of them, or the way to it.
var turnPhases = []step{stepStart, stepMove, stepLook, stepAct, stepEnd}

// stepRow is what a step has of its own. What is offered in it says offerStep.
type stepRow struct {
	code    string                                    // of engine.Case
	card    bool                                      // some seat is to present one
	prompt  string                                    // what is awaited,
	rule    func(*Book) string                        // and by which rule
	follows func(s *state) *event                     // without anybody's choice; nil: nothing
	closes  func(s *state, at engine.Millis) []*event // when its window does; nil: it has none
}

var steps = [numSteps]stepRow{
	stepNone:      {follows: (*state).afterTurn},
	stepStart:     {engine.StepStart, false, "cl.prompt.start", func(b *Book) string { return b.Rules.Way }, nil, nil},
	stepDraw:      {engine.StepDraw, true, "cl.prompt.draw", func(b *Book) string { return b.Rules.Draw }, nil, nil},
	stepMove:      {engine.StepMove, false, "cl.prompt.move", func(b *Book) string { return b.Rules.Reach }, nil, nil},
	stepLook:      {engine.StepLook, true, "cl.prompt.look", func(b *Book) string { return b.Rules.Peek }, (*state).afterLook, nil},
	stepAct:       {engine.StepAct, false, "cl.prompt.act", func(b *Book) string { return b.Rules.Hypothesis }, (*state).afterAct, nil},
	stepDisplaced: {engine.StepDisplaced, false, "cl.prompt.displaced", func(b *Book) string { return b.Rules.Displaced }, nil, (*state).declined},
	stepShowing:   {"", true, "", nil, (*state).afterShowing, nil},
	stepShown:     {engine.StepShown, false, "cl.prompt.shown", func(b *Book) string { return b.Rules.Card }, (*state).afterShown, (*state).closed},
	stepSpy:       {engine.StepSpy, false, "cl.prompt.spy", func(b *Book) string { return b.Rules.Spy }, nil, nil},
	stepVerdict:   {engine.StepVerdict, false, "cl.prompt.verdict", func(b *Book) string { return b.Rules.Look }, nil, nil},
	stepClue:      {engine.StepClue, false, "cl.prompt.clue", (*Book).draw, (*state).afterClue, nil},
	stepEnd:       {engine.StepEnd, false, "cl.prompt.end", func(b *Book) string { return b.Rules.Next }, (*state).afterEnd, (*state).nextTurn},
}

// code is that of engine.Case.
func (s *public) code() string {
	switch {
	case s.lying[0] > 0: // to be hidden
		return engine.StepHide
	case s.laying() != 0:
		return engine.StepLay
	case s.step == stepShowing:
		return showings[s.showing.why].code
	}
	return s.row().code
}

// row is that of the step: a seat that is about to set out is at the start of its turn.
func (t *turnState) row() *stepRow {
	if t.setting() {
		return &steps[stepStart]
	}
	return &steps[t.step]
}
