package button

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

const ms = time.Millisecond

// wire is a pin whose level follows a script: the times at which it changes, from high. What a button does not use panics.
type wire struct {
	gpio.PinIn
	pull    gpio.Pull
	start   time.Time
	changes []time.Duration
}

func (w *wire) In(pull gpio.Pull, edge gpio.Edge) error {
	if edge != gpio.NoEdge {
		return errors.New("edges are not to be used")
	}
	w.pull = pull
	return nil
}

func (w *wire) Read() gpio.Level {
	level := gpio.High
	for _, at := range w.changes {
		if time.Since(w.start) >= at {
			level = !level
		}
	}
	return level
}

func TestPresses(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []time.Duration
		want    int
	}{
		{"nothing", nil, 0},
		{"one press", []time.Duration{200 * ms, 400 * ms}, 1},
		{"short", []time.Duration{200 * ms, 240 * ms}, 1},
		{"it bounces as it goes down and up",
			[]time.Duration{200 * ms, 203 * ms, 207 * ms, 215 * ms, 219 * ms, 400 * ms, 404 * ms, 409 * ms, 415 * ms, 419 * ms}, 1},
		{"two presses", []time.Duration{200 * ms, 300 * ms, 400 * ms, 500 * ms}, 2},
		{"held", []time.Duration{200 * ms}, 1},
		{"a spark on the wire", []time.Duration{200 * ms, 212 * ms}, 0},
		{"down from the beginning", []time.Duration{0}, 0},
		{"down from the beginning, let go, pressed", []time.Duration{0, 300 * ms, 500 * ms}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &wire{start: time.Now(), changes: c.changes}
				d, err := New(w)
				if err != nil {
					t.Fatal(err)
				}
				if w.pull != gpio.PullUp {
					t.Error("without its pull-up the pin floats")
				}
				n := 0
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				d.Watch(ctx, func() { n++ })
				if n != c.want {
					t.Errorf("%d presses, want %d", n, c.want)
				}
			})
		})
	}
}

// taken is a pin that another program holds.
type taken struct{ gpio.PinIn }

func (taken) String() string { return "GPIO5" }

func (taken) In(gpio.Pull, gpio.Edge) error { return errors.New("device or resource busy") }

func TestPinThatIsTaken(t *testing.T) {
	if _, err := New(taken{}); err == nil {
		t.Error("a pin that is taken is no button")
	}
}

// A button that has never been up is reported stuck after five seconds, and no longer once it is released. One that is held down later is
// not stuck.
func TestStuckButton(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []time.Duration
		at      time.Duration
		want    bool
	}{
		{"down from the beginning, soon", []time.Duration{0}, 4 * time.Second, false},
		{"down from the beginning, later", []time.Duration{0}, 6 * time.Second, true},
		{"let go", []time.Duration{0, 6 * time.Second}, 7 * time.Second, false},
		{"never pressed", nil, 10 * time.Second, false},
		{"held later", []time.Duration{200 * ms}, 20 * time.Second, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, err := New(&wire{start: time.Now(), changes: c.changes})
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				go d.Watch(ctx, func() {})
				time.Sleep(c.at)
				if got := d.IsStuck(); got != c.want {
					t.Errorf("stuck %v, want %v", got, c.want)
				}
				stop()
				synctest.Wait()
			})
		})
	}
}
