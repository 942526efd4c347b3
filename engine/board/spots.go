package board

import (
	"math/bits"

	"majordome/engine"
)

// Spots is a set of rooms and squares of a board. The zero value is empty.
type Spots struct {
	board *Board
	set   places
}

// HasRoom reports whether a room is in the set.
func (s Spots) Has(room engine.ID) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.room[room]
	return ok && s.set.has(i)
}

// HasSquare reports whether a square is in the set.
func (s Spots) HasSquare(at Square) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.square[at]
	return ok && s.set.has(i)
}

// Len returns the number of rooms and squares.
func (s Spots) Len() int { return s.set.len() }

// Rooms yields the rooms of the set.
func (s *Spots) Rooms(yield func(engine.ID) bool) {
	for i := range s.set.all { // rooms have the lowest numbers
		if room := s.board.spots[i].room; room == "" || !yield(room) {
			return
		}
	}
}

// Squares returns the squares of the set as texts, by row, then column.
func (s Spots) Squares() []string {
	out := make([]string, 0, s.Len())
	for i := range s.set.all {
		if at := &s.board.spots[i]; at.room == "" {
			out = append(out, at.text)
		}
	}
	return out
}

// spotSet is a set of squares and rooms, by their numbers on the board. Rooms have the lowest
// numbers, so the first word contains all of them.
type places [(maxSpots + 63) / 64]uint64

func only(i int) (p places) {
	p.add(i)
	return p
}

func (p *places) has(i int) bool { return p[i>>6]&(1<<(i&63)) != 0 }
func (p *places) add(i int)      { p[i>>6] |= 1 << (i & 63) }
func (p *places) drop(i int)     { p[i>>6] &^= 1 << (i & 63) }

func (p *places) addAll(q *places) {
	for i := range p {
		p[i] |= q[i]
	}
}

func (p *places) dropAll(q *places) {
	for i := range p {
		p[i] &^= q[i]
	}
}

func (p *places) keep(q *places) {
	for i := range p {
		p[i] &= q[i]
	}
}

func (p *places) len() (n int) {
	for _, w := range p {
		n += bits.OnesCount64(w)
	}
	return n
}

// members yields the members in the order of their numbers.
func (p *places) all(yield func(int) bool) {
	for i, w := range p {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 | bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// FreeSquares returns the squares that are not occupied.
func (b *Board) Free(occupied []Square) Spots {
	out := Spots{b, b.squares}
	for _, at := range occupied {
		if i, ok := b.square[at]; ok {
			out.set.drop(i)
		}
	}
	return out
}
