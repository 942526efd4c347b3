package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// policies lists all policies there are.
func policies() (all []Policy) {
	for _, o := range []Occupied{OccupiedOver, OccupiedBlock} {
		for _, t := range []Total{TotalAtMost, TotalExact} {
			for _, s := range []Squares{SquaresAgain, SquaresOnce} {
				for _, r := range []Rooms{RoomsEnd, RoomsCross} {
					for _, p := range []Passages{PassagesApart, PassagesStep, PassagesLast} {
						for _, sh := range []Short{ShortNo, ShortAnywhere, ShortBefore} {
							for _, m := range []Marks{MarksPlain, MarksPause} {
								all = append(all, Policy{o, t, s, r, p, sh, m})
							}
						}
					}
				}
			}
		}
	}
	return all
}

// randomBoard is a random board of a few squares and up to three rooms.
func randomBoard(r *rand.Rand) *Board {
	for {
		cols := 3 + r.IntN(3)
		s := Spec{Rows: []string{"ABC##"[:cols]}, Rooms: map[string]engine.ID{}}
		for range 1 + r.IntN(4) {
			row := make([]byte, cols)
			for c := range row {
				row[c] = ".....???##aabbcc"[r.IntN(16)]
			}
			s.Rows = append(s.Rows, string(row))
		}
		all := strings.Join(s.Rows, "")
		for letter, id := range map[string]engine.ID{"A": "room-z", "B": "room-b", "C": "room-c"} {
			if strings.Contains(all, strings.ToLower(letter)) {
				s.Rooms[letter] = id
			} else {
				s.Rows[0] = strings.Replace(s.Rows[0], letter, "#", 1)
			}
		}
		if b, faults := New(s); len(faults) == 0 {
			return b
		}
	}
}

// randomWalk draws a random walk on a board.
func randomWalk(r *rand.Rand, b *Board) Walk {
	from := b.spots[r.IntN(len(b.spots))]
	w := Walk{Room: from.room, Square: from.at, Points: r.IntN(6), Areas: map[engine.ID]Stay{}}
	var rooms []engine.ID
	for _, s := range b.spots {
		switch {
		case s.room == "":
			if r.IntN(4) == 0 {
				w.Occupied = append(w.Occupied, s.at)
			}
			if s.mark && r.IntN(4) == 0 {
				w.Used = append(w.Used, s.at)
			}
			continue
		case r.IntN(6) == 0:
			w.Barred = append(w.Barred, s.room)
		}
		if stay := []Stay{"", "", StayMay, StayMust, StayByTotal}[r.IntN(5)]; stay != "" {
			w.Areas[s.room] = stay
		}
		rooms = append(rooms, s.room)
	}
	for range r.IntN(3) {
		if len(rooms) > 1 {
			r.Shuffle(len(rooms), func(i, j int) { rooms[i], rooms[j] = rooms[j], rooms[i] })
			w.Passages = append(w.Passages, [2]engine.ID{rooms[0], rooms[1]})
		}
	}
	return w
}

// oracle makes every walk there is, step by step, and asks of each whether it may stop.
type oracle struct {
	b    *Board
	w    Walk
	path []int
	out  Reach
	feet map[int]bool // stops that are reached on foot
	// For occupied squares: the steps of the shortest walk there, and the walks that use all points.
	least map[int]int
	ends  map[int][][]int
}

func (o *oracle) isArea(i int) bool {
	stay := o.w.Areas[o.b.spots[i].room]
	return stay == StayMay || stay == StayByTotal
}

func (o *oracle) isRoom(i int) bool { return o.b.spots[i].room != "" }

// endsWalk reports whether a walk that enters on foot ends there.
func (o *oracle) endsWalk(i int) bool {
	stay := o.w.Areas[o.b.spots[i].room]
	return o.isRoom(i) && (stay == StayMust || stay == "" && o.w.Policy.Rooms != RoomsCross)
}

func (o *oracle) isOccupied(i int) bool {
	return !o.isRoom(i) && i != o.path[0] && slices.Contains(o.w.Occupied, o.b.spots[i].at)
}

func (o *oracle) mayEnter(i int) bool {
	p := o.w.Policy
	return !slices.Contains(o.w.Barred, o.b.spots[i].room) &&
		!(p.Occupied == OccupiedBlock && o.isOccupied(i)) &&
		!(p.Squares == SquaresOnce && slices.Contains(o.path, i)) &&
		!(i == o.path[0] && o.endsWalk(i))
}

// allowsTotal reports whether a walk may stop there according to the total.
func (o *oracle) allowsTotal(i int) bool {
	return !o.isRoom(i) || o.w.Areas[o.b.spots[i].room] == StayByTotal
}

