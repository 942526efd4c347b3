//go:build !linux

package pace

import "time"

// Real is the monotonic clock of this computer. Each user makes its own.
type Real struct{ start time.Time }

// NewReal starts a clock at zero.
func NewReal() *Real { return &Real{start: time.Now()} }

// Now implements Clock.
func (c *Real) Now() time.Duration { return time.Since(c.start) }

// Sleep implements Clock, as exactly as time.Sleep can.
func (c *Real) Sleep(d time.Duration) { time.Sleep(d) }
