package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// How each text walks. Cluedo 2008 is the zero value.
var (
	booklet = Policy{Total: TotalExact, Rooms: RoomsCross, Passages: PassagesStep, Short: ShortAnywhere, Marks: MarksPause}
	web     = Policy{Total: TotalExact, Rooms: RoomsCross, Passages: PassagesLast, Short: ShortBefore, Marks: MarksPause}
	current = Policy{Occupied: OccupiedBlock, Total: TotalExact, Squares: SquaresOnce}
)

// startAt sets the start of a walk: a square such as "3,0", or a room.
func startAt(w Walk, place string) Walk {
	if q, ok := ParseSquare(place); ok {
		w.Square = q
	} else {
		w.Room = engine.ID(place)
	}
	return w
}

// row lists squares of the first row.
func row(from, to int) (all []Square) {
	for c := from; c <= to; c++ {
		all = append(all, Square{c, 0})
	}
	return all
}

// The Jardin of Super Cluedo, with its path below it and the Hall far to the east.
var garden = []string{
	"jJJJj#######",
	".pPp......hH",
}

// gardenWalk sets its areas and its passage. In the Hall a pawn may stop as on a square (SC-032).
func gardenWalk(w Walk) Walk {
	w.Areas = map[engine.ID]Stay{"p": StayMay, "h": StayByTotal}
	w.Passages = [][2]engine.ID{{"h", "p"}}
	return w
}

