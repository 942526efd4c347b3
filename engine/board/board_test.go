package board

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// A small house: a hall in the west with a door to the east, a den in the east
// with a door to the west, a nook that is entered over a corner only.
var house = Spec{
	Rows: []string{
		"HHh....dDD",
		"HHH.?..DDD",
		"###....###",
		"###...#NNN",
	},
	Rooms:     map[string]engine.ID{"H": "room-hall", "D": "room-den", "N": "room-nook"},
	Starts:    map[engine.ID]Square{"suspect-rose": {3, 3}},
	Diagonals: map[engine.ID]Square{"room-nook": {6, 2}},
}

func build(t *testing.T, s Spec) *Board {
	t.Helper()
	b, faults := New(s)
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	return b
}

// rooms lists the rooms of the house that r has.
func rooms(r Spots) string {
	var all, listed []string
	for _, id := range sortedKeys(house.Rooms) {
		if r.HasRoom(house.Rooms[id]) {
			all = append(all, string(house.Rooms[id]))
		}
	}
	for id := range r.Rooms {
		listed = append(listed, string(id))
	}
	if slices.Sort(listed); !slices.Equal(listed, slices.Sorted(slices.Values(all))) {
		return fmt.Sprintf("%s, and listed are %s", all, listed)
	}
	for range r.Rooms { // it may be left
		break
	}
	return strings.Join(all, " ")
}

func TestReach(t *testing.T) {
	b := build(t, house)
	for _, c := range []struct {
		rule    string
		walk    Walk
		rooms   string
		squares string
	}{
		{"C8-055 no points in a corridor: the pawn may stay", Walk{Square: Square{3, 3}}, "", "3,3"},
		{"C8-055 though it counts as occupied by itself", Walk{Square: Square{3, 3}, Occupied: []Square{{3, 3}}}, "", "3,3"},
		{"C8-054 no points in a room: nowhere", Walk{Room: "room-hall"}, "", ""},
		{"C8-045 four directions, not over corners", Walk{Square: Square{3, 3}, Points: 1}, "", "3,2 3,3 4,3"},
		{"C8-046 fewer points than rolled may be used", Walk{Square: Square{3, 3}, Points: 2}, "", "3,1 3,2 4,2 3,3 4,3 5,3"},
		{"C8-050 a room is left by its door", Walk{Room: "room-hall", Points: 1}, "", "3,0"},
		{"C8-047 over an occupied square, not onto it", Walk{Room: "room-hall", Points: 2, Occupied: []Square{{3, 0}}}, "", "4,0 3,1"},
		{"C8-052 a door costs nothing of its own, the room one", Walk{Square: Square{6, 0}, Points: 1}, "room-den", "5,0 6,0 6,1"},
		{"C8-021 one diagonal step into the nook", Walk{Square: Square{6, 2}, Points: 1}, "room-nook", "6,1 5,2 6,2"},
		{"C8-021 and out of it", Walk{Room: "room-nook", Points: 1}, "", "6,2"},
		{"C8-051 not back into the room that was left", Walk{Square: Square{3, 0}, Points: 1, Barred: []engine.ID{"room-hall"}},
			"", "3,0 4,0 3,1"},
		{"C8-046 as far as the points go", Walk{Square: Square{6, 0}, Points: 4}, "room-den room-hall room-nook",
			"3,0 4,0 5,0 6,0 3,1 4,1 5,1 6,1 4,2 5,2 6,2 5,3"},
		{"an unknown start", Walk{Room: "room-attic", Points: 6}, "", ""},
		{"a wall", Walk{Square: Square{0, 2}, Points: 6}, "", ""},
	} {
		r := b.FindReach(c.walk)
		if got := rooms(r.Spots); got != c.rooms {
			t.Errorf("%s: rooms %q, want %q", c.rule, got, c.rooms)
		}
		if got := strings.Join(r.Squares(), " "); got != c.squares {
			t.Errorf("%s: squares %q, want %q", c.rule, got, c.squares)
		}
	}
}

