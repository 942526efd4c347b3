package board

import (
	"math/bits"

	"majordome/engine"
)

// Spots is a set of rooms and squares of a board. The zero value is empty.
type Spots struct {
	board *Board
	set   spotSet
}

// HasRoom reports whether a room is in the set.
func (s Spots) HasRoom(room engine.ID) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.roomIndex[room]
	return ok && s.set.contains(i)
}

// HasSquare reports whether a square is in the set.
func (s Spots) HasSquare(at Square) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.squareIndex[at]
	return ok && s.set.contains(i)
}

// Len returns the number of rooms and squares.
func (s Spots) Len() int { return s.set.len() }

// Rooms yields the rooms of the set.
func (s *Spots) Rooms(yield func(engine.ID) bool) {
	for i := range s.set.members { // rooms have the lowest numbers
		if room := s.board.spots[i].room; room == "" || !yield(room) {
			return
		}
	}
}

// Squares returns the squares of the set as texts, by row, then column.
func (s Spots) Squares() []string {
	out := make([]string, 0, s.Len())
	for i := range s.set.members {
		if at := &s.board.spots[i]; at.room == "" {
			out = append(out, at.text)
		}
	}
	return out
}

// spotSet is a set of squares and rooms, by their numbers on the board. Rooms have the lowest
// numbers, so the first word contains all of them.
type spotSet [(maxSpots + 63) / 64]uint64

func singleSpot(i int) (p spotSet) {
	p.add(i)
	return p
}

func (p *spotSet) contains(i int) bool { return p[i>>6]&(1<<(i&63)) != 0 }
func (p *spotSet) add(i int)           { p[i>>6] |= 1 << (i & 63) }
func (p *spotSet) remove(i int)        { p[i>>6] &^= 1 << (i & 63) }

func (p *spotSet) addAll(q *spotSet) {
	for i := range p {
		p[i] |= q[i]
	}
}

func (p *spotSet) removeAll(q *spotSet) {
	for i := range p {
		p[i] &^= q[i]
	}
}

func (p *spotSet) intersect(q *spotSet) {
	for i := range p {
		p[i] &= q[i]
	}
}

func (p *spotSet) len() (n int) {
	for _, w := range p {
		n += bits.OnesCount64(w)
	}
	return n
}

// members yields the members in the order of their numbers.
func (p *spotSet) members(yield func(int) bool) {
	for i, w := range p {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 | bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// FreeSquares returns the squares that are not occupied.
func (b *Board) FreeSquares(occupied []Square) Spots {
	out := Spots{b, b.squares}
	for _, at := range occupied {
		if i, ok := b.squareIndex[at]; ok {
			out.set.remove(i)
		}
	}
	return out
}
