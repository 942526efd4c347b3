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
type host struct {
	at   netip.Prefix
	up   *host // the next wider network; nil for an IPv4 address and a /48
	open [kinds]int
	list [kinds][]*Conn // for an address: Stranger, Returning and Public, oldest first

	hard, soft, asks bucket.Bucket
	spare, spareAsks bucket.Bucket

	// Set and read only by findVictim, for this source and all below it: the idle connections, and how long the stalest has waited.
	still int
	waits time.Duration
}

// widths are the prefix lengths of the networks above an IPv6 address, from the narrowest.
var widths = []int{64, 48}

// networkAbove returns the next network around p, and false if there is none.
func above(p netip.Prefix) (netip.Prefix, bool) {
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
func (h *host) single() bool { return h.at.IsSingleIP() || !h.at.IsValid() }

// maxStrangers returns how many strangers h may have, and how many returning.
func (h *host) most() int {
	if h.single() {
		return strangersEach
	}
	return networkEach
}

// addConn adds c to the list of its address.
func (h *host) put(c *Conn, k Kind) {
	h.list[k] = append(h.list[k], c)
	h.add(k, 1)
}

// addOpen adds n to the connections of h and of the networks above it.
func (h *host) add(k Kind, n int) {
	for ; h != nil; h = h.up {
		h.open[k] += n
	}
}

// branchBelow returns h or the network above it that is directly below scope; nil if h is not below scope. A nil scope is the whole door.
func (h *host) below(scope *host) *host {
	for h != nil && h.up != scope {
		h = h.up
	}
	return h
}

// sourceOf returns the source of an address, and makes it and its networks if need be. Call forgetSources before.
func (d *Door) host(at netip.Prefix, now time.Time) *host {
	if h := d.hosts[at]; h != nil {
		return h
	}
	h, times := &host{at: at}, 1.0
	h.spare, h.spareAsks = bucket.New(spareRate, spareBurst, now), bucket.New(spareAskRate, spareAskBurst, now)
	if wide, ok := above(at); ok {
		h.up = d.host(wide, now)
	}
	if !h.single() {
		times = networkRate
		h.spare, h.spareAsks = bucket.New(networkSpareRate, networkSpare, now), bucket.New(networkSpareAskRate, networkSpareAsk, now)
	}
	h.hard = bucket.New(times*hardRate, times*hardBurst, now)
	h.soft = bucket.New(times*softRate, times*softBurst, now)
	h.asks = bucket.New(times*requestRate, times*requestBurst, now)
	d.hosts[at] = h
	return h
}

// forgetSources forgets addresses without a connection when there is no room for the next newcomer, then networks if that is not enough.
// Networks come last, so that a network does not regain used-up rates by coming from other addresses. Enough sources can always be
// forgotten: at most 272 connections are in lists, with three sources each.
func (d *Door) room() {
	if len(d.hosts)+1+len(widths) <= maxHosts {
		return
	}
	for _, bits := range []int{128, 64, 48} {
		maps.DeleteFunc(d.hosts, func(_ netip.Prefix, h *host) bool {
			return h.open == [kinds]int{} && (h.single() && bits == 128 || h.at.Bits() == bits)
		})
		if len(d.hosts) <= maxHosts*3/4 {
			return
		}
	}
}

// exceedsRate spends one connection of the rates of h and, unless h is known, of its networks. It reports whether a rate is used up.
func (d *Door) tooFast(h *host, pool Kind, now time.Time) bool {
	crowded := 2*d.taken[Stranger] > d.places[Stranger]
	return !h.may(pool == Returning, func(h *host) bool {
		soft := h.soft.Take(1, now)
		return h.hard.Take(1, now) && (pool == Returning || !crowded || soft)
	}, func(h *host) bool { return h.spare.Take(1, now) })
}

// spendRate spends one of h's own rate, and reports whether it could. Unless h is known, it also needs one of the rates of its networks, or
// else of the spare rates that these keep for addresses with few requests. An address above its own rate spends nothing of its networks,
// and one above its own spare rate nothing of theirs.
func (h *host) may(known bool, rate, spare func(*host) bool) bool {
	return rate(h) && (known || h.up.all(rate) || h.all(spare))
}

// spendAll calls take for h and the networks above it until one returns false. It reports whether all returned true.
func (h *host) all(take func(*host) bool) bool {
	for ; h != nil; h = h.up {
		if !take(h) {
			return false
		}
	}
	return true
}

// findFull returns the first of h and its networks that has no place left for a newcomer of h, or nil if the whole door has none. isFull is
// false if there is a place.
func (d *Door) full(h *host, pool Kind) (scope *host, is bool) {
	for ; h != nil; h = h.up {
		if h.open[pool] >= h.most() {
			return h, true
		}
		if pool == Returning { // networks do not limit known addresses
			break
		}
	}
	return nil, d.taken[pool] >= d.places[pool]
}

// findVictim returns the stranger in scope that gives way to a connection from newcomer, or nil if none does.
func (d *Door) victim(mine, scope *host, pool Kind, now time.Time) *Conn {
	among := d.having(pool)
	for _, h := range among {
		h.still, h.waits = 0, 0
	}
	for _, h := range among {
		n, _, longest := idle(h.list[pool], now)
		for up := h; up != nil; up = up.up {
			up.still, up.waits = up.still+n, max(up.waits, longest)
		}
	}
	for scope == nil || !scope.single() {
		own, other := mine.below(scope), func(h *host) bool { return h.up != scope }
		if pool == Returning { // networks do not limit known addresses
			own, other = mine, func(h *host) bool { return !h.single() }
		}
		if scope = givesWay(slices.DeleteFunc(slices.Clone(among), other), own, pool); scope == nil {
			return nil
		}
	}
	_, out, _ := idle(scope.list[pool], now)
	return out
}

// sourcesWith returns the sources that have connections of a kind.
func (d *Door) having(k Kind) (all []*host) {
	for _, h := range d.hosts {
		if h.open[k] > 0 {
			all = append(all, h)
		}
	}
	return all
}

// chooseBranch returns the source in all that gives way to a newcomer from own (nil: the newcomer is in none of them), or nil. Of those
// with no fewer connections than own it chooses the one with the most idle ones; else, of those with more, the one with the most; among
// equals the one that has waited longest. Else it returns own, if it is a network.
func givesWay(all []*host, own *host, pool Kind) *host {
	has := 0
	if own != nil {
		has = own.open[pool]
	}
	more := func(h, than *host, by int) bool { return by > 0 || by == 0 && h.waits > than.waits }
	var idlest, greedy, home *host
	for _, h := range all {
		n := h.open[pool]
		if n > has && (greedy == nil || more(h, greedy, n-greedy.open[pool])) {
			greedy = h
		}
		if n >= has && h.still > 0 && (idlest == nil || more(h, idlest, h.still-idlest.still)) {
			idlest = h
		}
		if h == own && !h.single() {
			home = h
		}
	}
	return cmp.Or(idlest, greedy, home)
}

// findPublicVictim returns the connection that gives way to one from newcomer when public is full, or nil if none does: the newest of the
// largest branch, if that has at least two more than the branch of newcomer.
func (d *Door) crowding(mine *host) *Conn {
	var scope *host
	for scope == nil || !scope.single() {
		own, need := mine.below(scope), 1
		if own != nil {
			need = own.open[Public] + 2
		}
		var most *host
		for _, h := range d.hosts {
			if h.up == scope && !itself(h.at) && (most == nil || h.open[Public] > most.open[Public]) {
				most = h
			}
		}
		switch {
		case most != nil && most.open[Public] >= need:
			scope = most
		case own != nil && !own.single():
			scope = own
		default:
			return nil
		}
	}
	return scope.list[Public][len(scope.list[Public])-1]
}
