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
	away   map[engine.Seat]time.Time
	lost   map[string]time.Time
}

// watching notes what has changed by a step.
func (c *core) watching() {
	w, now, v := &c.watch, c.Clock.Now(), &c.game.look().Public
	if w.game != c.gameID || w.phase != v.Phase || w.last != v.Last() || !slices.Equal(w.active, v.Active) {
		w.game, w.phase, w.last, w.active = c.gameID, v.Phase, v.Last(), v.Active
		w.since, w.wrong = c.now(), nil
	}
	online := c.seatsOnline()
	away := make([]engine.Seat, 0, engine.MaxSeats)
	for _, s := range v.Seats {
		if !slices.Contains(online, s.Seat) {
			away = append(away, s.Seat)
		}
	}
	keepSince(w.away, away, now)
	var lost []string
	for role, is := range c.readers {
		if is == ReaderLost {
			lost = append(lost, role)
		}
	}
	keepSince(w.lost, lost, now)
}

// keepSince keeps since when each of those is gone, and forgets who is there again.
func keepSince[K comparable](since map[K]time.Time, gone []K, now time.Time) {
	maps.DeleteFunc(since, func(k K, _ time.Time) bool { return !slices.Contains(gone, k) })
	for _, k := range gone {
		if _, before := since[k]; !before {
			since[k] = now
		}
	}
}

// answered counts what a reader has said in public.
func (c *core) answered(reader string, told *wire.Notice) {
	if told != nil {
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
	for _, seat := range slices.Sorted(maps.Keys(c.watch.away)) {
		s.Away = append(s.Away, wire.AwaySeat{Seat: seat, Since: since(c.watch.away[seat])})
	}
	for _, role := range slices.Sorted(maps.Keys(c.watch.lost)) {
		s.Lost = append(s.Lost, wire.LostReader{Reader: c.place(role), Since: since(c.watch.lost[role])})
	}
	for _, reader := range slices.Sorted(maps.Keys(c.watch.wrong)) {
		s.Wrong = append(s.Wrong, wire.WrongReader{Reader: c.place(reader), N: c.watch.wrong[reader]})
	}
	return s
}
