package game

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// notesShown returns the notes in every update of a step: public, seats, host.
func notesShown(s Step) (all []string) {
	for _, u := range append([]wire.Update{s.Public}, s.UpdatesToSeal(nil)...) {
		all = append(all, u.Notes)
	}
	return all
}

func mustNote(t *testing.T, r *rig, v engine.Viewer, marks string) {
	t.Helper()
	if out := r.submitNotes(v, marks); !out.OK {
		t.Fatalf("a note of %v: %+v", v, out.Reject)
	}
}

func wantSheets(t *testing.T, s Step, want ...string) {
	t.Helper()
	if got := strings.Join(notesShown(s), "|"); got != strings.Join(want, "|") {
		t.Errorf("the sheets are %q, want %q", got, strings.Join(want, "|"))
	}
}

// Only its seat sees a note sheet. It survives a restart and is deleted with the next game. Writing it is no step:
// nothing is stored in the game, and an undo does not affect it.
func TestNotesAreTheSeatsOwn(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "m.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r := playing(t, s, 2)
	r.mustAct(engine.SeatViewer(1), "say")
	before, shown := r.core().lastStep, len(r.steps)
	mustNote(t, r, engine.SeatViewer(2), "1Ab-_.cd")
	if len(r.steps) != shown+1 || len(r.last().SeatUpdates()) != 2 {
		t.Errorf("%d updates for a note, want one to everybody", len(r.steps)-shown)
	}
	if r.core().lastStep != before || r.core().group.step != before {
		t.Error("a note is a step of the game")
	}
	wantSheets(t, r.last(), "", "", "1Ab-_.cd", "")
	r.mustAct(engine.Host, actUndo)
	wantSheets(t, r.last(), "", "", "1Ab-_.cd", "")
	r.start()
	wantSheets(t, r.last(), "", "", "1Ab-_.cd", "")
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	wantSheets(t, r.last(), "", "", "", "")
	if old, err := s.Notes(1); err != nil || len(old) != 0 {
		t.Errorf("the game before still has %d sheets, %v", len(old), err)
	}
}

// The limits of a note sheet: what it may contain and how often it may be written.
func TestNotesAreBounded(t *testing.T) {
	r := playing(t, newMemory(), 2)
	long := strings.Repeat("~", wire.MaxNotes)
	for _, c := range []struct {
		name  string
		by    engine.Viewer
		marks string
		ok    bool
	}{
		{"the longest", engine.SeatViewer(1), long, true},
		{"too long", engine.SeatViewer(1), long + "~", false},
		{"not printable", engine.SeatViewer(1), "a\nb", false},
		{"not ASCII", engine.SeatViewer(1), "é", false},
		{"longer in JSON", engine.SeatViewer(1), "<", false},
		{"no seat", engine.Host, "a", false},
		{"an empty seat", engine.SeatViewer(5), "a", false},
		{"blank again", engine.SeatViewer(1), "", true},
	} {
		r.passTime(noteEvery)
		if out := r.submitNotes(c.by, c.marks); out.OK != c.ok {
			t.Errorf("%s: accepted %v, %+v", c.name, out.OK, out.Reject)
		}
	}
	r.passTime(noteEvery - time.Millisecond)
	if out := r.submitNotes(engine.SeatViewer(1), "b"); out.OK || out.Reject.Why.Key != "table.note.wait" {
		t.Errorf("two notes in less than a second: %+v", out)
	}
	mustNote(t, r, engine.SeatViewer(2), "c") // the pause between two notes is counted for each seat
	r.passTime(time.Millisecond)
	mustNote(t, r, engine.SeatViewer(1), "b")
	wantSheets(t, r.last(), "", "b", "c", "")
}

// Notes are refused before the game: the players of the seats may still change.
func TestNoNotesInTheLobby(t *testing.T) {
	r := newRig(t, newMemory())
	r.mustAct(engine.Host, "sit")
	if out := r.submitNotes(engine.SeatViewer(1), "a"); out.OK || out.Reject.Why.Key != "table.note.later" {
		t.Errorf("a note in the lobby: %+v", out)
	}
}

// GEN-011: a game that an undo takes back to its lobby forgets the sheets: other players may have these seats when it
// begins again.
func TestNotesEndWithTheSeats(t *testing.T) {
	for _, fail := range []string{"", "before", "after"} {
		m := newMemory()
		r := playing(t, m, 2)
		mustNote(t, r, engine.SeatViewer(1), "a")
		r.mustAct(engine.SeatViewer(2), "say")
		r.mustAct(engine.Host, actUndo)
		wantSheets(t, r.last(), "", "a", "", "")
		if m.fail = fail; fail != "" {
			r.act(engine.Host, actUndo)
			m.fail = ""
			r.passTime(time.Minute)
		}
		if r.last().Public.View.Phase != "lobby" {
			r.mustAct(engine.Host, actUndo)
		}
		r.mustAct(engine.Host, "begin")
		wantSheets(t, r.last(), "", "", "", "")
		r.start()
		wantSheets(t, r.last(), "", "", "", "")
	}
}

// A note that is not on disk is not shown. Writing a note does not remove the private reason that its seat is shown.
func TestNotesAndTroubles(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	r.dropInUrn("bad")
	mustNote(t, r, engine.SeatViewer(1), "a")
	if n := r.last().SeatUpdates()[0].Notice; n == nil || !n.Private {
		t.Error("the private reason is gone with a note")
	}
	r.passTime(noteEvery)
	m.fail = "before"
	if out := r.submitNotes(engine.SeatViewer(1), "b"); out.OK || r.last().Public.Paused == nil {
		t.Errorf("the disk fails and a note is taken: %+v", out)
	}
	wantSheets(t, r.last(), "", "a", "", "")
}

// A phone writes at most once a second, and only after it has seen the last write of another phone of its seat.
func TestNoteSheets(t *testing.T) {
	one, two := wire.FirstPhoneOf(engine.SeatViewer(1)), wire.Handset{Viewer: engine.SeatViewer(1), N: 2}
	now := time.Unix(1_700_000_000, 0)
	n := newNoteSheets(map[engine.Seat]string{}, 5)
	n.lastWrites[one], n.shownRevs[1] = now, 9
	for _, c := range []struct {
		h    wire.Handset
		seat engine.Seat
		seen uint64
		at   time.Duration
		want string
	}{
		{one, 1, 9, noteEvery - 1, "table.note.wait"},
		{one, 1, 9, noteEvery, ""},
		{two, 1, 8, 0, "table.note.other"},
		{two, 1, 9, 0, ""},
		{wire.FirstPhoneOf(engine.SeatViewer(2)), 2, 4, 0, "table.note.other"}, // seen before this game
		{wire.FirstPhoneOf(engine.SeatViewer(2)), 2, 5, 0, ""},
	} {
		got := ""
		if r := n.refuseWrite(c.h, c.seat, c.seen, now.Add(c.at)); r != nil {
			got = r.Why.Key
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	n.forgetWrites(func(h wire.Handset) bool { return h == one })
	if r := n.refuseWrite(one, 1, 9, now); r != nil {
		t.Errorf("a new phone in its place has to wait: %v", r.Why.Key)
	}
}
