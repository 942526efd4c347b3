package lamps

import (
	"sync/atomic"

	"majordome/devices/dial"
)

// clock shows the newest hour on a dial, and remembers whether the dial accepted it.
type clock struct {
	dial.Dial
	hours chan dial.Hour
	lost  atomic.Bool
}

// queueHour replaces the hour that waits to be shown. Only one goroutine may call it.
func (c *clock) queueHour(h dial.Hour) {
	select {
	case <-c.hours: // an older hour, not shown yet
	default:
	}
	c.hours <- h
}

// ShowHour implements dial.Dial.
func (c *clock) ShowHour(h dial.Hour) error {
	err := c.Dial.ShowHour(h)
	c.lost.Store(err != nil)
	return err
}