// A room ends the walk: no pawn walks through it (C8-052).
func TestARoomIsNoShortcut(t *testing.T) {
	b := build(t, Spec{Rows: []string{"..aAa.."}, Rooms: map[string]engine.ID{"A": "room-a"}})
	r := b.FindReach(Walk{Square: Square{0, 0}, Points: 12})
	if !r.HasRoom("room-a") || r.HasRoom("room-b") || r.HasSquare(Square{5, 0}) {
		t.Errorf("reach %+v", r)
	}
}

// A door may open to any side of its cell (C8-050); a diagonal step may go over any corner of its square (C8-021).
func TestDoorsAndCorners(t *testing.T) {
	for _, rows := range [][]string{{"Zz."}, {".zZ"}, {"Z", "z", "."}, {".", "z", "Z"}} {
		b := build(t, Spec{Rows: rows, Rooms: map[string]engine.ID{"Z": "room-z"}})
		for at := range b.squareIndex {
			if r := b.FindReach(Walk{Square: at, Points: 1}); !r.HasRoom("room-z") {
				t.Errorf("%v: the room is not entered from %s", rows, at)
			}
		}
	}
	for _, rows := range [][]string{{"N##", "#.#", "###"}, {"##N", "#.#", "###"}, {"###", "#.#", "N##"}, {"###", "#.#", "##N"}} {
		b := build(t, Spec{Rows: rows, Rooms: map[string]engine.ID{"N": "room-n"}, Diagonals: map[engine.ID]Square{"room-n": {1, 1}}})
		if r := b.FindReach(Walk{Square: Square{1, 1}, Points: 1}); !r.HasRoom("room-n") {
			t.Errorf("%v: the room is not entered", rows)
		}
	}
}

// More points never take a place away, and each step is undone by a step back.
func TestReachGrows(t *testing.T) {
	b := build(t, house)
	for at := range b.squareIndex {
		last := 0
		for points := range 13 {
			r := b.FindReach(Walk{Square: at, Points: points})
			if n := r.Len(); n < last {
				t.Fatalf("from %s with %d points: %d places, %d with one less", at, points, n, last)
			} else {
				last = n
			}
			for _, to := range r.Squares() {
				if q, _ := ParseSquare(to); !b.FindReach(Walk{Square: q, Points: points}).HasSquare(at) {
					t.Fatalf("%s reaches %s with %d points, but not the other way round", at, to, points)
				}
			}
		}
		if last != len(b.squareIndex)+len(b.roomIndex) {
			t.Errorf("12 points from %s reach %d of %d places", at, last, len(b.squareIndex)+len(b.roomIndex))
		}
	}
}

// On open ground of many squares a walk reaches what is near enough, and nothing else. Unknown rooms and squares neither bar nor occupy
// anything.
func TestWalkReachesAllNearSquaresOfOpenGround(t *testing.T) {
	const side = 20
	b := build(t, Spec{Rows: slices.Repeat([]string{strings.Repeat(".", side)}, side)})
	start, nowhere := Square{side - 1, side - 2}, Square{MaxSide - 1, 0}
	for _, points := range []int{0, 1, 2, 9, 2 * side} {
		r := b.FindReach(Walk{Square: start, Points: points, Occupied: []Square{{0, 16}, nowhere}, Barred: []engine.ID{"room-attic"}})
		var want []string
		for row := range side {
			for col := range side {
				at := Square{col, row}
				near := abs(col-start.Col)+abs(row-start.Row) <= points && at != Square{0, 16}
				if r.HasSquare(at) != near {
					t.Errorf("with %d points %s is reached: %t", points, at, !near)
				}
				if near {
					want = append(want, at.String())
				}
			}
		}
		if got := r.Squares(); !slices.Equal(got, want) {
			t.Errorf("%d points reach %v, want %v", points, got, want)
		}
	}
	if r := b.FreeSquares([]Square{nowhere}); r.Len() != side*side || r.HasSquare(nowhere) {
		t.Errorf("%d squares are free", r.Len())
	}
}

