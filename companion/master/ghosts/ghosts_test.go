package ghosts_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/ghosts"
	"majordome/companion/master/mastertest"
	"majordome/companion/store"
	"majordome/engine"
)

const (
	innocent engine.ID = "role-innocent"
	murderer engine.ID = "role-murderer"
)

// haunted returns a table of five in round 3, where seats 4 and 5 have died as innocents. Seat 1 is the murderer.
func haunted() *mastertest.Table {
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{ghosts.New(t)} })
	m.View.Seats = nil
	for n := engine.Seat(1); n <= 5; n++ {
		s := engine.SeatView{Seat: n, Alive: n < 4}
		if !s.Alive {
			s.Role = innocent
		}
		m.View.Seats = append(m.View.Seats, s)
	}
	m.View.Clock.At = 3
	return m
}

func vote(m *mastertest.Table, ghost, suspect engine.Seat) *engine.Reject {
	return m.DoAct(mastertest.PhoneActor(ghost), ghosts.ActVote, "seat", suspect.String())
}

func mustVote(t *testing.T, m *mastertest.Table, ghost, suspect engine.Seat) {
	t.Helper()
	if r := vote(m, ghost, suspect); r != nil {
		t.Fatalf("the vote of seat %d for %d: %s", ghost, suspect, r.Why.Key)
	}
}

func setRound(m *mastertest.Table, n int) { m.AdvanceGame(func(v *engine.View) { v.Clock.At = n }) }

// endGame ends the game with the murderer's card face up.
func endGame(m *mastertest.Table) {
	m.AdvanceGame(func(v *engine.View) {
		v.Result, v.Seats = &engine.Result{Rule: "HC-151"}, slices.Clone(v.Seats)
		v.Seats[0].Role = murderer
	})
}

// voteChoices returns the seats that a ghost may name now, and the one that it names in brackets.
func voteChoices(t *testing.T, m *mastertest.Table, seat engine.Seat) string {
	t.Helper()
	offers := m.Parts[0].(master.SeatOfferer).AppendSeatOffers(nil, seat)
	if len(offers) == 0 {
		return ""
	}
	text, err := json.Marshal(offers[0])
	if err != nil {
		t.Fatal(err)
	}
	var o engine.Offer
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, s := range o.Params[0].ListedValues() {
		if len(o.Params[0].No) > 0 && slices.Contains(o.Params[0].No[0].At, i) {
			s = "[" + s + "]"
		}
		all = append(all, s)
	}
	return strings.ReplaceAll(strings.Join(all, " "), "seat-", "")
}

// revealedLines returns the lines that all viewers are shown at the end.
func revealedLines(m *mastertest.Table) (all []string) {
	for _, msg := range m.PublicUpdate().Ghosts {
		said := strings.Join([]string{msg.Key, msg.Args.Get("seat"), msg.Args.Get("n"), msg.Args.Get("other")}, " ")
		all = append(all, strings.TrimPrefix(said, "table.ghost."))
	}
	return all
}

