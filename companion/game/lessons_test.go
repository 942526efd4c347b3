package game

import (
	"testing"

	"majordome/companion/master/lessons"
	"majordome/companion/store"
	"majordome/engine"
)

// wantLessons: every update says to everybody alike whether phones explain the game.
func wantLessons(t *testing.T, r *rig, want bool) {
	t.Helper()
	s := r.last()
	if s.Public.Table.Lessons != want || s.Host.Table.Lessons != want {
		t.Errorf("explained: %v to all, %v to the host, want %v", s.Public.Table.Lessons, s.Host.Table.Lessons, want)
	}
	for _, u := range s.Seats() {
		if u.Table.Lessons != want {
			t.Errorf("explained to %s: %v, want %v", u.View.Viewer, u.Table.Lessons, want)
		}
	}
}

// TestFirstEvening: a table where no game has been finished explains it, until one has
// been; what the host chooses in the lobby stands over restarts and games.
func TestFirstEvening(t *testing.T) {
	j := newMemory()
	r := newRig(t, j)
	r.must(engine.Host, "sit")
	wantLessons(t, r, true)
	r.must(engine.Host, "begin")
	wantLessons(t, r, true)

	j.result[1] = &store.Result{Game: 1} // the first game comes to its end
	wantLessons(t, r, true)
	r.must(engine.Host, actNewGame, "game", "toy", "seats", keep)
	wantLessons(t, r, false)

	r.must(engine.Host, lessons.Act, "on", yes)
	wantLessons(t, r, true)
	r.must(engine.Host, actNewGame, "game", "toy", "seats", keep)
	wantLessons(t, r, true)
	r.start()
	r.must(engine.Host, lessons.Act, "on", no)
	wantLessons(t, r, false)
}

// TestFirstEveningIsOfTheLobby: a game is explained to its end or not at all, and by
// nobody's choice but the host's.
func TestFirstEveningIsOfTheLobby(t *testing.T) {
	r := playing(t, newMemory(), 2)
	for _, v := range []engine.Viewer{engine.Host, engine.At(1)} {
		if out := r.act(v, lessons.Act, "on", no); out.OK {
			t.Errorf("%v has ended the first evening in the middle of it", v)
		}
	}
	wantLessons(t, r, true)
}
