package board

import "math/bits"

// maxSearched is the number of places after which a search gives up. A walk of 12 points from a
// square visits at most 189,965 if rooms end it: on an endless field there are that many walks of
// up to 11 steps without a repeated square.
const patience = 1 << 18

// guideEvery is the number of places after which a search recomputes the ways to the stops that it
// has not found yet.
const guided = 256

// onceSearch tries the walks without a repeated place, one after the other.
type searcher struct {
	*walker
	layers ways   // by points left: the places where a walk can be then
	open   places // possible last places of a walk that are not found yet
	ways   ways   // by points left: the places with a way to unfound
	been   places
	path   [MaxTotal + 1]uint16
	spent  int
}

// searchOnce records the stops of walks with an exact total and no repeated place. It returns
// false, with too few stops recorded, if it gave up after maxSearched places.
func (k *walker) search() bool {
	s := searcher{walker: k}
	s.search()
	return s.spent <= patience
}

func (s *searcher) search() {
	for from, left := only(s.start), s.points; left > 0; left-- {
		foot, landed := s.next(&from)
		from = s.on(foot, landed)
		s.layers[left-1] = from
		s.open = foot
		s.open[0] |= landed
	}
	s.walk(s.start, s.points)
}

// walkFrom continues the walk from a place with so many points left.
func (s *searcher) walk(at, left int) {
	if s.spent%guided == 0 {
		s.find(&s.ways, &s.open, s.points, &s.layers)
	}
	if s.spent++; left == 0 || s.spent > patience {
		return
	}
	for _, n := range s.b.spots[at].next {
		s.step(n, left-1, s.onward.has(n))
	}
	if at < len(s.passage) {
		for over := s.passage[at]; over != 0; over &= over - 1 {
			n := bits.TrailingZeros64(over)
			s.step(n, left-1, s.through&(1<<n) != 0)
		}
	}
}

// stepTo enters a place if it can lead to an unfound stop. on: the walk may continue from there.
func (s *searcher) step(to, left int, on bool) {
	switch {
	case !s.enter.has(to) || s.been.has(to) || !s.ways[left].has(to):
	case left == 0:
		s.arrive(to)
	case on:
		s.path[left] = uint16(to)
		s.been.add(to)
		s.walk(to, left)
		s.been.drop(to)
	}
}

// recordArrival records the stops of a walk that has used its last point.
func (s *searcher) arrive(at int) {
	if !s.taken.has(at) {
		s.open.drop(at)
		s.note(only(at), 0)
		return
	}
	if !s.before.has(at) {
		return
	}
	for left := 1; left <= s.short; left++ {
		s.note(only(int(s.path[left])), left)
	}
}
