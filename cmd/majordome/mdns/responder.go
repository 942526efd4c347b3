package mdns

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"sync/atomic"
	"time"
)

const (
	maxWaiting = 16
	probeCount = 3
	probeEvery = 250 * time.Millisecond
	firstPause = time.Second // after a conflict with another machine
	maxPause   = time.Minute
	maxNumber  = 9
)

// Opts are the parameters of a Responder.
type Opts struct {
	Name       string // wanted host name, without .local
	Port       int    // of the pages
	Interfaces []string
}

// Responder announces a name and answers questions for it. Its methods are safe for concurrent use.
type Responder struct {
	opts Opts
	net  *network
	name atomic.Pointer[string]
	stop chan struct{}
	done chan struct{}

	// used only by the run goroutine
	id          identity
	number      int // after the name; 1 means none
	pause       time.Duration
	packetsSent int  // number of probes and announcements sent
	ownsName    bool // probing has succeeded
	budget      *budget
}

var namePattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,29}[a-z0-9])?$`)

// IsAnnounceableName reports whether a Responder can announce a name, with a number after it too: 1 to 31 of a-z, 0-9
// and, between them, -.
func IsAnnounceableName(name string) bool { return namePattern.MatchString(name) }

// Start begins to probe for the name. It returns only errors of sockets and interfaces.
func Start(opts *Opts) (*Responder, error) {
	n, err := openNetwork(opts.Interfaces)
	if err != nil {
		return nil, fmt.Errorf("mdns: %w", err)
	}
	if opts.Name == "" {
		n.close()
		return nil, errors.New("mdns: no name")
	}
	r := &Responder{opts: *opts, net: n, stop: make(chan struct{}), done: make(chan struct{}),
		pause: firstPause, budget: newBudget(time.Now())}
	r.probeName(1)
	go r.run()
	return r, nil
}

// Name returns the host name that is announced or probed for, without .local.
func (r *Responder) Name() string { return *r.name.Load() }

// Close sends a goodbye and closes the sockets. It takes no longer than sending a packet on each interface.
func (r *Responder) Close() {
	close(r.stop)
	<-r.done
}

// probeName begins to probe for the name with a number.
func (r *Responder) probeName(number int) {
	name := r.opts.Name
	if number > 1 {
		name = fmt.Sprintf("%s-%d", name, number)
	}
	r.number, r.id, r.packetsSent, r.ownsName = number, identity{name, uint16(r.opts.Port)}, 0, false
	r.name.Store(&name)
}

func (r *Responder) run() {
	defer close(r.done)
	defer r.net.close()
	timer := time.NewTimer(probeEvery)
	defer timer.Stop()
	for {
		select {
		case <-r.stop:
			if r.ownsName {
				r.sendEverywhere(func(addrs []netip.Addr) []byte {
					return r.id.buildAnswer(r.id.announcementQuestions(), addrs, false, true)
				})
			}
			return
		case p := <-r.net.packets:
			if wait := r.handlePacket(p); wait > 0 {
				timer.Reset(wait)
			}
		case <-timer.C:
			timer.Reset(r.sendNextPacket())
		}
	}
}

// sendNextPacket sends the next probe or announcement, and returns the time until the one after it.
func (r *Responder) sendNextPacket() time.Duration {
	switch r.packetsSent++; {
	case r.packetsSent <= probeCount:
		r.sendEverywhere(r.id.buildProbe)
		return probeEvery
	case r.packetsSent <= probeCount+2: // two announcements a second apart, RFC 6762 section 8.3
		r.ownsName = true
		r.sendEverywhere(func(addrs []netip.Addr) []byte {
			return r.id.buildAnswer(r.id.announcementQuestions(), addrs, false, false)
		})
		return time.Second
	}
	r.pause = firstPause
	return time.Hour // nothing more to send unasked
}

// handlePacket answers a packet. If another machine has the name, wait is the time until the next name is
// probed.
func (r *Responder) handlePacket(p packet) (wait time.Duration) {
	h, ok := r.id.parsePacket(p.data, r.net.ownAddrs())
	addrs := r.net.addrsOf(p.iface)
	switch {
	case !ok || len(addrs) == 0:
		return 0
	case h.nameTaken:
		wait, r.pause = r.pause, min(2*r.pause, maxPause)
		r.probeName(r.number%maxNumber + 1)
		return wait
	case !r.ownsName:
		if len(h.probedAddrs) > 0 && r.packetsSent > 0 && losesProbeTo(h.probedAddrs, addrs) {
			r.packetsSent = 0
			return firstPause
		}
		return 0
	case h.response || len(h.questions) == 0 || !r.budget.chargeAnswer(p.from, time.Now()):
		return 0
	}
	legacy := p.from.Port() != port
	unicast := legacy
	for _, q := range h.questions {
		unicast = unicast || q.unicast
	}
	body := r.id.buildAnswer(h, addrs, legacy, false)
	if body == nil {
		return 0
	}
	if unicast {
		r.net.sendTo(p.iface, p.from, body)
	} else {
		r.net.sendMulticast(p.iface, body)
	}
	return 0
}

// sendEverywhere sends a packet on each interface that has addresses.
func (r *Responder) sendEverywhere(body func(addrs []netip.Addr) []byte) {
	for _, i := range r.net.interfaces {
		if addrs := r.net.addrsOf(i.Index); len(addrs) > 0 {
			if b := body(addrs); b != nil {
				r.net.sendMulticast(i.Index, b)
			}
		}
	}
}

// packet is a received packet.
type packet struct {
	data  []byte
	from  netip.AddrPort
	iface int
}

// addressesOf returns the addresses of an interface.
func addressesOf(i *net.Interface) (all []netip.Addr) {
	addrs, err := i.Addrs()
	if err != nil {
		return nil
	}
	for _, a := range addrs {
		n, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		if at, ok := netip.AddrFromSlice(n.IP); ok {
			all = append(all, at.Unmap())
		}
	}
	return all
}
