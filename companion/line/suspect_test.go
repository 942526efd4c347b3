package line

import (
	"testing"
	"time"
)

var evening = time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)

// TestSuspectsAreForgotten checks that a message in either direction is left out after its second break and for an hour after
// the last one, and that a smaller one of ours passes at once.
func TestSuspectsAreForgotten(t *testing.T) {
	const large = maxSmallSize + 1
	for _, ours := range []bool{true, false} {
		var all suspects
		for n, want := range []bool{false, true, false} {
			if out := all.recordBreakAfter("t/state", large, ours, evening); out != want {
				t.Errorf("ours %v, break %d: newly left out %v", ours, n+1, out)
			}
		}
		if !all.isLeftOut("t/state", large, ours, evening.Add(memoryTime)) || all.isLeftOut("t/other", large, ours, evening) {
			t.Errorf("ours %v: the wrong message is left out", ours)
		}
		if ours && all.isLeftOut("t/state", large-1, true, evening) {
			t.Error("a smaller message of ours is left out")
		}
		all.forgetAcknowledged("t/state", large-1, evening) // a smaller one was acknowledged: the large one is still left out
		if later := evening.Add(memoryTime); !all.isLeftOut("t/state", large, ours, later) || len(all.listRecent(later)) != 1 {
			t.Errorf("ours %v: forgotten within the hour", ours)
		}
		if later := evening.Add(memoryTime + time.Second); all.isLeftOut("t/state", large, ours, later) || len(all.listRecent(later)) != 0 {
			t.Errorf("ours %v: left out after the hour", ours)
		}
	}
}

// TestSmallSuspectsAreTriedAgain checks that a small message of ours is tried after five minutes, then each time after twice as
// long up to an hour, and that all is forgotten once it is acknowledged.
func TestSmallSuspectsAreTriedAgain(t *testing.T) {
	var all suspects
	now := evening
	all.recordBreakAfter("t/state", 100, true, now)
	for _, minutes := range []time.Duration{5, 10, 20, 40, 60, 60} {
		if !all.recordBreakAfter("t/state", 100, true, now) {
			t.Errorf("before %d minutes: it is not left out", minutes)
		}
		pause := minutes * time.Minute
		if at := now.Add(pause); !all.isLeftOut("t/state", 100, true, at) || all.listRecent(at)[0].LeftOut == false {
			t.Errorf("the message is tried sooner than after %v", pause)
		}
		now = now.Add(pause + time.Second)
		if s := all.listRecent(now); all.isLeftOut("t/state", 100, true, now) || len(s) != 1 || s[0].LeftOut {
			t.Errorf("the message is not tried after %v: %+v", pause, s)
		}
	}
	all.forgetAcknowledged("t/state", 100, now)
	if all.recordBreakAfter("t/state", 100, true, now) || len(all.listRecent(now)) != 1 {
		t.Error("an accepted message is not forgotten")
	}
}

// TestOneMessageInARow checks that only consecutive breaks with the same message count, and that a message that is left out
// stays left out.
func TestOneMessageInARow(t *testing.T) {
	var all suspects
	for n := range 10 {
		key := []string{"t/state", "t/info"}[n%2]
		if all.recordBreakAfter(key, 100, true, evening) {
			t.Fatalf("break %d: %s is left out", n+1, key)
		}
		all.forgiveOthers(key)
	}
	all.forgiveOthers("")
	if len(all.list) != 0 {
		t.Errorf("%+v", all.list)
	}
	all.recordBreakAfter("t/state", 100, true, evening)
	all.recordBreakAfter("t/state", 100, true, evening)
	if all.forgiveOthers(""); !all.isLeftOut("t/state", 100, true, evening) {
		t.Error("what was left out is published")
	}
}
