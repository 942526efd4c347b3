package broker

import (
	"errors"

	"majordome/companion/broker/internal/guard"
)

// limiter counts what one connection sends. It is used by the goroutine that
// reads the connection alone.
type limiter struct {
	messages, bytes guard.Bucket
	off             bool
}

var errRate = errors.New("broker: too fast")

func newLimiter(r Rate) *limiter {
	return &limiter{messages: guard.NewBucket(r.Messages, 2*r.Messages), bytes: guard.NewBucket(r.Bytes, 2*r.Bytes)}
}

// overhead is what every packet and frame costs above its size: a flood of
// empty ones is work too.
const overhead = 32

func (l *limiter) packet(size int, message bool) error {
	if l.off {
		return nil
	}
	if !l.bytes.Take(float64(size+overhead)) || message && !l.messages.Take(1) {
		return errRate
	}
	return nil
}
