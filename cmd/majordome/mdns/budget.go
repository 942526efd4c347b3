package mdns

import (
	"net/netip"
	"time"

	"majordome/companion/bucket"
)

// Limits of answers: per second, and at once after silence. An asker that gets no answer asks again.
const (
	portRate, portBurst = 2, 4  // to one socket; enough for a phone or a browser that looks up a name
	addrRate, addrBurst = 8, 16 // to all sockets of one address
	allRate             = 14    // to all addresses, and as many at once
	reservedRate        = 6     // in addition, to addresses that have used less than half of their burst
	maxAskers           = 256   // sockets, and as many addresses, that are remembered
)

// budget limits the number of answers, so that one machine that asks without end does not affect the
// others.
//
// Invariants:
//  1. At most allRate+reservedRate answers are sent per second, and as many more after silence.
//  2. An asker whose own budget is used up takes nothing from the next budget: a socket nothing
//     from its address, an address nothing from the total.
//  3. At most maxAskers sockets and maxAskers addresses are remembered.
type budget struct {
	ports         askers[netip.AddrPort]
	addrs         askers[netip.Addr]
	all, reserved bucket.Bucket
}

func newBudget(now time.Time) *budget {
	return &budget{ports: askers[netip.AddrPort]{}, addrs: askers[netip.Addr]{},
		all: bucket.New(allRate, allRate, now), reserved: bucket.New(reservedRate, reservedRate, now)}
}

// chargeAnswer counts an answer to an asker; false means that there were too many and it must not be sent.
func (b *budget) chargeAnswer(to netip.AddrPort, now time.Time) (mayAnswer bool) {
	port := b.ports.bucketOf(to, portRate, portBurst, now)
	if !port.TryTake(1, now) {
		return false
	}
	addr := b.addrs.bucketOf(to.Addr(), addrRate, addrBurst, now)
	if !addr.TryTake(1, now) {
		return false
	}
	return b.all.TryTake(1, now) || addr.Refill(now) >= addrBurst/2 && b.reserved.TryTake(1, now)
}

// askers are the budgets of recent askers.
type askers[K comparable] map[K]*bucket.Bucket

// bucketOf returns the budget of an asker. A new asker replaces the one that has used least.
func (all askers[K]) bucketOf(who K, rate, burst float64, now time.Time) *bucket.Bucket {
	if b := all[who]; b != nil {
		return b
	}
	if len(all) >= maxAskers {
		var least K
		most := -1.0
		for k, b := range all {
			if level := b.Refill(now); level > most {
				least, most = k, level
			}
		}
		delete(all, least)
	}
	b := bucket.New(rate, burst, now)
	all[who] = &b
	return &b
}