func abs(n int) int { return max(n, -n) }

// C8-151: a square without a pawn is free, and no room is a square.
func TestFree(t *testing.T) {
	b := build(t, house)
	r := b.FreeSquares([]Square{{3, 0}, {9, 9}})
	if r.Len() != len(b.squareIndex)-1 || r.HasSquare(Square{3, 0}) || !r.HasSquare(Square{4, 0}) ||
		r.HasSquare(Square{9, 9}) || rooms(r) != "" {
		t.Errorf("%d squares are free: %v", r.Len(), r.Squares())
	}
	if none := (Spots{}); none.Len() > 0 || none.HasRoom("room-hall") || none.HasSquare(Square{4, 0}) || len(none.Squares()) > 0 {
		t.Error("the zero value is not empty")
	}
}

func TestMarksAndStarts(t *testing.T) {
	b := build(t, house)
	if !b.IsMarkedSquare(Square{4, 1}) || b.IsMarkedSquare(Square{3, 1}) || b.IsMarkedSquare(Square{0, 0}) {
		t.Error("marks")
	}
	if at, ok := b.StartSquare("suspect-rose"); !ok || at != (Square{3, 3}) {
		t.Error("start of Rose")
	}
	if _, ok := b.StartSquare("suspect-violet"); ok {
		t.Error("start of somebody who has none")
	}
	if !slices.Equal(b.DrawingRows(), house.Rows) || !b.HasDrawnRoom("room-den") || b.HasDrawnRoom("room-attic") ||
		!b.IsCorridorSquare(Square{3, 0}) || b.IsCorridorSquare(Square{0, 0}) {
		t.Error("what is drawn")
	}
	if got := build(t, Spec{Rows: []string{".?.", "?.#"}}).MarkedSquares(); !slices.Equal(got, []Square{{1, 0}, {0, 1}}) {
		t.Errorf("marks %v", got)
	}
	if b := build(t, Spec{Rows: []string{"?"}}); !b.IsMarkedSquare(Square{0, 0}) || b.IsMarkedSquare(Square{5, 5}) {
		t.Error("marks of a board of one square")
	}
}

