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
	pointsLeft  [maxSpots]uint8
	passageOnly uint64 // set of rooms that only a passage reaches
}

// Stop says how a walk arrives at a place where it may stop.
type Stop struct {
	Left        int  // points left on arrival, the most of all ways
	PassageOnly bool // each way into this room ends with a passage, so a hypothesis may have to follow (SC-053)
}

// StopInRoom returns how the walk arrives in a room; ok is false if it may not stop there.
func (r *Reach) StopInRoom(room engine.ID) (s Stop, ok bool) {
	if !r.HasRoom(room) {
		return s, false
	}
	i := r.board.roomIndex[room]
	return Stop{int(r.pointsLeft[i]), r.passageOnly&(1<<i) != 0}, true
}

// StopOnSquare returns how the walk arrives on a square; ok is false if it may not stop there.
func (r *Reach) StopOnSquare(at Square) (s Stop, ok bool) {
	if !r.HasSquare(at) {
		return s, false
	}
	return Stop{Left: int(r.pointsLeft[r.board.squareIndex[at]])}, true
}

// FindReach returns where a walk may stop. Each step to a neighbouring square, into or out of a
// room, or through a passage costs one point (C8-041, C8-045, SC-040, CC-040). A walk of no step
// may stop only on a square, and only if its policy lets it keep its points or it has none
// (C8-055): a pawn must leave its room (C8-050). From an unknown start no place is reached.
func (b *Board) FindReach(w Walk) Reach {
	var k solver
	switch {
	case !k.prepareWalk(b, &w):
	case k.exact:
		k.recordExactStops()
	default:
		k.recordAllStops(nil)
	}
	k.reach.passageOnly = k.reach.set[0] &^ (k.stopsOnFoot | k.areas)
	return k.reach
}

// solver is a walk in terms of its board: places are numbers, rooms are the lowest.
type solver struct {
	board        *Board
	start        int
	points       int
	exact        bool    // a stop on a square needs all points
	noRepeat     bool    // no place twice
	maxShort     int     // how many points may be left in front of an occupied square (SC-034)
	enterable    spotSet // places that the walk may enter
	crossable    spotSet // places from which the walk may continue after a step on foot
	earlyStops   spotSet // places where it may stop with points left
	occupied     spotSet // squares with a pawn
	occupiedEnds spotSet // those of them that allow an earlier stop (SC-034)
	// Sets of rooms, as in the first word of a spotSet.
	areas              uint64           // areas from which a walk may continue after a passage, if the policy says so
	crossableByPassage uint64           // areas from which this walk may
	passageEnds        [MaxRooms]uint64 // by room: the rooms at the other ends of its passages
	stopsOnFoot        uint64           // stops reached on foot
	reach              Reach
}

// prepareWalk translates a walk and its policy into numbers and sets of places; ok is false if the
// start is unknown.
func (k *solver) prepareWalk(b *Board, w *Walk) (ok bool) {
	if k.start, ok = b.roomIndex[w.Room]; w.Room == "" {
		k.start, ok = b.squareIndex[w.Square]
	}
	if !ok {
		return false
	}
	k.board, k.reach.board = b, b
	k.points = min(max(0, w.Points), MaxPoints)
	k.exact, k.noRepeat = w.Policy.Total == TotalExact, w.Policy.Squares == SquaresOnce
	if k.exact {
		k.points = min(k.points, MaxTotal)
	}
	switch w.Policy.Short {
	case ShortAnywhere:
		k.maxShort = k.points - 1
	case ShortBefore:
		k.maxShort = min(1, k.points-1)
	}
	k.enterable = b.squares
	k.enterable[0] |= b.rooms
	k.applyRoomRules(w)
	for _, room := range w.Barred {
		if i, ok := k.board.roomIndex[room]; ok {
			k.enterable.remove(i)
		}
	}
	k.prepareSquares(w)
	if k.noRepeat || !k.crossable.contains(k.start) {
		k.enterable.remove(k.start)
	}
	if w.Policy.Passages == PassagesStep {
		k.crossableByPassage = k.areas
	}
	if w.Policy.Passages == PassagesStep || w.Policy.Passages == PassagesLast {
		k.preparePassages(w)
	}
	return true
}

func (k *solver) preparePassages(w *Walk) {
	for _, ends := range w.Passages {
		i, ok1 := k.board.roomIndex[ends[0]]
		j, ok2 := k.board.roomIndex[ends[1]]
		if ok1 && ok2 {
			k.passageEnds[i] |= 1 << j
			k.passageEnds[j] |= 1 << i
		}
	}
}

func (k *solver) applyRoomRules(w *Walk) {
	for i := range len(k.board.roomIndex) {
		stay := w.Areas[k.board.spots[i].room]
		area := stay == StayMay || stay == StayByTotal
		if area || stay == "" && w.Policy.Rooms == RoomsCross {
			k.crossable.add(i)
		}
		if area {
			k.areas |= 1 << i
		}
		if stay != StayByTotal || !k.exact {
			k.earlyStops.add(i)
		}
	}
}

func (k *solver) prepareSquares(w *Walk) {
	k.crossable.addAll(&k.board.squares)
	for _, at := range w.Occupied {
		if i, ok := k.board.squareIndex[at]; ok && i != k.start {
			k.occupied.add(i)
		}
	}
	if w.Policy.Occupied == OccupiedBlock {
		k.enterable.removeAll(&k.occupied)
	}
	switch {
	case !k.exact:
		k.earlyStops.addAll(&k.board.squares)
	case w.Policy.Marks == MarksPause:
		k.earlyStops.addAll(&k.board.marks)
		for _, at := range w.Used {
			if i, ok := k.board.squareIndex[at]; ok {
				k.earlyStops.remove(i)
			}
		}
	}
}