// Each case is a small drawing, in which room r is named r, and all the stops with the points
// left there; ! marks a passage that obliges.
func TestRules(t *testing.T) {
	line := func(s string) []string { return []string{s} }
	cuisine := Walk{Points: 8, Passages: [][2]engine.ID{{"c", "b"}}}
	for _, c := range []struct {
		rule   string
		drawn  []string
		policy Policy
		walk   Walk
		from   string
		want   string
	}{
		{"C8-046 at most all points", line("....."), Policy{}, Walk{Points: 2}, "0,0", "0,0=2 1,0=1 2,0=0"},
		{"C8-052 the points that are left in a room are known", line("..sS"), Policy{}, Walk{Points: 6}, "0,0", "s=4 0,0=6 1,0=5"},
		{"C8-053 a passage is no part of a walk", line("Cc.bB"), Policy{},
			Walk{Points: 1, Passages: [][2]engine.ID{{"c", "b"}}}, "c", "2,0=0"},
		{"C8-048 a marked square is one like others", line("..?.."), Policy{}, Walk{Points: 2}, "0,0", "0,0=2 1,0=1 2,0=0"},

		{"SC-031 forwards and backwards, never diagonally", []string{"...", "...", "..."}, booklet, Walk{Points: 2}, "0,0",
			"0,0=0 2,0=0 1,1=0 0,2=0"},
		{"SC-032 the whole total", line("........"), booklet, Walk{Points: 5}, "0,0", "1,0=0 3,0=0 5,0=0"},
		{"SC-033 SC-045 nobody stops on an occupied square", line("....."), Policy{Total: TotalExact},
			Walk{Points: 2, Occupied: []Square{{2, 0}}}, "0,0", "0,0=0"},
		{"SC-S05 short of the occupied fifth square, booklet", line("......bB"), booklet, Walk{Points: 5, Occupied: []Square{{5, 0}}},
			"0,0", "1,0=4 2,0=3 3,0=2 4,0=1"},
		{"SC-S06 the square before it, web; going back and forth, others", line("......bB"), web,
			Walk{Points: 5, Occupied: []Square{{5, 0}}}, "0,0", "1,0=0 3,0=0 4,0=1"},
		{"SC-034 nowhere on that way, if the square before it is occupied too", line("......bB"), web,
			Walk{Points: 5, Occupied: []Square{{4, 0}, {5, 0}}}, "0,0", "1,0=0 3,0=0"},
		{"SC-035 seven points and five to it: over it, and nowhere short of it by going back and forth", line("........"), booklet,
			Walk{Points: 7, Occupied: []Square{{5, 0}}}, "0,0", "1,0=0 3,0=0 7,0=0"},
		{"SC-035 the same, web", line("........"), web, Walk{Points: 7, Occupied: []Square{{5, 0}}}, "0,0", "1,0=0 3,0=0 7,0=0"},
		{"SC-035 a shorter way through a room is a way", []string{".....", "bBBb#"}, booklet, Walk{Points: 4, Occupied: []Square{{4, 0}}},
			"0,0", "b=3 0,0=0 1,0=0 2,0=0 3,0=0"},
		{"SC-034 of two pawns at the end of their shortest ways, short of both", line("......."), web,
			Walk{Points: 3, Occupied: []Square{{0, 0}, {6, 0}}}, "3,0", "1,0=1 2,0=0 4,0=0 5,0=1"},
		{"SC-034 short of it means to go at least one step", line("..."), booklet,
			Walk{Points: 1, Occupied: []Square{{0, 0}, {2, 0}}}, "1,0", ""},
		{"SC-S07 SC-035 over the fifth square to the sixth", line("........"), web, Walk{Points: 6, Occupied: []Square{{5, 0}}}, "0,0",
			"0,0=0 2,0=0 4,0=0 6,0=0"},
		{"SC-040 a door is no square, a room is one", line("...cC"), booklet, Walk{Points: 2}, "0,0", "0,0=0 2,0=0"},
		{"SC-040 three points to the Cuisine", line("...cC"), booklet, Walk{Points: 3}, "0,0", "c=0 1,0=0"},
		{"SC-S13 SC-042 surplus points are lost in it", line("...cC"), booklet, Walk{Points: 10}, "0,0", "c=7 0,0=0 2,0=0"},
		{"SC-S12 the Bureau is crossed as one square", line("...bBb...."), booklet, Walk{Points: 7}, "0,0", "b=4 1,0=0 7,0=0 9,0=0"},
		{"SC-041 the room of the start, too", line(".bBb."), booklet, Walk{Points: 3}, "b", "b=1 0,0=0 4,0=0"},
		{"SC-S34 SC-044 a window is a square, the Jardin one more", line("..jJ"), booklet, Walk{Points: 2}, "0,0", "j=0 0,0=0"},
		{"SC-S09 through the passage, and not on from there", line("Cc.............bB"), booklet, cuisine, "4,0",
			"b=4! c=5 2,0=0 4,0=0 6,0=0 8,0=0 10,0=0 12,0=0"},
		{"SC-S09 the same, web", line("Cc.............bB"), web, cuisine, "4,0", "b=4! c=5 2,0=0 4,0=0 6,0=0 8,0=0 10,0=0 12,0=0"},
		{"SC-053 a pawn that comes on foot is not obliged", line("Cc...bB"), booklet, Walk{Points: 3, Passages: [][2]engine.ID{{"c", "b"}}},
			"3,0", "b=1 c=1 2,0=0 4,0=0"},
		{"SC-052 the passage may come first", line("Cc..bB"), booklet, Walk{Points: 1, Passages: [][2]engine.ID{{"c", "b"}}},
			"c", "b=0! 2,0=0"},
		{"C8-051 a barred room is not entered by a passage", line("Cc..bB"), booklet,
			Walk{Points: 1, Passages: [][2]engine.ID{{"b", "c"}}, Barred: []engine.ID{"b"}}, "c", "2,0=0"},
		{"SC-S10 SC-055 from the path into the Jardin by the squares beside, or back through the passage (SC-057)", garden, booklet,
			gardenWalk(Walk{Points: 2}), "p", "j=0 p=0 5,1=0 9,1=0"},
		{"SC-S11 through the passage and on, booklet", garden, booklet, gardenWalk(Walk{Points: 5}), "h", "j=2 p=4 5,1=0 7,1=0 9,1=0"},
		{"SC-S11 the path ends the walk, web", garden, web, gardenWalk(Walk{Points: 5}), "h", "p=4 5,1=0 7,1=0 9,1=0"},
		{"SC-S14 SC-060 a pause on a spy square", line("....?......"), booklet, Walk{Points: 9}, "0,0",
			"1,0=0 3,0=0 4,0=5 5,0=0 7,0=0 9,0=0"},
		{"SC-S14 SC-061 and on with five points into a room", line("....?..cC"), booklet, Walk{Points: 5, Used: []Square{{4, 0}}}, "4,0",
			"c=2 1,0=0 3,0=0 5,0=0"},
		{"SC-S15 two spy squares", line("..?..?.."), booklet, Walk{Points: 9}, "0,0", "1,0=0 2,0=7 3,0=0 5,0=4 7,0=0"},
		{"SC-S15 the second after the first", line("..?..?.."), booklet, Walk{Points: 7, Used: []Square{{2, 0}}}, "2,0",
			"1,0=0 3,0=0 5,0=4 7,0=0"},
		{"SC-064 one spy square alone: all of them are used", line("..?..?.."), booklet, Walk{Points: 7, Used: []Square{{2, 0}, {5, 0}}},
			"2,0", "1,0=0 3,0=0 5,0=0 7,0=0"},
		{"SC-A18 to stay on a spy square is no stop on it", line("?.."), booklet, Walk{Points: 1}, "0,0", "1,0=0"},
		{"SC-S32 SC-063 no stop on an occupied spy square", line("..?.."), booklet, Walk{Points: 3, Occupied: []Square{{2, 0}}},
			"0,0", "1,0=0 3,0=0"},

		{"CC-040 the whole total in corridors", line("......"), current, Walk{Points: 3}, "0,0", "3,0=0"},
		{"CC-041 never diagonally", []string{"..", ".."}, current, Walk{Points: 1}, "0,0", "1,0=0 0,1=0"},
		{"CC-S10 no square twice", []string{".....", "##..#"}, current, Walk{Points: 8}, "0,0", ""},
		{"CC-042 round a block, and not back to the start", []string{"..", ".."}, current, Walk{Points: 4}, "0,0", ""},
		{"CC-042 but as far as it goes", []string{"..", ".."}, current, Walk{Points: 3}, "0,0", "1,0=0 0,1=0"},
		{"CC-S09 an occupied square is not passed", line("....."), current, Walk{Points: 3, Occupied: []Square{{2, 0}}}, "0,0", ""},
		{"CC-043 nor stopped on", line("....."), current, Walk{Points: 2, Occupied: []Square{{2, 0}}}, "0,0", ""},
		{"CC-043 it is walked around", []string{".....", "....."}, current, Walk{Points: 4, Occupied: []Square{{2, 0}}}, "0,0", "3,1=0"},
		{"CC-S12 three squares to the Salon with nine points", line("...sS"), current, Walk{Points: 9}, "0,0", "s=6"},
		{"CC-044 a room is not crossed", line("..sSs.."), current, Walk{Points: 4}, "0,0", "s=2"},
		{"CC-S11 a blocked door lets nobody out", line("Bb..."), current, Walk{Points: 3, Occupied: []Square{{2, 0}}}, "b", ""},
		{"CC-045 nor in", line("Bb..."), current, Walk{Points: 3, Occupied: []Square{{2, 0}}}, "4,0", ""},
		{"CC-045 another door does", line(".bBb..."), current, Walk{Points: 2, Occupied: []Square{{0, 0}}}, "b", "5,0=0"},
		{"CC-S13 no passage in a walk", line("Cc..bB"), current, Walk{Points: 2, Passages: [][2]engine.ID{{"c", "b"}}}, "c", "3,0=0"},
		{"CC-048 no step is possible", line("..."), current, Walk{Points: 3, Occupied: []Square{{0, 0}, {2, 0}}}, "1,0", ""},

		{"an area in which one has to stop", line("..hHh.."), booklet, Walk{Points: 4, Areas: map[engine.ID]Stay{"h": StayMust}},
			"0,0", "h=2 0,0=0"},
		{"SC-056 one may stop in an area with points left, where rooms end a walk too", line("..hHh.."), Policy{Total: TotalExact},
			Walk{Points: 4, Areas: map[engine.ID]Stay{"h": StayMay}}, "0,0", "h=2 0,0=0 6,0=0"},
		{"SC-032 or stop in it as on a square", line("..hHh.."), booklet, Walk{Points: 4, Areas: map[engine.ID]Stay{"h": StayByTotal}},
			"0,0", "h=0 0,0=0 6,0=0"},
		{"SC-032 but not with points left", line("..hHh.."), booklet, Walk{Points: 3, Areas: map[engine.ID]Stay{"h": StayByTotal}},
			"0,0", "1,0=0 5,0=0"},
		{"a start that has to be left for good", line("..hHh.."), booklet, Walk{Points: 2, Areas: map[engine.ID]Stay{"h": StayMust}},
			"h", "0,0=0 6,0=0"},
		{"areas, pawns and marks of no board", line("..sS"), booklet, Walk{Points: 3, Areas: map[engine.ID]Stay{"x": StayMust},
			Occupied: []Square{{9, 9}}, Used: []Square{{9, 9}}, Barred: []engine.ID{"x"}}, "0,0", "s=1 1,0=0"},
		{"passages of no board", line("Cc..bB"), booklet,
			Walk{Points: 1, Passages: [][2]engine.ID{{"x", "c"}, {"c", "x"}, {"x", "b"}, {"b", "x"}}}, "c", "2,0=0"},
		{"less than no points", line("..."), Policy{}, Walk{Points: -1}, "0,0", "0,0=0"},
		{"more points than are counted", line("..sS"), Policy{}, Walk{Points: 300}, "1,0", "s=254 0,0=254 1,0=255"},
		{"more points than an exact total counts", line(strings.Repeat(".", 40)), current, Walk{Points: 39}, "0,0", "32,0=0"},
		{"but not another one", line(strings.Repeat("#", 24) + strings.Repeat(".", 40)), Policy{}, Walk{Points: 39, Occupied: row(24, 62)},
			"24,0", "24,0=39 63,0=0"},
	} {
		s := Spec{Rows: c.drawn, Rooms: map[string]engine.ID{}}
		for _, row := range c.drawn {
			for _, cell := range row {
				if letter := string(cell); letter >= "A" && letter <= "Z" {
					s.Rooms[letter] = engine.ID(strings.ToLower(letter))
				}
			}
		}
		c.walk.Policy = c.policy
		if got := reachText(build(t, s).FindReach(startAt(c.walk, c.from))); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.rule, got, c.want)
		}
	}
}

