package line

import (
	"testing"
	"time"
)

// TestSuspectsAreForgotten: a message is left out after its second break and for an hour after the last, in both directions; of ours
// a smaller one passes at once.
func TestSuspectsAreForgotten(t *testing.T) {
	now := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	for _, ours := range []bool{true, false} {
		var all suspects
		for n, want := range []bool{false, true, false} {
			if out := all.blame("t/state", 100, ours, now); out != want {
				t.Errorf("ours %v, break %d: newly left out %v", ours, n+1, out)
			}
		}
		if !all.leaves("t/state", 100, ours, now.Add(remembered)) || all.leaves("t/other", 100, ours, now) {
			t.Errorf("ours %v: the wrong message is left out", ours)
		}
		if ours && all.leaves("t/state", 99, true, now) {
			t.Error("a smaller message of ours is left out")
		}
		all.clear("t/state") // a smaller one was taken: the large one is left out still
		if later := now.Add(remembered); !all.leaves("t/state", 100, ours, later) || len(all.recent(later)) != 1 {
			t.Errorf("ours %v: forgotten within the hour", ours)
		}
		if later := now.Add(remembered + time.Second); all.leaves("t/state", 100, ours, later) || len(all.recent(later)) != 0 {
			t.Errorf("ours %v: left out after the hour", ours)
		}
	}
}
