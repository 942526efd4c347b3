package house

import (
	"sync"
	"sync/atomic"

	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/engine"
)

// steps has the last step of the table loop for the parts that ask about it.
type steps struct {
	public    atomic.Pointer[wire.Update] // the last public update
	playing   atomic.Bool                 // a game is on, so the table is not in the lobby
	checking  atomic.Bool                 // the box is being checked
	periods   atomic.Uint64               // counts the periods that hasNewGameOrCheck starts: lobbies, games, checks of the box
	first     chan struct{}               // closed at the first step
	firstOnce sync.Once                   // closes first

	mu   sync.Mutex // keeps the steps for the relay in order; guards last
	last *game.Step
}

// recordStepFacts records the facts of a step, but not the step itself. hasNewPhase reports whether the game or its phase has changed,
// isNewPeriod whether a period begins.
func (s *steps) recordStepFacts(step *game.Step) (hasNewPhase, isNewPeriod bool) {
	s.playing.Store(step.Public.View.Phase != engine.PhaseLobby)
	s.checking.Store(step.Host.ForHost != nil && step.Host.Box != nil)
	before := s.public.Swap(&step.Public)
	hasNewPhase = before == nil || before.View.Game != step.Public.View.Game || before.View.Phase != step.Public.View.Phase
	if isNewPeriod = hasNewGameOrCheck(s.last, step); isNewPeriod {
		s.periods.Add(1)
	}
	return hasNewPhase, isNewPeriod
}

// hasNewGameOrCheck reports whether a period begins with a step: another game, the change between lobby and game, or the begin of a
// check of the box; true for the first step.
func hasNewGameOrCheck(before, now *game.Step) bool {
	inLobby := func(s *game.Step) bool { return s.Public.View.Phase == engine.PhaseLobby }
	return before == nil || before.Public.View.Game != now.Public.View.Game || inLobby(before) != inLobby(now) ||
		now.Host.Box != nil && before.Host.Box == nil
}

// refuseIfPaused returns the reason of a pause as a refusal; nil if the table is not paused. During a pause the store may keep
// nothing, so rows that write to it must refuse.
func (s *steps) refuseIfPaused() error {
	if u := s.public.Load(); u != nil && u.Paused != nil {
		return &wire.Refusal{Why: *u.Paused}
	}
	return nil
}
