package readers

import (
	"context"
	"math"
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/devices/mfrc522"
	"majordome/engine"
)

const (
	testPeriod    = 10 * time.Millisecond  // a card that is always read is read a hundred times a second
	testShowEvery = 500 * time.Millisecond // between two updates of the host's page
	testLimit     = 10 * time.Minute       // a forgotten test ends automatically
)

// readerTest is the host's test of the readers before a game. While it lasts, no reading reaches the table.
// It ends before the first step of a game is shown.
type readerTest struct {
	mu        sync.Mutex
	isAllowed bool // readers can be tested now
	isOn      bool
	phase     context.Context // ends when a test begins or ends
	endPhase  context.CancelFunc
}

// TestRows returns the requests of the host's page that show, begin and end the reader test; none if there are no readers.
func (r *Readers) TestRows() []office.Row {
	if len(r.feeds) == 0 {
		return nil
	}
	return []office.Row{
		{Name: "readers", Role: wire.RoleHost, Show: func(office.Call) any { return r.buildTestView() }},
		{Name: "readers-try", Role: wire.RoleHost, Do: r.setTest},
	}
}

// setTest begins or ends a test: args {"on": "yes"} or "no". A test ends an enrolment.
func (r *Readers) setTest(_ context.Context, c office.Call) (any, error) {
	on := c.Args["on"] == "yes"
	if !r.test.setOn(on) {
		return nil, wire.NewRefusal("table.unknown")
	}
	if on {
		r.opts.Enrolment.EndSession()
	}
	return nil, nil
}

// AllowTest sets whether readers can be tested from now on. ended reports that this has ended a test.
func (r *Readers) AllowTest(isAllowed bool) (ended bool) { return r.test.setAllowed(isAllowed) }

// EndTest ends the test, if there is one.
func (r *Readers) EndTest() { r.test.setOn(false) }

// buildTestView returns the state of the test for the host's page. It has UIDs of tags but no cards. Readers
// have the names that pages use in the current game.
func (r *Readers) buildTestView() (shown wire.Trial) {
	if shown.On, _ = r.test.currentState(); !shown.On {
		return shown
	}
	shown.Strips = r.opts.Strips()
	u := r.opts.Public()
	for _, f := range r.feeds {
		m := f.readMeter()
		if u != nil {
			m.Role = engine.ReaderPlaceOrRole(m.Role, u.View.Places)
		}
		shown.Meters = append(shown.Meters, m)
	}
	return shown
}

// setAllowed sets whether readers can be tested from now on. ended reports that this has ended a test.
func (t *readerTest) setAllowed(isAllowed bool) (ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.isAllowed = isAllowed
	return !isAllowed && t.changeTo(false)
}

// setOn begins or ends a test; false: readers cannot be tested now.
func (t *readerTest) setOn(on bool) (canTest bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if on && !t.isAllowed {
		return false
	}
	t.changeTo(on)
	return true
}

// changeTo begins or ends a test, and reports whether there is a change. mu is held.
func (t *readerTest) changeTo(on bool) (changed bool) {
	if t.isOn == on {
		return false
	}
	t.isOn = on
	t.endPhase()
	t.phase, t.endPhase = context.WithCancel(context.Background())
	return true
}

// currentState returns whether a test is on, and a context that ends when that changes.
func (t *readerTest) currentState() (on bool, phase context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.isOn, t.phase
}

// contextOfBoth returns a context that ends with either of two.
func contextOfBoth(ctx, phase context.Context) (context.Context, context.CancelFunc) {
	both, stop := context.WithCancel(ctx)
	unhook := context.AfterFunc(phase, stop)
	return both, func() { unhook(); stop() }
}

// readMeter returns how well the reader reads now.
func (f *readerFeed) readMeter() wire.Meter {
	g, c := f.meter.Gauge(), f.counters()
	_, chip := f.meter.Scanner.(interface{ Stats() mfrc522.Stats })
	looks := int(time.Second / testPeriod)
	m := wire.Meter{Role: c.Role, Tags: []string{}, Lost: c.Lost, Measured: chip, Reads: min(int(g.Reads), looks), Looks: looks,
		Garbled: int(math.Round(100 * g.Garbled)), Cards: c.Cards, Noisy: c.Noisy, Losses: c.Losses, Uptime: int64(c.Uptime.Seconds())}
	for _, u := range g.Tags {
		m.Tags = append(m.Tags, u.String())
		if why, unfit := u.UnfitAdvice(); unfit && len(m.Strays) < wire.MaxStrays {
			m.Strays = append(m.Strays, config.AdviceText(why))
		}
	}
	return m
}

// updatePageDuringTest updates the host's page during a test, and ends one that was forgotten.
func (r *Readers) updatePageDuringTest(ctx context.Context) {
	for ctx.Err() == nil {
		on, phase := r.test.currentState()
		if !on {
			select {
			case <-phase.Done():
			case <-ctx.Done():
			}
			continue
		}
		tick := time.NewTicker(testShowEvery)
		for shown := time.Duration(0); phase.Err() == nil && ctx.Err() == nil; shown += testShowEvery {
			select {
			case <-tick.C:
				if shown >= testLimit {
					r.EndTest()
				}
				r.opts.OnChange()
			case <-phase.Done():
			case <-ctx.Done():
			}
		}
		tick.Stop()
	}
}
