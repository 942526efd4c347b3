package door

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"majordome/companion/bucket"
)

// source is an IP address or a network of IPv6 addresses: the /64 above an address, and the /48 above that. One machine can have any number
// of addresses in its /64, and one site any number of /64 in its /48 (RFC 6177), while all devices at one table share both.
type source struct {
	prefix netip.Prefix
	parent *source // the next wider network; nil for an IPv4 address and a /48
	open   [kindCount]int
	conns  [kindCount][]*Conn // for an address: Stranger, Returning and Public, oldest first

	hard, soft, requests bucket.Bucket
	spare, spareRequests bucket.Bucket

	// Set and read only by findVictim, for this source and all below it: the idle connections, and how long the stalest has waited.
	idleConns   int
	longestWait time.Duration
}

// widths are the prefix lengths of the networks above an IPv6 address, from the narrowest.
var widths = []int{64, 48}

// networkAbove returns the next network around p, and false if there is none.
func networkAbove(p netip.Prefix) (above netip.Prefix, ok bool) {
	if !p.Addr().Is6() || p.Addr().IsLoopback() {
		return p, false
	}
	for _, w := range widths {
		if w < p.Bits() {
			wide, err := p.Addr().Prefix(w)
			return wide, err == nil
		}
	}
	return p, false
}

// isAddress reports whether h is one address, not a network.
func (h *source) isAddress() bool { return h.prefix.IsSingleIP() || !h.prefix.IsValid() }

// strangerLimit returns how many strangers h may have. It may have as many returning connections in addition.
func (h *source) strangerLimit() int {
	if h.isAddress() {
		return addressStrangers
	}
	return networkStrangers
}

// addConn adds c to the list of its address.
func (h *source) addConn(c *Conn, k Kind) {
	h.conns[k] = append(h.conns[k], c)
	h.addOpenConns(k, 1)
}

// addOpenConns adds n to the connections of h and of the networks above it.
func (h *source) addOpenConns(k Kind, n int) {
	for ; h != nil; h = h.parent {
		h.open[k] += n
	}
}

// ancestorBelow returns h or the network above it that is directly below scope; nil if h is not below scope. A nil scope is the whole door.
func (h *source) ancestorBelow(scope *source) *source {
	for h != nil && h.parent != scope {
		h = h.parent
	}
	return h
}

// findOrMakeSource returns the source of an address, and makes it and its networks if need be. Call makeRoomForSource before.
func (d *Door) findOrMakeSource(addr netip.Prefix, now time.Time) *source {
	if h := d.sources[addr]; h != nil {
		return h
	}
	h, times := &source{prefix: addr}, 1.0
	h.spare, h.spareRequests = bucket.New(spareRate, spareBurst, now), bucket.New(spareAskRate, spareAskBurst, now)
	if wide, ok := networkAbove(addr); ok {
		h.parent = d.findOrMakeSource(wide, now)
	}
	if !h.isAddress() {
		times = networkRate
		h.spare, h.spareRequests = bucket.New(
			networkSpareRate,
			networkSpareBurst,
			now,
		), bucket.New(
			networkSpareAskRate,
			networkSpareAskBurst,
			now,
		)
	}
	h.hard = bucket.New(times*hardRate, times*hardBurst, now)
	h.soft = bucket.New(times*softRate, times*softBurst, now)
	h.requests = bucket.New(times*requestRate, times*requestBurst, now)
	d.sources[addr] = h
	return h
}

// makeRoomForSource forgets addresses without a connection if there is no room for the next newcomer, then networks if that is not enough.
// Networks come last, so that a network does not regain used-up rates by coming from other addresses. Enough sources can always be
// forgotten: at most 272 connections are in lists, with three sources each.
func (d *Door) makeRoomForSource() {
	if len(d.sources)+1+len(widths) <= maxSources {
		return
	}
	for _, bits := range []int{128, 64, 48} {
		maps.DeleteFunc(d.sources, func(_ netip.Prefix, h *source) bool {
			return h.open == [kindCount]int{} && (h.isAddress() && bits == 128 || h.prefix.Bits() == bits)
		})
		if len(d.sources) <= maxSources*3/4 {
			return
		}
	}
}

// chargeRateAndCheck spends one connection of the rates of h and, unless h is known, of its networks. It reports whether a rate is used up.
func (d *Door) chargeRateAndCheck(h *source, pool Kind, now time.Time) (isOver bool) {
	crowded := 2*d.taken[Stranger] > d.places[Stranger]
	return !h.spendRateToken(pool == Returning, func(h *source) bool {
		soft := h.soft.TryTake(1, now)
		return h.hard.TryTake(1, now) && (pool == Returning || !crowded || soft)
	}, func(h *source) bool { return h.spare.TryTake(1, now) })
}