// More points never take a room away, whatever the policy. This is not true of areas, where a pawn may stop as on a square.
func TestMorePoints(t *testing.T) {
	for i, p := range policies() {
		for seed := range uint64(10) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			b := randomBoard(r)
			w := randomWalk(r, b)
			w.Policy = p
			less := b.FindReach(w)
			w.Points++
			more := b.FindReach(w)
			for room := range b.roomIndex {
				if less.HasRoom(room) && !more.HasRoom(room) && w.Areas[room] != StayByTotal {
					t.Fatalf("policy %d, seed %d\n%s\n%+v: %s with one point less", i, seed, strings.Join(b.rows, "\n"), w, room)
				}
			}
		}
	}
}

// A pawn that walks from one square to another can walk back with as many points, unless it
// stopped for what it met: a mark, or a pawn in its way.
func TestWalkBackTakesAsManyPoints(t *testing.T) {
	for i, p := range policies() {
		if p.Marks == MarksPause || p.Short != ShortNo {
			continue
		}
		for seed := range uint64(10) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			b := randomBoard(r)
			w := randomWalk(r, b)
			if w.Policy = p; w.Room != "" {
				continue
			}
			there := b.FindReach(w)
			for to := range b.squareIndex {
				back := w
				back.Square = to
				home := b.FindReach(back)
				if there.HasSquare(to) != home.HasSquare(w.Square) && !occupied(w, to) && !occupied(w, w.Square) {
					t.Fatalf("policy %d, seed %d\n%s\n%+v: %s, and not back", i, seed, strings.Join(b.rows, "\n"), w, to)
				}
			}
		}
	}
}

