package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/box"
)

// follow applies events to see what follows from them by itself. It returns all.
func (s *state) follow(at engine.Millis, evs []*event) []engine.Event {
	out := make([]engine.Event, 0, len(evs)+2)
	next := *s
	for _, e := range evs {
		next.change(e)
		out = append(out, e)
	}
	for range 100 { // more than any chain: at most 10 seats are skipped twice
		e := next.consequence()
		if e == nil {
			return out
		}
		e.at = at
		next.change(e)
		out = append(out, e)
	}
	panic("cluedo: invariant 6 broken: consequences without end")
}

// consequence is what must happen now without anybody's choice; nil: nothing.
func (s *state) consequence() *event {
	if s.counting {
		return nil
	}
	switch s.phase {
	case dealing:
		if s.asked == 0 && s.allDealt() {
			return &event{kind: evStarting, seat: s.left(maxSeats)}
		}
	case starting:
		return s.nextStarter()
	case turn:
		if e := s.nobodyLeft(); e != nil {
			return e
		}
		return s.nextStep()
	}
	return nil
}

func (s *state) allDealt() bool {
	for x := range s.seats {
		if s.seats[x].who != 0 && !s.seats[x].dealt {
			return false
		}
	}
	return true
}

// nextStarter calls the next seat to roll, lets ties roll again, and begins with
// the highest (C8-011).
func (s *state) nextStarter() *event {
	if s.asked != 0 {
		return nil
	}
	best, who := uint8(0), uint16(0)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		p := &s.seats[x]
		switch {
		case p.who == 0 || p.rolled == outrolled:
		case p.rolled == 0:
			return &event{kind: evStarting, seat: x}
		case p.rolled > best:
			best, who = p.rolled, 1<<x
		case p.rolled == best:
			who |= 1 << x
		}
	}
	if who&(who-1) != 0 {
		return &event{kind: evTies, n: who}
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if who == 1<<x {
			return &event{kind: evTurn, seat: x, n: 1}
		}
	}
	return nil
}

// nobodyLeft ends the game when nobody can win any more (C8-191, C8-192).
func (s *state) nobodyLeft() *event {
	living, running := 0, 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.seated(x) && !s.seats[x].dead {
			living++
		}
		if s.running(x) {
			running++
		}
	}
	switch {
	case living == 0:
		return ending(s.book.rules.murdered, 0)
	case running == 0:
		return ending(s.book.rules.lost, 0)
	}
	return nil
}

// nextStep goes on where nothing is left to be chosen.
func (s *state) nextStep() *event {
	if s.seats[s.active].dead { // C8-139
		return s.turnOf(s.nextSeat())
	}
	switch s.step {
	case stepNone:
		if !s.seats[s.active].wrong { // C8-154
			return s.turnOf(s.active)
		}
		return s.turnOf(s.nextSeat())
	case stepAnswer:
		if s.asked != 0 {
			return nil
		}
		if x := s.book.asks(s); x != 0 {
			return &event{kind: evAsked, seat: x}
		}
		if s.hyp.shown() {
			return &event{kind: evSettled, seat: s.active}
		}
		return &event{kind: evUnrefuted, seat: s.active}
	case stepNeighbour:
		if s.seats[s.asked].cards > 0 {
			return nil
		}
		if y := s.neighbour(); y != 0 { // the count has found an empty hand
			return &event{kind: evNeighbour, seat: y, other: s.active}
		}
		return &event{kind: evSettled, seat: s.active}
	case stepShown:
		if len(s.awaited()) == 0 {
			return &event{kind: evClosed, seat: s.active}
		}
	case stepAmend:
		if a, _ := s.amend.Open(); s.held(a.seat)&a.named == 0 {
			return &event{kind: evUpheld, seat: a.seat, other: a.to, amend: box.Seal(a, box.Nobody)}
		}
	case stepAct:
		if s.acted || !s.something() {
			return &event{kind: evActed, seat: s.active}
		}
	case stepEnd:
		if a, ok := s.contradicted(); ok {
			return &event{kind: evAmend, seat: a.seat, other: a.to, amend: box.Seal(a, box.Nobody)}
		}
		if !s.lingers() {
			return s.turnOf(s.nextSeat())
		}
	}
	return nil
}

// something reports that the active seat could act, by public facts.
func (s *state) something() bool {
	switch a := s.here(); {
	case s.hypothetical():
		return true
	case a == s.book.pool && s.free && s.pooled > 0, s.book.accuses(s):
		return true
	}
	return s.could(s.active)
}

// lingers reports that the end of the turn has to be waited for: by public
// facts the active seat could still play a card or its Power (C8-033, GEN-005).
func (s *state) lingers() bool {
	return s.running(s.active) && s.could(s.active)
}

// nextSeat is the next to the left that has turns (C8-012, C8-036).
func (s *state) nextSeat() engine.Seat {
	for x := s.left(s.active); ; x = s.left(x) {
		if s.book.turns(s, x) || x == s.active {
			return x
		}
	}
}

func (s *state) turnOf(x engine.Seat) *event {
	return &event{kind: evTurn, seat: x, n: s.round + 1}
}

func (s *state) nextTurn(at engine.Millis) []*event {
	e := s.turnOf(s.nextSeat())
	e.at = at
	return []*event{e}
}
