package lessons_test

import (
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/lessons"
	"majordome/companion/master/mastertest"
	"majordome/engine"
)

// In the lobby the host sees which players have read the lesson. A phone may report it only while it is asked, and
// each game asks again.
func TestTheHostSeesWhichPlayersHaveReadTheLesson(t *testing.T) {
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{lessons.New(t)} })
	m.View.Phase = engine.PhaseLobby
	m.Restart()
	asked := func(seat engine.Seat) bool {
		return len(m.Parts[0].(master.SeatOfferer).AppendSeatOffers(nil, seat)) == 1
	}
	read := func(want ...engine.Seat) {
		t.Helper()
		if got := m.ForHost().Desk.Read; !slices.Equal(got, want) {
			t.Errorf("%v have read, want %v", got, want)
		}
	}
	read()
	if !asked(1) || !asked(2) || asked(3) {
		t.Error("every player who sits must be asked, and nobody else")
	}
	if m.DoAct(mastertest.Host, lessons.Act) == nil || m.DoAct(mastertest.PhoneActor(3), lessons.Act) == nil {
		t.Error("somebody who has no seat has read")
	}
	if r := m.DoAct(mastertest.PhoneActor(2), lessons.Act); r != nil || asked(2) {
		t.Errorf("seat 2 has read: %v", r)
	}
	read(2)
	m.View.Seats = m.View.Seats[:1]
	read()
	m.View.Phase = "play"
	if asked(1) || m.DoAct(mastertest.PhoneActor(1), lessons.Act) == nil {
		t.Error("the lesson is offered in the midst of a game")
	}
	m.View.Phase = engine.PhaseLobby
	m.DoAct(mastertest.PhoneActor(1), lessons.Act)
	read(1)
	m.Number++
	m.Restart()
	if read(); !asked(1) {
		t.Error("another game is not asked about")
	}
}
