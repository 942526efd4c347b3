package pair

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of access requests, see "Further devices of the host".
const (
	maxPleas  = 6                // shown to the host at once, one for each address
	pleaShare = 3                // of them for each network
	maxPlead  = 64               // waiting to be shown; for more see pickDisplaced
	pleaFor   = 3 * time.Minute  // time for the host to answer
	pleaTurn  = 30 * time.Second // after it, an unanswered request makes room for a waiting one
	pleaHeard = time.Minute      // a request ends if its device is silent for so long; its screen may be off meanwhile
	pleaAgain = 5 * time.Second  // a request makes room if its device is silent for so long: the page was reloaded
	pleaDeny  = 10 * time.Minute // time for which a denied address may not ask again
	maxRests  = 64               // addresses that may not ask now; of more, those with the longest rest
	codeSpan  = 10000            // codes have four digits
)

// accessRequest is the request of one device for the host's page.
type plea struct {
	asker
	code         string
	since, heard time.Time
	shown        time.Time    // since when it is shown to the host; zero: it waits
	phone        wire.Handset // set when it is admitted
	box          []byte       // the encrypted code for an admitted device
}

// isShown reports whether the host sees the request.
func (p *plea) seen() bool { return p.box == nil && !p.shown.IsZero() }

// isWaiting reports whether the request is not shown yet.
func (p *plea) waits() bool { return p.box == nil && p.shown.IsZero() }

// addrRest remembers a failed request. Its address may not ask again before until.
type rest struct {
	key    [seal.PublicSize]byte
	denied bool
	until  time.Time
}

// deviceKind returns the kind of device that a browser reports, one of wire.DeviceKinds or "".
func kindOf(agent string) string {
	agent = strings.ToLower(agent)
	for _, sign := range [][2]string{
		{"iphone", "iphone"}, {"ipad", "ipad"}, {"android", "android"}, {"windows", "windows"}, {"macintosh", "mac"}, {"linux", "linux"},
	} {
		if strings.Contains(agent, sign[0]) {
			return sign[1]
		}
	}
	return ""
}

// Hosts returns the devices with the host's page.
func (d *Desk) Hosts() []wire.HostDevice {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, _ := d.of(engine.Host)
	all := make([]wire.HostDevice, 0, len(joined))
	for _, h := range joined {
		all = append(all, wire.HostDevice{N: h.N, Kind: d.phones[h].kind})
	}
	return all
}

// Mark identifies the phone that has joined as h among all phones that ever join as h: it is the nonce of its
// name. It is "" if none has joined, or if it joined before phones had names and has not connected since.
func (d *Desk) Mark(h wire.Handset) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p, ok := d.phones[h]; ok && p.joined {
		return string(p.mark)
	}
	return ""
}

// AccessRequests returns the requests that the host sees and can answer, at most maxShownRequests.
func (d *Desk) Pleas() []wire.Plea {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle()
	return d.shownPleas()
}

// WaitingRequests returns the number of requests that are not shown yet.
func (d *Desk) Waiting() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle()
	for _, p := range d.pleas {
		if p.waits() {
			n++
		}
	}
	return n
}

func (d *Desk) shownPleas() (all []wire.Plea) {
	for _, p := range d.pleas {
		if p.seen() {
			all = append(all, wire.Plea{Code: p.code, Kind: p.kind, Minutes: int(d.opts.Now().Sub(p.since) / time.Minute)})
		}
	}
	return all
}

// updateRequests ends requests whose time is over, forgets devices that have joined, and shows the host the
// next requests.
func (d *Desk) settle() {
	now := d.opts.Now()
	maps.DeleteFunc(d.rests, func(_ netip.Addr, r rest) bool { return !now.Before(r.until) })
	_, joined, _ := d.of(engine.Host)
	d.pleas = slices.DeleteFunc(d.pleas, func(p *plea) bool {
		switch {
		case len(joined) == 0: // the owner has reset the host
			return true
		case p.box != nil:
			h, ok := d.phones[p.phone]
			return !ok || h.joined || !h.open(now)
		case p.waits():
			return now.Sub(p.heard) > claimHeard
		case now.Sub(p.shown) < pleaFor && now.Sub(p.heard) < pleaHeard:
			return false
		}
		d.rest(p, false, claimRest)
		return true
	})
	d.turns(now)
}

// showNextRequests shows the host waiting requests, the oldest first: in free places, and in the places of
// others whose turn is over or whose device is silent. Those then wait again.
func (d *Desk) turns(now time.Time) {
	seen, due := 0, []*plea{}
	for _, p := range d.pleas {
		if p.seen() {
			seen++
		}
		if p.seen() && (now.Sub(p.shown) >= pleaTurn || now.Sub(p.heard) >= pleaAgain) {
			due = append(due, p)
		}
	}
	if seen == maxPleas && len(due) == 0 {
		return
	}
	slices.SortStableFunc(due, func(a, b *plea) int { return a.shown.Compare(b.shown) })
	for _, p := range slices.Clone(d.pleas) {
		switch {
		case !p.waits() || slices.Contains(due, p):
		case d.hasPlace(p, nil):
			p.shown = now
		default:
			if i := slices.IndexFunc(due, func(o *plea) bool { return o.seen() && d.hasPlace(p, o) }); i >= 0 {
				d.giveWay(due[i], p, now)
			}
		}
	}
}

// giveWay shows the host p instead of out, which then waits behind all others.
func (d *Desk) giveWay(out, p *plea, now time.Time) {
	out.shown, p.shown = time.Time{}, now
	d.drop(out)
	d.pleas = append(d.pleas, out)
}

