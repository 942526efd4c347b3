package house

import (
	"majordome/cmd/majordome/clock"
	"majordome/companion/table"
)

// systemClock implements table.SystemClock by a wish that root fulfils (package clock).
type systemClock struct{ h *House }

// systemClock is the table's port; nil where nobody waits for a wish.
func (h *House) systemClock() table.SystemClock {
	if h.opts.ClockWish == "" || h.opts.Vitals == nil {
		return nil
	}
	return systemClock{h}
}

// Settable implements table.SystemClock.
func (s systemClock) Settable() bool { return s.h.care.seen().vitals.Undated }

// Set implements table.SystemClock. The file is a few bytes in the memory of the system.
func (s systemClock) Set(ms string) bool {
	t, err := clock.Parse(ms)
	if err != nil || clock.Ask(s.h.opts.ClockWish, t) != nil {
		return false
	}
	select {
	case s.h.care.soon <- struct{}{}:
	default: // it is looked at already
	}
	return true
}
