package mdns

import (
	"net/netip"
	"time"

	"majordome/companion/bucket"
)

// Answers a second, and at once. An asker of either kind asks again when it has heard nothing.
const (
	portRate, portBurst = 2, 4  // to one socket: what a phone or a browser needs when it looks a name up
	addrRate, addrBurst = 8, 16 // to all sockets of one address
	allRate             = 14    // to all addresses, and as many at once
	keptRate            = 6     // beside these, to addresses that have used less than half of their burst
	maxAskers           = 256   // of each kind that are remembered
)

// budget bounds how much is answered, so that one machine that asks without end takes nothing from the others. Its zero value is not usable.
//
// Invariants:
//  1. In a second at most allRate+keptRate answers are sent, and as many more after silence.
//  2. An asker whose own budget is used up takes nothing from the budgets above it: of a socket from its address, of an address from all.
//  3. At most maxAskers sockets and maxAskers addresses are remembered.
type budget struct {
	ports     askers[netip.AddrPort]
	addrs     askers[netip.Addr]
	all, kept bucket.Bucket
}

func newBudget(now time.Time) *budget {
	return &budget{ports: askers[netip.AddrPort]{}, addrs: askers[netip.Addr]{},
		all: bucket.New(allRate, allRate, now), kept: bucket.New(keptRate, keptRate, now)}
}

// takeAnswer counts an answer to an asker, and reports false where there were too many.
func (b *budget) takeAnswer(to netip.AddrPort, now time.Time) bool {
	port := b.ports.find(to, portRate, portBurst, now)
	if !port.Take(1, now) {
		return false
	}
	addr := b.addrs.find(to.Addr(), addrRate, addrBurst, now)
	if !addr.Take(1, now) {
		return false
	}
	return b.all.Take(1, now) || addr.Level(now) >= addrBurst/2 && b.kept.Take(1, now)
}

// askers are the budgets of those who have asked lately.
type askers[K comparable] map[K]*bucket.Bucket

// find returns the budget of an asker. A new one takes the place of the one that has used least.
func (all askers[K]) find(who K, rate, burst float64, now time.Time) *bucket.Bucket {
	if b := all[who]; b != nil {
		return b
	}
	if len(all) >= maxAskers {
		var least K
		most := -1.0
		for k, b := range all {
			if level := b.Level(now); level > most {
				least, most = k, level
			}
		}
		delete(all, least)
	}
	b := bucket.New(rate, burst, now)
	all[who] = &b
	return &b
}