func occupied(w Walk, at Square) bool { return slices.Contains(w.Occupied, at) }

// Where pawns block, an occupied square is a wall: with it off the board the same is reached
// (CC-043, CC-045).
func TestBlockedIsAWall(t *testing.T) {
	for i, p := range policies() {
		if p.Occupied != OccupiedBlock {
			continue
		}
		for seed := range uint64(10) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			b := randomBoard(r)
			w := randomWalk(r, b)
			w.Policy = p
			walled := *b
			walled.spots = slices.Clone(b.spots)
			for j := range walled.spots {
				walled.spots[j].next = slices.DeleteFunc(slices.Clone(b.spots[j].next), func(n int) bool {
					return b.spots[n].room == "" && b.spots[n].at != w.Square && occupied(w, b.spots[n].at)
				})
			}
			free := w
			free.Occupied = nil
			if got, want := reachText(b.FindReach(w)), reachText(walled.FindReach(free)); got != want {
				t.Fatalf("policy %d, seed %d\n%s\n%+v\nwith pawns %s\nwith walls %s", i, seed, strings.Join(b.rows, "\n"), w, got, want)
			}
		}
	}
}

// A search for walks without repetition ends: a stop that it cannot exclude in time is believed. Behind the second square of the first
// column is a field from which no walk comes back, so no walk of more than two steps ends on the third.
func TestPatience(t *testing.T) {
	rows := slices.Repeat([]string{"##" + strings.Repeat(".", 17)}, 25)
	rows[11], rows[12], rows[13] = ".#"+rows[11][2:], ".."+rows[12][2:], ".#"+rows[13][2:]
	b := build(t, Spec{Rows: rows})
	for points, want := range map[int]bool{2: true, 4: false, 12: false, 30: true} {
		r := b.FindReach(Walk{Policy: current, Square: Square{0, 11}, Points: points})
		if got := r.HasSquare(Square{0, 13}); got != want {
			t.Errorf("%d points: %v", points, got)
		}
	}
}

