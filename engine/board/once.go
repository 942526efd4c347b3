package board

import "math/bits"

// patience is how many places a search walks on from. A walk of 12 points from a
// square needs 189,965 of them at most, where rooms end it: so many walks of up to 11
// steps come nowhere twice on an endless field.
const patience = 1 << 18

// guided is after how many of them a search looks again for what it has not found.
const guided = 256

// searcher tries the walks that come nowhere twice, one after the other.
type searcher struct {
	*walker
	layers ways   // where a walk can be at all, with so many points left
	open   places // where a walk could end that has not been found yet
	ways   ways   // to it
	been   places
	path   [MaxTotal + 1]uint16
	spent  int
}

// search notes the stops that an exact total asks for on walks that come nowhere
// twice. It reports false, and has noted too few, if it lost its patience.
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

// walk goes on from a place with so many points left.
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

// step enters a place, if that leads to a goal; on tells that one may go on from it.
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

// arrive notes the stops of a walk that has used its last point.
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
