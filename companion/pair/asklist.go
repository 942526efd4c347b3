package pair

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// askLimits are the limits of an askList.
type askLimits struct {
	places     int           // shown to the host at once
	perAddress int           // of them for each address
	perNetwork int           // of them for each network
	turn       time.Duration // after it, an unanswered request makes room for a waiting one
	silence    time.Duration // it also makes room if its device is silent for so long
	// fair: a waiting request takes the place of a shown one at once if its address, or its network, has fewer.
	fair bool
}

// Limits of all lists.
const (
	maxWaitingRequests = 64    // waiting to be shown; for more see pickDisplaced
	maxResting         = 64    // addresses that may not ask now; of more, those with the longest rest
	codeSpan           = 10000 // codes have four digits
)

// askList is the list of the devices that ask the host for something. The host sees some of them, the others wait. No
// device, address or network keeps others out: see pickDisplaced. The owner of a list locks it.
type askList struct {
	askLimits
	all     []*askEntry
	resting map[netip.Addr]addrRest // addresses that may not ask now
}

// askEntry is the request of one device.
type askEntry struct {
	requester
	code             string // no two entries of a list have the same
	since, lastHeard time.Time
	shownSince       time.Time    // since when it is shown to the host; zero: it waits
	admittedAs       wire.Handset // set when it is admitted
	sealedCode       []byte       // the encrypted code for an admitted device

	// Only in requests for a seat:
	admitted *phone     // its place among the phones of the desk; set when it is admitted
	wish     seatWish   // what its player wants
	lock     [32]byte   // the lock of the wish, see seatRequest
	isAsleep bool       // it was not heard since the lobby was opened; it is not shown
	isAside  bool       // it asks for the seat of a player, by a card; it is not shown
	why      engine.Msg // why that is not possible; empty if it is
	cardAsk             // the claim by a card
}

// isShown reports whether the host sees the request.
func (p *askEntry) isShown() bool { return p.sealedCode == nil && !p.shownSince.IsZero() }

// isWaiting reports whether the request is not shown yet.
func (p *askEntry) isWaiting() bool { return p.sealedCode == nil && p.shownSince.IsZero() }

// isDue reports whether the request waits for its turn to be shown.
func (p *askEntry) isDue() bool { return p.isWaiting() && !p.isAsleep && !p.isAside }

// addrRest remembers a failed request. Its address may not ask again before until.
type addrRest struct {
	key    [seal.PublicKeySize]byte
	denied bool
	until  time.Time
}

func newAskList(l askLimits) *askList {
	return &askList{askLimits: l, resting: map[netip.Addr]addrRest{}}
}

// find returns the entry of the device with this key; nil for none.
func (l *askList) find(key [seal.PublicKeySize]byte) *askEntry {
	for _, p := range l.all {
		if p.key == key {
			return p
		}
	}
	return nil
}

// update forgets addresses that may ask again and the entries that hasEnded reports, and shows the host the next ones.
func (l *askList) update(now time.Time, hasEnded func(*askEntry) bool) {
	maps.DeleteFunc(l.resting, func(_ netip.Addr, r addrRest) bool { return !now.Before(r.until) })
	l.all = slices.DeleteFunc(l.all, hasEnded)
	l.showNext(now)
}

// listShown returns the entries that the host sees.
func (l *askList) listShown() []*askEntry {
	return slices.DeleteFunc(slices.Clone(l.all), func(p *askEntry) bool { return !p.isShown() })
}

// countWaiting returns the number of entries that wait to be shown.
func (l *askList) countWaiting() (n int) {
	for _, p := range l.all {
		if p.isDue() {
			n++
		}
	}
	return n
}

// showNext shows the host waiting entries, the oldest first: in free places, and in the places of others whose turn is
// over or whose device is silent. Those then wait again.
func (l *askList) showNext(now time.Time) {
	shown := l.listShown()
	for _, p := range shown[min(l.places, len(shown)):] { // there are fewer places than before
		p.shownSince = time.Time{}
	}
	shown = shown[:min(l.places, len(shown))]
	var due []*askEntry
	for _, p := range shown {
		if now.Sub(p.shownSince) >= l.turn || now.Sub(p.lastHeard) >= l.silence {
			due = append(due, p)
		}
	}
	if len(shown) == l.places && len(due) == 0 && !l.fair {
		return
	}
	crowded := l.fair && hasTwoOfOneNetwork(shown)
	slices.SortStableFunc(due, func(a, b *askEntry) int { return a.shownSince.Compare(b.shownSince) })
	for _, p := range slices.Clone(l.all) {
		switch {
		case !p.isDue() || slices.Contains(due, p):
		case l.hasPlaceFor(p, nil):
			p.shownSince = now
		default:
			i := slices.IndexFunc(due, func(o *askEntry) bool { return o.isShown() && l.hasPlaceFor(p, o) })
			if i >= 0 {
				l.showInsteadOf(due[i], p, now)
			} else if o := l.findOfLargerGroup(p, crowded); o != nil {
				l.showInsteadOf(o, p, now)
			}
		}
	}
}

