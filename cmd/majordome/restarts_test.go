package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestQuickRestartsWaitLongerAndLonger checks that starts in quick succession wait longer and longer, at most half a minute; after a run
// of two minutes, or a reboot, the waits begin again at zero.
func TestQuickRestartsWaitLongerAndLonger(t *testing.T) {
	now := 100 * time.Second
	var slept []int
	a := startThrottle{folder: t.TempDir(), uptime: func() (time.Duration, error) { return now, nil },
		sleep: func(_ context.Context, d time.Duration) { now += d; slept = append(slept, int(d/time.Second)) }}
	start := func(times int, lasts time.Duration) []int {
		slept = nil
		for range times {
			a.waitBeforeStart(t.Context())
			now += lasts
		}
		return slept
	}
	if got := start(10, time.Second); !slices.Equal(got, []int{1, 2, 4, 8, 16, 30, 30, 30}) {
		t.Errorf("starts that fail wait %v", got)
	}
	if got := start(3, quickStart+time.Second); !slices.Equal(got, []int{30}) { // the first still follows a failed one
		t.Errorf("starts that hold wait %v", got)
	}
	if got := start(2, 119*time.Second); len(got) != 0 {
		t.Errorf("a second crash waits %v", got)
	}
	now = 5 * time.Second // after a reboot
	if got := start(2, time.Second); len(got) != 0 {
		t.Errorf("after a reboot it waits %v", got)
	}
	for _, broken := range []string{"", "x", "-1 -5", "1e300 99999999999999999999", "NaN 7"} {
		if err := os.WriteFile(filepath.Join(a.folder, "starts"), []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := start(1, time.Second); len(got) > 0 && got[0] > 30 {
			t.Errorf("after %q it waits %v", broken, got)
		}
	}
	a.folder = ""
	if got := start(50, 0); len(got) != 0 {
		t.Errorf("by hand it waits %v", got)
	}
	if up, err := timeSinceBoot(); err != nil || up <= 0 {
		t.Errorf("since boot: %v, %v", up, err)
	}
}
