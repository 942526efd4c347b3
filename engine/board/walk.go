package board

import "majordome/engine"

// Larger numbers of points count as MaxPoints, or as MaxTotal if the total is exact.
const (
	MaxPoints = 255
	MaxTotal  = 32
)

// Walk describes one walk of a pawn.
type Walk struct {
	Policy Policy
	// Room is the start; if it is empty, Square is the start.
	Room   engine.ID
	Square Square
	Points int
	// Occupied lists the squares with a pawn; it may include the start.
	Occupied []Square
	// Barred lists the rooms that may not be entered: those left in this turn (C8-051).
	Barred []engine.ID
	// Areas lists the rooms of the drawing that the rules do not count as rooms.
	Areas map[engine.ID]Stay
	// Passages lead from room to room, in both directions.
	Passages [][2]engine.ID
	// Used lists the marked squares on which this move has already paused (SC-064).
	Used []Square
}

// Reach holds the places where a walk may stop, and how it arrives there.
type Reach struct {
	Spots
	left    [maxSpots]uint8
	obliges uint64 // set of rooms that only a passage reaches
}

// Stop says how a walk arrives at a place where it may stop.
type Stop struct {
	Left    int  // points left on arrival, the most of all ways
	Passage bool // each way into this room ends with a passage, so a hypothesis may have to follow (SC-053)
}

// StopInRoom returns how the walk arrives in a room; ok is false if it may not stop there.
func (r *Reach) Room(room engine.ID) (s Stop, ok bool) {
	if !r.Has(room) {
		return s, false
	}
	i := r.board.room[room]
	return Stop{int(r.left[i]), r.obliges&(1<<i) != 0}, true
}

// StopOnSquare returns how the walk arrives on a square; ok is false if it may not stop there.
func (r *Reach) Square(at Square) (s Stop, ok bool) {
	if !r.HasSquare(at) {
		return s, false
	}
	return Stop{Left: int(r.left[r.board.square[at]])}, true
}

// FindReach returns where a walk may stop. Each step to a neighbouring square, into or out of a
// room, or through a passage costs one point (C8-041, C8-045, SC-040, CC-040). A walk of no step
// may stop only on a square, and only if its policy lets it keep its points or it has none
// (C8-055): a pawn must leave its room (C8-050). From an unknown start no place is reached.
func (b *Board) Reach(w Walk) Reach {
	var k walker
	switch {
	case !k.learn(b, &w):
	case k.exact:
		k.exactly()
	default:
		k.flood(nil)
	}
	k.out.obliges = k.out.set[0] &^ (k.feet | k.areas)
	return k.out
}

// solver is a walk in terms of its board: places are numbers, rooms are the lowest.
type walker struct {
	b      *Board
	start  int
	points int
	exact  bool   // a stop on a square needs all points
	once   bool   // no place twice
	short  int    // how many points may be left in front of an occupied square (SC-034)
	enter  places // places that the walk may enter
	onward places // places from which the walk may continue after a step on foot
	early  places // places where it may stop with points left
	taken  places // squares with a pawn
	before places // those of them that allow an earlier stop (SC-034)
	// Sets of rooms, as in the first word of a spotSet.
	areas   uint64           // areas from which a walk may continue after a passage, if the policy says so
	through uint64           // areas from which this walk may
	passage [MaxRooms]uint64 // by room: the rooms at the other ends of its passages
	feet    uint64           // stops reached on foot
	out     Reach
}

// prepare reads a walk and what it allows; ok is false if the start is unknown.
func (k *walker) learn(b *Board, w *Walk) (ok bool) {
	if k.start, ok = b.room[w.Room]; w.Room == "" {
		k.start, ok = b.square[w.Square]
	}
	if !ok {
		return false
	}
	k.b, k.out.board = b, b
	k.points = min(max(0, w.Points), MaxPoints)
	k.exact, k.once = w.Policy.Total == Exact, w.Policy.Squares == Once
	if k.exact {
		k.points = min(k.points, MaxTotal)
	}
	switch w.Policy.Short {
	case Anywhere:
		k.short = k.points - 1
	case Before:
		k.short = min(1, k.points-1)
	}
	k.enter = b.squares
	k.enter[0] |= b.rooms
	k.rooms(w)
	for _, room := range w.Barred {
		if i, ok := k.b.room[room]; ok {
			k.enter.drop(i)
		}
	}
	k.squares(w)
	if k.once || !k.onward.has(k.start) {
		k.enter.drop(k.start)
	}
	if w.Policy.Passages == Step {
		k.through = k.areas
	}
	if w.Policy.Passages == Step || w.Policy.Passages == Last {
		k.passages(w)
	}
	return true
}

func (k *walker) passages(w *Walk) {
	for _, ends := range w.Passages {
		i, ok1 := k.b.room[ends[0]]
		j, ok2 := k.b.room[ends[1]]
		if ok1 && ok2 {
			k.passage[i] |= 1 << j
			k.passage[j] |= 1 << i
		}
	}
}

