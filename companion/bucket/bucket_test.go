package bucket

import (
	"testing"
	"time"
)

// TestBucket checks that a burst is available at once, then the rate, and that a reservation beyond the level returns the time
// to wait.
func TestBucket(t *testing.T) {
	now := time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)
	b := New(2, 4, now)
	for n := range 6 {
		if got := b.TryTake(1, now); got != (n < 4) {
			t.Errorf("taking the %d. of 4: %v", n+1, got)
		}
	}
	now = now.Add(time.Second)
	if !b.TryTake(2, now) || b.TryTake(1, now) {
		t.Error("a second does not bring 2")
	}
	if wait := b.TakeIntoDebt(3, now); wait != 1500*time.Millisecond || b.Refill(now) != -3 {
		t.Errorf("3 at 2 a second take %v, level %v", wait, b.Refill(now))
	}
	if level := b.Refill(now.Add(time.Hour)); level != 4 {
		t.Errorf("an hour later there are %v, want the burst", level)
	}
}
