package line

import (
	"net"
	"sync"
	"time"

	"majordome/companion/bucket"
)

// How fast a broker may send, averaged over some seconds. One burst has room for all retained messages of 300 tables, including a state of
// 33 KiB each. The largest packet of MQTT (256 MiB) is skipped within a minute.
const (
	packetRate, packetBurst = 1000, 8000        // MQTT packets and WebSocket frames
	byteRate, byteBurst     = 4 << 20, 32 << 20 // bytes of the socket
	minSleep                = 20 * time.Millisecond
	maxFlood                = time.Minute // a connection that does not rest for this time ends
)

// Flood is the kind of a Fault of a broker that sends without a pause.
const Flood = "flood"

// pace slows down the reading of a connection when its broker sends too fast: the buffers of TCP fill, and then the broker must wait. A nil
// pace does not slow down.
type pace struct {
	mu             sync.Mutex
	packets, bytes bucket.Bucket
	slowedAt       time.Time     // when reading was first slowed down; zero: there was a rest since
	maxFlood       time.Duration // as the constant; shorter in tests
}

func newPace() *pace {
	now := time.Now()
	return &pace{packets: bucket.New(packetRate, packetBurst, now), bytes: bucket.New(byteRate, byteBurst, now), maxFlood: maxFlood}
}

// chargeAndWait counts what was received, and waits as long as the rates demand. It returns a *Fault if the broker has not rested for
// maxFlood.
func (p *pace) chargeAndWait(packets, bytes int) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	now := time.Now()
	if p.hasRested(now) {
		p.slowedAt = time.Time{}
	}
	wait := max(p.packets.TakeIntoDebt(float64(packets), now), p.bytes.TakeIntoDebt(float64(bytes), now))
	if wait > 0 && p.slowedAt.IsZero() {
		p.slowedAt = now
	}
	tooLong := !p.slowedAt.IsZero() && now.Sub(p.slowedAt) > p.maxFlood
	p.mu.Unlock()
	if tooLong {
		return &Fault{Kind: Flood}
	}
	if wait >= minSleep { // a shorter wait is added to the next one
		time.Sleep(wait)
	}
	return nil
}

// hasRested reports whether half a burst could be received at once.
func (p *pace) hasRested(now time.Time) bool {
	return p.packets.Refill(now) >= packetBurst/2 && p.bytes.Refill(now) >= byteBurst/2
}

// isFlooding reports whether reading is slowed down. An answer for which the table waits may then be behind the flood.
func (p *pace) isFlooding() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.slowedAt.IsZero() && !p.hasRested(time.Now())
}

// pacedConn is a socket that counts all bytes, before TLS and WebSocket decode them.
type pacedConn struct {
	net.Conn
	pace *pace
}

// Read reads, and then waits if too much was received.
func (c *pacedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil {
		err = c.pace.chargeAndWait(0, n)
	}
	return n, err
}
