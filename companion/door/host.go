package door

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"majordome/companion/bucket"
)

// host is one address or, above the addresses of IPv6, their /64, and above that the /48:
// one machine has as many addresses of its /64 as it likes, and one site as many networks
// of its /48 (RFC 6177), while all who sit at one table share both.
type host struct {
	at   netip.Prefix
	up   *host // nil for an IPv4 address and a /48
	open [kinds]int
	list [kinds][]*Conn // of an address: Stranger, Returning and Public, oldest first

	hard, soft, asks bucket.Bucket
	spare, spareAsks bucket.Bucket

	// For victim alone, here and below: how many are idle, and how long the stalest waits.
	still int
	waits time.Duration
}

// widths of the networks above an IPv6 address, from the narrowest.
var widths = []int{64, 48}

// above is the network that p is in; false for one that is in none.
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

// single reports that h is an address, and no network.
func (h *host) single() bool { return h.at.IsSingleIP() || !h.at.IsValid() }

// most are the strangers that h may have.
func (h *host) most() int {
	if h.single() {
		return strangersEach
	}
	return networkEach
}

// put enters c in the list of its address.
func (h *host) put(c *Conn, k Kind) {
	h.list[k] = append(h.list[k], c)
	h.add(k, 1)
}

// add counts for h and the networks above it.
func (h *host) add(k Kind, n int) {
	for ; h != nil; h = h.up {
		h.open[k] += n
	}
}

// below is the branch right below scope that h is in: nil if it is not. A nil scope is
// the whole door.
func (h *host) below(scope *host) *host {
	for h != nil && h.up != scope {
		h = h.up
	}
	return h
}

// host is the address at, with its networks; room makes room for them first.
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

// room forgets addresses without a connection where the next newcomer would not fit, then
// networks if these are many: what a network has used up of its rates is not regained by
// coming from other addresses of it. There are at most 272 connections in lists, with
// three entries each, so that some can be forgotten.
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

// tooFast takes from the rates of h and, unless it is known, of its networks.
func (d *Door) tooFast(h *host, pool Kind, now time.Time) bool {
	crowded := 2*d.taken[Stranger] > d.places[Stranger]
	return !h.may(pool == Returning, func(h *host) bool {
		soft := h.soft.Take(1, now)
		return h.hard.Take(1, now) && (pool == Returning || !crowded || soft)
	}, func(h *host) bool { return h.spare.Take(1, now) })
}

// may reports that h has something left of its own rate and, unless it is known, of those
// of its networks or else of what these spare for who asks little. Who is over its own rate
// takes nothing from its networks, and who is over its own spare nothing from theirs.
func (h *host) may(known bool, rate, spare func(*host) bool) bool {
	return rate(h) && (known || h.up.all(rate) || h.all(spare))
}

// all takes from h and the networks above it, until one has nothing.
func (h *host) all(take func(*host) bool) bool {
	for ; h != nil; h = h.up {
		if !take(h) {
			return false
		}
	}
	return true
}

// full is what has no place left for a newcomer of h: its address, one of its networks
// or, as nil, the door.
func (d *Door) full(h *host, pool Kind) (scope *host, is bool) {
	for ; h != nil; h = h.up {
		if h.open[pool] >= h.most() {
			return h, true
		}
		if pool == Returning { // known addresses count by themselves
			break
		}
	}
	return nil, d.taken[pool] >= d.places[pool]
}

// victim is the stranger in scope who gives way to a newcomer of mine, nil if nobody does.
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
		if pool == Returning { // known addresses count by themselves
			own, other = mine, func(h *host) bool { return !h.single() }
		}
		if scope = givesWay(slices.DeleteFunc(slices.Clone(among), other), own, pool); scope == nil {
			return nil
		}
	}
	_, out, _ := idle(scope.list[pool], now)
	return out
}

// having are all who have connections of a kind.
func (d *Door) having(k Kind) (all []*host) {
	for _, h := range d.hosts {
		if h.open[k] > 0 {
			all = append(all, h)
		}
	}
	return all
}

// givesWay is who among all gives way to a newcomer, whose branch own is, nil if it has
// none: the one with the most idle ones that has no fewer than own, else the greatest that
// has more, of equals the one that waits longest; else own, if it is a network.
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

// crowding is who of a full public gives way to a newcomer of mine, nil if nobody does:
// the newest of the greatest branch, if it has two more than the newcomer's own.
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
