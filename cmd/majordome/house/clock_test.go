package house

import (
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"majordome/cmd/majordome/clock"
	"majordome/cmd/majordome/vitals"
	"majordome/engine"
)

// TestHostSetsTheClock: while the clock of the computer is not set, the host is offered to set it, and root finds the
// request. Once the clock is set, the offer goes within seconds. A request is no step, and an invalid time is refused.
func TestHostSetsTheClock(t *testing.T) {
	if rows := startRig(t, nil).house.health.Monitor.ClockRows(); rows != nil {
		t.Errorf("a clock that cannot be set is offered: %v", rows)
	}
	folder := t.TempDir()
	wish := filepath.Join(folder, "clock")
	var mu sync.Mutex // the watching goroutine calls Now
	now := time.Unix(86_400, 0)
	r := startDeposits(t, func(o *Opts) {
		o.ClockRequest = wish
		o.Vitals = &vitals.Machine{Root: fstest.MapFS{}, Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		}}
	})
	offered := func() (is bool) {
		r.doRow("clock", nil, &is)
		return is
	}
	if !offered() {
		t.Fatal("setting the clock is not offered")
	}
	seen := r.watchRow("clock", "").Seen
	before, _ := r.house.Loop.Snapshot(engine.Host)
	if why := r.refusalOf("clock-set", engine.Args{"at": "soon"}); why != "table.clock.set" {
		t.Error(why)
	}
	at := time.Date(2026, 12, 24, 20, 0, 0, 0, time.UTC)
	r.doRow("clock-set", engine.Args{"at": "1798142400000"}, nil)
	if after, _ := r.house.Loop.Snapshot(engine.Host); after.Rev != before.Rev {
		t.Errorf("a wish is %d steps", after.Rev-before.Rev)
	}
	if err := clock.SetClockFromRequest(wish, filepath.Join(folder, "mark"), func(tv *syscall.Timeval) error {
		mu.Lock()
		defer mu.Unlock()
		now = time.Unix(tv.Unix())
		return nil
	}); err != nil || !now.Equal(at) {
		t.Fatalf("the clock is set to %v: %v", now, err)
	}
	if a := r.watchRow("clock", seen); string(a.Value) != "false" {
		t.Errorf("a waiting request is answered with %+v", a)
	}
	if offered() {
		t.Error("setting the clock is offered again")
	}
	if why := r.refusalOf("clock-set", engine.Args{"at": "1798142500000"}); why != "table.clock.set" {
		t.Error(why)
	}
}
