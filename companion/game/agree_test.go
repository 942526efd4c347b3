package game

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/corrections"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

var correctionActs = []string{corrections.ActWithdraw, corrections.ActPropose, corrections.ActAgree, corrections.ActRefuse}

// correctionsOffered returns the acts of correction that a seat is offered.
func correctionsOffered(s Step, seat engine.Seat) (acts []string) {
	u, _ := s.UpdateFor(engine.SeatViewer(seat))
	for _, o := range u.View.Offers {
		if slices.Contains(correctionActs, o.Act) {
			acts = append(acts, o.Act)
		}
	}
	return acts
}

func wantCorrections(t *testing.T, r *rig, seat engine.Seat, want ...string) {
	t.Helper()
	if got := correctionsOffered(r.last(), seat); !slices.Equal(got, want) {
		t.Errorf("seat %d is offered %v, want %v", seat, got, want)
	}
}

// GEN-009: the seat that declared a public fact can withdraw it, as long as no other seat has learned or lost
// anything by it.
func TestWithdraw(t *testing.T) {
	for _, c := range []struct {
		name  string
		after func(*rig)
		may   bool
	}{
		{"a public declaration", func(r *rig) { r.mustAct(engine.SeatViewer(1), "say") }, true},
		{"the bell has rung since", func(r *rig) {
			r.mustAct(engine.SeatViewer(1), "say")
			r.passTime(time.Duration(bell) * time.Millisecond)
		}, true},
		{"another seat has acted since", func(r *rig) {
			r.mustAct(engine.SeatViewer(1), "say")
			r.mustAct(engine.SeatViewer(2), "say")
		}, false},
		{"a card was named, though nobody saw it", func(r *rig) { r.mustAct(engine.SeatViewer(1), "say", "card", "card-1") }, false},
		{"the machine threw its dice", func(r *rig) { r.mustAct(engine.SeatViewer(1), "throw") }, false},
		{"dice on the table were named", func(r *rig) { r.mustAct(engine.SeatViewer(1), "throw", "fell", "6") }, true},
		{"a card was named", func(r *rig) { r.mustAct(engine.SeatViewer(1), "deposit", "card", "card-1") }, false},
		{"a card was read", func(r *rig) { r.dropInUrn("card-1") }, false},
		{"something was turned up for all", func(r *rig) { r.mustAct(engine.SeatViewer(1), "reveal") }, false},
		{"it kept a secret to itself that it could have told",
			func(r *rig) { r.mustAct(engine.SeatViewer(1), "claim", "value", "nothing") }, false},
		{"it has seen something itself", func(r *rig) { r.mustAct(engine.SeatViewer(1), "look") }, false},
		{"another seat has seen something", func(r *rig) { r.mustAct(engine.SeatViewer(1), "show") }, false},
	} {
		m := newMemory()
		r := playing(t, m, 2)
		before := comparableState(t, r.last())
		c.after(r)
		want := []string{corrections.ActPropose}
		if c.may {
			want = []string{corrections.ActWithdraw, corrections.ActPropose}
		}
		now := comparableState(t, r.last())
		wantCorrections(t, r, 1, want...)
		acts := correctionsOffered(r.last(), 2)
		if (c.name == "another seat has acted since") != slices.Contains(acts, corrections.ActWithdraw) {
			t.Errorf("%s: seat 2 is offered %v", c.name, acts)
		}
		r.start() // a restart keeps the offers
		wantCorrections(t, r, 1, want...)
		out := r.act(engine.SeatViewer(1), corrections.ActWithdraw)
		switch {
		case c.may && (!out.OK || comparableState(t, r.last()) != before):
			t.Errorf("%s: %+v, or something is left of it", c.name, out.Reject)
		case c.may && (r.last().Public.Notice == nil || r.last().Public.Notice.Msg.Key != "table.withdrawn" ||
			r.last().Public.Notice.Msg.Args.Get("seat") != "seat-1"):
			t.Errorf("%s: the table is shown %+v", c.name, r.last().Public.Notice)
		case !c.may && (out.OK || out.Reject.Rule != "GEN-009" || comparableState(t, r.last()) != now || r.last().Public.Notice != nil):
			t.Errorf("%s: %+v", c.name, out)
		}
	}
	r := playing(t, newMemory(), 2)
	r.mustAct(engine.SeatViewer(1), "say")
	if out := r.act(engine.Host, corrections.ActWithdraw); out.OK {
		t.Error("the host has withdrawn what a seat declared")
	}
}

