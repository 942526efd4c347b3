package cluedo

import (
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// three are the players of a position.
const three = `
seat seat-1 Rose suspect-rose
seat seat-2 Olive suspect-olive
seat seat-3 Violet suspect-violet
deal seat-1 7
deal seat-2 7
deal seat-3 7
`

// lines turns text into the lines of a position.
func lines(text string) (out []engine.PositionLine) {
	for i, l := range strings.Split(text, "\n") {
		if w := strings.Fields(l); len(w) > 0 {
			out = append(out, engine.PositionLine{Line: i + 1, Verb: w[0], Words: w[1:]})
		}
	}
	return out
}

// at is the state of a position.
func at(t *testing.T, text string) *state {
	t.Helper()
	b := newBook(t)
	evs, err := b.Position(lines(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	g := b.New()
	g = g.Evolve(evs...)
	s := *g.(*state)
	return &s
}

// TestPoseFaults: a position that cannot be is refused, with its line and what is wrong.
func TestPoseFaults(t *testing.T) {
	b := newBook(t)
	for _, c := range []struct{ lines, want string }{
		{"paint seat-1", "line 8: unknown verb"}, {"deal seat-1", "line 8: deal needs"},
		{"hand seat-1 cats", `no such card here: "cats"`}, {"gone cats", `no such card here: "cats"`}, {"gone weapon-hache", "no such card here"},
		{"pool time-1", "no such card here"}, {"envelope suspect-rose weapon-hache time-1", "no such card here"},
		{"hand seat-1 weapon-hache\npool weapon-hache", "line 9: pool: card \"weapon-hache\" stands in two lines"},
		{"seat Eve Eve suspect-leblanc", "no free seat"}, {"seat seat-1 Eve suspect-leblanc", "no free seat"},
		{"seat seat-4 " + strings.Repeat("e", rules.MaxName+1) + " suspect-leblanc", "bad name"},
		{"seat seat-4 Eve weapon-hache", `no free suspect "weapon-hache"`}, {"seat seat-4 Eve suspect-rose", "no free suspect"},
		{"switch two-players cats", `no house rule "two-players" with value "cats"`}, {"switch cats on", "no house rule"},
		{"board on", "only \"board off\""}, {"pool cats", "no such card"}, {"hand seat-7 weapon-hache", "nobody sits"},
		{"deal seat-7 1", "nobody sits"}, {"deal seat-1 64", "no number from 0 to 63"},
		{"pawn weapon-hache room-hall", `no suspect "weapon-hache" or no place "room-hall"`}, {"pawn suspect-rose nowhere", "no suspect"},
		{"token suspect-rose room-hall", `no weapon "suspect-rose" or no room "room-hall"`}, {"token weapon-hache nowhere", `or no room "nowhere"`},
		{"spent seat-7", "nobody sits"}, {"track 8", "no number from 0 to 7"}, {"track 2\ngone time-1", "stands in two lines"},
		{"pile weapon-hache", "no such card"}, {"active seat-7", "nobody sits"}, {"murdered seat-1", "seat-1 has no turn"},
	} {
		if _, err := b.Position(lines(three + c.lines)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.lines, err, c.want)
		}
	}
	for _, few := range []string{"cards", "seat seat-1 Rose suspect-rose\nseat seat-2 Olive suspect-olive"} {
		if _, err := b.Position(lines(few)); err == nil || !strings.Contains(err.Error(), "at least 3 are needed") {
			t.Errorf("%s: %v", few, err)
		}
	}
	nameless := append(lines(three), engine.PositionLine{Line: 8, Verb: "seat", Words: []string{"seat-4", "", "suspect-leblanc"}})
	if _, err := b.Position(nameless); err == nil || !strings.Contains(err.Error(), "bad name") {
		t.Errorf("a player without a name: %v", err)
	}
}

// TestPoseSetsUp: what a line says is there.
func TestPoseSetsUp(t *testing.T) {
	long := strings.Repeat("e", rules.MaxName)
	s := at(t, three+"seat seat-4 "+long+" suspect-leblanc\nswitch two-players off\ntoken weapon-hache room-hall\nspent seat-2\ntrack 2")
	if s.seats[4].name != long || s.seats[1].name != "Rose" || s.active != 1 || s.phase != turn {
		t.Errorf("seats %+v, seat %d in phase %s", s.seats[:5], s.active, phases[s.phase].code)
	}
	axe := s.book.cards["weapon-hache"] - s.book.from[kindWeapon] + 1
	for w, a := range s.tokens {
		if want := s.book.areas["room-hall"]; w > 0 && (a == want) != (card(w) == axe) {
			t.Errorf("weapon %d lies in %s", w, s.book.areaID[a])
		}
	}
	if s.seats[1].spent || !s.seats[2].spent || s.track != 2 || s.at(s.book.cards["time-1"]) != locTrack || s.at(s.book.cards["time-2"]) != locTrack {
		t.Errorf("spent: %v, %v; track %d", s.seats[1].spent, s.seats[2].spent, s.track)
	}
	if r := slices.IndexFunc(s.book.switches, func(r rules.Switch) bool { return r.ID == policies[polTwo].id }); s.rules[r] != 0 {
		t.Error("the house rule is not what the line says")
	}
	for more, want := range map[string]pos{
		"pawn suspect-rose room-hall\npawn suspect-rose start": s.book.lobby().pawns[s.book.cards["suspect-rose"]],
		"board off\npawn suspect-rose start":                   {kind: onStart}, "board off\npawn suspect-rose question": {kind: onQuestion},
	} {
		if s := at(t, three+more); s.pawns[s.book.cards["suspect-rose"]] != want {
			t.Errorf("%s: Rose stands at %+v, want %+v", more, s.pawns[s.book.cards["suspect-rose"]], want)
		}
	}
}
