package broker

import (
	"errors"
	"time"

	"majordome/companion/bucket"
)

// limiter counts what one connection sends. Only the goroutine that reads the connection may use it.
type limiter struct {
	messages, bytes bucket.Bucket
	disabled        bool
}

var errRate = errors.New("broker: too fast")

func newLimiter(r Rate) *limiter {
	now := time.Now()
	return &limiter{messages: bucket.New(r.Messages, 2*r.Messages, now), bytes: bucket.New(r.Bytes, 2*r.Bytes, now)}
}

// packetOverhead is added to the size of every packet and frame, in bytes, because empty ones cost work too.
const packetOverhead = 32

// chargePacket counts a packet or frame of size bytes, and a message if it is one. It returns errRate if the limit is exceeded.
func (l *limiter) chargePacket(size int, isMessage bool) error {
	if l.disabled {
		return nil
	}
	now := time.Now()
	if !l.bytes.TryTake(float64(size+packetOverhead), now) || isMessage && !l.messages.TryTake(1, now) {
		return errRate
	}
	return nil
}
