package broker

import (
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"
)

func TestDoors(t *testing.T) {
	at := func(s string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s)) }
	d := newDoors(4, 2)
	enter := func(s string, want bool) func() {
		t.Helper()
		p, ok := d.enter(at(s))
		if ok != want {
			t.Fatalf("%s: let in %v, want %v", s, ok, want)
		}
		if !ok {
			return nil
		}
		p.keep() // for itself
		return p.leave
	}
	a := enter("10.42.0.2:1", true)
	enter("10.42.0.2:2", true)
	enter("10.42.0.2:3", false)          // two of one host
	enter("[::ffff:10.42.0.2]:4", false) // the same host
	six := enter("[fd00::1]:1", true)    //
	enter("[fd00::ffff:1:2:3]:1", true)  // its /64 is one host
	enter("[fd00::2]:1", false)          //
	enter("10.42.0.9:1", false)          // four in all
	local := enter("127.0.0.1:1", true)  // but the daemon has room
	a()                                  //
	a()                                  // leaving twice is leaving once
	local()                              //
	enter("10.42.0.9:1", true)           //
	enter("10.42.0.9:2", false)          //
	six()                                //
	if d.total != 4-1+1-1 || len(d.hosts) != 4 {
		t.Errorf("%d connections of %d hosts", d.total, len(d.hosts))
	}
	// Attempts of one host are limited even when each leaves at once.
	n, start := 0, time.Now()
	for ; n < 1000; n++ {
		p, ok := d.enter(at("10.42.0.77:1"))
		if !ok {
			break
		}
		p.leave()
	}
	if took := time.Since(start); n < attemptsBurst || float64(n) > attemptsBurst+1+attemptsPerSecond*took.Seconds() {
		t.Errorf("%d attempts in %v, want %d", n, took, attemptsBurst)
	}
	// The memory of hosts is bounded.
	for i := range 4 * maxHosts {
		if p, ok := d.enter(&net.TCPAddr{IP: net.IPv4(10, 43, byte(i>>8), byte(i)), Port: 1}); ok {
			p.leave()
		}
	}
	if len(d.hosts) > maxHosts {
		t.Errorf("%d hosts remembered, at most %d", len(d.hosts), maxHosts)
	}
}

// held is a connection that remembers whether it was closed.
type held struct {
	net.Conn
	closed bool
}

func (h *held) Close() error { h.closed = true; return nil }

// Two machines that take every place keep no phone out: they give way, down to
// what everybody has, and never what a seat holds with its key.
func TestTwoHostsDoNotFillTheHouse(t *testing.T) {
	d := newDoors(64, 32)
	conns := map[string][]*held{}
	enter := func(host string, seat bool) bool {
		p, ok := d.enter(&net.TCPAddr{IP: net.ParseIP(host), Port: 1})
		if ok {
			c := &held{}
			conns[host] = append(conns[host], c)
			p.holds(c)
		}
		if ok && seat {
			p.keep()
		}
		return ok
	}
	greedy := []string{"10.0.0.1", "10.0.0.2"}
	if !enter("10.0.0.1", true) { // a player with a key beside the greedy page
		t.Fatal("the first phone is not let in")
	}
	for _, h := range greedy {
		for range 32 {
			enter(h, false)
		}
	}
	if !enter("10.0.0.2", false) && d.total != 63 && d.total != 64 {
		t.Fatalf("%d places are taken", d.total)
	}
	for i := range 10 {
		phone := net.IPv4(10, 0, 1, byte(i)).String()
		if !enter(phone, true) || !enter(phone, false) { // its seat, and a display beside it
			t.Errorf("phone %d is kept out", i)
		}
	}
	for _, h := range greedy { // coming again does not help
		d.hosts[hostOf(&net.TCPAddr{IP: net.ParseIP(h)})].attempts = newBucket(attemptsPerSecond, attemptsBurst)
		for range 30 {
			enter(h, false)
		}
	}
	if d.total > 64 {
		t.Errorf("%d connections, at most 64", d.total)
	}
	cut := 0
	for h, cs := range conns {
		for i, c := range cs {
			seat := h != "10.0.0.2" && i == 0
			if c.closed && (seat || !slices.Contains(greedy, h)) {
				t.Errorf("connection %d of %s was cut", i, h)
			}
			if c.closed {
				cut++
			}
		}
	}
	if cut < 19 {
		t.Errorf("%d connections gave way", cut)
	}
	p, _ := d.enter(&net.TCPAddr{IP: net.ParseIP("10.0.1.0"), Port: 1})
	p.leave()
	late := &held{}
	if p.holds(late); !late.closed {
		t.Error("a connection that has lost its place goes on")
	}
}
