package board

import (
	"math/bits"

	"majordome/engine"
)

// Spots are some rooms and squares of a board. The zero value is none.
type Spots struct {
	board *Board
	set   places
}

// Has reports that a room is among them.
func (s Spots) Has(room engine.ID) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.room[room]
	return ok && s.set.has(i)
}

// HasSquare reports that a square is among them.
func (s Spots) HasSquare(at Square) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.square[at]
	return ok && s.set.has(i)
}

// Len is how many there are.
func (s Spots) Len() int { return s.set.len() }

// Rooms yields the rooms among them.
func (s *Spots) Rooms(yield func(engine.ID) bool) {
	for i := range s.set.all { // those with the lowest numbers
		if room := s.board.spots[i].room; room == "" || !yield(room) {
			return
		}
	}
}

// Squares are the squares among them as texts, by row, then column.
func (s Spots) Squares() []string {
	out := make([]string, 0, s.Len())
	for i := range s.set.all {
		if at := &s.board.spots[i]; at.room == "" {
			out = append(out, at.text)
		}
	}
	return out
}

// places is a set of squares and rooms, by their numbers on the board. Rooms have
// the lowest numbers, so all of them lie in the first word.
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

// all yields the members in the order of their numbers.
func (p *places) all(yield func(int) bool) {
	for i, w := range p {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 | bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// Free are the squares but those that are occupied.
func (b *Board) Free(occupied []Square) Spots {
	out := Spots{b, b.squares}
	for _, at := range occupied {
		if i, ok := b.square[at]; ok {
			out.set.drop(i)
		}
	}
	return out
}