func TestFaults(t *testing.T) {
	with := func(change func(*Spec)) Spec {
		s := house
		s.Rows = slices.Clone(house.Rows)
		s.Rooms = map[string]engine.ID{"H": "room-hall", "D": "room-den", "N": "room-nook"}
		change(&s)
		return s
	}
	for _, c := range []struct {
		name, want string
		spec       Spec
	}{
		{"nothing", "-1:0 0 rows", Spec{}},
		{"too high", "-1:0 65 rows", Spec{Rows: slices.Repeat([]string{"."}, 65)}},
		{"no columns", "0:0 0 columns", Spec{Rows: []string{""}}},
		{"too wide", "0:0 65 columns", Spec{Rows: []string{strings.Repeat(".", 65)}}},
		{"a short row", "2:9 9 columns, the first row has 10", with(func(s *Spec) { s.Rows[2] = s.Rows[2][1:] })},
		{"more squares than a page carries", "7:52 more than 500 squares",
			Spec{Rows: slices.Repeat([]string{strings.Repeat(".", MaxSide)}, MaxSide)}},
		{"a strange sign", `1:4 '!' is neither`, with(func(s *Spec) { s.Rows[1] = "HHH.!..DDD" })},
		{"a letter that is none", `-1:0 room letter "h"`, with(func(s *Spec) { s.Rooms["h"] = "room-x" })},
		{"two letters at once", `-1:0 room letter "HH"`, with(func(s *Spec) { s.Rooms["HH"] = "room-x" })},
		{"a digit", `-1:0 room letter "1"`, with(func(s *Spec) { s.Rooms["1"] = "room-x" })},
		{"one room, two letters", "-1:0 room-hall has the letters H and N", with(func(s *Spec) { s.Rooms["N"] = "room-hall" })},
		{"a room that is not drawn", "-1:0 room room-attic is not drawn", with(func(s *Spec) { s.Rooms["X"] = "room-attic" })},
		{"a door to nowhere", "0:0 a door without a square", with(func(s *Spec) { s.Rows[0] = "hHh....dDD" })},
		{"a start in a room", "-1:0 suspect-rose starts at 0,0",
			with(func(s *Spec) { s.Starts = map[engine.ID]Square{"suspect-rose": {0, 0}} })},
		{"a diagonal that touches nothing", "0:3 no cell of room-nook",
			with(func(s *Spec) { s.Diagonals = map[engine.ID]Square{"room-nook": {3, 0}} })},
		{"a diagonal that touches nothing of the first room", "3:3 no cell of room-den",
			with(func(s *Spec) { s.Diagonals = map[engine.ID]Square{"room-den": {3, 3}} })},
		{"a diagonal from a room", "-1:0 the diagonal of room-nook starts at 0,0, which is no square",
			with(func(s *Spec) { s.Diagonals = map[engine.ID]Square{"room-nook": {0, 0}} })},
		{"a diagonal into nothing", "-1:0 a diagonal into room-attic",
			with(func(s *Spec) { s.Diagonals = map[engine.ID]Square{"room-attic": {3, 0}} })},
		{"a room without a way", "-1:0 no way leads into room-nook", with(func(s *Spec) { s.Diagonals = nil })},
		{"a lost square", "3:0 a square that no way", with(func(s *Spec) { s.Rows[3] = ".##...#NNN" })},
		{"only walls", "-1:0 an empty board", Spec{Rows: []string{"##"}}},
	} {
		b, faults := New(c.spec)
		got := ""
		if len(faults) > 0 {
			got = fmt.Sprintf("%d:%d %s", faults[0].Row, faults[0].Col, faults[0].What.EN)
		}
		if b != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, f := range faults {
			if f.Hint.EN == "" || f.Hint.FR == "" || f.What.FR == "" {
				t.Errorf("%s: %q has no hint", c.name, f.What)
			}
		}
	}
}

// Each fault is reported once, in the order of the drawing and its legend, and twenty faults at most.
func TestFaultsAreFew(t *testing.T) {
	if _, faults := New(Spec{Rows: []string{".!.!.", "!...."}}); len(faults) != 1 {
		t.Errorf("one strange sign: %+v", faults)
	}
	if _, faults := New(Spec{Rows: []string{strings.Repeat(".#", 30)}}); len(faults) != 20 {
		t.Errorf("29 lost squares: %d faults", len(faults))
	}
	undrawn := Spec{Rows: []string{"."}, Rooms: map[string]engine.ID{}}
	for c := 'A'; c <= 'H'; c++ {
		undrawn.Rooms[string(c)] = engine.ID("room-" + string(c))
	}
	for range 20 { // a map has another order each time
		_, faults := New(undrawn)
		for i, f := range faults {
			if want := fmt.Sprintf("room room-%c is not drawn", 'A'+i); f.What.EN != want {
				t.Fatalf("fault %d: %s, want %s", i, f.What.EN, want)
			}
		}
	}
}

// A square outside every drawing has a name, too.
func TestNamesOfSquares(t *testing.T) {
	for want, q := range map[string]Square{
		"-1,2":  {-1, 2},
		"2,-1":  {2, -1},
		"64,0":  {MaxSide, 0},
		"0,64":  {0, MaxSide},
		"63,63": {MaxSide - 1, MaxSide - 1},
	} {
		if q.String() != want {
			t.Errorf("%s, want %s", q, want)
		}
	}
}

func TestParseSquare(t *testing.T) {
	for text, want := range map[string]bool{
		"13,1": true, "0,0": true, "1": false, "a,1": false, "01,1": false, "1,1,1": false, "": false, "+1,2": false,
		"a,0": false, "0,a": false, "0": false, "99999999999999999999,1": false, "1,99999999999999999999": false,
	} {
		if q, ok := ParseSquare(text); ok != want || ok && q.String() != text {
			t.Errorf("%q: %v, %v", text, q, ok)
		}
	}
}
