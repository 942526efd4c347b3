// Package button watches a push button between a pin and ground.
//
// The pin is read every 10 ms, with the pull-up of the chip. Edges are not used, because the drivers of the
// kernel's pins differ in how they wait for one. A press counts once the pin has been low in three reads in a
// row, and the next one only after three high ones: the bounce of a contact, up to 20 ms, is one press. A
// button that is down when watching begins, or a wire to ground, is no press.
//
// Leaks: nothing. Order of calls: New, then Watch, which returns when ctx ends.
package button

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"
)

const (
	period      = 10 * time.Millisecond
	steadyReads = 3 // equal reads in a row
)

// stuckAfter is the time after which a button that is down from the start counts as stuck: longer than a hand
// rests on it.
const stuckAfter = 5 * time.Second

// Dev is a button.
type Dev struct {
	pin   gpio.PinIn
	stuck atomic.Bool
}

// New makes the pin an input with a pull-up.
func New(pin gpio.PinIn) (*Dev, error) {
	if err := pin.In(gpio.PullUp, gpio.NoEdge); err != nil {
		return nil, fmt.Errorf("button: %s: %w", pin, err)
	}
	return &Dev{pin: pin}, nil
}

// IsStuck reports whether the pin has been low for five seconds since Watch began, and never high. No press
// counts while it is.
func (d *Dev) IsStuck() bool { return d.stuck.Load() }

// Watch calls pressed once for each press until ctx ends. pressed must return quickly.
func (d *Dev) Watch(ctx context.Context, pressed func()) {
	down, since := true, 0 // as if pressed, until it was up
	looks, up := 0, false
	for tick := time.NewTicker(period); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if (d.pin.Read() == gpio.Low) == down {
			since = 0
			if looks++; !up {
				d.stuck.Store(looks >= int(stuckAfter/period))
			}
			continue
		}
		if since++; since < steadyReads {
			continue
		}
		down, since, up = !down, 0, true
		d.stuck.Store(false)
		if down {
			pressed()
		}
	}
}
