package game

import (
	"maps"
	"slices"
	"time"

	"majordome/engine"
)

// gameClock is the clock of a game. It shows base at the moment anchor.
type gameClock struct {
	base   engine.Millis
	anchor time.Time
}

// at returns what it shows at a moment, while it runs.
func (k gameClock) at(now time.Time) engine.Millis {
	return k.base + engine.Millis(now.Sub(k.anchor).Milliseconds())
}

// when returns the moment at which it shows a time.
func (k gameClock) when(at engine.Millis) time.Time {
	return k.anchor.Add(time.Duration(at-k.base) * time.Millisecond)
}

// deadlines are those of a game: which were sent, and by how much each is later than the game has it, after an undo or a scene.
type deadlines struct {
	sent map[engine.Deadline]bool
	late map[engine.Deadline]engine.Millis
}

func newDeadlines() deadlines {
	return deadlines{map[engine.Deadline]bool{}, map[engine.Deadline]engine.Millis{}}
}

// reset forgets all.
func (d *deadlines) reset() { clear(d.sent); clear(d.late) }

// delay makes all those that are listed later.
func (d *deadlines) delay(listed []engine.Deadline, by engine.Millis) {
	for _, one := range listed {
		d.late[one] += by
	}
}

// prune forgets what is no longer listed.
func (d *deadlines) prune(listed []engine.Deadline) {
	maps.DeleteFunc(d.sent, func(one engine.Deadline, _ bool) bool { return !slices.Contains(listed, one) })
	maps.DeleteFunc(d.late, func(one engine.Deadline, _ engine.Millis) bool { return !slices.Contains(listed, one) })
}

// waits are since when each seat that is to act is to act.
type waits map[engine.Seat]engine.Millis

// longest returns for how long those who are to act have been waited for, whoever has been for
// longest. The clock of the game stands in a pause, and a start of the daemon begins anew.
func (since waits) longest(active []engine.Seat, now engine.Millis) (longest engine.Millis) {
	maps.DeleteFunc(since, func(s engine.Seat, _ engine.Millis) bool { return !slices.Contains(active, s) })
	for _, s := range active {
		if _, ok := since[s]; !ok {
			since[s] = now
		}
		longest = max(longest, now-since[s])
	}
	return longest
}
