// Package bucket bounds how fast somebody may ask or send.
//
//	b := bucket.New(20, 40, time.Now()) // 20 a second, 40 at once
//	b.Take(1, time.Now())               // false: there is none left
//	b.Owe(1, time.Now())                // how long to wait until it is paid
package bucket

import "time"

// Bucket is a token bucket: it fills with a rate a second up to a burst. One goroutine uses it.
type Bucket struct {
	rate, burst, level float64
	at                 time.Time // of level
}

// New makes a full bucket.
func New(rate, burst float64, now time.Time) Bucket {
	return Bucket{rate: rate, burst: burst, level: burst, at: now}
}

// Level fills the bucket and returns how many tokens it has; less than 0 where some are owed.
func (b *Bucket) Level(now time.Time) float64 {
	b.level = min(b.burst, b.level+b.rate*now.Sub(b.at).Seconds())
	b.at = now
	return b.level
}

// Take removes n tokens. It returns false and removes nothing where there are fewer.
func (b *Bucket) Take(n float64, now time.Time) bool {
	if b.Level(now) < n {
		return false
	}
	b.level -= n
	return true
}

// Owe removes n tokens, also those that are not there yet, and returns after how long they will be.
func (b *Bucket) Owe(n float64, now time.Time) time.Duration {
	b.Level(now)
	b.level -= n
	return time.Duration(max(0, -b.level) / b.rate * float64(time.Second))
}
