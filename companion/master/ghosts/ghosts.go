// Package ghosts is the part by which players who have died go on playing: in each round a ghost names in secret
// the player that it takes for the murderer. A vote changes nothing in the game. After the end one sentence for
// each ghost says from which round on it was right.
//
// What may leak: nothing. Whether a ghost may vote, and for whom, depends on public facts and on its own votes,
// and only its own phones get that offer. A vote is one act, one reply and one step for all viewers, like a note
// (wire.ActNote), with no notice, no minute and no happening. The sentences of the end are in the public update
// when the phones know the end, and only if the murderer's card is then face up.
//
// Limits: MaxVotes of each ghost in a round; one sentence for each seat.
package ghosts

import (
	"slices"
	"strconv"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts.
const (
	// The host sets in the lobby whether ghosts vote: args {"on": "yes" or "no"}.
	ActAllow = "ghosts"
	// A ghost names a player: args {"seat"}. It may name another at any time.
	ActVote = "ghost-vote"
)

// MaxVotes is the most votes of a ghost in one round, so that a phone cannot fill the journal.
const MaxVotes = 20

const (
	kindVoted = "table.ghost-vote"

	rule    = "GEN-007"
	setting = "ghosts" // "no", or "yes" until the host chooses
	no      = "no"

	murderer engine.ID = "role-murderer"
)

// Ghosts is the part.
type Ghosts struct {
	table master.Table
	isOn  bool
	votes []vote // of the current game, the oldest first
}

// vote is a vote of one ghost, and the data of its event. It counts until the same ghost votes again.
type vote struct {
	Ghost   engine.Seat `json:"ghost"`
	Suspect engine.Seat `json:"suspect"`
	Round   int         `json:"round"`
	step    int64
}

// New returns the part.
func New(t master.Table) *Ghosts { return &Ghosts{table: t, isOn: true} }

// LoadSettings implements master.Loader.
func (g *Ghosts) LoadSettings() {
	chosen, ok, err := g.table.Setting(setting)
	g.isOn = err != nil || !ok || chosen != no
}

// RoomSettings implements master.RoomSettingsLister.
func (g *Ghosts) RoomSettings() map[string]string { return map[string]string{setting: ""} }

// EventKinds implements master.Recorder. The minutes must not show a vote.
func (g *Ghosts) EventKinds() []master.EventKind { return []master.EventKind{{Name: kindVoted}} }

// ResetEvents implements master.Recorder.
func (g *Ghosts) ResetEvents() { g.votes = nil }

// ApplyEvent implements master.Recorder. An undo also takes back the votes since the step that it makes void:
// the ghost may not have died, or the round of the vote may not have begun.
func (g *Ghosts) ApplyEvent(e store.Event) {
	switch e.Kind {
	case kindVoted:
		v := vote{step: e.Step}
		if master.DecodeData(e, &v) {
			g.votes = append(g.votes, v)
		}
	case master.KindUndo:
		var u master.Undone
		if master.DecodeData(e, &u) {
			g.votes = slices.DeleteFunc(g.votes, func(v vote) bool { return v.step > u.Step })
		}
	}
}

// Acts implements master.Part.
func (g *Ghosts) Acts() []master.Act {
	return []master.Act{
		{Name: ActAllow, Role: wire.RoleHost, Do: g.setGhostVotesAllowed},
		{Name: ActVote, Seats: true, Do: g.voteFor},
	}
}

// AppendOffers implements master.Offerer.
func (g *Ghosts) AppendOffers(all []engine.Offer) []engine.Offer {
	if !g.table.InLobby() || g.table.PublicView().Case != nil {
		return all
	}
	return append(all, master.SwitchOffer(ActAllow, rule, g.isOn))
}

// setGhostVotesAllowed sets whether the dead may vote, before a game. It applies to the whole game.
func (g *Ghosts) setGhostVotesAllowed(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	on, r := master.SetLobbySwitch(g.table, setting, rule, args)
	if r == nil {
		g.isOn = on
	}
	return nil, r
}

// suspectsOf returns the players whom a ghost may name: all others whose role is face down. It returns none for
// a seat that is no ghost, in a Cluedo, whose murderer is no player, and where fewer than two are left.
func (g *Ghosts) suspectsOf(ghost engine.Seat) (all []engine.Seat) {
	v := g.table.PublicView()
	isGhost := func(s engine.SeatView) bool { return s.Seat == ghost && !s.Alive }
	if !g.isOn || g.table.InLobby() || v.Result != nil || v.Case != nil || !slices.ContainsFunc(v.Seats, isGhost) {
		return nil
	}
	all = make([]engine.Seat, 0, len(v.Seats))
	for _, s := range v.Seats {
		switch {
		case s.Role == murderer: // it is public
			return nil
		case s.Seat != ghost && s.Role == "":
			all = append(all, s.Seat)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// currentVote returns the seat that a ghost names now; 0 for none.
func (g *Ghosts) currentVote(ghost engine.Seat) engine.Seat {
	for _, v := range slices.Backward(g.votes) {
		if v.Ghost == ghost {
			return v.Suspect
		}
	}
	return 0
}

// hasUsedAllVotes reports whether a ghost has had all its votes of this round.
func (g *Ghosts) hasUsedAllVotes(ghost engine.Seat) bool {
	n, round := 0, g.table.PublicView().Clock.At
	for _, v := range g.votes {
		if v.Ghost == ghost && v.Round == round {
			n++
		}
	}
	return n >= MaxVotes
}

// AppendSeatOffers implements master.SeatOfferer. The seat that the ghost names now is listed and refused.
func (g *Ghosts) AppendSeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer {
	suspects := g.suspectsOf(seat)
	if len(suspects) == 0 || g.table.InScene() {
		return all
	}
	who := engine.Param{Name: "seat", Kind: "seat", Domain: make([]string, 0, len(suspects))}
	for _, s := range suspects {
		who.Domain = append(who.Domain, s.String())
	}
	if i := slices.Index(suspects, g.currentVote(seat)); i >= 0 {
		who.All = who.Domain
		who.Domain = slices.Delete(slices.Clone(who.All), i, i+1)
		who.No = []engine.Refusal{{Rule: rule, Why: engine.NewMsg("table.ghost.same"), At: []int{i}}}
	}
	offer := engine.Offer{Act: ActVote, Rule: rule, Aside: true, Params: []engine.Param{who}}
	if g.hasUsedAllVotes(seat) {
		offer.No = &engine.Refusal{Rule: rule, Why: engine.NewMsg("table.ghost.enough")}
	}
	return append(all, offer)
}

// voteFor records a vote.
func (g *Ghosts) voteFor(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	ghost, _ := by.Seat() // the host is no ghost
	suspects := g.suspectsOf(ghost)
	suspect, err := engine.ParseSeat(args["seat"])
	switch {
	case g.table.InScene():
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.scene")
	case len(suspects) == 0:
		return nil, master.Refuse(engine.NotNow, rule, "table.ghost.later")
	case err != nil || !slices.Contains(suspects, suspect):
		return nil, master.Refuse(engine.Unknown, rule, "table.unknown")
	case suspect == g.currentVote(ghost):
		return nil, master.Refuse(engine.NotNow, rule, "table.ghost.same")
	case g.hasUsedAllVotes(ghost):
		return nil, master.Refuse(engine.NotNow, rule, "table.ghost.enough")
	}
	return nil, g.table.RecordEvent(by.Author, kindVoted, vote{Ghost: ghost, Suspect: suspect, Round: g.table.PublicView().Clock.At})
}

// ShowPublic implements master.PublicShower: after the end it adds the sentences about the votes.
func (g *Ghosts) ShowPublic(u *wire.Update) {
	if !g.table.HasEnded() {
		return
	}
	g.eachGhost(func(ghost, guilty engine.Seat) { u.Ghosts = append(u.Ghosts, g.describeVotes(ghost, guilty)...) })
}

// Suspicions implements master.Suspecter: the last votes of the ghosts of which the sentences of the end
// tell, and no more than these. Call it when the game is over; the display may still play the end, because
// the story is sent later.
func (g *Ghosts) Suspicions() (all []engine.Suspicion) {
	g.eachGhost(func(ghost, guilty engine.Seat) {
		if last, rightSince := g.lastVote(ghost, guilty); last.Suspect != 0 {
			one := engine.Suspicion{Ghost: ghost, Suspect: last.Suspect}
			if last.Suspect == guilty {
				one.Since = rightSince
			}
			all = append(all, one)
		}
	})
	return all
}

// eachGhost calls do for each ghost whose votes all may know after the end: if the murderer's card is face up.
func (g *Ghosts) eachGhost(do func(ghost, guilty engine.Seat)) {
	if !g.isOn || g.table.PublicView().Result == nil {
		return
	}
	seats := g.table.PublicView().Seats
	i := slices.IndexFunc(seats, func(s engine.SeatView) bool { return s.Role == murderer })
	if i < 0 { // that card is face down: it stays a secret
		return
	}
	for _, s := range seats {
		if !s.Alive && s.Role != murderer { // the murderer has known it from the beginning
			do(s.Seat, seats[i].Seat)
		}
	}
}

// lastVote returns the last vote of a ghost, and the round in which it last began to suspect the guilty seat: 0 if it never did.
func (g *Ghosts) lastVote(ghost, guilty engine.Seat) (last vote, rightSince int) {
	for _, v := range g.votes {
		if v.Ghost != ghost {
			continue
		}
		if v.Suspect == guilty && last.Suspect != guilty {
			rightSince = v.Round
		}
		last = v
	}
	return last, rightSince
}

// describeVotes returns a sentence about the votes of a ghost; none if it has not voted.
func (g *Ghosts) describeVotes(ghost, guilty engine.Seat) []engine.Msg {
	last, rightSince := g.lastVote(ghost, guilty)
	name, n := ghost.String(), strconv.Itoa(rightSince)
	switch {
	case last.Suspect == 0:
		return nil
	case last.Suspect == guilty:
		return []engine.Msg{engine.NewMsg("table.ghost.knew", "seat", name, "n", n)}
	case rightSince > 0:
		return []engine.Msg{engine.NewMsg("table.ghost.lost", "seat", name, "n", n, "other", last.Suspect.String())}
	}
	return []engine.Msg{engine.NewMsg("table.ghost.wrong", "seat", name, "other", last.Suspect.String())}
}
