package mastertest

import (
	"maps"
	"slices"
	"strings"

	"majordome/companion/master"
	"majordome/engine"
)

// State is the state of the game.
type State struct {
	Number   int64           // number in the journal
	Rulebook engine.Rulebook // of the toy game
	View     engine.View     // the public view; its Phase makes it a lobby, its Result ends the game
	Scene    bool            // the display plays a reveal
	Offers   []engine.Offer  // to the host
	// DecideAct is the answer of the game to an act. Nil: it accepts all.
	DecideAct   func(act string, args engine.Args) *engine.Reject
	Last        master.LastAct // the steps that an undo would take back
	Withdrawer  engine.Seat    // the seat that may withdraw them; 0: none
	TakenBackBy []string       // authors for whom something was taken back
	PlayedActs  []string       // acts of the game that parts have done: "switch name=moral value=on"

	step   int64
	played engine.Millis
}

// GameNumber implements master.Table, as the methods below do.
func (s *State) GameNumber() int64          { return s.Number }
func (s *State) Book() engine.Rulebook      { return s.Rulebook }
func (s *State) PublicView() *engine.View   { return &s.View }
func (s *State) LastStep() int64            { return s.step }
func (s *State) PlayedUntil() engine.Millis { return s.played }
func (s *State) HostOffers() []engine.Offer { return s.Offers }
func (s *State) InLobby() bool              { return s.View.Phase == engine.PhaseLobby }
func (s *State) InScene() bool              { return s.Scene }
func (s *State) HasEnded() bool             { return s.View.Result != nil && !s.Scene }

func (s *State) LastAct() master.LastAct           { return s.Last }
func (s *State) CanWithdraw(seat engine.Seat) bool { return seat == s.Withdrawer }
func (s *State) UndoLastAct(author string) *engine.Reject {
	s.TakenBackBy, s.Last, s.Withdrawer = append(s.TakenBackBy, author), master.LastAct{}, 0
	return nil
}

func (s *State) TryAct(act string, args engine.Args) *engine.Reject {
	if s.DecideAct == nil {
		return nil
	}
	return s.DecideAct(act, args)
}

func (s *State) PlayAct(_, act string, args engine.Args) *engine.Reject {
	if r := s.TryAct(act, args); r != nil {
		return r
	}
	s.step++
	s.PlayedActs = append(s.PlayedActs, formatAct(act, args))
	return nil
}

// formatAct returns an act with its arguments, ordered by name.
func formatAct(act string, args engine.Args) string {
	all := []string{act}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		all = append(all, name+"="+args[name])
	}
	return strings.Join(all, " ")
}

func formatOffers(offers []engine.Offer) (all []string) {
	for _, o := range offers {
		all = append(all, formatAct(o.Act, o.Fixed))
	}
	return all
}

var _ master.Table = (*Table)(nil)
