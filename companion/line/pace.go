package line

import (
	"net"
	"sync"
	"time"

	"majordome/companion/bucket"
)

// How fast a broker may send, on the average of some seconds. What 300 tables keep at a broker, a state of 33 KiB each among it, is one burst,
// and the largest packet that MQTT knows is passed over within a minute.
const (
	packetRate, packetBurst = 1000, 8000        // packets and frames of a WebSocket
	byteRate, byteBurst     = 4 << 20, 32 << 20 // bytes of the socket
	nap                     = 20 * time.Millisecond
	mostFlood               = time.Minute // in which a connection never rests, until it ends
)

// Flood is the kind of a Fault of a broker that sends without a rest.
const Flood = "flood"

// pace holds the reading of a connection back where its broker sends too fast: what waits fills the buffers of TCP, and then the broker
// waits. A nil pace holds nothing back.
type pace struct {
	mu             sync.Mutex
	packets, bytes bucket.Bucket
	since          time.Time     // when reading was held back first; zero: there was a rest since
	most           time.Duration // mostFlood
}

func newPace() *pace {
	now := time.Now()
	return &pace{packets: bucket.New(packetRate, packetBurst, now), bytes: bucket.New(byteRate, byteBurst, now), most: mostFlood}
}

// charge counts what has come, and waits until that is paid. Its error is a *Fault where the broker has not rested for mostFlood.
func (p *pace) charge(packets, bytes int) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	now := time.Now()
	if p.hasRested(now) {
		p.since = time.Time{}
	}
	wait := max(p.packets.Owe(float64(packets), now), p.bytes.Owe(float64(bytes), now))
	if wait > 0 && p.since.IsZero() {
		p.since = now
	}
	floods := !p.since.IsZero() && now.Sub(p.since) > p.most
	p.mu.Unlock()
	if floods {
		return &Fault{Kind: Flood}
	}
	if wait >= nap { // less is paid with the next
		time.Sleep(wait)
	}
	return nil
}

// hasRested reports that half a burst could come at once.
func (p *pace) hasRested(now time.Time) bool {
	return p.packets.Level(now) >= packetBurst/2 && p.bytes.Level(now) >= byteBurst/2
}

// floods reports that reading is held back. An answer that the table misses may then wait behind the flood.
func (p *pace) floods() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.since.IsZero() && !p.hasRested(time.Now())
}

// pacedConn is a socket of which all bytes are counted, before TLS and WebSocket take them apart.
type pacedConn struct {
	net.Conn
	pace *pace
}

// Read reads and then waits where too much has come.
func (c *pacedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil {
		err = c.pace.charge(0, n)
	}
	return n, err
}
