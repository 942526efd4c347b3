package house

import (
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"majordome/cmd/majordome/clock"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/engine"
)

// TestHostSetsTheClock: where nobody has set the clock of the computer, the host is offered to, root finds the wish, and when it is
// fulfilled the offer goes within seconds.
func TestHostSetsTheClock(t *testing.T) {
	folder := t.TempDir()
	wish := filepath.Join(folder, "clock")
	var mu sync.Mutex // Now is asked by the watching goroutine
	now := time.Unix(86_400, 0)
	r := deposits(t, func(o *Opts) {
		o.ClockWish = wish
		o.Vitals = &vitals.Machine{Root: fstest.MapFS{}, Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		}}
	})
	offered := func(u wire.Update) bool {
		return slices.ContainsFunc(u.View.Offers, func(o engine.Offer) bool { return o.Act == wire.ActClock })
	}
	u, _ := r.house.loop.Snapshot(engine.Host)
	if !offered(u) {
		t.Fatal("it is not offered")
	}
	at := time.Date(2026, 12, 24, 20, 0, 0, 0, time.UTC)
	r.host(wire.ActClock, engine.Args{"at": "1798142400000"})
	if err := clock.Set(wish, filepath.Join(folder, "mark"), func(tv *syscall.Timeval) error {
		mu.Lock()
		defer mu.Unlock()
		now = time.Unix(tv.Unix())
		return nil
	}); err != nil || !now.Equal(at) {
		t.Fatalf("the clock is set to %v: %v", now, err)
	}
	eventually(t, "the offer goes", func() bool {
		u, _ := r.house.loop.Snapshot(engine.Host)
		return !offered(u)
	})
}
