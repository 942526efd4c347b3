package board

import (
	"slices"

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

// Reach is where a walk may stop.
type Reach struct {
	Rooms   []engine.ID // sorted by name
	Squares []Square    // by row, then column
}

// Has reports that the walk may stop in the room.
func (r Reach) Has(room engine.ID) bool { return slices.Contains(r.Rooms, room) }

// HasSquare reports that the walk may stop on the square.
func (r Reach) HasSquare(at Square) bool { return slices.Contains(r.Squares, at) }

// Reach is where a walk may stop with at most its points: each step to a square
// beside, into a room or out of it costs one (C8-041, C8-045, C8-046), and a
// room ends the walk (C8-052). The start itself is in it only if it is a
// square: a room has to be left (C8-050, C8-055). An unknown start reaches
// nothing.
func (b *Board) Reach(w Walk) Reach {
	start, ok := b.room[w.Room]
	if w.Room == "" {
		start, ok = b.square[w.Square]
	}
	var out Reach
	if !ok {
		return out
	}
	left := make([]uint16, len(b.spots)) // points left on arrival, and one
	left[start] = uint16(min(max(0, w.Points), len(b.spots))) + 1
	queue := append(make([]uint16, 0, len(b.spots)), uint16(start))
	for ; len(queue) > 0; queue = queue[1:] {
		at := int(queue[0])
		if b.spots[at].room != "" && at != start || left[at] == 1 {
			continue
		}
		for _, n := range b.spots[at].next {
			if left[n] == 0 && !slices.Contains(w.Barred, b.spots[n].room) {
				left[n] = left[at] - 1
				queue = append(queue, uint16(n))
			}
		}
	}
	out.Squares = make([]Square, 0, cap(queue))
	for i, n := range left {
		s := &b.spots[i]
		switch {
		case n == 0 || s.room != "" && i == start:
		case s.room != "":
			out.Rooms = append(out.Rooms, s.room)
		case i == start || !slices.Contains(w.Occupied, s.at):
			out.Squares = append(out.Squares, s.at)
		}
	}
	slices.Sort(out.Rooms)
	return out
}
