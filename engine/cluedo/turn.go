package cluedo

import (
	"majordome/engine"
)

// phase is a phase of the game.
type phase uint8

const (
	lobby phase = iota
	dealing
	starting // the starting player is being decided (C8-011)
	turn
	over
)

// decideFunc decides an act that depends on the phase only.
type decideFunc func(*state, engine.Command, engine.Dice) ([]*event, *engine.Reject)

// phaseRows has for each phase its code in View.Phase, the acts of seats outside a turn, and the
// event that must happen now without a choice. offerPhase has the offers.
var phaseRows = [...]struct {
	code    string
	acts    map[string]decideFunc
	follows func(s *state) *event
}{
	lobby:    {"lobby", nil, nil},
	dealing:  {"dealing", map[string]decideFunc{"dealt": (*state).decideHandDealt}, (*state).eventAfterDeal},
	starting: {"starting", map[string]decideFunc{"roll": (*state).decideStartRoll}, (*state).callNextRollerEvent},
	turn:     {"turn", nil, (*state).turnConsequence},
	over:     {"over", nil, nil},
}

// step is the point that a turn has reached (T1 to T8), or an interruption of it.
type step uint8

const (
	stepNone step = iota // the next turn begins
	stepStart
	stepDraw
	stepMove
	stepLook // a look at the card that is hidden in the room (CC-134)
	stepAct
	stepDisplaced
	stepShowing // a seat must show a card of its choice: see showingRows
	stepShown   // it has shown one: others may look at it too
	stepSpy     // on a spy square the active seat chooses whose card it sees (SC-060)
	stepVerdict // the accuser looks into the envelope
	stepClue    // a clue card is being carried out
	stepEnd
	numSteps
)

// turnPhases are the steps from which an edition makes a turn, in the order of edition.Turn. All
// other steps interrupt one of them, or the way to it.
var turnPhases = []step{stepStart, stepMove, stepLook, stepAct, stepEnd}

// stepRow describes a step. offerStep has the offers.
type stepRow struct {
	code      string                                    // in engine.Case
	needsCard bool                                      // a seat must present a card
	prompt    string                                    // key of the prompt,
	rule      func(*Book) string                        // and the rule that it cites
	autoEvent func(s *state) *event                     // the event that follows without a choice; nil: none
	onClose   func(s *state, at engine.Millis) []*event // the events at the end of its window; nil: it has no window
}

var stepRows = [numSteps]stepRow{
	stepNone:  {autoEvent: (*state).nextTurnEvent},
	stepStart: {engine.StepStart, false, "cl.prompt.start", func(b *Book) string { return b.Rules.Way }, nil, nil},
	stepDraw:  {engine.StepDraw, true, "cl.prompt.draw", func(b *Book) string { return b.Rules.Draw }, nil, nil},
	stepMove:  {engine.StepMove, false, "cl.prompt.move", func(b *Book) string { return b.Rules.Reach }, nil, nil},
	stepLook: {engine.StepLook, true, "cl.prompt.look", func(b *Book) string { return b.Rules.Peek }, (*state).skipImpossibleLookEvent,
		nil},
	stepAct: {engine.StepAct, false, "cl.prompt.act", func(b *Book) string { return b.Rules.Hypothesis }, (*state).endIdleStepEvent, nil},
	stepDisplaced: {engine.StepDisplaced, false, "cl.prompt.displaced", func(b *Book) string { return b.Rules.Displaced }, nil,
		(*state).drawDeclinedEvents},
	stepShowing: {"", true, "", nil, (*state).callNextShowerEvent, nil},
	stepShown: {engine.StepShown, false, "cl.prompt.shown", func(b *Book) string { return b.Rules.Card }, (*state).closeIdleWindowEvent,
		(*state).windowClosedEvents},
	stepSpy:     {engine.StepSpy, false, "cl.prompt.spy", func(b *Book) string { return b.Rules.Spy }, nil, nil},
	stepVerdict: {engine.StepVerdict, false, "cl.prompt.verdict", func(b *Book) string { return b.Rules.Look }, nil, nil},
	stepClue:    {engine.StepClue, false, "cl.prompt.clue", (*Book).drawRule, (*state).clueEventWithoutChoice, nil},
	stepEnd: {engine.StepEnd, false, "cl.prompt.end", func(b *Book) string { return b.Rules.Next }, (*state).eventAfterTurnEnd,
		(*state).nextTurnEvents},
}

// stepCode returns the code of the step for engine.Case.
func (s *public) stepCode() string {
	switch {
	case s.faceDownCount[0] > 0: // to be hidden
		return engine.StepHide
	case s.hiddenRoomToRead() != 0:
		return engine.StepLay
	case s.step == stepShowing:
		return showingRows[s.showing.reason].code
	}
	return s.shownStepRow().code
}

// shownStepRow returns the row of the step. A seat at the outset of its move is shown at the start of
// its turn.
func (t *turnState) shownStepRow() *stepRow {
	if t.canStillChooseHowToMove() {
		return &stepRows[stepStart]
	}
	return &stepRows[t.step]
}
