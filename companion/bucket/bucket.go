// Package bucket limits how fast a peer may send or ask, with a token bucket.
//
//	b := bucket.New(20, 40, time.Now()) // 20 a second, 40 at once
//	b.TryTake(1, time.Now())            // false: no token is left
//	b.TakeIntoDebt(1, time.Now())       // how long to wait for this token
package bucket

import "time"

// Bucket is a token bucket: it fills at a rate per second up to a burst. It is not safe for concurrent use.
type Bucket struct {
	rate, burst, level float64
	updated            time.Time // when level was computed
}

// New returns a full bucket that gains rate tokens a second and holds at most burst.
func New(rate, burst float64, now time.Time) Bucket {
	return Bucket{rate: rate, burst: burst, level: burst, updated: now}
}

// Refill adds the tokens gained until now and returns how many there are. The number is negative while tokens are owed (see TakeIntoDebt).
func (b *Bucket) Refill(now time.Time) float64 {
	b.level = min(b.burst, b.level+b.rate*now.Sub(b.updated).Seconds())
	b.updated = now
	return b.level
}

// TryTake removes n tokens. If there are fewer, it removes nothing and returns false.
func (b *Bucket) TryTake(n float64, now time.Time) (taken bool) {
	if b.Refill(now) < n {
		return false
	}
	b.level -= n
	return true
}

// TakeIntoDebt removes n tokens, into debt if need be, and returns how long it takes until the debt is paid.
func (b *Bucket) TakeIntoDebt(n float64, now time.Time) time.Duration {
	b.Refill(now)
	b.level -= n
	return time.Duration(max(0, -b.level) / b.rate * float64(time.Second))
}
