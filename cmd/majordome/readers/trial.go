package readers

import (
	"context"
	"math"
	"sync"
	"time"

	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/devices/mfrc522"
	"majordome/engine"
)

const (
	trialPeriod = 10 * time.Millisecond  // a card that is always read is read a hundred times a second
	trialShown  = 500 * time.Millisecond // how often the host's page is told
	trialLimit  = 10 * time.Minute       // a trial that was forgotten ends by itself
)

// trial is the host's look at the readers before a game. While it lasts nothing that a reader sees reaches the table. It ends before the
// first step of a game is shown.
type trial struct {
	mu    sync.Mutex
	may   bool // readers can be tried now
	on    bool
	phase context.Context // ends when it begins or ends
	turn  context.CancelFunc
}

// Rows show and start the trial of the readers; none without readers.
func (r *Readers) Rows() []office.Row {
	if len(r.feeds) == 0 {
		return nil
	}
	return []office.Row{
		{Name: "readers", Role: wire.RoleHost, See: func(office.Call) any { return r.shownTrial() }},
		{Name: "readers-try", Role: wire.RoleHost, Do: r.tryReaders},
	}
}

// tryReaders begins a trial, or ends it: args {"on": "yes"} or "no". A trial ends an enrolment.
func (r *Readers) tryReaders(_ context.Context, c office.Call) (any, error) {
	on := c.Args["on"] == "yes"
	if !r.trial.try(on) {
		return nil, wire.Refuse("table.unknown")
	}
	if on {
		r.opts.Enrolment.End()
	}
	return nil, nil
}

// AllowTrial says whether readers can be tried from now on; ended: they were, and are no more.
func (r *Readers) AllowTrial(may bool) (ended bool) { return r.trial.allow(may) }

// EndTrial ends the trial, if there is one.
func (r *Readers) EndTrial() { r.trial.try(false) }

// shownTrial names tags by their numbers, and no card. Readers have the names by which pages know them in the current game.
func (r *Readers) shownTrial() (shown wire.Trial) {
	if shown.On, _ = r.trial.now(); !shown.On {
		return shown
	}
	shown.Strips = r.opts.Strips()
	u := r.opts.Public()
	for _, f := range r.feeds {
		m := f.measure()
		if u != nil {
			m.Role = engine.PlaceOfReader(m.Role, u.View.Places)
		}
		shown.Meters = append(shown.Meters, m)
	}
	return shown
}

// allow says whether readers can be tried from now on; ended: they were, and are no more.
func (t *trial) allow(may bool) (ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.may = may
	return !may && t.set(false)
}

// try begins a trial, or ends it; false: readers cannot be tried now.
func (t *trial) try(on bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if on && !t.may {
		return false
	}
	t.set(on)
	return true
}

// set reports a change. mu is held.
func (t *trial) set(on bool) bool {
	if t.on == on {
		return false
	}
	t.on = on
	t.turn()
	t.phase, t.turn = context.WithCancel(context.Background())
	return true
}

// now says whether readers are tried, and until when that is so.
func (t *trial) now() (on bool, phase context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.on, t.phase
}

// until is a context that ends with both.
func until(ctx, phase context.Context) (context.Context, context.CancelFunc) {
	both, stop := context.WithCancel(ctx)
	unhook := context.AfterFunc(phase, stop)
	return both, func() { unhook(); stop() }
}

// measure returns how the reader reads now.
func (f *feed) measure() wire.Meter {
	g, c := f.meter.Gauge(), f.counters()
	_, chip := f.meter.Scanner.(interface{ Stats() mfrc522.Stats })
	looks := int(time.Second / trialPeriod)
	m := wire.Meter{Role: c.Role, Tags: []string{}, Lost: c.Lost, Measured: chip, Reads: min(int(g.Reads), looks), Looks: looks,
		Garbled: int(math.Round(100 * g.Garbled)), Cards: c.Cards, Noisy: c.Noisy, Losses: c.Losses, Uptime: int64(c.Uptime.Seconds())}
	for _, u := range g.Tags {
		m.Tags = append(m.Tags, u.String())
		if why, unfit := u.Unfit(); unfit && len(m.Strays) < wire.MaxStrays {
			m.Strays = append(m.Strays, engine.T(why.FR, why.EN))
		}
	}
	return m
}

// showTrial lets the host's page follow a trial, and ends one that was forgotten.
func (r *Readers) showTrial(ctx context.Context) {
	for ctx.Err() == nil {
		on, phase := r.trial.now()
		if !on {
			select {
			case <-phase.Done():
			case <-ctx.Done():
			}
			continue
		}
		tick := time.NewTicker(trialShown)
		for shown := time.Duration(0); phase.Err() == nil && ctx.Err() == nil; shown += trialShown {
			select {
			case <-tick.C:
				if shown >= trialLimit {
					r.EndTrial()
				}
				r.opts.Changed()
			case <-phase.Done():
			case <-ctx.Done():
			}
		}
		tick.Stop()
	}
}
