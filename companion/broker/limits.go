package broker

import (
	"errors"
	"time"

	"majordome/companion/bucket"
)

// limiter counts what one connection sends. It is used by the goroutine that
// reads the connection alone.
type limiter struct {
	messages, bytes bucket.Bucket
	off             bool
}

var errRate = errors.New("broker: too fast")

func newLimiter(r Rate) *limiter {
	now := time.Now()
	return &limiter{messages: bucket.New(r.Messages, 2*r.Messages, now), bytes: bucket.New(r.Bytes, 2*r.Bytes, now)}
}

// overhead is what every packet and frame costs above its size: a flood of
// empty ones is work too.
const overhead = 32

func (l *limiter) packet(size int, message bool) error {
	if l.off {
		return nil
	}
	now := time.Now()
	if !l.bytes.Take(float64(size+overhead), now) || message && !l.messages.Take(1, now) {
		return errRate
	}
	return nil
}
