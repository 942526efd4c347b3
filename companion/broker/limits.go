package broker

import (
	"errors"
	"time"
)

// bucket is a token bucket: it fills with rate a second up to burst.
type bucket struct {
	rate, burst, level float64
	at                 time.Time
}

func newBucket(rate, burst float64) bucket {
	return bucket{rate: rate, burst: burst, level: burst, at: time.Now()}
}

// take removes n tokens; false, and nothing removed, if there are not so many.
func (b *bucket) take(n float64) bool {
	now := time.Now()
	b.level = min(b.burst, b.level+b.rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.level < n {
		return false
	}
	b.level -= n
	return true
}

// limiter counts what one connection sends. It is used by the goroutine that
// reads the connection alone.
type limiter struct {
	messages, bytes bucket
	off             bool
}

var errRate = errors.New("broker: too fast")

func newLimiter(r Rate) *limiter {
	return &limiter{messages: newBucket(r.Messages, 2*r.Messages), bytes: newBucket(r.Bytes, 2*r.Bytes)}
}

// overhead is what every packet and frame costs above its size: a flood of
// empty ones is work too.
const overhead = 32

func (l *limiter) packet(size int, message bool) error {
	if l.off {
		return nil
	}
	if !l.bytes.take(float64(size+overhead)) || message && !l.messages.take(1) {
		return errRate
	}
	return nil
}
