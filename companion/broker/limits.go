package broker

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Connection attempts of one host.
const (
	attemptsPerSecond = 10
	attemptsBurst     = 40
	maxHosts          = 256 // hosts remembered; idle ones are forgotten first
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

// doors counts open connections and attempts.
//
//  1. A seat or the host, once its CONNECT has passed, keeps its place.
//  2. When all places are taken, the host with the most others gives its newest
//     to one that has two fewer or less: a few machines that hold many
//     connections keep nobody out.
type doors struct {
	max, perHost int

	mu    sync.Mutex
	total int
	hosts map[netip.Prefix]*host
}

type host struct {
	loopback bool
	open     int
	yielding []*place // in the order of their coming
	attempts bucket
}

// place is one connection's place. A nil place is one that nobody counts.
type place struct {
	doors *doors
	host  *host
	conn  net.Conn // nil: not there yet
	gone  bool
}

func newDoors(most, perHost int) doors {
	return doors{max: most, perHost: perHost, hosts: map[netip.Prefix]*host{}}
}

// enter asks for one more connection from remote. The caller calls leave when
// it has ended; a refusal needs no leave.
func (d *doors) enter(remote net.Addr) (_ *place, ok bool) {
	key := hostOf(remote)
	d.mu.Lock()
	defer d.mu.Unlock()
	h := d.hosts[key]
	if h == nil {
		if len(d.hosts) >= maxHosts && !d.forgetIdle() {
			return nil, false
		}
		h = &host{loopback: key.Addr().IsLoopback(), attempts: newBucket(attemptsPerSecond, attemptsBurst)}
		d.hosts[key] = h
	}
	room, places := d.max, d.perHost
	if h.loopback {
		room, places = room+spare, places+spare
	}
	if !h.attempts.take(1) || h.open >= places || d.total >= room && !d.makeRoom(h) {
		return nil, false
	}
	d.total++
	h.open++
	p := &place{doors: d, host: h}
	h.yielding = append(h.yielding, p)
	return p, true
}

// makeRoom ends the newest connection of the host that has the most of those
// that yield, if it has enough more than h.
func (d *doors) makeRoom(h *host) bool {
	var most *host
	for _, o := range d.hosts {
		if !o.loopback && (most == nil || len(o.yielding) > len(most.yielding)) {
			most = o
		}
	}
	if most == nil || len(most.yielding) < len(h.yielding)+2 {
		return false
	}
	p := most.yielding[len(most.yielding)-1]
	p.drop()
	if p.conn != nil {
		_ = p.conn.Close() // its goroutine finds out
	}
	return true
}

// holds says which connection has the place; one that has lost it meanwhile is
// closed.
func (p *place) holds(conn net.Conn) {
	if p == nil {
		return
	}
	p.doors.mu.Lock()
	defer p.doors.mu.Unlock()
	p.conn = conn
	if p.gone {
		_ = conn.Close()
	}
}

// keep makes the place one that does not yield.
func (p *place) keep() {
	if p == nil {
		return
	}
	p.doors.mu.Lock()
	defer p.doors.mu.Unlock()
	p.host.yielding = slices.DeleteFunc(p.host.yielding, func(o *place) bool { return o == p })
}

// leave gives the place back; once more is nothing.
func (p *place) leave() {
	p.doors.mu.Lock()
	defer p.doors.mu.Unlock()
	p.drop()
}

func (p *place) drop() {
	if p.gone {
		return
	}
	p.gone = true
	p.doors.total--
	p.host.open--
	p.host.yielding = slices.DeleteFunc(p.host.yielding, func(o *place) bool { return o == p })
}

// forgetIdle drops hosts without a connection.
func (d *doors) forgetIdle() bool {
	for k, h := range d.hosts {
		if h.open == 0 {
			delete(d.hosts, k)
		}
	}
	return len(d.hosts) < maxHosts
}

// hostOf is the address of remote, or its /64 for IPv6, where one host has as
// many addresses as it likes. An unknown kind of address is the zero prefix.
func hostOf(remote net.Addr) netip.Prefix {
	if remote == nil {
		return netip.Prefix{}
	}
	ap, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return netip.Prefix{}
	}
	a := ap.Addr().Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() && !a.IsLoopback() {
		bits = 64
	}
	p, _ := a.Prefix(bits)
	return p
}
