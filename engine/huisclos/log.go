package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
)

// entry is one line of the story; the lines form a chain shared between the
// states of one game.
type entry struct {
	prev  *entry
	round uint8
	own   bool
	msg   box.Box[engine.Msg]
	// seen counts the lines up to this one that each audience has: index 0 the
	// public, else that seat. Numbering by audience keeps the presence of
	// somebody else's private line from showing as a gap.
	seen [maxSeats + 1]uint16
}

// Lines of a view: for the living, and for a seat that has died and reads on.
const (
	logLines  = 12
	deadLines = 40
)

// tell adds a line for everybody.
func (s *state) tell(m engine.Msg) { s.write(m, 0) }

// whisper adds a line for one seat alone.
func (s *state) whisper(x engine.Seat, m engine.Msg) { s.write(m, x) }

func (s *state) write(m engine.Msg, to engine.Seat) {
	e := &entry{prev: s.log, round: s.round, own: to != 0}
	if s.log != nil {
		e.seen = s.log.seen
	}
	aud := box.All
	if to != 0 {
		aud = box.Only(to)
		e.seen[to]++
	} else {
		for i := range e.seen {
			e.seen[i]++
		}
	}
	e.msg = box.Seal(m, aud)
	s.log = e
}

// lines are the last ones that v may read, newest last.
func (s *state) lines(v engine.Viewer) []engine.Line {
	i, _ := v.Seat()
	if i > maxSeats {
		i = 0
	}
	most := logLines
	if s.seats[i].dead {
		most = deadLines
	}
	out := make([]engine.Line, 0, most)
	for e := s.log; e != nil && len(out) < most; e = e.prev {
		if m, ok := e.msg.See(v); ok {
			out = append(out, engine.Line{N: int(e.seen[i]), Round: int(e.round), Msg: m, Own: e.own})
		}
	}
	for a, b := 0, len(out)-1; a < b; a, b = a+1, b-1 {
		out[a], out[b] = out[b], out[a]
	}
	return out
}