// hasTwoOfOneNetwork reports whether two entries have the same network.
func hasTwoOfOneNetwork(all []*askEntry) bool {
	seen := map[netip.Prefix]bool{}
	for _, p := range all {
		if seen[p.network] {
			return true
		}
		seen[p.network] = true
	}
	return false
}

// findOfLargerGroup returns a shown entry that p may replace: one of an address or network with more shown entries than p's own.
// It returns nil if there is none, if the list is not crowded, or if p's address would then have half of the shown entries.
func (l *askList) findOfLargerGroup(p *askEntry, crowded bool) *askEntry {
	if !crowded {
		return nil
	}
	shown := l.listShown()
	of := 0
	for _, o := range shown {
		if o.addr == p.addr {
			of++
		}
	}
	if 2*of+1 >= len(shown) { // no group can be larger; the exact answer is slow
		return nil
	}
	if i, larger := largestGroupMember(requestersOf(shown), p.requester); larger {
		return shown[i]
	}
	return nil
}

// showInsteadOf shows the host the entry next instead of shown, which then waits behind all others.
func (l *askList) showInsteadOf(shown, next *askEntry, now time.Time) {
	shown.shownSince, next.shownSince = time.Time{}, now
	l.remove(shown)
	l.all = append(l.all, shown)
}

// hasPlaceFor reports whether p can be shown to the host, if without (nil: none) no longer is.
func (l *askList) hasPlaceFor(p, without *askEntry) bool {
	all, network, address := 0, 0, 0
	for _, o := range l.all {
		if o == without || !o.isShown() {
			continue
		}
		all++
		if o.network == p.network {
			network++
		}
		if o.addr == p.addr {
			address++
		}
	}
	return all < l.places && network < l.perNetwork && address < l.perAddress
}

// isPlaceWanted reports whether an entry waits for the place of p, which the host sees.
func (l *askList) isPlaceWanted(p *askEntry) bool {
	return slices.ContainsFunc(l.all, func(o *askEntry) bool { return o.isWaiting() && l.hasPlaceFor(o, p) })
}

// countAhead returns how many waiting entries are shown before p is, and p itself.
func (l *askList) countAhead(p *askEntry) int {
	ahead := 1
	for _, o := range l.all[:slices.Index(l.all, p)] {
		if o.isWaiting() {
			ahead++
		}
	}
	return ahead
}

// banAddress keeps the address of an entry from asking again for a time.
func (l *askList) banAddress(p *askEntry, denied bool, until time.Time) {
	if _, had := l.resting[p.addr]; !had && len(l.resting) >= maxResting {
		var soonest netip.Addr
		for at, r := range l.resting {
			if s, ok := l.resting[soonest]; !ok || r.until.Before(s.until) {
				soonest = at
			}
		}
		delete(l.resting, soonest)
	}
	l.resting[p.addr] = addrRest{p.key, denied, until}
}

// restOf returns the rest of a device: of its key (own) or else of its address. ok is false if it may ask.
func (l *askList) restOf(by requester) (r addrRest, own, ok bool) {
	for _, r := range l.resting {
		if r.key == by.key {
			return r, true, true
		}
	}
	r, ok = l.resting[by.addr]
	return r, false, ok
}

// queue lets an entry wait to be shown; false if the list is full and no entry was displaced.
func (l *askList) queue(p *askEntry) bool {
	waiting := make([]*askEntry, 0, len(l.all))
	for _, o := range l.all {
		if o.isWaiting() {
			waiting = append(waiting, o)
		}
	}
	p.code = l.drawCode()
	if len(waiting) < maxWaitingRequests {
		l.all = append(l.all, p)
		return true
	}
	if i := slices.IndexFunc(l.all, func(o *askEntry) bool { return o.isAsleep }); i >= 0 {
		l.all[i] = p
		return true
	}
	i, ok := pickDisplaced(requestersOf(waiting), p.requester)
	if ok {
		l.all[slices.Index(l.all, waiting[i])] = p
	}
	return ok
}

func requestersOf(all []*askEntry) []requester {
	by := make([]requester, len(all))
	for i, p := range all {
		by[i] = p.requester
	}
	return by
}

// drawCode returns a code that no other entry has.
func (l *askList) drawCode() string {
	for {
		code := fmt.Sprintf("%04d", randomBelow(codeSpan))
		if !slices.ContainsFunc(l.all, func(p *askEntry) bool { return p.code == code }) {
			return code
		}
	}
}

// findShown returns the entry that the host sees under a code; nil for none.
func (l *askList) findShown(code string) *askEntry {
	for _, p := range l.all {
		if p.code == code && p.isShown() {
			return p
		}
	}
	return nil
}

func (l *askList) remove(p *askEntry) {
	l.all = slices.DeleteFunc(l.all, func(o *askEntry) bool { return o == p })
}
