package cluedo

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
	"majordome/engine/ownfile/ownfiletest"
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

// lines parses text as the lines of a position.
func lines(text string) (out []engine.PositionLine) {
	for i, l := range strings.Split(text, "\n") {
		if w := strings.Fields(l); len(w) > 0 {
			out = append(out, engine.PositionLine{Line: i + 1, Verb: w[0], Words: w[1:]})
		}
	}
	return out
}

// stateAt is the state of a position.
func stateAt(t *testing.T, text string) *state {
	t.Helper()
	b := newBook(t)
	evs, err := b.BuildPosition(lines(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	g := b.NewGame()
	g = g.Apply(evs...)
	s := *g.(*state)
	return &s
}

// TestPositionFaults: an impossible position is refused with the line and the fault.
func TestPositionFaults(t *testing.T) {
	b := newBook(t)
	for _, c := range []struct{ lines, want string }{
		{"paint seat-1", `:8: "paint" is not a verb`}, {"deal seat-1", ":8: given deal has too few"},
		{"hand seat-1 cats", `:8: "cats" is not a card that goes here`}, {"gone cats", `:8: "cats" is not a card that goes here`},
		{"gone weapon-hache", "is not a card that goes here"},
		{"pool time-1", "is not a card that goes here"}, {"envelope suspect-rose weapon-hache time-1", "is not a card that goes here"},
		{"hand seat-1 weapon-hache\npool weapon-hache", `:9: "weapon-hache" stands in another`},
		{"seat Eve Eve suspect-leblanc", `"Eve" is not a seat`}, {"seat seat-1 Eve suspect-leblanc", `"seat-1" stands in another`},
		{"seat seat-4 " + strings.Repeat("e", rules.MaxName+1) + " suspect-leblanc", "a player’s name that cannot be shown"},
		{"seat seat-4 Eve weapon-hache", `"weapon-hache" is not a suspect`},
		{"seat seat-4 Eve suspect-rose", `"suspect-rose" stands in another`},
		{"switch two-players cats", `"cats" is not a value of this rule`}, {"switch cats on", `"cats" is not a house rule`},
		{"board on", "write one of: off"}, {"pool cats", "is not a card"}, {"hand seat-7 weapon-hache", "nobody sits"},
		{"deal seat-7 1", "nobody sits"}, {"deal seat-1 64", "is not a number from 0 to 63"},
		{"pawn weapon-hache room-hall", `"weapon-hache" is not a suspect`},
		{"pawn suspect-rose nowhere", `"nowhere" is not somewhere on the board`},
		{"token suspect-rose room-hall", `"suspect-rose" is not a weapon`}, {"token weapon-hache nowhere", `"nowhere" is not a room`},
		{"pool xyzzy", "write one of: suspect-moutarde, "}, {"pawn xyzzy room-hall", ", suspect-rose, suspect-leblanc)"},
		{"gone xyzzy", "write one of: time-1, "},
		{"pawn suspect-rose xyzzy", "write one of: room-hall, "}, {"token weapon-hache xyzzy", "write one of: room-hall, "},
		{"spent seat-7", "nobody sits"}, {"track 8", "is not a number from 0 to 7"},
		{"track 2\ngone time-1", `:9: "time-1" stands in another`},
		{"switch preset other", `"preset" is not a house rule`},
		{"hidden weapon-hache nowhere", "this game has no cards hidden in rooms (take this given line out)"},
		{"pile weapon-hache", "is not a card"}, {"active seat-7", "nobody sits"}, {"murdered seat-1", "seat-1 cannot act"},
	} {
		if _, err := b.BuildPosition(lines(three + c.lines)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.lines, err, c.want)
		} else {
			ownfiletest.CheckFaults(t, err)
		}
	}
	for _, few := range []string{"cards", "seat seat-1 Rose suspect-rose\nseat seat-2 Olive suspect-olive"} {
		if _, err := b.BuildPosition(lines(few)); err == nil || !strings.Contains(err.Error(), "at least 3 are needed") {
			t.Errorf("%s: %v", few, err)
		}
	}
	nameless := append(lines(three), engine.PositionLine{Line: 8, Verb: "seat", Words: []string{"seat-4", "", "suspect-leblanc"}})
	if _, err := b.BuildPosition(nameless); err == nil || !strings.Contains(err.Error(), "a player’s name that cannot be shown") {
		t.Errorf("a player without a name: %v", err)
	}
}

// TestPositionAbsent: a position cannot have what its game does not have.
func TestPositionAbsent(t *testing.T) {
	three := strings.NewReplacer("suspect-olive", "suspect-moutarde").Replace(three)
	for _, c := range []struct{ game, lines, want string }{
		{"cluedo-classic", "hidden weapon-corde nowhere", `:8: "nowhere" is not a room`},
		{"cluedo-classic", "hidden unnamed xyzzy", "write one of: room-cuisine, "},
		{"cluedo-classic", "pool weapon-corde", ":8: this game has no pool"}, {"cluedo-classic", "track 0", "this game has no Time cards"},
		{"cluedo-classic", "spent seat-1", "this game has no Powers"},
		{"super-cluedo", "pile weapon-corde", "this game has no cards to draw"},
		{"super-cluedo", "gone weapon-corde", "this game has no cards to draw"},
	} {
		b, err := New(DefaultDeck(engine.ID(c.game)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.BuildPosition(lines(three + c.lines)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s: %v, want %q", c.game, c.lines, err, c.want)
		} else {
			ownfiletest.CheckFaults(t, err)
		}
	}
}

// TestPositionSetsUp: each line of a position takes effect.
func TestPositionSetsUp(t *testing.T) {
	long := strings.Repeat("e", rules.MaxName)
	s := stateAt(t,
		three+"seat seat-4 "+long+" suspect-leblanc\nswitch two-players off\ntoken weapon-hache room-hall\nspent seat-2\ntrack 2")
	if s.names[4] != long || s.names[1] != "Rose" || s.active != 1 || s.phase != turn {
		t.Errorf("seats %+v, seat %d in phase %s", s.seats[:5], s.active, phaseRows[s.phase].code)
	}
	axe := s.book.cardByID["weapon-hache"] - s.book.firstCard[kindWeapon] + 1
	for w, a := range s.tokens {
		if want := s.book.areaByID["room-hall"]; w > 0 && (a == want) != (card(w) == axe) {
			t.Errorf("weapon %d lies in %s", w, s.book.areaID[a])
		}
	}
	if s.seats[1].powerSpent || !s.seats[2].powerSpent || s.track != 2 || s.cards.LocationOf(s.book.cardByID["time-1"]) != locTrack ||
		s.cards.LocationOf(s.book.cardByID["time-2"]) != locTrack {
		t.Errorf("spent: %v, %v; track %d", s.seats[1].powerSpent, s.seats[2].powerSpent, s.track)
	}
	if r := slices.IndexFunc(s.book.switchTable, func(r rules.Switch) bool { return r.ID == policies[polTwoPlayers].id }); s.rules[r] != 0 {
		t.Error("the house rule is not what the line says")
	}
	for more, want := range map[string]pos{
		"pawn suspect-rose room-hall\npawn suspect-rose start": s.book.newLobby().pawns[s.book.cardByID["suspect-rose"]],
		"board off\npawn suspect-rose start":                   {kind: onStart},
		"board off\npawn suspect-rose question":                {kind: onQuestion},
	} {
		if s := stateAt(t, three+more); s.pawns[s.book.cardByID["suspect-rose"]] != want {
			t.Errorf("%s: Rose stands at %+v, want %+v", more, s.pawns[s.book.cardByID["suspect-rose"]], want)
		}
	}
}

// TestFreeSquares: where no board is known a pawn may be set on a marked square, if the board has any (C8-151).
func TestFreeSquares(t *testing.T) {
	s := stateAt(t, three+"board off")
	for marks, want := range map[bool][]string{true: {toCorridor, toQuestion}, false: {toCorridor}} {
		e := *s.book.edition
		e.MarkedSquares = marks
		s.book.edition = &e
		if got := s.freeSquares(); !slices.Equal(got, want) {
			t.Errorf("with marked squares %v: %v", marks, got)
		}
	}
}

// GEN-E10: an answer that is corrected is no longer remembered, and no other is forgotten with it.
func TestCorrectedAnswerIsForgottenAlone(t *testing.T) {
	one, two := deniedAnswer{1, 2, 4, false}, deniedAnswer{2, 1, 8, false}
	d := &denialChain{&denialChain{nil, one}, two}
	if got := d.withoutAnswer(one); got.deniedAnswer != two || got.prev != nil {
		t.Errorf("left is %+v", got)
	}
	if got := d.withoutAnswer(deniedAnswer{3, 1, 4, false}); got.deniedAnswer != two || got.prev.deniedAnswer != one ||
		got.prev.prev != nil {
		t.Errorf("left is %+v", got)
	}
}

// GEN-021: a card that is open in a hand is shown there to all viewers equally, even if another seat has claimed it.
func TestAnOpenHandIsTheSameForAll(t *testing.T) {
	s := stateAt(t, three)
	c := s.book.firstCard[kindWeapon]
	s.cards.RecordCard(c, custody.HandOf(2), hidden.Everyone)
	s.cards.AddClaim(1, c)
	mine, all := s.View(engine.SeatViewer(1)).Seats, s.View(engine.Public).Seats
	if len(all[1].Hand) != 1 || !reflect.DeepEqual(mine, all) {
		t.Errorf("to seat-1 %+v, to all %+v", mine, all)
	}
}

// GEN-002: what prints a game or an event prints a mask, and the same whichever cards are
// hidden in it.
func TestPrintingIsMasked(t *testing.T) {
	things := func(hand string, c card) []any {
		s, e := stateAt(t, three+"hand seat-1 "+hand), &event{kind: evPresented, card: hideCard(c)}
		s.shownCard, s.lastRead = hideCard(c), hideCard(c)
		return []any{s, e, *s, *e, e.card, s.cards, []any{engine.Game(s)}, struct{ E engine.Event }{e}}
	}
	two := things("weapon-hache", 9)
	for i, x := range things("weapon-corde", 7) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d"} {
			s := fmt.Sprintf(verb, x)
			if len(s) > 120 || strings.Contains(s, "0x") || strings.Contains(s, "corde") || s != fmt.Sprintf(verb, two[i]) {
				t.Errorf("printing %T with %s says %q", x, verb, s)
			}
		}
		if data, err := json.Marshal(x); err != nil || len(data) > 12 {
			t.Errorf("%T marshals as %s", x, data)
		}
	}
}

// TestCachedGoalsServeNoOtherWalk: the cached goals of one walk are never used for another walk, whatever a walk depends on.
func TestCachedGoalsServeNoOtherWalk(t *testing.T) {
	for game, changes := range map[engine.ID]map[string]func(*state){
		"cluedo-2008": {
			"the points": func(s *state) { s.points = 3 },
			"the pawn":   func(s *state) { s.pawns[s.seats[1].suspect] = pos{area: 2} },
			"another pawn": func(s *state) {
				to, _ := board.ParseSquare(s.moveGoals().squareArgs[0])
				s.pawns[s.seats[2].suspect] = positionOfSquare(to)
			},
			"whose turn":      func(s *state) { s.active = 2 },
			"rooms just left": func(s *state) { s.leftAreas = ^areas(0) },
		},
		"super-cluedo": {
			"marked squares used": func(s *state) { s.spiedMarks = ^uint32(0) },
			"another way to walk": func(s *state) {
				for r := range s.rules {
					if r < len(s.book.switchTable) && len(s.book.switchTable[r].Values) > 1 {
						s.rules[r] = 1 - s.rules[r]&1
					}
				}
			},
		},
	} {
		for what, change := range changes {
			b := bookOf(t, game)
			evs, err := b.BuildPosition(
				lines("seat seat-1 Rose suspect-rose\nseat seat-2 Olive suspect-olive\nseat seat-3 Violet suspect-violet"))
			if err != nil {
				t.Fatal(err)
			}
			s := *b.NewGame().Apply(evs...).(*state)
			s.step, s.points, s.diceUnknown = stepMove, 12, false
			if b.allowsSpySquares() { // next to a marked square, where it can end by a pause only
				s.points, s.pawns[s.seats[1].suspect] = 1, positionOfSquare(b.marks[0])
				beside, _ := board.ParseSquare(s.moveGoals().squareArgs[0])
				s.points, s.pawns[s.seats[1].suspect] = 12, positionOfSquare(beside)
			}
			other := s
			change(&other)
			one, two := s.moveGoals(), other.moveGoals()
			if slices.Equal(one.squareArgs, two.squareArgs) && one.rooms == two.rooms {
				t.Errorf("%s: %s changes nothing", game, what)
			}
			for _, s := range []*state{&s, &other} {
				if err := CheckCaches(s); err != nil {
					t.Errorf("%s: %s: %v", game, what, err)
				}
			}
		}
	}
}

// TestStopsAreKept: in every edition that needs it the way in which a walk reaches its stop is recorded: for spying, and where a passage
// may be one step of the walk.
func TestStopsAreKept(t *testing.T) {
	for _, marks := range []board.Marks{board.MarksPlain, board.MarksPause} {
		for _, passages := range []board.Passages{board.PassagesApart, board.PassagesLast} {
			s := stateAt(t, "seat seat-1 Rose suspect-rose\nseat seat-2 Olive suspect-olive\nseat seat-3 Violet suspect-violet")
			e, b := *s.book.edition, *s.book
			e.Walk.Marks, e.Walk.Passages, b.edition = marks, passages, &e
			s.book, s.step, s.points, s.diceUnknown = &b, stepMove, 6, false
			if kept, asks := s.boardGoals().stops != nil, marks == board.MarksPause || passages == board.PassagesLast; kept != asks {
				t.Errorf("marks %s, passages %s: kept %v", marks, passages, kept)
			}
		}
	}
}

// TestARoomThatIsNoneOfTheGame: an owner's drawing may have a room that the deck does not name; no walk leads there.
func TestARoomThatIsNoneOfTheGame(t *testing.T) {
	s := stateAt(t, "seat seat-1 Rose suspect-rose\nseat seat-2 Olive suspect-olive\nseat seat-3 Violet suspect-violet")
	s.step, s.points, s.diceUnknown = stepMove, 12, false
	gone := ""
	reach := s.boardGoals().squares
	for room := range reach.Rooms {
		gone = string(room)
	}
	s.book.areaByID = maps.Clone(s.book.areaByID)
	delete(s.book.areaByID, gone)
	if rooms := s.boardGoals().rooms; gone == "" || rooms.hasArea(0) {
		t.Errorf("without %q the goals are %b", gone, rooms)
	}
	if all := s.book.areaIDs(s.areasWhere(func(area) bool { return true }).withArea(0)); slices.Contains(all, "") {
		t.Errorf("listed are %q", all)
	}
}
