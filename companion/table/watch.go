package table

import (
	"maps"
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// watch is what the host's page is told of what does not go on, made of what everybody sees: the public view, what readers answer
// in public, and which phones are connected.
type watch struct {
	game   int64 // what the public view said of where the game is
	phase  string
	active []engine.Seat
	last   int
	since  engine.Millis // when that last changed
	wrong  map[string]int
	away   [engine.MaxSeats + 1]time.Time // zero: connected, or nobody sits there
	lost   map[string]time.Time
}

// watching notes what has changed by a step.
func (c *core) watching() {
	w, now, v := &c.watch, c.Clock.Now(), &c.game.look().Public
	if w.game != c.gameID || w.phase != v.Phase || w.last != v.Last() || !slices.Equal(w.active, v.Active) {
		w.game, w.phase, w.last, w.active = c.gameID, v.Phase, v.Last(), v.Active
		w.since, w.wrong = c.now(), nil
	}
	online, was := c.seatsOnline(), w.away
	w.away = [len(w.away)]time.Time{}
	for _, s := range v.Seats {
		switch {
		case slices.Contains(online, s.Seat):
		case was[s.Seat].IsZero():
			w.away[s.Seat] = now
		default:
			w.away[s.Seat] = was[s.Seat]
		}
	}
	var lost []string
	for role, is := range c.readers {
		if is == ReaderLost {
			lost = append(lost, role)
		}
	}
	maps.DeleteFunc(w.lost, func(role string, _ time.Time) bool { return !slices.Contains(lost, role) })
	for _, role := range lost {
		if _, before := w.lost[role]; !before {
			w.lost[role] = now
		}
	}
}

// answered counts what a reader has said in public.
func (c *core) answered(reader string, told *wire.Notice) {
	if told != nil {
		if len(c.saw) == maxSaw {
			c.unsaw++
		}
		c.saw = append(c.saw[max(0, len(c.saw)-maxSaw+1):], Minute{Wall: c.Clock.Now(), Said: told.Msg, Rule: told.Rule})
	}
	switch {
	case told == nil:
	case told.Signal == signalAccepted:
		delete(c.watch.wrong, reader)
	case told.Signal == signalAgain:
		if c.watch.wrong == nil {
			c.watch.wrong = map[string]int{}
		}
		c.watch.wrong[reader]++
	}
}

// shownWatch is for the host alone, who could count it all by looking.
func (c *core) shownWatch() *wire.Watch {
	now := c.Clock.Now()
	since := func(at time.Time) engine.Millis { return engine.Millis(now.Sub(at).Milliseconds()) }
	s := &wire.Watch{Still: c.now() - c.watch.since}
	away := make([]wire.AwaySeat, 0, len(c.watch.away)) // on the stack
	for seat, at := range c.watch.away {
		if !at.IsZero() {
			away = append(away, wire.AwaySeat{Seat: engine.Seat(seat), Since: since(at)})
		}
	}
	s.Away = append(s.Away, away...)
	for _, role := range slices.Sorted(maps.Keys(c.watch.lost)) {
		s.Lost = append(s.Lost, wire.LostReader{Reader: c.place(role), Since: since(c.watch.lost[role])})
	}
	for _, reader := range slices.Sorted(maps.Keys(c.watch.wrong)) {
		s.Wrong = append(s.Wrong, wire.WrongReader{Reader: c.place(reader), N: c.watch.wrong[reader]})
	}
	return s
}
