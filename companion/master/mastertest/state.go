package mastertest

import (
	"maps"
	"slices"
	"strings"

	"majordome/companion/master"
	"majordome/engine"
)

// State is how the game stands.
type State struct {
	Number int64           // in the journal
	Box    engine.Rulebook // of the toy game
	View   engine.View     // of everybody: in the lobby by its Phase, over by its Result
	Scene  bool            // the display plays a reveal
	Offers []engine.Offer  // to the host
	// Rule is what the game answers to an act; nil: it does each.
	Rule  func(act string, args engine.Args) *engine.Reject
	Last  master.LastAct // what an undo would take back
	Own   engine.Seat    // that may withdraw it; 0: none may
	Taken []string       // by whom something was taken back
	Plays []string       // the acts that parts have had the game do: "switch name=moral value=on"

	step   int64
	played engine.Millis
}

// Game implements master.Table, as all below.
func (s *State) Game() int64                { return s.Number }
func (s *State) Book() engine.Rulebook      { return s.Box }
func (s *State) Public() *engine.View       { return &s.View }
func (s *State) Step() int64                { return s.step }
func (s *State) Played() engine.Millis      { return s.played }
func (s *State) HostOffers() []engine.Offer { return s.Offers }
func (s *State) InLobby() bool              { return s.View.Phase == engine.PhaseLobby }
func (s *State) InScene() bool              { return s.Scene }
func (s *State) Ended() bool                { return s.View.Result != nil && !s.Scene }

func (s *State) LastAct() master.LastAct            { return s.Last }
func (s *State) Withdrawable(seat engine.Seat) bool { return seat == s.Own }
func (s *State) TakeBack(author string) *engine.Reject {
	s.Taken, s.Last, s.Own = append(s.Taken, author), master.LastAct{}, 0
	return nil
}

func (s *State) Try(act string, args engine.Args) *engine.Reject {
	if s.Rule == nil {
		return nil
	}
	return s.Rule(act, args)
}

func (s *State) Play(_, act string, args engine.Args) *engine.Reject {
	if r := s.Try(act, args); r != nil {
		return r
	}
	s.step++
	s.Plays = append(s.Plays, text(act, args))
	return nil
}

// text is an act with its arguments in the order of their names.
func text(act string, args engine.Args) string {
	all := []string{act}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		all = append(all, name+"="+args[name])
	}
	return strings.Join(all, " ")
}

func texts(offers []engine.Offer) (all []string) {
	for _, o := range offers {
		all = append(all, text(o.Act, o.Fixed))
	}
	return all
}

var _ master.Table = (*Table)(nil)
