package health

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// monitorEvery is how often the computer of the table is looked at: none of it changes faster than somebody can mend it.
const monitorEvery = time.Minute

// soonEvery and soonTimes are for a look sooner: something of it was asked to change.
const (
	soonEvery = time.Second
	soonTimes = 10
)

// MonitorOpts are the parameters of a Monitor.
type MonitorOpts struct {
	Vitals  *vitals.Machine       // nil: nobody looks, and nothing is found
	Others  func() []wire.Finding // what else the host's page shows beside the machine
	Changed func()                // something else is to be shown
	Log     *slog.Logger
}

// Monitor looks at the computer of the table. It is safe for concurrent use.
type Monitor struct {
	opts MonitorOpts
	mu   sync.Mutex // one look at a time
	last atomic.Pointer[sight]
	soon chan struct{}
}

// sight is what one look has found.
type sight struct {
	vitals   vitals.Vitals
	findings []wire.Finding
	shown    []wire.Finding
}

// NewMonitor makes a Monitor that has found nothing yet.
func NewMonitor(o MonitorOpts) *Monitor {
	m := &Monitor{opts: o, soon: make(chan struct{}, 1)}
	m.last.Store(&sight{})
	return m
}

// Shown returns what the last look has found, as the host's page shows it: the faults first.
func (m *Monitor) Shown() []wire.Finding { return m.last.Load().shown }

// Undated reports that nobody has set the clock of the computer.
func (m *Monitor) Undated() bool { return m.last.Load().vitals.Undated }

// LookSoon has Run look at once a second for a while.
func (m *Monitor) LookSoon() {
	select {
	case m.soon <- struct{}{}:
	default: // it does already
	}
}

// Run looks once a minute until ctx ends.
func (m *Monitor) Run(ctx context.Context) {
	if m.opts.Vitals == nil {
		return
	}
	tick := time.NewTicker(monitorEvery)
	defer tick.Stop()
	for left := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-m.soon:
			left = soonTimes
			tick.Reset(soonEvery)
		case <-tick.C:
			if left--; left == 0 {
				tick.Reset(monitorEvery)
			}
			if m.Look() {
				m.opts.Changed()
			}
		}
	}
}

// Look looks once, logs what was not there before, and reports that something else is to be shown.
func (m *Monitor) Look() (changed bool) {
	if m.opts.Vitals == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before, now := m.last.Load(), &sight{vitals: m.opts.Vitals.Look()}
	now.findings = slices.Concat(now.vitals.Troubles(), m.opts.Others())
	now.shown = cutFindings(now.findings)
	for _, t := range now.findings {
		if !slices.ContainsFunc(before.findings, func(b wire.Finding) bool { return b.Said == t.Said && b.State == t.State }) {
			m.opts.Log.Warn("something is not well with this machine", "about", t.About, "what", t.Said.EN, "advice", t.Fix.EN, "quoi", t.Said.FR, "conseil", t.Fix.FR)
		}
	}
	m.last.Store(now)
	return !reflect.DeepEqual(before.shown, now.shown)
}

// aboutMore is the last trouble of a list that is cut.
const aboutMore = "more"

// cutFindings puts the faults first, then those for which the page has a place above. Of more than wire.MaxFindings the last place says how
// many are left out.
func cutFindings(all []wire.Finding) []wire.Finding {
	rank := func(t wire.Finding) int {
		switch {
		case t.State == wire.StateFault:
			return 0
		case t.About == "card", t.About == "date":
			return 1
		}
		return 2
	}
	shown := slices.Clone(all)
	slices.SortStableFunc(shown, func(a, b wire.Finding) int { return cmp.Compare(rank(a), rank(b)) })
	if len(shown) <= wire.MaxFindings {
		return shown
	}
	left := shown[wire.MaxFindings-1:]
	more := vitals.Warning(aboutMore, engine.Tf("Autres points, qui n’ont plus de place ici : %d.", "Further things, which have no room here: %d.", len(left)),
		engine.T("Réglez d’abord les autres, ceux-ci suivront. Voyez aussi le journal : journalctl -u majordome.", "Mend the others first, and these follow. See also the log: journalctl -u majordome."))
	more.State = left[0].State
	return append(shown[:wire.MaxFindings-1:wire.MaxFindings-1], more)
}

// AboutDeck is a trouble with a file of the folder of decks.
const AboutDeck = "deck"

// DeckFindings are the files of which something was left out, each with the first of its faults.
func DeckFindings(err error) (all []wire.Finding) {
	const most = 80 // characters: a trouble has room for so many, twice in both languages
	told := map[string]bool{}
	for _, f := range faultsIn(err) {
		if told[f.File] {
			continue
		}
		told[f.File] = true
		name := ownfile.Tail(f.File)
		where := engine.T(name, name)
		if f.Line > 0 {
			where = engine.Tf("%[1]s, ligne %[2]d", "%[1]s, line %[2]d", name, f.Line)
		}
		all = append(all, vitals.Warning(AboutDeck,
			engine.T(where.FR+" : "+ownfile.Visible(f.What.FR, most)+".", where.EN+": "+ownfile.Visible(f.What.EN, most)+"."),
			engine.T("À faire : "+ownfile.Visible(f.Hint.FR, most)+", puis redémarrez Majordome.",
				"To do: "+ownfile.Visible(f.Hint.EN, most)+", then start Majordome again.")))
	}
	return all
}

// faultsIn are the faults that were joined.
func faultsIn(err error) (all []*ownfile.Fault) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			all = append(all, faultsIn(e)...)
		}
		return all
	}
	var f *ownfile.Fault
	if errors.As(err, &f) {
		all = append(all, f)
	}
	return all
}

// Machine returns what the last look has found, for programs.
func (m *Monitor) Machine() Machine {
	l := m.last.Load()
	a := Machine{Troubles: map[string]wire.State{}, Disk: inMiB(l.vitals.DiskFree), Memory: inMiB(l.vitals.MemoryFree), Wear: l.vitals.Wear}
	for _, t := range l.findings {
		if a.Troubles[t.About] != wire.StateFault {
			a.Troubles[t.About] = t.State
		}
	}
	if l.vitals.Heat != nil {
		heat := float64(*l.vitals.Heat) / 1000
		a.Heat = &heat
	}
	return a
}
