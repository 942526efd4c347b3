package pair

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of a plea, see "Further devices of the host".
const (
	maxPleas  = 3                // at once, one of a network
	pleaFor   = 3 * time.Minute  // for the host to answer
	pleaHeard = time.Minute      // without a word of the device it is over: its screen may go off meanwhile
	pleaAgain = 5 * time.Second  // unheard for so long, one gives way to another of the same network: a page was reloaded
	pleaDeny  = 10 * time.Minute // for so long a network that was denied asks no more
	maxRests  = 64               // networks that rest; while there are as many nobody asks
	codeSpan  = 10000            // codes have four figures
)

// plea is that of one device for the host's page.
type plea struct {
	asker
	code         string
	since, heard time.Time
	phone        wire.Handset // once it was admitted
	box          []byte       // what it gets then
}

// rest is what is left of a plea that came to nothing: its network does not ask again before until.
type rest struct {
	key    [seal.PublicSize]byte
	denied bool
	until  time.Time
}

// kindOf is what a browser says that it runs on, one of wire.DeviceKinds or "".
func kindOf(agent string) string {
	agent = strings.ToLower(agent)
	for _, sign := range [][2]string{{"iphone", "iphone"}, {"ipad", "ipad"}, {"android", "android"}, {"windows", "windows"}, {"macintosh", "mac"}, {"linux", "linux"}} {
		if strings.Contains(agent, sign[0]) {
			return sign[1]
		}
	}
	return ""
}

// Hosts are the devices with the host's page.
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

// Mark tells the phone that has joined as h from each other, before it and after it: the nonce of its name. "": none has, or
// it joined before phones had names and has not come since.
func (d *Desk) Mark(h wire.Handset) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p, ok := d.phones[h]; ok && p.joined {
		return string(p.mark)
	}
	return ""
}

// Pleas are those that wait for the host's answer, the oldest first.
func (d *Desk) Pleas() []wire.Plea {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle()
	return d.shownPleas()
}

func (d *Desk) shownPleas() (all []wire.Plea) {
	for _, p := range d.pleas {
		if p.box == nil {
			all = append(all, wire.Plea{Code: p.code, Kind: p.kind, Minutes: int(d.opts.Now().Sub(p.since) / time.Minute)})
		}
	}
	return all
}

// settle ends what time has ended, and forgets who has come in.
func (d *Desk) settle() {
	now := d.opts.Now()
	for from, r := range d.rests {
		if !now.Before(r.until) {
			delete(d.rests, from)
		}
	}
	_, joined, _ := d.of(engine.Host)
	d.pleas = slices.DeleteFunc(d.pleas, func(p *plea) bool {
		switch {
		case len(joined) == 0: // the owner has begun anew
			return true
		case p.box != nil:
			h, ok := d.phones[p.phone]
			return !ok || h.joined || !h.open(now)
		case now.Sub(p.since) < pleaFor && now.Sub(p.heard) < pleaHeard:
			return false
		}
		d.rest(p, false, claimRest)
		return true
	})
}

func (d *Desk) rest(p *plea, denied bool, span time.Duration) {
	d.rests[p.from] = rest{p.key, denied, d.opts.Now().Add(span)}
}

// vacantHost is the number that a further device of the host would have.
func (d *Desk) vacantHost() (h wire.Handset, ok bool) {
	now := d.opts.Now()
	for h = wire.First(engine.Host); h.Valid(); h.N++ {
		if p, is := d.phones[h]; !is || !p.joined && !p.open(now) {
			return h, true
		}
	}
	return h, false
}

// plead says how the plea of a device stands, and begins one where that can be; changed: Pleas answers otherwise.
func (d *Desk) plead(by asker, begin bool) (a claimAnswer, changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	before := d.shownPleas()
	defer func() { changed = !slices.Equal(before, d.shownPleas()) }()
	d.settle()
	if i := slices.IndexFunc(d.pleas, func(p *plea) bool { return p.key == by.key }); i >= 0 {
		d.pleas[i].heard = now
		return d.pleas[i].answer(now), false
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
	if wait := d.pleaWait(by.from, now); wait > 0 {
		return claimAnswer{State: claimBusy, Seconds: seconds(wait)}, false
	}
	d.pleas = slices.DeleteFunc(d.pleas, func(p *plea) bool { return p.from == by.from && p.box == nil })
	p := &plea{asker: by, code: d.drawCode(), since: now, heard: now}
	d.pleas = append(d.pleas, p)
	return p.answer(now), false
}

// pleaWait is for how long a network has to wait until it can ask; 0: not at all.
func (d *Desk) pleaWait(from netip.Prefix, now time.Time) time.Duration {
	if r, ok := d.rests[from]; ok {
		return r.until.Sub(now)
	}
	n := 0
	for _, p := range d.pleas {
		switch {
		case p.box != nil:
		case p.from == from && now.Sub(p.heard) < pleaAgain:
			return pleaAgain - now.Sub(p.heard)
		case p.from != from:
			n++
		}
	}
	if n >= maxPleas || len(d.rests) >= maxRests {
		return claimRest
	}
	return 0
}

// drawCode is one that no other plea has.
func (d *Desk) drawCode() string {
	for {
		code := fmt.Sprintf("%04d", pick(codeSpan))
		if !slices.ContainsFunc(d.pleas, func(p *plea) bool { return p.code == code }) {
			return code
		}
	}
}

func (p *plea) answer(now time.Time) claimAnswer {
	if p.box != nil {
		return claimAnswer{State: claimYours, Box: boxText(p.box)}
	}
	return claimAnswer{State: claimWait, Code: p.code, Seconds: seconds(pleaFor - now.Sub(p.since))}
}

// take is the plea that waits under a code.
func (d *Desk) take(code string) (*plea, error) {
	d.settle()
	for _, p := range d.pleas {
		if p.code == code && p.box == nil {
			return p, nil
		}
	}
	return nil, ErrNobody
}

// Admit gives the device that shows this code the host's page, too.
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
	if err != nil { // no key: nobody could read the answer
		d.drop(p)
		if err := d.book.Withdraw(h); err == nil {
			d.gone(h)
		}
		return ErrNobody
	}
	next.kind = p.kind
	_ = d.record(h, next) // without it the page does not say which kind it is, after a restart
	p.phone, p.box = h, box
	return nil
}

// Deny turns the device away that shows this code.
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
