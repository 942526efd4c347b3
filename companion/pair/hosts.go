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

// Limits of a plea, see "Further devices of the host".
const (
	maxPleas  = 6                // that the host is shown at once, one of an address
	pleaShare = 3                // of them from one network
	maxPlead  = 64               // that wait for their turn; of more, see displaced
	pleaFor   = 3 * time.Minute  // for the host to answer
	pleaTurn  = 30 * time.Second // after it, one that was not answered gives way to one that waits
	pleaHeard = time.Minute      // without a word of the device it is over: its screen may go off meanwhile
	pleaAgain = 5 * time.Second  // unheard for so long, one gives way, too: a page was reloaded
	pleaDeny  = 10 * time.Minute // for so long an address that was denied asks no more
	maxRests  = 64               // addresses that rest; of more, those that rest longest
	codeSpan  = 10000            // codes have four figures
)

// plea is that of one device for the host's page.
type plea struct {
	asker
	code         string
	since, heard time.Time
	shown        time.Time    // since when the host is shown it; zero: it waits for its turn
	phone        wire.Handset // once it was admitted
	box          []byte       // what it gets then
}

// seen reports a plea that the host is shown.
func (p *plea) seen() bool { return p.box == nil && !p.shown.IsZero() }

// waits reports a plea whose turn has not come.
func (p *plea) waits() bool { return p.box == nil && p.shown.IsZero() }

// rest is what is left of a plea that came to nothing: its address does not ask again before until.
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

// Pleas are those that the host is shown and can answer, at most maxPleas.
func (d *Desk) Pleas() []wire.Plea {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle()
	return d.shownPleas()
}

// Waiting counts the devices that wait until Pleas has them.
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

// settle ends what time has ended, forgets who has come in, and shows the host those whose turn it is.
func (d *Desk) settle() {
	now := d.opts.Now()
	maps.DeleteFunc(d.rests, func(_ netip.Addr, r rest) bool { return !now.Before(r.until) })
	_, joined, _ := d.of(engine.Host)
	d.pleas = slices.DeleteFunc(d.pleas, func(p *plea) bool {
		switch {
		case len(joined) == 0: // the owner has begun anew
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

// turns shows the host pleas that wait, the longest first: in free places, and in those of others that have had their time or are not heard
// of any more, which then wait again.
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

// hasPlace reports that the host can be shown p, if out is shown no more.
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

// wanted reports that a device waits for the place of p, which the host is shown.
func (d *Desk) wanted(p *plea) bool {
	return slices.ContainsFunc(d.pleas, func(o *plea) bool { return o.waits() && d.hasPlace(o, p) })
}

// rest keeps the address of a plea from asking again for so long.
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

// stand lets a plea wait for its turn; false: the line is full, and nobody gave way.
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

// drawCode is one that no other plea has.
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

// take is the plea that the host is shown under a code.
func (d *Desk) take(code string) (*plea, error) {
	d.settle()
	for _, p := range d.pleas {
		if p.code == code && p.seen() {
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
