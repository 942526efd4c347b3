package house

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/health"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// careEvery is how often the computer of the table is looked at: none of it changes faster than somebody can mend it.
const careEvery = time.Minute

// soonEvery and soonTimes are for a look sooner: something of it was asked to change.
const (
	soonEvery = time.Second
	soonTimes = 10
)

// care is what was last seen of it.
type care struct {
	mu   sync.Mutex // one look at a time: the devices ask for one, too
	last atomic.Pointer[cared]
	soon chan struct{} // it is to be looked at soon
}

type cared struct {
	vitals   vitals.Vitals
	troubles []wire.Finding
	shown    []wire.Finding
}

// seen is what was last seen; its zero value says nothing.
func (c *care) seen() cared {
	if l := c.last.Load(); l != nil {
		return *l
	}
	return cared{}
}

// shown is that for the host's page, the faults first. It is the table's port.
func (c *care) shown() []wire.Finding { return c.seen().shown }

// watchMachine looks every minute, and lets the host's page show what has changed.
func (h *House) watchMachine(ctx context.Context) {
	if h.opts.Vitals == nil {
		return
	}
	tick := time.NewTicker(careEvery)
	defer tick.Stop()
	for left := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-h.care.soon:
			left = soonTimes
			tick.Reset(soonEvery)
		case <-tick.C:
			if left--; left == 0 {
				tick.Reset(careEvery)
			}
			if h.lookAtMachine() {
				h.loop.Refresh()
				h.office.Changed()
			}
		}
	}
}

// lookAtMachine looks once, logs what was not there before, and reports that something else is to be shown.
func (h *House) lookAtMachine() (changed bool) {
	if h.opts.Vitals == nil {
		return false
	}
	h.care.mu.Lock()
	defer h.care.mu.Unlock()
	before, now := h.care.seen(), cared{vitals: h.opts.Vitals.Look()}
	now.troubles = slices.Concat(now.vitals.Troubles(), h.smartHome.Troubles(), deckTroubles(h.opts.Left), h.readerTrouble())
	now.shown = shownTroubles(now.troubles)
	for _, t := range now.troubles {
		if !slices.ContainsFunc(before.troubles, func(b wire.Finding) bool { return b.Said == t.Said && b.State == t.State }) {
			h.opts.Log.Warn("something is not well with this machine", "about", t.About, "what", t.Said.EN, "advice", t.Fix.EN, "quoi", t.Said.FR, "conseil", t.Fix.FR)
		}
	}
	h.care.last.Store(&now)
	return !reflect.DeepEqual(before.shown, now.shown)
}

// aboutMore is the last trouble of a list that is cut.
const aboutMore = "more"

// shownTroubles puts the faults first, then those for which the page has a place above. Of more than wire.MaxFindings the last place says how
// many are left out.
func shownTroubles(all []wire.Finding) []wire.Finding {
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

// aboutDeck is a trouble with a file of the folder of decks.
const aboutDeck = "deck"

// deckTroubles are the files of which something was left out, each with the first of its faults.
func deckTroubles(err error) (all []wire.Finding) {
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
		all = append(all, vitals.Warning(aboutDeck,
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

func (c cared) health() health.Machine {
	m := health.Machine{Troubles: map[string]wire.State{}, Disk: health.InMiB(c.vitals.DiskFree), Memory: health.InMiB(c.vitals.MemoryFree), Wear: c.vitals.Wear}
	for _, t := range c.troubles {
		if m.Troubles[t.About] != wire.StateFault {
			m.Troubles[t.About] = t.State
		}
	}
	if c.vitals.Heat != nil {
		heat := float64(*c.vitals.Heat) / 1000
		m.Heat = &heat
	}
	return m
}
