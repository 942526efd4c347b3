// Package pace provides a clock that can wait for less than a millisecond.
//
// On Linux an idle Go program parks in epoll, whose time-out counts whole milliseconds, so time.Sleep(100µs)
// lasts about 1.1 ms (golang/go#44343). An exchange with a tag lasts 0.3 to 1.2 ms: with time.Sleep every card
// would take twice as long to read. The clock of this package waits on a timerfd instead, which is exact and
// leaves the thread free for other goroutines.
//
// Leaks: nothing. Limits: one Sleep at a time per clock; a second one waits for the first.
package pace

import "time"

// Clock gives the time to a driver. Tests use a virtual one.
type Clock interface {
	// Now returns the time since some fixed start; it never goes back.
	Now() time.Duration
	// Sleep waits for at least d; it returns at once for d <= 0.
	Sleep(d time.Duration)
}

// Virtual is a clock that moves only by Sleep. Only one goroutine at a time may use it. The zero value is at
// zero.
type Virtual struct{ now time.Duration }

// Now implements Clock. Reading does not move the clock.
func (v *Virtual) Now() time.Duration { return v.now }

// Sleep implements Clock: it returns at once and moves the clock by d.
func (v *Virtual) Sleep(d time.Duration) {
	if d > 0 {
		v.now += d
	}
}
