package lamps

import (
	"sync/atomic"

	"majordome/devices/dial"
)

// clock is told where the game stands, takes the newest hour, and remembers whether it took it.
type clock struct {
	dial.Dial
	hours chan dial.Hour
	lost  atomic.Bool
}

// tell is called by one goroutine.
func (c *clock) tell(h dial.Hour) {
	select {
	case <-c.hours: // it is behind
	default:
	}
	c.hours <- h
}

// Show implements dial.Dial.
func (c *clock) Show(h dial.Hour) error {
	err := c.Dial.Show(h)
	c.lost.Store(err != nil)
	return err
}