func wantTold(t *testing.T, m *mastertest.Table, want ...string) {
	t.Helper()
	if got := revealedLines(m); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// The suspicions of the end agree with the sentences: the seat that a ghost has named last, and since when it was right.
func TestSuspicionsOfTheEnd(t *testing.T) {
	m := haunted()
	mustVote(t, m, 4, 1)
	mustVote(t, m, 5, 1)
	setRound(m, 4)
	mustVote(t, m, 5, 3)
	suspicions := func() []engine.Suspicion { return m.Parts[0].(*ghosts.Ghosts).Suspicions() }
	if got := suspicions(); len(got) > 0 {
		t.Errorf("before the end all are shown %v", got)
	}
	endGame(m)
	want := []engine.Suspicion{{Ghost: 4, Suspect: 1, Since: 3}, {Ghost: 5, Suspect: 3}}
	if got := suspicions(); !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
	m.View.Seats[0].Role = "" // the murderer's card is face down
	if got := suspicions(); len(got) > 0 {
		t.Errorf("without the truth all are shown %v", got)
	}
}

// Only the dead are asked, about all others whose role is not known, and each is shown its own vote alone.
func TestTheDeadAreAsked(t *testing.T) {
	m := haunted()
	check := func(seat engine.Seat, want string) {
		t.Helper()
		if got := voteChoices(t, m, seat); got != want {
			t.Errorf("seat %d may name %q, want %q", seat, got, want)
		}
	}
	check(1, "")
	check(6, "")
	check(4, "1 2 3")
	mustVote(t, m, 4, 2)
	check(4, "1 [2] 3")
	check(5, "1 2 3")
	setRound(m, 4)
	check(4, "1 [2] 3")
	mustVote(t, m, 4, 3)
	check(4, "1 2 [3]")
	m.View.Seats[2].Role = innocent // accused, and innocent
	check(4, "1 2")
	m.Scene = true
	check(4, "")
	m.Scene = false
	m.View.Seats[1].Role = innocent
	check(4, "") // nothing is left to ask
}

// What a ghost may not do, and what nobody else may. A refused vote changes nothing.
func TestRefusedVotes(t *testing.T) {
	m := haunted()
	mustVote(t, m, 4, 2)
	had := len(m.Events)
	refuse := func(name, key string, r *engine.Reject) {
		t.Helper()
		if r == nil || r.Why.Key != key || len(m.Events) != had {
			t.Errorf("%s: %+v, %d events", name, r, len(m.Events)-had)
		}
	}
	refuse("the living", "table.ghost.later", vote(m, 1, 2))
	refuse("nobody's seat", "table.ghost.later", vote(m, 6, 2))
	refuse("the host", "table.ghost.later", m.DoAct(mastertest.Host, ghosts.ActVote, "seat", "seat-1"))
	refuse("itself", "table.unknown", vote(m, 4, 4))
	refuse("a known innocent", "table.unknown", vote(m, 4, 5))
	refuse("no seat", "table.unknown", m.DoAct(mastertest.PhoneActor(4), ghosts.ActVote, "seat", "host"))
	refuse("the same", "table.ghost.same", vote(m, 4, 2))
	for n := range ghosts.MaxVotes - 1 {
		mustVote(t, m, 4, engine.Seat(1+n%2))
		had++
	}
	refuse("too many in a round", "table.ghost.enough", vote(m, 4, 3))
	offers := m.Parts[0].(master.SeatOfferer).AppendSeatOffers(nil, 4)
	if len(engine.AllowedOffers(offers)) > 0 || voteChoices(t, m, 4) != "[1] 2 3" {
		t.Error("more votes are offered, or the last one is not shown")
	}
	setRound(m, 4)
	mustVote(t, m, 4, 2)
	mustVote(t, m, 4, 1)
	had += 2
	m.Scene = true
	for seat := engine.Seat(1); seat <= 6; seat++ {
		refuse("in a scene", "table.scene", vote(m, seat, 3))
	}
	m.Scene = false
	m.DiskFull = true
	if vote(m, 4, 3) == nil || voteChoices(t, m, 4) != "[1] 2 3" {
		t.Error("a vote that is not on disk counts")
	}
}

// No vote is shown before the end, not even that there was one.
func TestVotesStaySecretUntilTheEnd(t *testing.T) {
	m := haunted()
	mustVote(t, m, 4, 1)
	if len(m.Notices) > 0 || len(revealedLines(m)) > 0 || len(m.OfferedToHost()) > 0 {
		t.Errorf("notices %q, revealed %q, offered to the host %q", m.Notices, revealedLines(m), m.OfferedToHost())
	}
	for _, k := range m.Parts[0].(master.Recorder).EventKinds() {
		if k.MinutesLine != nil {
			t.Errorf("%s has a minute", k.Name)
		}
	}
}

// At the end each ghost that has voted has a sentence: from which round on it was right, until which, or never.
func TestTheEndHasASentenceForEachGhost(t *testing.T) {
	m := haunted()
	mustVote(t, m, 4, 2)
	mustVote(t, m, 4, 1) // it changes its mind in the same round
	setRound(m, 4)
	mustVote(t, m, 5, 1)
	setRound(m, 5)
	mustVote(t, m, 5, 3)
	m.Scene = true
	endGame(m)
	wantTold(t, m) // the display still plays the end
	m.Scene = false
	wantTold(t, m, "knew seat-4 3 ", "lost seat-5 4 seat-3")
	m.Restart()
	wantTold(t, m, "knew seat-4 3 ", "lost seat-5 4 seat-3")

	m = haunted()
	mustVote(t, m, 4, 1)
	mustVote(t, m, 5, 2)
	setRound(m, 4)
	mustVote(t, m, 4, 2)
	setRound(m, 6)
	mustVote(t, m, 4, 1) // only from here on it was right to the end
	endGame(m)
	wantTold(t, m, "knew seat-4 6 ", "wrong seat-5  seat-2")

	m = haunted()
	mustVote(t, m, 5, 1)
	endGame(m)
	wantTold(t, m, "knew seat-5 3 ") // the other has not voted
}

// The murderer is asked like any other ghost whose card is face down, because the question must not show who it is.
// It has known from the beginning, so its votes are not told.
func TestTheMurderersVotes(t *testing.T) {
	m := haunted()
	m.View.Seats[0].Alive = false // taken out by the host, its card unturned
	mustVote(t, m, 1, 2)
	mustVote(t, m, 4, 1)
	endGame(m)
	wantTold(t, m, "knew seat-4 3 ")
}

// While the murderer's card is face down nobody can know who was right: a game that ends early reveals no vote.
func TestAnEndWithoutTheTruth(t *testing.T) {
	m := haunted()
	mustVote(t, m, 4, 1)
	m.AdvanceGame(func(v *engine.View) { v.Result = &engine.Result{Rule: "HC-154"} })
	wantTold(t, m)
	m.Events = nil // the next game
	m.Restart()
	m.View.Result = nil
	endGame(m)
	wantTold(t, m)
}

// An undo takes back the votes since the step that it makes void. A ghost that lives again has no vote and no sentence.
func TestUndoAndVotes(t *testing.T) {
	m := haunted()
	mustVote(t, m, 4, 1)
	setRound(m, 4)
	step := m.LastStep()
	mustVote(t, m, 4, 2)
	mustVote(t, m, 5, 2)
	m.RecordEvent("host", master.KindUndo, master.Undone{Step: step})
	m.View.Clock.At = 3
	if got := voteChoices(t, m, 4); got != "[1] 2 3" {
		t.Errorf("the vote in a round that was undone still counts: %s", got)
	}
	m.View.Seats[3].Alive, m.View.Seats[3].Role = true, ""
	if voteChoices(t, m, 4) != "" || voteChoices(t, m, 5) != "1 2 3 4" {
		t.Errorf("a ghost lives again: %q %q", voteChoices(t, m, 4), voteChoices(t, m, 5))
	}
	endGame(m)
	wantTold(t, m)
	m.Parts[0].(master.Recorder).ApplyEvent(store.Event{Kind: "table.ghost-vote", Data: []byte("{")}) // damaged
	wantTold(t, m)
}

// The switch is on by default, is chosen in the lobby and keeps the ghosts from being asked and told.
func TestTheSwitch(t *testing.T) {
	m := haunted()
	if m.DoAct(mastertest.Host, ghosts.ActAllow, "on", "no") == nil {
		t.Error("the switch changes during a game")
	}
	m.View.Phase = engine.PhaseLobby
	if got := m.OfferedToHost(); !slices.Equal(got, []string{"ghosts on=no"}) {
		t.Errorf("offered %q", got)
	}
	if m.DoAct(mastertest.Host, ghosts.ActAllow, "on", "maybe") == nil {
		t.Error("the switch takes any value")
	}
	if r := m.DoAct(mastertest.Host, ghosts.ActAllow, "on", "no"); r != nil {
		t.Fatal(r)
	}
	m.Restart()
	if got := m.OfferedToHost(); !slices.Equal(got, []string{"ghosts on=yes"}) {
		t.Errorf("offered %q", got)
	}
	m.View.Phase = "play"
	if voteChoices(t, m, 4) != "" || vote(m, 4, 1) == nil {
		t.Error("ghosts vote although they may not")
	}
	m.View.Phase, m.View.Case = engine.PhaseLobby, &engine.Case{}
	if len(m.OfferedToHost()) > 0 {
		t.Error("the host chooses it for a Cluedo")
	}
	m.View.Phase = "play"
	m.DoAct(mastertest.Host, ghosts.ActAllow, "on", "yes")
	if voteChoices(t, m, 4) != "" {
		t.Error("a ghost of a Cluedo looks for a murderer at the table")
	}
}
