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
	maxShownRequests   = 6                // shown to the host at once, one for each address
	maxShownPerNetwork = 3                // of them for each network
	maxWaitingRequests = 64               // waiting to be shown; for more see pickDisplaced
	requestTime        = 3 * time.Minute  // time for the host to answer
	requestTurn        = 30 * time.Second // after it, an unanswered request makes room for a waiting one
	requestSilence     = time.Minute      // a request ends if its device is silent for so long; its screen may be off meanwhile
	reloadSilence      = 5 * time.Second  // a request makes room if its device is silent for so long: the page was reloaded
	denyRest           = 10 * time.Minute // time for which a denied address may not ask again
	maxResting         = 64               // addresses that may not ask now; of more, those with the longest rest
	codeSpan           = 10000            // codes have four digits
)

// accessRequest is the request of one device for the host's page.
type accessRequest struct {
	requester
	code             string
	since, lastHeard time.Time
	shownSince       time.Time    // since when it is shown to the host; zero: it waits
	phone            wire.Handset // set when it is admitted
	sealedCode       []byte       // the encrypted code for an admitted device
}

// isShown reports whether the host sees the request.
func (p *accessRequest) isShown() bool { return p.sealedCode == nil && !p.shownSince.IsZero() }

// isWaiting reports whether the request is not shown yet.
func (p *accessRequest) isWaiting() bool { return p.sealedCode == nil && p.shownSince.IsZero() }

// addrRest remembers a failed request. Its address may not ask again before until.
type addrRest struct {
	key    [seal.PublicKeySize]byte
	denied bool
	until  time.Time
}

// deviceKind returns the kind of device that a browser reports, one of wire.DeviceKinds or "".
func deviceKind(agent string) string {
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

// HostDevices returns the devices with the host's page.
func (d *Desk) HostDevices() []wire.HostDevice {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, _ := d.phonesOf(engine.Host)
	all := make([]wire.HostDevice, 0, len(joined))
	for _, h := range joined {
		all = append(all, wire.HostDevice{N: h.N, Kind: d.phones[h].kind})
	}
	return all
}

// PhoneMark identifies the phone that has joined as h among all phones that ever join as h: it is the nonce of its
// name. It is "" if none has joined, or if it joined before phones had names and has not connected since.
func (d *Desk) PhoneMark(h wire.Handset) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p, ok := d.phones[h]; ok && p.joined {
		return string(p.mark)
	}
	return ""
}

// AccessRequests returns the requests that the host sees and can answer, at most maxShownRequests.
func (d *Desk) AccessRequests() []wire.Plea {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateRequests()
	return d.shownRequests()
}

// WaitingRequests returns the number of requests that are not shown yet.
func (d *Desk) WaitingRequests() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateRequests()
	for _, p := range d.requests {
		if p.isWaiting() {
			n++
		}
	}
	return n
}

func (d *Desk) shownRequests() (all []wire.Plea) {
	for _, p := range d.requests {
		if p.isShown() {
			all = append(all, wire.Plea{Code: p.code, Kind: p.kind, Minutes: int(d.opts.Now().Sub(p.since) / time.Minute)})
		}
	}
	return all
}

// updateRequests ends requests whose time is over, forgets devices that have joined, and shows the host the
// next requests.
func (d *Desk) updateRequests() {
	now := d.opts.Now()
	maps.DeleteFunc(d.resting, func(_ netip.Addr, r addrRest) bool { return !now.Before(r.until) })
	_, joined, _ := d.phonesOf(engine.Host)
	d.requests = slices.DeleteFunc(d.requests, func(p *accessRequest) bool {
		switch {
		case len(joined) == 0: // the owner has reset the host
			return true
		case p.sealedCode != nil:
			h, ok := d.phones[p.phone]
			return !ok || h.joined || !h.isOpen(now)
		case p.isWaiting():
			return now.Sub(p.lastHeard) > claimSilence
		case now.Sub(p.shownSince) < requestTime && now.Sub(p.lastHeard) < requestSilence:
			return false
		}
		d.banAddress(p, false, claimRest)
		return true
	})
	d.showNextRequests(now)
}