// A search for walks without repetition is short on real boards: the package comment gives
// these figures, and ten times as many would be felt in each view.
func TestSearch(t *testing.T) {
	house, field := build(t, classic), build(t, Spec{Rows: slices.Repeat([]string{strings.Repeat(".", 20)}, 25)})
	for _, c := range []struct {
		name string
		b    *Board
		most int
	}{{"a board like that of current Cluedo", house, 2835}, {"a field", field, 4950}} {
		spent := 0
		for _, from := range c.b.spots {
			var s noRepeatSearch
			s.solver = new(solver)
			s.prepareWalk(c.b, &Walk{Policy: current, Room: from.room, Square: from.at, Points: 12})
			s.tryAllWalks()
			spent = max(spent, s.searched)
		}
		if spent > c.most {
			t.Errorf("%s: %d places are walked on from", c.name, spent)
		}
	}
}

// A stop that no walk reaches has no points left.
func TestUnreachedStopHasNoPointsLeft(t *testing.T) {
	b := build(t, Spec{Rows: []string{"...aA"}, Rooms: map[string]engine.ID{"A": "room-a"}})
	for _, w := range []Walk{
		{Square: Square{2, 0}, Points: 1},
		{Square: Square{0, 0}, Points: 1},
		{Room: "room-a", Points: 1},
		{Room: "room-x", Points: 1},
	} {
		r := b.FindReach(w)
		for _, room := range []engine.ID{"room-a", "room-x"} {
			if s, ok := r.StopInRoom(room); ok != r.HasRoom(room) || !ok && s != (Stop{}) || ok != (w.Square.Col == 2 && room == "room-a") {
				t.Errorf("%+v: %s %+v %v", w, room, s, ok)
			}
		}
		for _, at := range []Square{{1, 0}, {2, 0}, {0, 9}} {
			if s, ok := r.StopOnSquare(at); ok != r.HasSquare(at) || !ok && s != (Stop{}) || ok && at.Row > 0 {
				t.Errorf("%+v: %s %+v %v", w, at, s, ok)
			}
		}
	}
}

// GivenWords lists the words that a policy has, each with the known ones of its kind. A missing word is not listed.
func TestWords(t *testing.T) {
	for i, p := range policies() {
		words := p.GivenWords()
		if n := len(words); n != 7 || slices.ContainsFunc(words, func(w PolicyWord) bool { return !slices.Contains(w.Known, w.Word) }) {
			t.Fatalf("policy %d: %+v", i, words)
		}
	}
	if w := (Policy{Rooms: RoomsCross}).GivenWords(); len(w) != 1 || w[0].Key != "rooms" || w[0].Word != "cross" {
		t.Errorf("one word: %+v", w)
	}
	all := Policy{"a", "b", "c", "d", "e", "f", "g"}.GivenWords()
	got := ""
	for _, u := range all {
		got += fmt.Sprintf("%s: %s of %s; ", u.Key, u.Word, strings.Join(u.Known, " "))
	}
	if want := "occupied: a of over block; total: b of at-most exact; squares: c of again once; rooms: d of end cross; " +
		"passages: e of apart step last; short: f of no anywhere before; marks: g of plain pause; "; got != want {
		t.Errorf("%s", got)
	}
	if s := KnownStayWords(); !slices.Equal(s, []string{"may", "must", "total"}) {
		t.Errorf("stays: %v", s)
	}
}

