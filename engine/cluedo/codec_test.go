package cluedo

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
	"majordome/engine/script/scripttest"
)

// TestWherePawnsStand: each spot where a pawn may be is read back as it was written.
func TestWherePawnsStand(t *testing.T) {
	b := newBook(t)
	all := []pos{{kind: onStart}, {kind: onCorridor}, {kind: onQuestion}}
	for a := area(1); int(a) < len(b.areaID); a++ {
		all = append(all, pos{area: a})
	}
	for col := range int8(board.MaxSide) {
		for row := range int8(board.MaxSide) {
			all = append(all, pos{col: col, row: row})
		}
	}
	for _, p := range all {
		if got, ok := b.parsePawnPlace(b.formatPawnPlace(p)); !ok || got != p {
			t.Errorf("%+v is written as %q, which is read as %+v (%t)", p, b.formatPawnPlace(p), got, ok)
		}
	}
	if p, ok := b.parsePawnPlace("gone"); ok {
		t.Errorf("a pawn that is out of the game stands at %+v", p)
	}
}

func newBook(t *testing.T) *Book {
	t.Helper()
	return bookOf(t, "cluedo-2008")
}

func bookOf(t *testing.T, game engine.ID) *Book {
	t.Helper()
	b, err := New(DefaultDeck(game))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

//go:embed testdata/events.txt
var storedEvents string

//go:embed testdata/clues.txt
var storedClues string

//go:embed testdata/game.txt
var storedGame string

// TestStoredEvents: what a store holds of any kind of event is read without loss.
func TestStoredEvents(t *testing.T) {
	clues := []string{"clue", "called", "nobody", "contested", "gathered", "linked", "carried"}
	scripttest.CheckStored(t, newBook(t), storedEvents,
		slices.DeleteFunc(rules.RowNames(eventRows[1:]), func(k string) bool { return slices.Contains(clues, k) }))
	scripttest.CheckStored(t, bookOf(t, "cluedo-classic"), storedClues, clues)
}

// TestEveryKindHasARow: a name of its own, and something that it changes.
func TestEveryKindHasARow(t *testing.T) {
	for k := evSat; k < numEventKinds; k++ {
		if r := &eventRows[k]; r.Apply == nil || rules.FindRow(eventRows[:], r.Name) != int(k) {
			t.Errorf("kind %d is called %q, or changes nothing", k, r.Name)
		}
	}
}

// TestAStoredGame: a whole game as it was stored once ends as it did then.
func TestAStoredGame(t *testing.T) {
	s := scripttest.ReplayStored(t, newBook(t), storedGame).(*state)
	if r := s.result; r == nil || r.Rule != "C8-190" || len(r.Winners) != 1 || r.Winners[0] != 4 || s.round != 34 {
		t.Errorf("turn %d, result %+v", s.round, r)
	}
}

// TestWhatIsNoEvent: bytes that EncodeEvent never writes are refused, and the error says what is wrong with them.
func TestWhatIsNoEvent(t *testing.T) {
	b := newBook(t)
	for _, c := range []struct{ kind, data, want string }{
		{"", `{}`, "unknown kind of event"}, {"dance", `{}`, "unknown kind of event"},
		{"begun", `{`, "not the JSON of an event"}, {"begun", strings.Repeat(" ", rules.MaxStored-1) + `{}`, "more than 16384 bytes"},

		{"over", `{"seat":11}`, "no such seat"}, {"over", `{"other":11}`, "no such seat"}, {"turn", `{}`, "no such seat"},
		{"rolled", `{"dice":"2+2"}`, "no such seat"},
		{"shown", `{"seat":1}`, "no such other seat"}, {"saw", `{"seat":1}`, "no such other seat"},
		{"looked", `{"seat":1}`, "no such other seat"}, {"neighbour", `{"seat":1}`, "no such other seat"},
		{"begun", `{"card":"cats"}`, "no such card"}, {"begun", `{"open":"cats"}`, "no such card"},
		{"sat", `{"seat":1,"who":"weapon-hache"}`, "no such card"}, {"sat", `{"seat":1}`, "no such card"},
		{"sent-home", `{"seat":1,"who":"weapon-hache"}`, "no such card"},
		{"played", `{"seat":1,"open":"weapon-hache"}`, "no such card"}, {"seen", `{"open":"time-1"}`, "no such card"},
		{"revealed", `{"seat":1,"open":"time-1"}`, "no such card"}, {"revealed", `{}`, "no such seat"},
		{"clue", `{"seat":1}`, "no such card"}, {"called", `{"seat":1,"who":"time-1"}`, "no such card"},
		{"gathered", `{"seat":1,"to":"pool"}`, "no such room"}, {"begun", `{"text":"room-hall attic"}`, "no such room"},
		{"got", `{"seat":1}`, "no such card"}, {"held", `{"seat":1}`, "no such card"}, {"forgot", `{"seat":1}`, "no such card"},

		{"switched", `{"switch":"two-players","value":"cats"}`, "no such house rule"},
		{"switched", `{"value":"anywhere"}`, "no such house rule"},
		{"rolled", `{"seat":1,"dice":"9+9"}`, "no such roll"}, {"rolled", `{"seat":1,"dice":"2-2"}`, "no such roll"},
		{"start-roll", `{"seat":1,"dice":"0+2"}`, "no such roll"},
		{"count-is", `{"n":64}`, "no such number"}, {"counted", `{"n":64}`, "no such number"},
		{"count-is", `{"to":"nowhere"}`, "no such place"}, {"seen", `{"open":"weapon-hache","to":"nowhere"}`, "no such place"},
		{"hidden", `{"to":"nowhere"}`, "no such place"}, {"peeked", `{"seat":1,"to":"nowhere"}`, "no such place"},
		{"moved", `{"seat":1,"to":"nowhere"}`, "no such place"}, {"moved", `{"seat":1,"to":"-1,3"}`, "no such place"},
		{"moved", `{"seat":1,"to":"3,-1"}`, "no such place"},
		{"moved", `{"seat":1,"to":"64,3"}`, "no such place"}, {"moved", `{"seat":1,"to":"3,64"}`, "no such place"},
		{"hypothesis", `{"seat":1,"names":["suspect-rose","weapon-hache"]}`, "not three names"},
		{"hypothesis", `{"seat":1,"names":["suspect-rose","weapon-hache","weapon-hache"]}`, "not a suspect, a weapon and a room"},

		{"accused", `{"seat":1}`, "not three names"}, {"wrong", `{"seat":1,"names":["suspect-rose"]}`, "not three names"},
		{"replied", `{"seat":1,"reply":"card"}`, "no card"}, {"replied", `{"seat":1,"reply":"read"}`, "no card"},
		{"dealt-all", `{}`, "a card without a place"}, {"posed", `{}`, "no position"},
		{"posed", `{"pose":{"lines":[]}}`, "no lawful position"},
	} {
		scripttest.CheckRefused(t, b, c.kind, c.data, c.want)
	}
	scripttest.CheckRefused(t, bookOf(t, "cluedo-classic"), "clue", `{"seat":1,"open":"weapon-corde"}`, "no such card")
	if _, err := b.DecodeEvent("begun", []byte(strings.Repeat(" ", rules.MaxStored-2)+`{}`)); err != nil {
		t.Errorf("an event of %d bytes: %v", rules.MaxStored, err)
	}
	found, err := b.DecodeEvent("wrong", []byte(`{"seat":1,"names":["suspect-rose","weapon-hache","room-hall"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if what := found.(*event).accusation; what.Audience() != hidden.OnlySeats(1) {
		t.Errorf("what a wrong accuser has found is for %d", what.Audience())
	}
	for _, e := range []engine.Event{stranger{}, (*event)(nil), nil} {
		if _, err := b.EncodeEvent(e); err == nil {
			t.Errorf("%T was encoded", e)
		}
	}
}

// A wrong accuser has seen no card of the envelope if no reader has read the envelope.
func TestAnEnvelopeThatNobodyHasRead(t *testing.T) {
	g := stateAt(t, three).Apply(&event{kind: evWrong, seat: 1}, &event{kind: evTurn, seat: 2, n: 2})
	if seen := g.View(engine.SeatViewer(1)).Me.Seen; len(seen) != 0 {
		t.Errorf("it has seen %v", seen)
	}
}
