package corrections_test

import (
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/corrections"
	"majordome/companion/master/mastertest"
)

// tableAfterStep returns a table of three, the third of whom is dead, right after a step.
func tableAfterStep() *mastertest.Table {
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{corrections.New(t)} })
	m.View.Seats = append(m.View.Seats, m.View.Seats[0])
	m.View.Seats[2].Seat, m.View.Seats[2].Alive = 3, false
	m.Last = master.LastAct{Step: 7, LastGameStep: 7}
	return m
}

// hasVote reports whether a vote is open, as all viewers see it.
func hasVote(m *mastertest.Table) bool { return m.PublicUpdate().Vote != nil }

// The last step is taken back once all living seats agree. Dead players and the host have no vote, and each living
// seat has one.
func TestStepIsTakenBackWhenAllLivingSeatsAgree(t *testing.T) {
	m := tableAfterStep()
	for _, by := range []master.Actor{mastertest.PhoneActor(3), mastertest.Host} {
		if m.DoAct(by, corrections.ActPropose) == nil {
			t.Errorf("%s has a voice", by.Author)
		}
	}
	if r := m.DoAct(mastertest.PhoneActor(1), corrections.ActPropose); r != nil || !hasVote(m) ||
		!slices.Contains(m.Notices, "table.vote.proposed") {
		t.Fatalf("%v, notices %q", r, m.Notices)
	}
	if m.DoAct(mastertest.PhoneActor(1), corrections.ActAgree) == nil || m.DoAct(mastertest.PhoneActor(2), corrections.ActPropose) == nil {
		t.Error("a seat has two voices, or there are two votes")
	}
	if len(m.TakenBackBy) > 0 {
		t.Error("one voice takes it back")
	}
	if r := m.DoAct(mastertest.PhoneActor(2), corrections.ActAgree); r != nil ||
		!slices.Equal(m.TakenBackBy, []string{master.ByVote}) || hasVote(m) {
		t.Errorf("%v, taken back by %q", r, m.TakenBackBy)
	}
}

// One refusal ends a vote; so does any further step, and a restart.
func TestWhatEndsAVote(t *testing.T) {
	for name, end := range map[string]func(*mastertest.Table){
		"a refusal":  func(m *mastertest.Table) { m.DoAct(mastertest.PhoneActor(2), corrections.ActRefuse) },
		"a step":     func(m *mastertest.Table) { m.Last = master.LastAct{Step: 8, LastGameStep: 8} },
		"a deadline": func(m *mastertest.Table) { m.Last.LastGameStep++ },
		"a restart":  func(m *mastertest.Table) { m.Restart() },
	} {
		m := tableAfterStep()
		m.DoAct(mastertest.PhoneActor(1), corrections.ActPropose)
		if end(m); hasVote(m) || m.DoAct(mastertest.PhoneActor(2), corrections.ActAgree) == nil || len(m.TakenBackBy) > 0 {
			t.Errorf("%s: the vote goes on", name)
		}
	}
}

// A seat may withdraw its own declaration without a vote while the game reports that no other seat has learned
// anything. During a scene no correction is answered.
func TestASeatWithdraws(t *testing.T) {
	m := tableAfterStep()
	m.Withdrawer = 1
	if m.DoAct(mastertest.PhoneActor(2), corrections.ActWithdraw) == nil || slices.Contains(m.OfferedTo(2), corrections.ActWithdraw) {
		t.Error("another seat withdraws it")
	}
	m.Scene = true
	if r := m.DoAct(mastertest.PhoneActor(1), corrections.ActWithdraw); r == nil || r.Why.Key != "table.scene" || len(m.OfferedTo(1)) > 0 {
		t.Errorf("during a scene: %v", r)
	}
	m.Scene = false
	if r := m.DoAct(mastertest.PhoneActor(1), corrections.ActWithdraw); r != nil || !slices.Equal(m.TakenBackBy, []string{"seat-1"}) {
		t.Errorf("%v, taken back by %q", r, m.TakenBackBy)
	}
}