// hasPlace reports whether p can be shown to the host, if out no longer is.
func (d *Desk) hasPlace(p, out *plea) bool {
	all, network := 0, 0
	for _, o := range d.pleas {
		switch {
		case o == out || !o.seen():
			continue
		case o.at == p.at:
			return false
		case o.from == p.from:
			network++
		}
		all++
	}
	return all < maxPleas && network < pleaShare
}

// isPlaceWanted reports whether a request waits for the place of p, which the host sees.
func (d *Desk) wanted(p *plea) bool {
	return slices.ContainsFunc(d.pleas, func(o *plea) bool { return o.waits() && d.hasPlace(o, p) })
}

// restAddr keeps the address of a request from asking again for a time.
func (d *Desk) rest(p *plea, denied bool, span time.Duration) {
	if _, had := d.rests[p.at]; !had && len(d.rests) >= maxRests {
		var soonest netip.Addr
		for at, r := range d.rests {
			if s, ok := d.rests[soonest]; !ok || r.until.Before(s.until) {
				soonest = at
			}
		}
		delete(d.rests, soonest)
	}
	d.rests[p.at] = rest{p.key, denied, d.opts.Now().Add(span)}
}

// findVacantHost returns the number for a further device of the host; false if there is none.
func (d *Desk) vacantHost() (h wire.Handset, ok bool) {
	now := d.opts.Now()
	for h = wire.First(engine.Host); h.Valid(); h.N++ {
		if p, is := d.phones[h]; !is || !p.joined && !p.open(now) {
			return h, true
		}
	}
	return h, false
}

// answerRequest returns the state of a device's request, and begins a request if possible. changed reports
// whether AccessRequests has changed.
func (d *Desk) plead(by asker, begin bool) (a claimAnswer, changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	before := d.shownPleas()
	defer func() { changed = !slices.Equal(before, d.shownPleas()) }()
	d.settle()
	if i := slices.IndexFunc(d.pleas, func(p *plea) bool { return p.key == by.key }); i >= 0 {
		d.pleas[i].heard = now
		return d.answer(d.pleas[i], now), false
	}
	for _, r := range d.rests {
		switch {
		case r.key == by.key && r.denied:
			return claimAnswer{State: claimDenied}, false
		case r.key == by.key:
			return claimAnswer{State: claimOver}, false
		}
	}
	if _, room := d.vacantHost(); !room {
		return claimAnswer{State: claimFull}, false
	}
	if !begin {
		return claimAnswer{State: claimTaken}, false
	}
	if r, ok := d.rests[by.at]; ok {
		return claimAnswer{State: claimBusy, Seconds: seconds(r.until.Sub(now))}, false
	}
	p := &plea{asker: by, since: now, heard: now}
	if !d.stand(p) {
		return claimAnswer{State: claimBusy, Seconds: 1}, false
	}
	d.turns(now)
	return d.answer(p, now), false
}

// queueRequest lets a request wait to be shown; false if the queue is full and no request was displaced.
func (d *Desk) stand(p *plea) bool {
	var waiting []asker
	var places []int
	for i, o := range d.pleas {
		if o.waits() {
			waiting, places = append(waiting, o.asker), append(places, i)
		}
	}
	p.code = d.drawCode()
	if len(waiting) < maxPlead {
		d.pleas = append(d.pleas, p)
		return true
	}
	i, ok := displaced(waiting, p.asker)
	if ok {
		d.pleas[places[i]] = p
	}
	return ok
}

// drawCode returns a code that no other request has.
func (d *Desk) drawCode() string {
	for {
		code := fmt.Sprintf("%04d", pick(codeSpan))
		if !slices.ContainsFunc(d.pleas, func(p *plea) bool { return p.code == code }) {
			return code
		}
	}
}

func (d *Desk) answer(p *plea, now time.Time) claimAnswer {
	switch {
	case p.box != nil:
		return claimAnswer{State: claimYours, Box: boxText(p.box)}
	case p.seen() && d.wanted(p):
		return claimAnswer{State: claimWait, Code: p.code, Turns: true, Seconds: max(0, seconds(pleaTurn-now.Sub(p.shown)))}
	case p.seen():
		return claimAnswer{State: claimWait, Code: p.code, Seconds: seconds(pleaFor - now.Sub(p.shown))}
	}
	ahead := 1
	for _, o := range d.pleas[:slices.Index(d.pleas, p)] {
		if o.waits() {
			ahead++
		}
	}
	return claimAnswer{State: claimWait, Code: p.code, Ahead: ahead}
}

// findShown returns the request that the host sees under a code.
func (d *Desk) take(code string) (*plea, error) {
	d.settle()
	for _, p := range d.pleas {
		if p.code == code && p.seen() {
			return p, nil
		}
	}
	return nil, ErrNobody
}

// Admit gives the host's page to the device that shows this code.
func (d *Desk) Admit(code string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, err := d.take(code)
	if err != nil {
		return err
	}
	h, room := d.vacantHost()
	if !room {
		return ErrFull
	}
	if err := d.inviteLocked(h, nil); err != nil {
		return err
	}
	next := d.phones[h]
	box, err := next.code.SealClaim(p.key[:])
	if err != nil { // without a valid key no device could read the answer
		d.drop(p)
		if err := d.book.Withdraw(h); err == nil {
			d.gone(h)
		}
		return ErrNobody
	}
	next.kind = p.kind
	_ = d.record(h, next) // if this is not saved, the page does not show the kind after a restart
	p.phone, p.box = h, box
	return nil
}

// Deny turns away the device that shows this code.
func (d *Desk) Deny(code string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, err := d.take(code)
	if err != nil {
		return err
	}
	d.drop(p)
	d.rest(p, true, pleaDeny)
	return nil
}

func (d *Desk) drop(p *plea) {
	d.pleas = slices.DeleteFunc(d.pleas, func(o *plea) bool { return o == p })
}
