package board

import (
	"math/bits"

	"majordome/engine"
)

// Walk is a pawn that walks.
type Walk struct {
	// From is where it starts: a room, or a square when Room is empty.
	Room   engine.ID
	Square Square
	Points int
	// Occupied squares may be walked over, but not stopped on (C8-047).
	Occupied []Square
	// Barred are rooms that may not be entered: those left in this turn (C8-051).
	Barred []engine.ID
}

// Spots are some rooms and squares of a board. The zero value is none.
type Spots struct {
	board *Board
	set   [(maxSpots + 63) / 64]uint64 // by place in Board.spots
}

func (s *Spots) add(i int) { s.set[i/64] |= 1 << (i % 64) }

func (s Spots) has(i int) bool { return s.set[i/64]&(1<<(i%64)) != 0 }

func (s *Spots) remove(squares []Square) {
	for _, at := range squares {
		if i, ok := s.board.square[at]; ok {
			s.set[i/64] &^= 1 << (i % 64)
		}
	}
}

// Has reports that a room is among them.
func (s Spots) Has(room engine.ID) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.room[room]
	return ok && s.has(i)
}

// HasSquare reports that a square is among them.
func (s Spots) HasSquare(at Square) bool {
	if s.board == nil {
		return false
	}
	i, ok := s.board.square[at]
	return ok && s.has(i)
}

// Len is how many there are.
func (s Spots) Len() (n int) {
	for _, word := range s.set {
		n += bits.OnesCount64(word)
	}
	return n
}

// Squares are the squares among them as texts, by row, then column.
func (s Spots) Squares() []string {
	all := make([]string, 0, s.Len())
	for i, word := range s.set {
		for ; word != 0; word &= word - 1 {
			if at := &s.board.spots[i*64+bits.TrailingZeros64(word)]; at.room == "" {
				all = append(all, at.at.String())
			}
		}
	}
	return all
}

// Reach is where a walk may stop with at most its points: each step to a square
// beside, into a room or out of it costs one (C8-041, C8-045, C8-046), and a
// room ends the walk (C8-052). The start itself is in it only if it is a
// square: a room has to be left (C8-050, C8-055). An unknown start reaches
// nothing.
func (b *Board) Reach(w Walk) Spots {
	start, ok := b.room[w.Room]
	if w.Room == "" {
		start, ok = b.square[w.Square]
	}
	if !ok {
		return Spots{}
	}
	seen, out := Spots{}, Spots{board: b}
	for _, room := range w.Barred {
		if i, ok := b.room[room]; ok {
			seen.add(i)
		}
	}
	seen.add(start)
	var queue [maxSpots]uint16
	queue[0] = uint16(start)
	next, end := 0, 1
	for points := w.Points; points > 0 && next < end; points-- {
		for last := end; next < last; next++ { // all that are equally far
			at := int(queue[next])
			if b.spots[at].room != "" && at != start {
				continue
			}
			for _, n := range b.spots[at].next {
				if !seen.has(n) {
					seen.add(n)
					out.add(n)
					queue[end], end = uint16(n), end+1
				}
			}
		}
	}
	out.remove(w.Occupied)
	if w.Room == "" {
		out.add(start)
	}
	return out
}

// Free are the squares but those that are occupied.
func (b *Board) Free(occupied []Square) Spots {
	out := Spots{board: b}
	for i := range b.spots {
		if b.spots[i].room == "" {
			out.add(i)
		}
	}
	out.remove(occupied)
	return out
}