// showNextRequests shows the host waiting requests, the oldest first: in free places, and in the places of
// others whose turn is over or whose device is silent. Those then wait again.
func (d *Desk) showNextRequests(now time.Time) {
	seen, due := 0, []*accessRequest{}
	for _, p := range d.requests {
		if p.isShown() {
			seen++
		}
		if p.isShown() && (now.Sub(p.shownSince) >= requestTurn || now.Sub(p.lastHeard) >= reloadSilence) {
			due = append(due, p)
		}
	}
	if seen == maxShownRequests && len(due) == 0 {
		return
	}
	slices.SortStableFunc(due, func(a, b *accessRequest) int { return a.shownSince.Compare(b.shownSince) })
	for _, p := range slices.Clone(d.requests) {
		switch {
		case !p.isWaiting() || slices.Contains(due, p):
		case d.hasPlaceFor(p, nil):
			p.shownSince = now
		default:
			if i := slices.IndexFunc(due, func(o *accessRequest) bool { return o.isShown() && d.hasPlaceFor(p, o) }); i >= 0 {
				d.showInsteadOf(due[i], p, now)
			}
		}
	}
}

// showInsteadOf shows the host the request next instead of shown, which then waits behind all others.
func (d *Desk) showInsteadOf(shown, next *accessRequest, now time.Time) {
	shown.shownSince, next.shownSince = time.Time{}, now
	d.removeRequest(shown)
	d.requests = append(d.requests, shown)
}

// hasPlaceFor reports whether p can be shown to the host, if without (nil: none) no longer is.
func (d *Desk) hasPlaceFor(p, without *accessRequest) bool {
	all, network := 0, 0
	for _, o := range d.requests {
		switch {
		case o == without || !o.isShown():
			continue
		case o.addr == p.addr:
			return false
		case o.network == p.network:
			network++
		}
		all++
	}
	return all < maxShownRequests && network < maxShownPerNetwork
}

// isPlaceWanted reports whether a request waits for the place of p, which the host sees.
func (d *Desk) isPlaceWanted(p *accessRequest) bool {
	return slices.ContainsFunc(d.requests, func(o *accessRequest) bool { return o.isWaiting() && d.hasPlaceFor(o, p) })
}

// banAddress keeps the address of a request from asking again for a time.
func (d *Desk) banAddress(p *accessRequest, denied bool, span time.Duration) {
	if _, had := d.resting[p.addr]; !had && len(d.resting) >= maxResting {
		var soonest netip.Addr
		for at, r := range d.resting {
			if s, ok := d.resting[soonest]; !ok || r.until.Before(s.until) {
				soonest = at
			}
		}
		delete(d.resting, soonest)
	}
	d.resting[p.addr] = addrRest{p.key, denied, d.opts.Now().Add(span)}
}

// findVacantHostPlace returns the first number of a device of the host that is free; false if none is.
func (d *Desk) findVacantHostPlace() (h wire.Handset, ok bool) {
	now := d.opts.Now()
	for h = wire.FirstPhone(engine.Host); h.IsValid(); h.N++ {
		if p, is := d.phones[h]; !is || !p.joined && !p.isOpen(now) {
			return h, true
		}
	}
	return h, false
}

// answerRequest returns the state of a device's request, and begins a request if possible. changed reports
// whether AccessRequests has changed.
func (d *Desk) answerRequest(by requester, begin bool) (a claimAnswer, changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	before := d.shownRequests()
	defer func() { changed = !slices.Equal(before, d.shownRequests()) }()
	d.updateRequests()
	if i := slices.IndexFunc(d.requests, func(p *accessRequest) bool { return p.key == by.key }); i >= 0 {
		d.requests[i].lastHeard = now
		return d.buildRequestAnswer(d.requests[i], now), false
	}
	for _, r := range d.resting {
		switch {
		case r.key == by.key && r.denied:
			return claimAnswer{State: claimDenied}, false
		case r.key == by.key:
			return claimAnswer{State: claimOver}, false
		}
	}
	if _, room := d.findVacantHostPlace(); !room {
		return claimAnswer{State: claimFull}, false
	}
	if !begin {
		return claimAnswer{State: claimTaken}, false
	}
	if r, ok := d.resting[by.addr]; ok {
		return claimAnswer{State: claimBusy, Seconds: secondsRoundedUp(r.until.Sub(now))}, false
	}
	p := &accessRequest{requester: by, since: now, lastHeard: now}
	if !d.queueRequest(p) {
		return claimAnswer{State: claimBusy, Seconds: 1}, false
	}
	d.showNextRequests(now)
	return d.buildRequestAnswer(p, now), false
}