// stepsOnFoot returns the places one step on foot from any of a set.
func (k *solver) stepsOnFoot(from *spotSet) (to spotSet) {
	for i := range from.members {
		for _, n := range k.board.spots[i].next {
			to.add(n)
		}
	}
	return to
}

// stepsByPassage returns the rooms at the other ends of the passages of a set of rooms.
func (k *solver) stepsByPassage(from uint64) (to uint64) {
	for i, rooms := range k.passageEnds {
		if from&(1<<i) != 0 {
			to |= rooms
		}
	}
	return to
}

// recordExactStops records the stops of walks with an exact total.
func (k *solver) recordExactStops() {
	if k.maxShort > 0 && k.occupied != (spotSet{}) {
		k.occupiedEnds = k.placesAtExactDistance()
		k.occupiedEnds.intersect(&k.occupied)
	}
	if k.noRepeat && k.searchWithoutRepeats() {
		k.recordAllStops(nil)
		return
	}
	var stopsByLeft ways
	k.fillWaysTo(&stopsByLeft, &k.occupiedEnds, k.maxShort, nil)
	stopsByLeft[0] = k.enterable
	k.recordAllStops(&stopsByLeft)
}

// placesAtExactDistance returns the places whose shortest way uses all points. If a walk can reach a
// place sooner, it has points left to walk over it (SC-035).
func (k *solver) placesAtExactDistance() (last spotSet) {
	var seen spotSet
	from := singleSpot(k.start)
	for range k.points {
		foot, byPassage := k.placesOneStepFrom(&from)
		last = foot
		last[0] |= byPassage
		last.removeAll(&seen)
		seen.addAll(&last)
		from = k.placesToWalkOnFrom(foot, byPassage)
	}
	return last
}

// ways holds, for each number of steps, the places from which that many steps lead to a goal.
type ways [MaxTotal + 1]spotSet

// fillWaysTo fills w with the ways of up to maxSteps steps to the goals. layers, if not nil, holds by
// points left the places where a walk can be then; fillWaysTo looks only there.
func (k *solver) fillWaysTo(w *ways, goals *spotSet, maxSteps int, layers *ways) {
	w[0] = *goals
	w[0].intersect(&k.enterable)
	from, over := w[0], w[0][0]
	for i := 1; i <= maxSteps; i++ {
		w[i] = k.stepsOnFoot(&from)
		w[i][0] |= k.stepsByPassage(over)
		from = w[i]
		from.intersect(&k.enterable)
		from.intersect(&k.crossable)
		if layers != nil {
			from.intersect(&layers[i])
		}
		over = from[0] & k.crossableByPassage
	}
}

// recordAllStops records the stops of walks that may repeat places: the early stops, and the places
// that stopsByLeft, if not nil, lists for the points left.
func (k *solver) recordAllStops(stopsByLeft *ways) {
	if k.board.squares.contains(k.start) && (!k.exact || k.points == 0) {
		k.recordStops(singleSpot(k.start), k.points)
	}
	var seen spotSet
	from := singleSpot(k.start)
	for left := k.points - 1; left >= 0; left-- {
		foot, byPassage := k.placesOneStepFrom(&from)
		if !k.exact { // the first to come has the most points left
			foot.removeAll(&seen)
			seen.addAll(&foot)
		}
		k.recordStopsAmong(foot, byPassage, left, stopsByLeft)
		from = k.placesToWalkOnFrom(foot, byPassage)
	}
}

// placesOneStepFrom returns the places one step from a set: those reached on foot, and the rooms reached by
// a passage.
func (k *solver) placesOneStepFrom(from *spotSet) (foot spotSet, byPassage uint64) {
	foot = k.stepsOnFoot(from)
	foot.intersect(&k.enterable)
	return foot, k.stepsByPassage(from[0]) & k.enterable[0]
}

// placesToWalkOnFrom returns the places from which a walk may continue after it has reached foot on foot
// and byPassage by a passage.
func (k *solver) placesToWalkOnFrom(foot spotSet, byPassage uint64) spotSet {
	foot.intersect(&k.crossable)
	foot[0] |= byPassage & k.crossableByPassage
	return foot
}

// recordStopsAmong records the stops among the places where walks arrive, on foot or by a passage,
// with so many points left.
func (k *solver) recordStopsAmong(foot spotSet, byPassage uint64, left int, stopsByLeft *ways) {
	stops, over := k.earlyStops, k.earlyStops[0]
	if stopsByLeft != nil {
		stops.addAll(&stopsByLeft[left])
		if left == 0 {
			over |= stopsByLeft[left][0]
		} else {
			over |= stopsByLeft[left][0] & k.crossableByPassage
		}
	}
	stops.intersect(&foot)
	k.stopsOnFoot |= stops[0]
	stops[0] |= byPassage & over
	k.recordStops(stops, left)
}

// recordStops records stops with so many points left.
func (k *solver) recordStops(stops spotSet, left int) {
	stops.removeAll(&k.occupied)
	k.reach.set.addAll(&stops)
	for i := range stops.members {
		k.reach.pointsLeft[i] = max(k.reach.pointsLeft[i], uint8(left))
	}
}