// A partial policy replaces the words that it names, and nothing else.
func TestPartialPolicyReplacesOnlyNamedWords(t *testing.T) {
	a, b := Policy{"a", "b", "c", "d", "e", "f", "g"}, Policy{"1", "2", "3", "4", "5", "6", "7"}
	for i, want := range b.GivenWords() {
		part := [7]string{}
		part[i] = want.Word
		p := Policy{Occupied(part[0]), Total(part[1]), Squares(part[2]), Rooms(part[3]), Passages(part[4]), Short(part[5]), Marks(part[6])}
		for j, got := range a.WithWordsOf(p).GivenWords() {
			if old := a.GivenWords()[j].Word; j == i && got.Word != want.Word || j != i && got.Word != old {
				t.Errorf("%s with %s: %s is %s", old, want.Word, got.Key, got.Word)
			}
		}
	}
	if a.WithWordsOf(b) != b || a.WithWordsOf(Policy{}) != a {
		t.Error("all words, or none")
	}
}

// The worst of a real board, and an open field as large as a board may be.
func BenchmarkReach(b *testing.B) {
	field, faults := New(Spec{Rows: slices.Repeat([]string{strings.Repeat(".", 20)}, 25)})
	if len(faults) > 0 {
		b.Fatal(faults)
	}
	house, faults := New(classic)
	if len(faults) > 0 {
		b.Fatal(faults)
	}
	for _, c := range []struct {
		name   string
		policy Policy
	}{{"2008", Policy{}}, {"super", booklet}, {"current", current}} {
		b.Run(c.name+"/house", func(b *testing.B) {
			for b.Loop() {
				house.FindReach(Walk{Policy: c.policy, Room: "b", Points: 12})
			}
		})
		b.Run(c.name+"/field", func(b *testing.B) {
			for b.Loop() {
				field.FindReach(Walk{Policy: c.policy, Square: Square{14, 12}, Points: 12})
			}
		})
	}
}

// classic is a board like that of current Cluedo.
var classic = Spec{
	Rows: []string{
		"#########.####.#########",
		"KKKKKK#...BBBB...#CCCCCC",
		"KKKKKK..BBBBBBBB..CCCCCC",
		"KKKKKK..BBBBBBBB..CCCCCC",
		"KKKKKK..BBBBBBBB..cCCCCC",
		"KKKKKK..bBBBBBBb...CCCC#",
		"#KKKkK..BBBBBBBB........",
		"........BbBBBBbB.......#",
		"#.................IIIIII",
		"DDDDD.............iIIIII",
		"DDDDDDDD..#####...IIIIII",
		"DDDDDDDD..#####...IIIIII",
		"DDDDDDDd..#####...IIIIiI",
		"DDDDDDDD..#####........#",
		"DDDDDDDD..#####...LLlLL#",
		"DDDDDDdD..#####..LLLLLLL",
		"#.........#####..lLLLLLL",
		".................LLLLLLL",
		"#........HHhhHH...LLLLL#",
		"OOOOOOo..HHHHHH.........",
		"OOOOOOO..HHHHHh........#",
		"OOOOOOO..HHHHHH..sSSSSSS",
		"OOOOOOO..HHHHHH..SSSSSSS",
		"OOOOOOO..HHHHHH..SSSSSSS",
		"#OOOOO#.#HHHHHH#.#SSSSS#",
	},
	Rooms: map[string]engine.ID{"K": "k", "B": "b", "C": "c", "I": "i", "L": "l", "S": "s", "H": "h", "O": "o", "D": "d"},
}
