package health

import (
	"cmp"
	"context"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/clock"
	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// monitorPeriod is the period of the checks of the table's computer: nothing it finds can be repaired faster.
const monitorPeriod = time.Minute

// After checkSoon, the next soonChecks checks come at soonPeriod: something was changed that they will find.
const (
	soonPeriod = time.Second
	soonChecks = 10
)

// MonitorOpts are the parameters of a Monitor.
type MonitorOpts struct {
	Vitals  *vitals.Machine       // nil: no checks, and no findings
	Others  func() []wire.Finding // further findings for the host's page
	Changed func()                // called when the findings to be shown have changed
	// ClockRequest is the file that root watches to set the clock; "": the clock cannot be set.
	ClockRequest string
	Log          *slog.Logger
}

// Monitor checks the computer of the table. It is safe for concurrent use.
type Monitor struct {
	opts        MonitorOpts
	mu          sync.Mutex // held during a check
	lastResult  atomic.Pointer[checkResult]
	soonRequest chan struct{}
}

// checkResult is the result of one check.
type checkResult struct {
	vitals   vitals.Vitals
	findings []wire.Finding
	shown    []wire.Finding // findings as the page shows them
}

// NewMonitor returns a Monitor without findings.
func NewMonitor(o MonitorOpts) *Monitor {
	m := &Monitor{opts: o, soonRequest: make(chan struct{}, 1)}
	m.lastResult.Store(&checkResult{})
	return m
}

// Findings returns the findings of the last check as the host's page shows them: faults first.
func (m *Monitor) Findings() []wire.Finding { return m.lastResult.Load().shown }

// isClockUnset reports whether the clock of the computer has not been set since its start.
func (m *Monitor) isClockUnset() bool { return m.lastResult.Load().vitals.ClockUnset }

// ClockRows are the office rows that show whether this computer's clock is unset, and set it: args at, in milliseconds since 1970 (UTC).
// Root sets it (package clock); where it does not, there are no rows.
func (m *Monitor) ClockRows() []office.Row {
	if m.opts.ClockRequest == "" || m.opts.Vitals == nil {
		return nil
	}
	return []office.Row{
		{Name: "clock", Role: wire.RoleOwner, Show: func(office.Call) any { return m.isClockUnset() }},
		{Name: "clock-set", Role: wire.RoleOwner, Do: m.requestClockSetting},
	}
}

// requestClockSetting writes the time for root into a small file in memory, and has the clock checked soon.
func (m *Monitor) requestClockSetting(_ context.Context, c office.Call) (any, error) {
	t, err := clock.ParseMillis(c.Args["at"])
	if err != nil || !m.isClockUnset() || clock.WriteRequest(m.opts.ClockRequest, t) != nil {
		return nil, wire.NewRefusal("table.clock.set")
	}
	m.startFrequentChecks()
	return nil, nil
}

// startFrequentChecks makes Run check once a second for the next ten seconds.
func (m *Monitor) startFrequentChecks() {
	select {
	case m.soonRequest <- struct{}{}:
	default: // it is requested already
	}
}

// Run checks once a minute until ctx ends. Without Vitals it returns at once.
func (m *Monitor) Run(ctx context.Context) {
	if m.opts.Vitals == nil {
		return
	}
	tick := time.NewTicker(monitorPeriod)
	defer tick.Stop()
	for left := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-m.soonRequest:
			left = soonChecks
			tick.Reset(soonPeriod)
		case <-tick.C:
			if left--; left == 0 {
				tick.Reset(monitorPeriod)
			}
			if m.CheckOnce() {
				m.opts.Changed()
			}
		}
	}
}

// CheckOnce checks once and logs new findings. It reports whether the findings to be shown have changed.
func (m *Monitor) CheckOnce() (changed bool) {
	if m.opts.Vitals == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before, now := m.lastResult.Load(), &checkResult{vitals: m.opts.Vitals.ReadVitals()}
	now.findings = slices.Concat(now.vitals.Findings(), m.opts.Others())
	now.shown = sortAndCutFindings(now.findings)
	for _, t := range now.findings {
		if !slices.ContainsFunc(before.findings, func(b wire.Finding) bool { return b.Said == t.Said && b.State == t.State }) {
			m.opts.Log.Warn("something is not well with this machine",
				"about", t.About, "what", t.Said.EN, "advice", t.Fix.EN, "quoi", t.Said.FR, "conseil", t.Fix.FR)
		}
	}
	m.lastResult.Store(now)
	return !reflect.DeepEqual(before.shown, now.shown)
}

// aboutMore is the About of the last finding in a list that was cut.
const aboutMore = "more"

// sortAndCutFindings sorts faults first, then the findings that the page also shows in a place above. It cuts the list to wire.MaxFindings;
// the last finding then says how many are left out.
func sortAndCutFindings(all []wire.Finding) []wire.Finding {
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
	more := vitals.NewWarning(aboutMore,
		engine.Tf("Autres points, qui n’ont plus de place ici : %d.", "Further things, which have no room here: %d.", len(left)),
		engine.T("Réglez d’abord les autres, ceux-ci suivront. Voyez aussi le journal : journalctl -u majordome.",
			"Mend the others first, and these follow. See also the log: journalctl -u majordome."))
	more.State = left[0].State
	return append(shown[:wire.MaxFindings-1:wire.MaxFindings-1], more)
}

// AboutDeck is the About of findings about a file in the folder of decks.
const AboutDeck = "deck"

// DeckFindings returns a warning for each file of which something was left out, with the first of its faults.
func DeckFindings(err error) (all []wire.Finding) {
	const most = 80 // characters; a finding has room for two such texts in each language
	reported := map[string]bool{}
	for _, found := range config.FaultFindings(AboutDeck, err) {
		f := found.Fault
		if f == nil || reported[f.File] {
			continue
		}
		reported[f.File] = true
		name := ownfile.ClipFileName(f.File)
		where := engine.T(name, name)
		if f.Line > 0 {
			where = engine.Tf("%[1]s, ligne %[2]d", "%[1]s, line %[2]d", name, f.Line)
		}
		all = append(all, vitals.NewWarning(AboutDeck,
			engine.T(where.FR+" : "+ownfile.VisibleText(f.What.FR, most)+".", where.EN+": "+ownfile.VisibleText(f.What.EN, most)+"."),
			engine.T("À faire : "+ownfile.VisibleText(f.Hint.FR, most)+", puis redémarrez Majordome.",
				"To do: "+ownfile.VisibleText(f.Hint.EN, most)+", then start Majordome again.")))
	}
	return all
}

// lastMachine returns the result of the last check for a Status.
func (m *Monitor) lastMachine() Machine {
	l := m.lastResult.Load()
	a := Machine{Troubles: map[string]wire.State{}, Disk: bytesToMiB(l.vitals.DiskFree), Memory: bytesToMiB(l.vitals.MemoryFree),
		Wear: l.vitals.Wear}
	for _, t := range l.findings {
		if a.Troubles[t.About] != wire.StateFault {
			a.Troubles[t.About] = t.State
		}
	}
	if l.vitals.Temperature != nil {
		heat := float64(*l.vitals.Temperature) / 1000
		a.Heat = &heat
	}
	return a
}