// queueRequest lets a request wait to be shown; false if the queue is full and no request was displaced.
func (d *Desk) queueRequest(p *accessRequest) bool {
	var waiting []requester
	var places []int
	for i, o := range d.requests {
		if o.isWaiting() {
			waiting, places = append(waiting, o.requester), append(places, i)
		}
	}
	p.code = d.drawCode()
	if len(waiting) < maxWaitingRequests {
		d.requests = append(d.requests, p)
		return true
	}
	i, ok := pickDisplaced(waiting, p.requester)
	if ok {
		d.requests[places[i]] = p
	}
	return ok
}

// drawCode returns a code that no other request has.
func (d *Desk) drawCode() string {
	for {
		code := fmt.Sprintf("%04d", randomBelow(codeSpan))
		if !slices.ContainsFunc(d.requests, func(p *accessRequest) bool { return p.code == code }) {
			return code
		}
	}
}

func (d *Desk) buildRequestAnswer(p *accessRequest, now time.Time) claimAnswer {
	switch {
	case p.sealedCode != nil:
		return claimAnswer{State: claimYours, Box: encodeBox(p.sealedCode)}
	case p.isShown() && d.isPlaceWanted(p):
		return claimAnswer{State: claimWait, Code: p.code, Turns: true,
			Seconds: max(0, secondsRoundedUp(requestTurn-now.Sub(p.shownSince)))}
	case p.isShown():
		return claimAnswer{State: claimWait, Code: p.code, Seconds: secondsRoundedUp(requestTime - now.Sub(p.shownSince))}
	}
	ahead := 1
	for _, o := range d.requests[:slices.Index(d.requests, p)] {
		if o.isWaiting() {
			ahead++
		}
	}
	return claimAnswer{State: claimWait, Code: p.code, Ahead: ahead}
}

// findShownRequest returns the request that the host sees under a code, or ErrNoPhone.
func (d *Desk) findShownRequest(code string) (*accessRequest, error) {
	d.updateRequests()
	for _, p := range d.requests {
		if p.code == code && p.isShown() {
			return p, nil
		}
	}
	return nil, ErrNoPhone
}

// AdmitDevice gives the host's page to the device that shows this code: its next request to POST /claim gets the code of
// an invitation. The error is ErrNoPhone if the host sees no such request, ErrFull if no place is free.
func (d *Desk) AdmitDevice(code string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, err := d.findShownRequest(code)
	if err != nil {
		return err
	}
	h, room := d.findVacantHostPlace()
	if !room {
		return ErrFull
	}
	if err := d.inviteLocked(h, nil); err != nil {
		return err
	}
	next := d.phones[h]
	box, err := next.code.SealClaim(p.key[:])
	if err != nil { // without a valid key no device could read the answer
		d.removeRequest(p)
		if err := d.keyStore.DeleteKeys(h); err == nil {
			d.forgetPhones(h)
		}
		return ErrNoPhone
	}
	next.kind = p.kind
	_ = d.savePhones(h, next) // if this is not saved, the page does not show the kind after a restart
	p.phone, p.sealedCode = h, box
	return nil
}

// DenyDevice turns away the device that shows this code.
func (d *Desk) DenyDevice(code string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, err := d.findShownRequest(code)
	if err != nil {
		return err
	}
	d.removeRequest(p)
	d.banAddress(p, true, denyRest)
	return nil
}

func (d *Desk) removeRequest(p *accessRequest) {
	d.requests = slices.DeleteFunc(d.requests, func(o *accessRequest) bool { return o == p })
}
