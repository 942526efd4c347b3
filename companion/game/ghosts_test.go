package game

import (
	"testing"
	"time"

	"majordome/companion/master/ghosts"
	"majordome/companion/seal"
	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// haunted returns a table of four, whose third player has died.
func haunted(t *testing.T) *rig {
	t.Helper()
	r := playing(t, newMemory(), 4)
	r.mustAct(engine.Host, "kill", "seat", "seat-3")
	return r
}

// compareOthers compares all that two tables have shown and sent, except what the phone of the ghost reads in its own
// updates: of these the number and the sizes.
func compareOthers(t *testing.T, name string, one, two *rig, ghost engine.Viewer) {
	t.Helper()
	if len(one.steps) != len(two.steps) {
		t.Fatalf("%s: %d steps are shown at one table and %d at the other", name, len(one.steps), len(two.steps))
	}
	var house [2]uplink.MessageBuilder
	for i := range one.steps {
		a, b := one.steps[i], two.steps[i]
		if x, y := asJSON(t, a.Public), asJSON(t, b.Public); x != y {
			t.Fatalf("%s: the public can tell a vote from a note:\n%s", name, textDifference(x, y))
		}
		if x, y := asJSON(t, house[0].BuildMessages(&a.Public)), asJSON(t, house[1].BuildMessages(&b.Public)); x != y ||
			string(a.Story) != string(b.Story) {
			t.Fatalf("%s: the house can tell a vote from a note:\n%s", name, textDifference(x, y))
		}
		all, others := a.UpdatesToSeal(nil), b.UpdatesToSeal(nil)
		if len(all) != len(others) {
			t.Fatalf("%s: %d and %d updates", name, len(all), len(others))
		}
		for j := range all {
			x, y := asJSON(t, all[j]), asJSON(t, others[j])
			if all[j].View.Viewer != ghost.String() && x != y {
				t.Fatalf("%s: %s can tell a vote from a note:\n%s", name, all[j].View.Viewer, textDifference(x, y))
			}
		}
		for j, sizes := range (&pair{}).sealedSizePairs(t, a, b) {
			if sizes[0] != sizes[1] {
				t.Fatalf("%s: the sealed view %d has %d and %d bytes", name, j, sizes[0], sizes[1])
			}
		}
	}
	at, isDue := one.core().nextWakeTime()
	other, otherDue := two.core().nextWakeTime()
	if isDue != otherDue || !at.Equal(other) {
		t.Errorf("%s: one table wakes at %v and the other at %v", name, at, other)
	}
}

// Design 7.1 for the votes of ghosts: two tables play the same game. Where the ghost of one writes a note, that of the
// other votes. Nobody else can tell which, by any byte, number, time or size, now or later.
func TestAVoteLooksLikeANote(t *testing.T) {
	ghost := engine.SeatViewer(3)
	note := func(marks string) func(*rig) wire.Reply {
		return func(r *rig) wire.Reply { return r.submitNotes(ghost, marks) }
	}
	vote := func(seat string) func(*rig) wire.Reply {
		return func(r *rig) wire.Reply { return r.act(ghost, ghosts.ActVote, "seat", seat) }
	}
	for name, acts := range map[string][2]func(*rig) wire.Reply{
		"a vote":           {note("a"), vote("seat-1")},
		"another vote":     {vote("seat-2"), vote("seat-1")},
		"a refused vote":   {note("\n"), vote("seat-3")},
		"a vote in a hold": {note("a"), vote("seat-1")},
	} {
		one, two := haunted(t), haunted(t)
		for i, r := range []*rig{one, two} {
			if name == "a vote in a hold" {
				r.mustAct(engine.Host, "pause")
			}
			out := acts[i](r)
			if sealed := asJSON(t, out); len(sealed) > seal.ActSize-4 {
				t.Errorf("%s: a reply of %d bytes", name, len(sealed))
			}
			if name == "a vote in a hold" {
				r.mustAct(engine.Host, "resume")
			}
			if want := name == "a vote" || name == "another vote"; out.OK != want {
				t.Fatalf("%s: %+v", name, out)
			}
		}
		compareOthers(t, name, one, two, ghost)
		for _, do := range []func(*rig){
			func(r *rig) { r.mustAct(engine.SeatViewer(1), "say") },
			func(r *rig) { acts[0](r) },
			func(r *rig) { r.passTime(time.Minute) },
			func(r *rig) { r.start() },
			func(r *rig) { r.mustAct(engine.SeatViewer(2), "say") },
			func(r *rig) { r.mustAct(engine.Host, actUndo) },
			func(r *rig) { r.dropInUrn("card-1") },
		} {
			do(one)
			do(two)
			compareOthers(t, name+", and later", one, two, ghost)
		}
		var minutes [2]string
		for i, r := range []*rig{one, two} {
			all, err := BuildMinutes(r.books[0], storedEvents(t, r.journal))
			if err != nil {
				t.Fatal(err)
			}
			minutes[i] = asJSON(t, all)
		}
		if minutes[0] != minutes[1] {
			t.Errorf("%s: the minutes can tell a vote from a note:\n%s", name, textDifference(minutes[0], minutes[1]))
		}
	}
}

// A vote is on disk when it is answered, and only the phones of its ghost are shown it. An undo of the death ends it.
func TestAVoteIsTheGhostsOwn(t *testing.T) {
	r := haunted(t)
	named := func() (all []string) {
		for _, u := range r.last().UpdatesToSeal(nil) {
			for _, o := range u.View.Offers {
				if o.Act != ghosts.ActVote {
					continue
				}
				p := o.Params[0]
				for _, no := range p.No {
					all = append(all, u.View.Viewer+" "+p.All[no.At[0]])
				}
				if len(p.No) == 0 {
					all = append(all, u.View.Viewer)
				}
			}
		}
		return all
	}
	want := func(when, what string) {
		t.Helper()
		if got := named(); len(got) > 1 || len(got) == 0 && what != "" || len(got) == 1 && got[0] != what {
			t.Errorf("%s: asked and named %q, want %q", when, got, what)
		}
	}
	want("dead", "seat-3")
	r.mustAct(engine.SeatViewer(3), ghosts.ActVote, "seat", "seat-2")
	want("voted", "seat-3 seat-2")
	r.start()
	want("after a restart", "seat-3 seat-2")
	r.mustAct(engine.Host, actUndo)
	want("alive again", "")
	r.mustAct(engine.Host, "kill", "seat", "seat-3")
	want("dead again", "seat-3")
	r.mustAct(engine.SeatViewer(3), ghosts.ActVote, "seat", "seat-2")
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	r.mustAct(engine.Host, "begin")
	r.mustAct(engine.Host, "kill", "seat", "seat-3")
	want("in the next game", "seat-3")
}
