package pair

import (
	"slices"
	"strings"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of access requests, see "Further devices of the host".
const (
	maxShownRequests   = 6                // shown to the host at once, one for each address
	maxShownPerNetwork = 3                // of them for each network
	requestTime        = 3 * time.Minute  // time for the host to answer
	requestTurn        = 30 * time.Second // after it, an unanswered request makes room for a waiting one
	requestSilence     = time.Minute      // a request ends if its device is silent for so long; its screen may be off meanwhile
	reloadSilence      = 5 * time.Second  // a request makes room if its device is silent for so long: the page was reloaded
	denyRest           = 10 * time.Minute // time for which a denied address may not ask again
)

// hostAskLimits are the limits of the list of access requests.
var hostAskLimits = askLimits{
	places: maxShownRequests, perAddress: 1, perNetwork: maxShownPerNetwork, turn: requestTurn, silence: reloadSilence,
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

// PhoneIdentity identifies the phone that has joined as h among all phones that ever join as h: it is the nonce of its
// name. It is "" if none has joined, or if it joined before phones had names and has not connected since.
func (d *Desk) PhoneIdentity(h wire.Handset) string {
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
	d.expireAndShowRequests()
	return d.shownRequests()
}

// WaitingRequests returns the number of requests that are not shown yet.
func (d *Desk) WaitingRequests() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expireAndShowRequests()
	return d.hostAsks.countWaiting()
}

func (d *Desk) shownRequests() (all []wire.Plea) {
	for _, p := range d.hostAsks.listShown() {
		all = append(all, wire.Plea{Code: p.code, Kind: p.kind, Minutes: int(d.opts.Now().Sub(p.since) / time.Minute)})
	}
	return all
}

// expireAndShowRequests ends requests whose time is over, forgets devices that have joined, and shows the host the
// next requests.
func (d *Desk) expireAndShowRequests() {
	now := d.opts.Now()
	_, joined, _ := d.phonesOf(engine.Host)
	d.hostAsks.update(now, func(p *askEntry) bool {
		switch {
		case len(joined) == 0: // the owner has reset the host
			return true
		case p.sealedCode != nil:
			h, ok := d.phones[p.admittedAs]
			return !ok || h.joined || !h.isOpen(now)
		case p.isWaiting():
			return now.Sub(p.lastHeard) > claimSilence
		case now.Sub(p.shownSince) < requestTime && now.Sub(p.lastHeard) < requestSilence:
			return false
		}
		d.hostAsks.banAddress(p, false, now.Add(claimRest))
		return true
	})
}

// firstFreeHostNumber returns the first number of a device of the host that is free; false if none is.
func (d *Desk) firstFreeHostNumber() (h wire.Handset, ok bool) {
	now := d.opts.Now()
	for h = wire.FirstPhoneOf(engine.Host); h.IsValid(); h.N++ {
		if p, is := d.phones[h]; !is || !p.joined && !p.isOpen(now) {
			return h, true
		}
	}
	return h, false
}

// answerRequest returns the state of a device's request, and begins one if begin is set and there is room. changed reports
// whether AccessRequests has changed.
func (d *Desk) answerRequest(by requester, begin bool) (a claimAnswer, changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	before := d.shownRequests()
	defer func() { changed = !slices.Equal(before, d.shownRequests()) }()
	d.expireAndShowRequests()
	if p := d.hostAsks.find(by.key); p != nil {
		p.lastHeard = now
		return d.buildRequestAnswer(p, now), false
	}
	rest, own, rests := d.hostAsks.restOf(by)
	switch {
	case own && rest.denied:
		return claimAnswer{State: claimDenied}, false
	case own:
		return claimAnswer{State: claimOver}, false
	}
	if _, room := d.firstFreeHostNumber(); !room {
		return claimAnswer{State: claimFull}, false
	}
	if !begin {
		return claimAnswer{State: claimTaken}, false
	}
	if rests {
		return claimAnswer{State: claimBusy, Seconds: secondsRoundedUp(rest.until.Sub(now))}, false
	}
	p := &askEntry{requester: by, since: now, lastHeard: now}
	if !d.hostAsks.queue(p) {
		return claimAnswer{State: claimBusy, Seconds: 1}, false
	}
	d.hostAsks.showNext(now)
	return d.buildRequestAnswer(p, now), false
}

func (d *Desk) buildRequestAnswer(p *askEntry, now time.Time) claimAnswer {
	switch {
	case p.sealedCode != nil:
		return claimAnswer{State: claimYours, Box: encodeBox(p.sealedCode)}
	case p.isShown() && d.hostAsks.isPlaceWanted(p):
		return claimAnswer{State: claimWait, Code: p.code, Turns: true,
			Seconds: max(0, secondsRoundedUp(requestTurn-now.Sub(p.shownSince)))}
	case p.isShown():
		return claimAnswer{State: claimWait, Code: p.code, Seconds: secondsRoundedUp(requestTime - now.Sub(p.shownSince))}
	}
	return claimAnswer{State: claimWait, Code: p.code, Ahead: d.hostAsks.countAhead(p)}
}

// findShownRequest returns the request that the host sees under a code, or ErrNoPhone.
func (d *Desk) findShownRequest(code string) (*askEntry, error) {
	d.expireAndShowRequests()
	if p := d.hostAsks.findShown(code); p != nil {
		return p, nil
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
	h, room := d.firstFreeHostNumber()
	if !room {
		return ErrFull
	}
	if err := d.inviteLocked(h, nil); err != nil {
		return err
	}
	next := d.phones[h]
	box, err := next.code.SealClaim(p.key[:])
	if err != nil { // without a valid key no device could read the answer
		d.hostAsks.remove(p)
		if err := d.keyStore.DeleteKeys(h); err == nil {
			d.forgetPhones(h)
		}
		return ErrNoPhone
	}
	next.kind = p.kind
	_ = d.savePhones(h, next) // if this is not saved, the page does not show the kind after a restart
	p.admittedAs, p.sealedCode = h, box
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
	d.hostAsks.remove(p)
	d.hostAsks.banAddress(p, true, d.opts.Now().Add(denyRest))
	return nil
}