func (k *walker) rooms(w *Walk) {
	for i := range len(k.b.room) {
		stay := w.Areas[k.b.spots[i].room]
		area := stay == May || stay == ByTotal
		if area || stay == "" && w.Policy.Rooms == Cross {
			k.onward.add(i)
		}
		if area {
			k.areas |= 1 << i
		}
		if stay != ByTotal || !k.exact {
			k.early.add(i)
		}
	}
}

func (k *walker) squares(w *Walk) {
	k.onward.addAll(&k.b.squares)
	for _, at := range w.Occupied {
		if i, ok := k.b.square[at]; ok && i != k.start {
			k.taken.add(i)
		}
	}
	if w.Policy.Occupied == Block {
		k.enter.dropAll(&k.taken)
	}
	switch {
	case !k.exact:
		k.early.addAll(&k.b.squares)
	case w.Policy.Marks == Pause:
		k.early.addAll(&k.b.marks)
		for _, at := range w.Used {
			if i, ok := k.b.square[at]; ok {
				k.early.drop(i)
			}
		}
	}
}

// stepsOnFoot returns the places one step on foot from any of a set.
func (k *walker) beside(from *places) (to places) {
	for i := range from.all {
		for _, n := range k.b.spots[i].next {
			to.add(n)
		}
	}
	return to
}

// stepsByPassage returns the rooms at the other ends of the passages of a set of rooms.
func (k *walker) passed(from uint64) (to uint64) {
	for i, rooms := range k.passage {
		if from&(1<<i) != 0 {
			to |= rooms
		}
	}
	return to
}

// findExactStops records the stops of walks with an exact total.
func (k *walker) exactly() {
	if k.short > 0 && k.taken != (places{}) {
		k.before = k.farthest()
		k.before.keep(&k.taken)
	}
	if k.once && k.search() {
		k.flood(nil)
		return
	}
	var total ways
	k.find(&total, &k.before, k.short, nil)
	total[0] = k.enter
	k.flood(&total)
}

// exactDistance returns the places whose shortest way uses all points. If a walk can reach a place
// sooner, it has points left to walk over it (SC-035).
func (k *walker) farthest() (last places) {
	var seen places
	from := only(k.start)
	for range k.points {
		foot, landed := k.next(&from)
		last = foot
		last[0] |= landed
		last.dropAll(&seen)
		seen.addAll(&last)
		from = k.on(foot, landed)
	}
	return last
}

// ways holds, for each number of steps, the places from which that many steps lead to a goal.
type ways [MaxTotal + 1]places

// findWays fills the ways of up to n steps to the goals. layers, if not nil, holds by points left
// the places where a walk can be then; findWays looks only there.
func (k *walker) find(w *ways, goals *places, n int, layers *ways) {
	w[0] = *goals
	w[0].keep(&k.enter)
	from, over := w[0], w[0][0]
	for i := 1; i <= n; i++ {
		w[i] = k.beside(&from)
		w[i][0] |= k.passed(over)
		from = w[i]
		from.keep(&k.enter)
		from.keep(&k.onward)
		if layers != nil {
			from.keep(&layers[i])
		}
		over = from[0] & k.through
	}
}

// findStops records the stops of walks that may repeat places: the early stops, and the places that
// total lists for the points left.
func (k *walker) flood(total *ways) {
	if k.b.squares.has(k.start) && (!k.exact || k.points == 0) {
		k.note(only(k.start), k.points)
	}
	var seen places
	from := only(k.start)
	for left := k.points - 1; left >= 0; left-- {
		foot, landed := k.next(&from)
		if !k.exact { // the first to come has the most points left
			foot.dropAll(&seen)
			seen.addAll(&foot)
		}
		k.arrive(foot, landed, left, total)
		from = k.on(foot, landed)
	}
}

// nextPlaces returns the places one step from a set, on foot and by a passage.
func (k *walker) next(from *places) (foot places, landed uint64) {
	foot = k.beside(from)
	foot.keep(&k.enter)
	return foot, k.passed(from[0]) & k.enter[0]
}

// keepCrossable returns those of the places from which a walk may continue.
func (k *walker) on(foot places, landed uint64) places {
	foot.keep(&k.onward)
	foot[0] |= landed & k.through
	return foot
}

// recordArrivals records the stops among the places where walks arrive with so many points left.
func (k *walker) arrive(foot places, landed uint64, left int, total *ways) {
	stops, over := k.early, k.early[0]
	if total != nil {
		stops.addAll(&total[left])
		if left == 0 {
			over |= total[left][0]
		} else {
			over |= total[left][0] & k.through
		}
	}
	stops.keep(&foot)
	k.feet |= stops[0]
	stops[0] |= landed & over
	k.note(stops, left)
}

// recordStops records stops with so many points left.
func (k *walker) note(stops places, left int) {
	stops.dropAll(&k.taken)
	k.out.set.addAll(&stops)
	for i := range stops.all {
		k.out.left[i] = max(k.out.left[i], uint8(left))
	}
}