// GEN-009: every other correction needs the agreement of all living seats. It is announced without saying what it was
// about.
func TestVote(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 4)
	r.mustAct(engine.Host, "kill", "seat", "seat-4")
	before := comparableState(t, r.last())
	r.mustAct(engine.SeatViewer(1), "show") // no other seat could agree to undo this
	wantCorrections(t, r, 4)
	r.mustAct(engine.SeatViewer(2), corrections.ActPropose)
	wantCorrections(t, r, 1, corrections.ActAgree, corrections.ActRefuse)
	wantCorrections(t, r, 2, corrections.ActRefuse)
	wantCorrections(t, r, 4)
	for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
		want := wire.Vote{By: 2, Agreed: []engine.Seat{2}, Of: []engine.Seat{1, 2, 3}}
		if u.Vote == nil || asJSON(t, *u.Vote) != asJSON(t, want) || u.Notice == nil || u.Notice.Msg.Key != "table.vote.proposed" {
			t.Errorf("%s: vote %+v, told %+v", u.View.Viewer, u.Vote, u.Notice)
		}
	}
	for _, bad := range []struct {
		by       engine.Viewer
		act, key string
	}{
		{engine.SeatViewer(4), corrections.ActAgree, "table.vote.living"},
		{engine.SeatViewer(4), corrections.ActRefuse, "table.vote.living"},
		{engine.SeatViewer(2), corrections.ActAgree, "table.vote.twice"},
		{engine.SeatViewer(3), corrections.ActPropose, "table.vote.open"}, {engine.Host, corrections.ActAgree, "table.vote.living"},
	} {
		if out := r.act(bad.by, bad.act); out.OK || out.Reject.Why.Key != bad.key {
			t.Errorf("%v %s: %+v", bad.by, bad.act, out)
		}
	}
	r.mustAct(engine.SeatViewer(3), corrections.ActAgree)
	if v := r.last().Public.Vote; v == nil || !slices.Equal(v.Agreed, []engine.Seat{2, 3}) {
		t.Fatalf("vote %+v", v)
	}
	r.mustAct(engine.SeatViewer(1), corrections.ActAgree)
	s := r.last()
	if s.Public.Vote != nil || comparableState(t, s) != before {
		t.Error("all have agreed and the step still stands")
	}
	for _, u := range append(s.UpdatesToSeal(nil), s.Public) {
		if u.Notice == nil || u.Notice.Msg.Key != "table.corrected" || len(u.Notice.Msg.Args) != 0 {
			t.Errorf("%s is shown %+v", u.View.Viewer, u.Notice)
		}
	}
	events := m.events[1]
	if last := events[len(events)-1]; last.Kind != master.KindUndo || last.Cause != master.ByVote {
		t.Errorf("on disk: %s by %s", last.Kind, last.Cause)
	}
	r.start()
	if comparableState(t, r.last()) != before {
		t.Error("the correction does not come back after a restart")
	}
}

