package house

import (
	"context"
	"math"
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/devices/meter"
	"majordome/devices/mfrc522"
	"majordome/devices/presence"
	"majordome/engine"
)

const (
	trialPeriod = 10 * time.Millisecond  // a card that is always read is read a hundred times a second
	trialShown  = 500 * time.Millisecond // how often the host's page is told
	trialLimit  = 10 * time.Minute       // a trial that was forgotten ends by itself
)

// trial is the host's look at the readers before a game.
//
// What may leak: numbers of tags, to the host, in a lobby. While it lasts nothing that a reader sees reaches the table, and in a
// game there is none: it ends before the first step is shown.
type trial struct {
	bridges []bridge
	meters  []*meter.Meter // of each bridge

	mu    sync.Mutex
	may   bool // readers can be tried now
	on    bool
	phase context.Context // ends when it begins or ends
	turn  context.CancelFunc
}

func newTrial(readers []config.Reader) *trial {
	t := &trial{}
	for _, r := range readers {
		t.meters = append(t.meters, meter.New(r.Scanner, nil))
	}
	t.phase, t.turn = context.WithCancel(context.Background())
	return t
}

// openTrial makes what stands between the readers and the table.
func (h *House) openTrial() {
	h.trial = newTrial(h.opts.Readers)
	h.trial.bridges = make([]bridge, len(h.opts.Readers))
	for i, r := range h.opts.Readers {
		b := &h.trial.bridges[i]
		b.house, b.role, b.back = h, r.Role, time.Now()
	}
}

// trialRows show and start the trial of the readers; none without readers.
func (h *House) trialRows() []office.Row {
	if len(h.opts.Readers) == 0 {
		return nil
	}
	return []office.Row{
		{Name: "readers", Role: wire.RoleHost, See: func(office.Call) any { return h.shownTrial() }},
		{Name: "readers-try", Role: wire.RoleHost, Do: h.tryReaders},
	}
}

// tryReaders begins a trial, or ends it: args {"on": "yes"} or "no". A trial ends an enrolment.
func (h *House) tryReaders(_ context.Context, c office.Call) (any, error) {
	on := c.Args["on"] == "yes"
	if !h.trial.try(on) {
		return nil, wire.Refuse("table.unknown")
	}
	if on {
		h.enrolment.end()
	}
	return nil, nil
}

// shownTrial names tags by their numbers, and no card.
func (h *House) shownTrial() (shown wire.Trial) {
	if shown.On, _ = h.trial.now(); !shown.On {
		return shown
	}
	shown.Meters, shown.Strips = h.trial.read(), h.lights.Strips()
	for i, m := range shown.Meters {
		shown.Meters[i].Role = h.placed(m.Role)
	}
	return shown
}

// placed returns the name by which pages know a reader or a light in the current game.
func (h *House) placed(role string) string {
	if u := h.public.Load(); u != nil {
		return engine.PlaceOfReader(role, u.View.Places)
	}
	return role
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

// read returns one Meter for each reader.
func (t *trial) read() []wire.Meter {
	all := make([]wire.Meter, len(t.meters))
	for i, m := range t.meters {
		g, b := m.Gauge(), &t.bridges[i]
		_, chip := m.Scanner.(interface{ Stats() mfrc522.Stats })
		c := b.counters()
		all[i] = wire.Meter{Role: b.role, Tags: []string{}, Lost: c.lost, Measured: chip, Reads: int(g.Reads), Looks: int(time.Second / trialPeriod),
			Garbled: int(math.Round(100 * g.Garbled)), Cards: c.cards, Noisy: c.noisy, Losses: c.losses, Uptime: int64(c.uptime.Seconds())}
		all[i].Reads = min(all[i].Reads, all[i].Looks)
		for _, u := range g.Tags {
			all[i].Tags = append(all[i].Tags, u.String())
			if why, unfit := u.Unfit(); unfit && len(all[i].Strays) < wire.MaxStrays {
				all[i].Strays = append(all[i].Strays, engine.T(why.FR, why.EN))
			}
		}
	}
	return all
}

// showTrial lets the host's page follow a trial, and ends one that was forgotten.
func (h *House) showTrial(ctx context.Context) {
	for ctx.Err() == nil {
		on, phase := h.trial.now()
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
					h.trial.try(false)
				}
				h.office.Changed()
			case <-phase.Done():
			case <-ctx.Done():
			}
		}
		tick.Stop()
	}
}

// watchReader brings what a reader sees to the table, or to a trial as long as there is one.
func (h *House) watchReader(ctx context.Context, r config.Reader, i int, b *bridge, pile bool) (err error) {
	for ctx.Err() == nil && err == nil {
		on, phase := h.trial.now()
		part, stop := until(ctx, phase)
		if b.isLost() { // who begins to look anew takes it for well, and says so when it is not
			b.seen(presence.Event{Kind: presence.ReaderBack})
		}
		cards := presence.Opts{Strays: true}
		if on {
			err = presence.Watch(part, h.trial.meters[i], &presence.WatchOpts{Period: trialPeriod, Retry: r.Retry, Fold: cards}, b.tried)
		} else {
			err = presence.Watch(part, r.Scanner, &presence.WatchOpts{Period: r.Period, Retry: r.Retry, Pile: pile, Fold: cards}, b.seen)
		}
		stop()
	}
	return err
}