func (o *oracle) addStop(i, left int, foot bool) {
	o.out.set.add(i)
	o.out.pointsLeft[i] = max(o.out.pointsLeft[i], uint8(left))
	o.feet[i] = o.feet[i] || foot
}

// recordEnd records the end of the walk so far as a stop, if the walk may stop there.
func (o *oracle) recordEnd(left int, foot bool) {
	p, at, steps := o.w.Policy, o.path[len(o.path)-1], len(o.path)-1
	pause := p.Marks == MarksPause && o.b.spots[at].mark && !slices.Contains(o.w.Used, o.b.spots[at].at)
	switch {
	case o.isRoom(at) && steps == 0: // a room is left
	case !o.allowsTotal(at):
		o.addStop(at, left, foot)
	case o.isOccupied(at):
		if n, ok := o.least[at]; !ok || steps < n {
			o.least[at] = steps
		}
		if left == 0 && p.Total == TotalExact {
			o.ends[at] = append(o.ends[at], slices.Clone(o.path))
		}
	case p.Total != TotalExact, left == 0, pause && steps > 0:
		o.addStop(at, left, foot)
	}
}

// addShortStops adds the stops of walks that would end on an occupied square, where no shorter one leads (SC-034).
func (o *oracle) addShortStops() {
	for at, paths := range o.ends {
		for _, path := range paths {
			if len(path)-1 == o.least[at] {
				o.shortOf(path)
			}
		}
	}
}

func (o *oracle) shortOf(path []int) {
	end := len(path) - 1
	for i := 1; i < end; i++ {
		at := path[i]
		if p := o.w.Policy.Short; (p == ShortAnywhere || p == ShortBefore && i == end-1) && o.allowsTotal(at) && !o.isOccupied(at) {
			o.addStop(at, end-i, true)
		}
	}
}

func (o *oracle) walk(left int, foot bool) {
	o.recordEnd(left, foot)
	at := o.path[len(o.path)-1]
	if left == 0 || len(o.path) > 1 && (foot && o.endsWalk(at) || !foot && (o.w.Policy.Passages != PassagesStep || !o.isArea(at))) {
		return
	}
	try := func(n int, foot bool) {
		if o.mayEnter(n) {
			o.path = append(o.path, n)
			o.walk(left-1, foot)
			o.path = o.path[:len(o.path)-1]
		}
	}
	for _, n := range o.b.spots[at].next {
		try(n, true)
	}
	if o.w.Policy.Passages == PassagesApart {
		return
	}
	for _, x := range o.w.Passages {
		for side := range 2 {
			if o.isRoom(at) && x[side] == o.b.spots[at].room {
				try(o.b.roomIndex[x[1-side]], false)
			}
		}
	}
}

// reachText writes a reach: each stop with the points left, rooms first; ! for a passage that is obligatory.
func reachText(r Reach) string {
	var all []string
	tell := func(name string, s Stop, ok bool) {
		if mark := map[bool]string{true: "!"}[s.PassageOnly]; ok {
			all = append(all, fmt.Sprintf("%s=%d%s", name, s.Left, mark))
		}
	}
	if r.Len() > 0 {
		for _, id := range sortedKeys(r.board.roomIndex) {
			s, ok := r.StopInRoom(id)
			tell(string(id), s, ok)
		}
	}
	for _, name := range r.Squares() {
		at, _ := ParseSquare(name)
		s, ok := r.StopOnSquare(at)
		tell(name, s, ok)
	}
	return strings.Join(all, " ")
}

// byHand is the reach that the oracle finds.
func byHand(b *Board, w Walk) Reach {
	o := oracle{b: b, w: w, out: Reach{Spots: Spots{board: b}}, feet: map[int]bool{}, least: map[int]int{}, ends: map[int][][]int{}}
	o.path = []int{b.squareIndex[w.Square]}
	if w.Room != "" {
		o.path[0] = b.roomIndex[w.Room]
	}
	o.walk(w.Points, true)
	o.addShortStops()
	for i := range o.out.set.members {
		if o.isRoom(i) && !o.feet[i] && !o.isArea(i) {
			o.out.passageOnly |= 1 << i
		}
	}
	return o.out
}

// A walk reaches exactly the stops that trying every walk there is finds, for each policy.
func TestOracle(t *testing.T) {
	for i, p := range policies() {
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			b := randomBoard(r)
			for range 4 {
				w := randomWalk(r, b)
				w.Policy = p
				if got, want := reachText(b.FindReach(w)), reachText(byHand(b, w)); got != want {
					t.Fatalf("policy %d, seed %d\n%s\n%+v\ngot  %s\nwant %s", i, seed, strings.Join(b.rows, "\n"), w, got, want)
				}
			}
		}
	}
}