// One refusal ends a vote, and so does any further step, because the vote was about the step before.
func TestWhatEndsAVote(t *testing.T) {
	for _, c := range []struct {
		name  string
		after func(*rig)
		key   string
	}{
		{"a refusal", func(r *rig) { r.mustAct(engine.SeatViewer(3), corrections.ActRefuse) }, "table.vote.refused"},
		{"the proposer", func(r *rig) { r.mustAct(engine.SeatViewer(1), corrections.ActRefuse) }, "table.vote.refused"},
		{"a step", func(r *rig) { r.mustAct(engine.SeatViewer(2), "say") }, ""},
		{"a card", func(r *rig) { r.dropInUrn("card-1") }, "table.accepted"},
		{"a deadline", func(r *rig) { r.passTime(time.Duration(bell) * time.Millisecond) }, ""},
		{"the host's undo", func(r *rig) { r.mustAct(engine.Host, actUndo) }, "table.undone"},
		{"a withdrawal", func(r *rig) { r.mustAct(engine.SeatViewer(1), corrections.ActWithdraw) }, "table.withdrawn"},
		{"a new game", func(r *rig) { r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep") }, "table.new-game"},
	} {
		r := playing(t, newMemory(), 3)
		r.mustAct(engine.SeatViewer(1), "say")
		r.mustAct(engine.SeatViewer(1), corrections.ActPropose)
		c.after(r)
		n := r.last().Public.Notice
		if r.last().Public.Vote != nil || (n == nil) != (c.key == "") || n != nil && n.Msg.Key != c.key {
			t.Errorf("%s: vote %+v, told %+v", c.name, r.last().Public.Vote, n)
		}
		if out := r.act(engine.SeatViewer(2), corrections.ActAgree); out.OK || out.Reject.Why.Key != "table.vote.none" {
			t.Errorf("%s: %+v", c.name, out)
		}
	}
	// An act that is refused does not end the vote.
	r := playing(t, newMemory(), 3)
	r.mustAct(engine.SeatViewer(1), "say")
	r.mustAct(engine.SeatViewer(1), corrections.ActPropose)
	r.dropInUrn("bad")
	r.act(engine.SeatViewer(2), "dance")
	if r.last().Public.Vote == nil {
		t.Error("a refused act has ended the vote")
	}
}

// Without a step to correct there is no vote. The only living seat corrects without one.
func TestVoteAtTheEdges(t *testing.T) {
	r := newRig(t, newMemory())
	r.mustAct(engine.Host, "sit")
	wantCorrections(t, r, 1)
	if out := r.act(engine.SeatViewer(1), corrections.ActPropose); out.OK || out.Reject.Why.Key != "table.undo.nothing" {
		t.Errorf("in the lobby: %+v", out)
	}
	r.mustAct(engine.Host, "begin")
	r.mustAct(engine.SeatViewer(1), "look")
	r.mustAct(engine.SeatViewer(1), corrections.ActPropose)
	if s := r.last(); s.Public.Vote != nil || s.Public.Notice.Msg.Key != "table.corrected" || len(s.SeatUpdates()[0].View.Me.Tray) != 0 {
		t.Errorf("the only seat: %+v", s.Public.Notice)
	}
	m := newMemory()
	r = playing(t, m, 1)
	r.mustAct(engine.SeatViewer(1), "look")
	m.fail = "before"
	if out := r.act(engine.SeatViewer(1), corrections.ActPropose); out.OK || r.last().Public.Paused == nil ||
		len(correctionsOffered(r.last(), 1)) != 0 {
		t.Errorf("on a failed disk: %+v", out)
	}
}

// A seat is offered the same corrections in two worlds that differ by a secret of another seat (design 7.1).
func TestCorrectionsRevealNothing(t *testing.T) {
	var all []string
	for _, card := range []string{"card-1", "card-2"} {
		r := playing(t, newMemory(), 3)
		r.dropInUrn(card)
		r.mustAct(engine.SeatViewer(2), corrections.ActPropose)
		s := r.last()
		all = append(all, asJSON(t, s.Public)+asJSON(t, s.SeatUpdates()[1])+asJSON(t, s.SeatUpdates()[2])+asJSON(t, s.Host))
	}
	if all[0] != all[1] {
		t.Errorf("a vote tells worlds apart:\n%s\n%s", all[0], all[1])
	}
}

// With the real rules: a seat may withdraw a declaration, never an act by which a seat has seen, got or lost a card.
func TestWhatMayBeWithdrawn(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		may, mayNot := map[string]int{}, map[string]int{}
		for seed := range uint64(eveningCount(4, 60)) {
			countWithdrawals(t, g, seed, may, mayNot)
		}
		for _, act := range g.final {
			if may[act] != 0 {
				t.Errorf("%s could be withdrawn %d times", act, may[act])
			}
		}
		for _, act := range g.alwaysWithdrawable {
			if may[act] == 0 || mayNot[act] != 0 {
				t.Errorf("%s could be withdrawn %d times and could not %d times", act, may[act], mayNot[act])
			}
		}
		t.Logf("may %v, may not %v", may, mayNot)
	})
}

// countWithdrawals counts, by act, the steps of an evening that the seat could withdraw and those that it could not.
// It withdraws one in four of the first.
func countWithdrawals(t *testing.T, g game, seed uint64, may, mayNot map[string]int) {
	e := newEvening(t, g, newMemory(), seed)
	e.seatAndBegin(g.players(seed))
	for range 300 {
		before, n := comparableState(t, e.last()), e.core().lastStep
		e.play()
		s := e.last()
		if s.Public.View.Result != nil {
			return
		}
		last := e.core().group
		v, err := engine.ParseViewer(last.cause)
		seat, ok := v.Seat()
		if err != nil || !ok || e.core().lastStep != n+1 || last.step != n+1 {
			continue // a card, an act of the host, a deadline or nothing
		}
		c, err := decodeStep(e.books[0], lastStep(t, e))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(correctionsOffered(s, seat), corrections.ActWithdraw) {
			mayNot[c.command.Act]++
			continue
		}
		may[c.command.Act]++
		if e.dice.Intn(4) == 0 {
			if e.mustAct(v, corrections.ActWithdraw); comparableState(t, e.last()) != before {
				t.Fatalf("seed %d: something is left of %s", seed, c.command.Act)
			}
		}
	}
}

func lastStep(t *testing.T, e *evening) (last []store.Event) {
	for _, r := range storedEvents(t, e.journal) {
		if r.Step == e.core().lastStep {
			last = append(last, r)
		}
	}
	return last
}
