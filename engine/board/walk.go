package board

import "majordome/engine"

// More points than these are taken for so many: MaxTotal where the total is exact.
const (
	MaxPoints = 255
	MaxTotal  = 32
)

// Walk is a pawn that walks.
type Walk struct {
	Policy Policy
	// From is where it starts: a room, or a square when Room is empty.
	Room   engine.ID
	Square Square
	Points int
	// Occupied squares have a pawn on them; that of the walk itself may be among them.
	Occupied []Square
	// Barred are rooms that may not be entered: those left in this turn (C8-051).
	Barred []engine.ID
	// Areas are the rooms of the drawing that are no rooms of the game.
	Areas map[engine.ID]Stay
	// Passages lead from room to room, both ways.
	Passages [][2]engine.ID
	// Used are the marked squares on which this move has paused before (SC-064).
	Used []Square
}

// Reach is where a walk may stop, and how it comes there.
type Reach struct {
	Spots
	left    [maxSpots]uint8
	obliges uint64 // of rooms: reached by a passage alone
}

// Stop is how a walk comes to a place where it may stop.
type Stop struct {
	Left    int  // points left on arrival; the most, when ways differ
	Passage bool // each way into this room ends with a passage, which obliges there (SC-053)
}

// Room tells how the walk comes into a room; ok is Has.
func (r *Reach) Room(room engine.ID) (s Stop, ok bool) {
	if !r.Has(room) {
		return s, false
	}
	i := r.board.room[room]
	return Stop{int(r.left[i]), r.obliges&(1<<i) != 0}, true
}

// Square tells how the walk comes to a square; ok is HasSquare.
func (r *Reach) Square(at Square) (s Stop, ok bool) {
	if !r.HasSquare(at) {
		return s, false
	}
	return Stop{Left: int(r.left[r.board.square[at]])}, true
}

// Reach is where a walk may stop. Each step to a square beside, into a room or out
// of it, or through a passage, costs one point (C8-041, C8-045, SC-040, CC-040). A
// walk that goes no step stops where it is only on a square, and only if its policy
// lets it keep its points or it has none (C8-055): a room has to be left (C8-050).
// An unknown start reaches nothing.
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

// walker is a walk in the numbers of its board.
type walker struct {
	b      *Board
	start  int
	points int
	exact  bool   // all points are used on squares
	once   bool   // nowhere twice
	short  int    // how many points may be left because of an occupied square (SC-034)
	enter  places // what may be entered
	onward places // where a walk that comes on foot may go on
	early  places // where it may stop with points left
	taken  places // squares with a pawn
	before places // those among them that a walk may stop short of (SC-034)
	// Of rooms, as in the first word of a set.
	areas   uint64           // those from which one may go on after a passage
	through uint64           // those among them from which this policy lets one
	passage [MaxRooms]uint64 // where the passages of a room lead
	feet    uint64           // stops that are reached on foot
	out     Reach
}

// learn reads a walk and what is allowed in it; ok is false without a start.
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

// beside are the places that one step on foot leads to from one of a set.
func (k *walker) beside(from *places) (to places) {
	for i := range from.all {
		for _, n := range k.b.spots[i].next {
			to.add(n)
		}
	}
	return to
}

// passed are the rooms that a passage leads to from one of a set.
func (k *walker) passed(from uint64) (to uint64) {
	for i, rooms := range k.passage {
		if from&(1<<i) != 0 {
			to |= rooms
		}
	}
	return to
}

// exactly notes the stops of walks with an exact total.
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

// farthest finds the places whose shortest way uses all points. A walk that could come to a place
// sooner has points to walk over it with (SC-035).
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

// ways are, for each number of steps, the places from which so many lead to a goal.
type ways [MaxTotal + 1]places

// find fills the ways of up to n steps to goals. With layers, where a walk can be with
// so many points left, it looks no further than there.
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

// flood notes the stops of walks that may come back to where they were: early ones,
// and those that total allows with so many points left.
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

// next are the places that one step leads to, on foot and by a passage.
func (k *walker) next(from *places) (foot places, landed uint64) {
	foot = k.beside(from)
	foot.keep(&k.enter)
	return foot, k.passed(from[0]) & k.enter[0]
}

// on are those of them where a walk may go on.
func (k *walker) on(foot places, landed uint64) places {
	foot.keep(&k.onward)
	foot[0] |= landed & k.through
	return foot
}

// arrive notes which of the places where walks come to are stops.
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

// note notes stops with so many points left.
func (k *walker) note(stops places, left int) {
	stops.dropAll(&k.taken)
	k.out.set.addAll(&stops)
	for i := range stops.all {
		k.out.left[i] = max(k.out.left[i], uint8(left))
	}
}