// spendRateToken spends one token of h's own rate, and reports whether it could. Unless h is known, it also needs one token of each of its
// networks, or else one of the spare rates of h and of each network, which are for addresses with few requests. An address above its own
// rate spends nothing of its networks, and one above its own spare rate nothing of theirs. takeRate and takeSpare take one token of a
// source and return false if it has none.
func (h *source) spendRateToken(known bool, takeRate, takeSpare func(*source) bool) (spent bool) {
	return takeRate(h) && (known || h.parent.spendAtEachLevel(takeRate) || h.spendAtEachLevel(takeSpare))
}

// spendAtEachLevel calls take for h and the networks above it until one returns false. It reports whether all returned true.
func (h *source) spendAtEachLevel(take func(*source) bool) (spent bool) {
	for ; h != nil; h = h.parent {
		if !take(h) {
			return false
		}
	}
	return true
}

// findFullScope reports whether there is no place for a newcomer of h. scope is then the first of h and its networks that is full, or nil
// if the whole door is.
func (d *Door) findFullScope(h *source, pool Kind) (scope *source, isFull bool) {
	for ; h != nil; h = h.parent {
		if h.open[pool] >= h.strangerLimit() {
			return h, true
		}
		if pool == Returning { // networks do not limit known addresses
			break
		}
	}
	return nil, d.taken[pool] >= d.places[pool]
}

// findVictim returns the stranger in scope that gives way to a connection from newcomer, or nil if none does.
func (d *Door) findVictim(newcomer, scope *source, pool Kind, now time.Time) *Conn {
	among := d.sourcesWith(pool)
	for _, h := range among {
		h.idleConns, h.longestWait = 0, 0
	}
	for _, h := range among {
		n, _, longest := findStalest(h.conns[pool], now)
		for up := h; up != nil; up = up.parent {
			up.idleConns, up.longestWait = up.idleConns+n, max(up.longestWait, longest)
		}
	}
	for scope == nil || !scope.isAddress() {
		own, other := newcomer.ancestorBelow(scope), func(h *source) bool { return h.parent != scope }
		if pool == Returning { // networks do not limit known addresses
			own, other = newcomer, func(h *source) bool { return !h.isAddress() }
		}
		if scope = chooseVictimBranch(slices.DeleteFunc(slices.Clone(among), other), own, pool); scope == nil {
			return nil
		}
	}
	_, victim, _ := findStalest(scope.conns[pool], now)
	return victim
}

// sourcesWith returns the sources that have connections of a kind.
func (d *Door) sourcesWith(k Kind) (all []*source) {
	for _, h := range d.sources {
		if h.open[k] > 0 {
			all = append(all, h)
		}
	}
	return all
}

// chooseVictimBranch returns the source in all that must give a place to a newcomer from own (nil: the newcomer is in none of them), or nil
// for none. Of those with at least as many connections as own it chooses the one with the most idle ones. If none is idle it chooses, of
// those with more than own, the one with the most; otherwise own, if it is a network. Among equals it takes the one whose stalest
// connection has waited longest.
func chooseVictimBranch(all []*source, own *source, pool Kind) *source {
	has := 0
	if own != nil {
		has = own.open[pool]
	}
	more := func(h, than *source, by int) bool { return by > 0 || by == 0 && h.longestWait > than.longestWait }
	var idlest, greedy, home *source
	for _, h := range all {
		n := h.open[pool]
		if n > has && (greedy == nil || more(h, greedy, n-greedy.open[pool])) {
			greedy = h
		}
		if n >= has && h.idleConns > 0 && (idlest == nil || more(h, idlest, h.idleConns-idlest.idleConns)) {
			idlest = h
		}
		if h == own && !h.isAddress() {
			home = h
		}
	}
	return cmp.Or(idlest, greedy, home)
}

// findPublicVictim returns the connection that gives way to one from newcomer when public is full, or nil if none does: the newest of the
// largest branch, if that has at least two more than the branch of newcomer.
func (d *Door) findPublicVictim(newcomer *source) *Conn {
	var scope *source
	for scope == nil || !scope.isAddress() {
		own, need := newcomer.ancestorBelow(scope), 1
		if own != nil {
			need = own.open[Public] + 2
		}
		var largest *source
		for _, h := range d.sources {
			if h.parent == scope && !isThisMachine(h.prefix) && (largest == nil || h.open[Public] > largest.open[Public]) {
				largest = h
			}
		}
		switch {
		case largest != nil && largest.open[Public] >= need:
			scope = largest
		case own != nil && !own.isAddress():
			scope = own
		default:
			return nil
		}
	}
	return scope.conns[Public][len(scope.conns[Public])-1]
}
