// Package watch is the part that shows the host's page what is stuck: for how long nothing has happened, which
// phones and readers are away and for how long, and how often a reader has asked for a card again. It uses only
// public facts.
package watch

import (
	"maps"
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// Watch is the part.
type Watch struct {
	table master.Table

	game   int64 // game, phase, active and last are the public state of the game
	phase  string
	active []engine.Seat
	last   int           // number of the last happening
	since  engine.Millis // when that state last changed
	wrong  map[string]int
	away   [engine.MaxSeats + 1]time.Time // zero: connected, or a seat without a player
	lost   map[string]time.Time
}

// New returns the part.
func New(t master.Table) *Watch { return &Watch{table: t, lost: map[string]time.Time{}} }

// Acts implements master.Part.
func (w *Watch) Acts() []master.Act { return nil }

// ObserveStep implements master.Observer: it notes since when nothing has happened, and which phones and readers are away.
func (w *Watch) ObserveStep() {
	t := w.table
	now, v := t.WallTime(), t.PublicView()
	if w.game != t.GameNumber() || w.phase != v.Phase || w.last != v.LastHappeningNumber() || !slices.Equal(w.active, v.Active) {
		w.game, w.phase, w.last, w.active = t.GameNumber(), v.Phase, v.LastHappeningNumber(), v.Active
		w.since, w.wrong = t.GameTime(), nil
	}
	online, was := t.SeatsOnline(), w.away
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
	for role, is := range t.ReaderStates() {
		if is == master.ReaderLost {
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

// ObserveAnswer implements master.Observer: it counts how often a reader asks for a card again.
func (w *Watch) ObserveAnswer(reader string, told *wire.Notice) {
	switch told.Signal {
	case wire.SignalAccepted:
		delete(w.wrong, reader)
	case wire.SignalAgain:
		if w.wrong == nil {
			w.wrong = map[string]int{}
		}
		w.wrong[reader]++
	}
}

// ShowHost implements master.HostShower: what is stuck, and for how long.
func (w *Watch) ShowHost(to *wire.ForHost) {
	now := w.table.WallTime()
	since := func(at time.Time) engine.Millis { return engine.Millis(now.Sub(at).Milliseconds()) }
	s := &wire.Watch{Still: w.table.GameTime() - w.since}
	away := make([]wire.AwaySeat, 0, len(w.away)) // does not escape to the heap
	for seat, at := range w.away {
		if !at.IsZero() {
			away = append(away, wire.AwaySeat{Seat: engine.Seat(seat), Since: since(at)})
		}
	}
	s.Away = append(s.Away, away...)
	for _, role := range sortedKeys(w.lost) {
		s.Lost = append(s.Lost, wire.LostReader{Reader: w.table.ReaderName(role), Since: since(w.lost[role])})
	}
	for _, reader := range sortedKeys(w.wrong) {
		s.Wrong = append(s.Wrong, wire.WrongReader{Reader: w.table.ReaderName(reader), N: w.wrong[reader]})
	}
	to.Desk.Watch = s
}

// sortedKeys returns the keys of a map, which is empty at most steps, in their order.
func sortedKeys[V any](all map[string]V) []string {
	if len(all) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(all))
}
