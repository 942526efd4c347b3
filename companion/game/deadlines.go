package game

import (
	"maps"
	"slices"
	"time"

	"majordome/engine"
)

// gameClock is the clock of a game. At the moment anchor it shows base.
type gameClock struct {
	base   engine.Millis
	anchor time.Time
}

// gameTimeAt returns the time that a running clock shows at a moment.
func (k gameClock) gameTimeAt(now time.Time) engine.Millis {
	return k.base + engine.Millis(now.Sub(k.anchor).Milliseconds())
}

// wallTimeOf returns the moment at which a running clock shows a time.
func (k gameClock) wallTimeOf(at engine.Millis) time.Time {
	return k.anchor.Add(time.Duration(at-k.base) * time.Millisecond)
}

// deadlines notes of the deadlines of a game which have expired, and by how much each is delayed after an undo
// or a scene.
type deadlines struct {
	expired map[engine.Deadline]bool
	delays  map[engine.Deadline]engine.Millis
}

func newDeadlines() deadlines {
	return deadlines{map[engine.Deadline]bool{}, map[engine.Deadline]engine.Millis{}}
}

// reset forgets all deadlines.
func (d *deadlines) reset() { clear(d.expired); clear(d.delays) }

// delayListed delays all deadlines in listed.
func (d *deadlines) delayListed(listed []engine.Deadline, by engine.Millis) {
	for _, one := range listed {
		d.delays[one] += by
	}
}

// removeUnlisted forgets the deadlines that are not in listed.
func (d *deadlines) removeUnlisted(listed []engine.Deadline) {
	maps.DeleteFunc(d.expired, func(one engine.Deadline, _ bool) bool { return !slices.Contains(listed, one) })
	maps.DeleteFunc(d.delays, func(one engine.Deadline, _ engine.Millis) bool { return !slices.Contains(listed, one) })
}

// activeSeats maps each seat that has to act to the game time since which it has to.
type activeSeats map[engine.Seat]engine.Millis

// updateAndGetLongestWait returns for how long the slowest of the active seats has been waited for. The game clock stops in
// a pause; after a start of the daemon all seats count from zero.
func (since activeSeats) updateAndGetLongestWait(active []engine.Seat, now engine.Millis) (longest engine.Millis) {
	maps.DeleteFunc(since, func(s engine.Seat, _ engine.Millis) bool { return !slices.Contains(active, s) })
	for _, s := range active {
		if _, ok := since[s]; !ok {
			since[s] = now
		}
		longest = max(longest, now-since[s])
	}
	return longest
}
