package table

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// watch is what the host's page is told of what does not go on, made of what everybody sees: the public view, what readers answer
// in public, and which phones are connected.
type watch struct {
	key   string        // of the public view, as far as it says where the game is
	since engine.Millis // when it last changed
	wrong map[string]int
	away  map[engine.Seat]time.Time
	lost  map[string]time.Time
}

// watching notes what has changed by a step.
func (c *core) watching() {
	w, now, v := &c.watch, c.Clock.Now(), &c.game.look().Public
	if key := fmt.Sprint(c.gameID, v.Phase, v.Active, v.Last()); key != w.key {
		w.key, w.since, w.wrong = key, c.now(), nil
	}
	online := c.seatsOnline()
	var away []engine.Seat
	for _, s := range v.Seats {
		if !slices.Contains(online, s.Seat) {
			away = append(away, s.Seat)
		}
	}
	var lost []string
	for role, is := range c.readers {
		if is == ReaderLost {
			lost = append(lost, role)
		}
	}
	w.away, w.lost = sinceWhen(w.away, away, now), sinceWhen(w.lost, lost, now)
}

// sinceWhen is since when each of all is what it is now: for those that were so before, since then.
func sinceWhen[K comparable](before map[K]time.Time, all []K, now time.Time) map[K]time.Time {
	since := make(map[K]time.Time, len(all))
	for _, k := range all {
		since[k] = now
		if at, ok := before[k]; ok {
			since[k] = at
		}
	}
	return since
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
