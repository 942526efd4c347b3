package board

import "math/bits"

// maxSearched is the number of places after which a search gives up. A walk of 12 points from a
// square visits at most 189,965 if rooms end it: on an endless field there are that many walks of
// up to 11 steps without a repeated square.
const maxSearched = 1 << 18

// guideEvery is the number of visited places after which a search recomputes the ways to the stops
// that it has not found yet.
const guideEvery = 256

// noRepeatSearch tries the walks without a repeated place, one after the other.
type noRepeatSearch struct {
	*solver
	layers   ways    // by points left: the places where a walk can be then
	unfound  spotSet // possible last places of a walk that are not found yet
	ways     ways    // by points left: the places with a way to unfound
	visited  spotSet
	path     [MaxTotal + 1]uint16
	searched int
}

// searchWithoutRepeats records the stops of walks with an exact total and no repeated place. It
// returns false, with too few stops recorded, if it gave up after maxSearched places.
func (k *solver) searchWithoutRepeats() (isComplete bool) {
	s := noRepeatSearch{solver: k}
	s.tryAllWalks()
	return s.searched <= maxSearched
}

func (s *noRepeatSearch) tryAllWalks() {
	for from, left := singleSpot(s.start), s.points; left > 0; left-- {
		foot, byPassage := s.placesOneStepFrom(&from)
		from = s.placesToWalkOnFrom(foot, byPassage)
		s.layers[left-1] = from
		s.unfound = foot
		s.unfound[0] |= byPassage
	}
	s.walkFrom(s.start, s.points)
}

// walkFrom continues the walk from a place with so many points left.
func (s *noRepeatSearch) walkFrom(at, left int) {
	if s.searched%guideEvery == 0 {
		s.fillWaysTo(&s.ways, &s.unfound, s.points, &s.layers)
	}
	if s.searched++; left == 0 || s.searched > maxSearched {
		return
	}
	for _, n := range s.board.spots[at].next {
		s.tryStepTo(n, left-1, s.crossable.contains(n))
	}
	if at < len(s.passageEnds) {
		for over := s.passageEnds[at]; over != 0; over &= over - 1 {
			n := bits.TrailingZeros64(over)
			s.tryStepTo(n, left-1, s.crossableByPassage&(1<<n) != 0)
		}
	}
}

// tryStepTo enters a place, with left points left, if it can lead to an unfound stop. canContinue says
// whether the walk may go on from there.
func (s *noRepeatSearch) tryStepTo(to, left int, canContinue bool) {
	switch {
	case !s.enterable.contains(to) || s.visited.contains(to) || !s.ways[left].contains(to):
	case left == 0:
		s.recordWalkEnd(to)
	case canContinue:
		s.path[left] = uint16(to)
		s.visited.add(to)
		s.walkFrom(to, left)
		s.visited.remove(to)
	}
}

// recordWalkEnd records the stops of a walk that has used its last point at this place.
func (s *noRepeatSearch) recordWalkEnd(at int) {
	if !s.occupied.contains(at) {
		s.unfound.remove(at)
		s.recordStops(singleSpot(at), 0)
		return
	}
	if !s.occupiedEnds.contains(at) {
		return
	}
	for left := 1; left <= s.maxShort; left++ {
		s.recordStops(singleSpot(int(s.path[left])), left)
	}
}
