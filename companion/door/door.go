package door

import (
	"cmp"
	"maps"
	"math"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"majordome/engine"
)

// Kind says whose place a connection has, by what it has proved.
type Kind uint8

// Kinds. The zero value is a connection that has proved nothing.
const (
	Stranger Kind = iota
	Returning
	Public
	Seat
	Host
	Device
	Inside
	kindCount
)

// Kinds returns all kinds, in order.
func Kinds() []Kind { return []Kind{Stranger, Returning, Public, Seat, Host, Device, Inside} }

func (k Kind) String() string {
	return [...]string{"strangers", "returning", "public", "seats", "host", "devices", "inside"}[k]
}

// Opts adjust a Door. Zero values take the default.
type Opts struct {
	// Descriptors is the number of files this process may open; 0 means the limit of the system (RLIMIT_NOFILE).
	Descriptors uint64
	// Devices is the number of accounts for devices of the house, each with up to four connections; 0: there are none.
	Devices int
	// WriteWait is the time a peer has to receive 16 KiB. Default 5 s.
	WriteWait time.Duration
	// OnCalm is called by WatchPressure when a minute of pressure is over. It may be nil.
	OnCalm func()
	// Now returns the time; nil means the computer's clock.
	Now func() time.Time
}

// Door is the budget of connections. It is safe for concurrent use.
//
// Invariants:
//  1. Each connection that is not released is counted once in taken. A stranger, returning or public one is in the list of its address for
//     its kind, and counted in open of that address and its networks; another one is in the list of its user, or in inside.
//  2. taken[k] <= places[k] for every kind.
//  3. There are at most maxSources addresses and networks, and maxKnown known addresses.
type Door struct {
	opts      Opts
	startedAt time.Time
	places    [kindCount]int

	mu      sync.Mutex
	taken   [kindCount]int
	peak    [kindCount]int // the most that were taken at once since WatchPressure last looked
	sources map[netip.Prefix]*source
	users   map[string][]*Conn // seats, the host and devices, oldest first
	inside  []*Conn
	known   map[netip.Prefix]time.Time // when a seat, the host or a device last proved itself there

	refused, cut map[string]uint64 // by reason
}

// New makes a door with as many places as the system allows.
func New(o *Opts) (*Door, error) {
	d := &Door{opts: *cmp.Or(o, &Opts{}), sources: map[netip.Prefix]*source{}, users: map[string][]*Conn{},
		known: map[netip.Prefix]time.Time{}, refused: map[string]uint64{}, cut: map[string]uint64{}}
	d.opts.WriteWait = cmp.Or(d.opts.WriteWait, writeWait)
	if d.opts.Now == nil {
		d.opts.Now = time.Now
	}
	d.startedAt = d.opts.Now()
	limit := d.opts.Descriptors
	if limit == 0 {
		limit = descriptorLimit()
	}
	d.places = [kindCount]int{
		strangerPlaces,
		returningPlaces,
		publicPlaces,
		seatPlaces,
		hostPlaces,
		deviceEach * d.opts.Devices,
		insidePlaces,
	}
	fixed := ownFiles + d.places[Device] // a device has a second socket, to its own broker
	for _, n := range d.places[Returning:] {
		fixed += n
	}
	if limit < uint64(fixed+minStrangers) {
		return nil, &FewFilesError{Limit: limit, Need: fixed + minStrangers}
	}
	d.places[Stranger] = int(min(limit-uint64(fixed), strangerPlaces))
	return d, nil
}

// FewFilesError means that the system grants too few descriptors for a table.
type FewFilesError struct {
	Limit uint64
	Need  int
}

func (e *FewFilesError) Error() string { return "door: " + e.Text().EN }

// Text says in both languages what to do.
func (e *FewFilesError) Text() engine.Text {
	return engine.Tf(
		"ce programme ne peut ouvrir que %d fichiers, il lui en faut %d : augmentez LimitNOFILE dans l’unité systemd, ou ulimit -n",
		"this program may open only %d files and needs %d: raise LimitNOFILE in the systemd unit, or ulimit -n", e.Limit, e.Need)
}

// descriptorLimit returns the number of files that the system lets this process open.
func descriptorLimit() uint64 {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return math.MaxUint64 // the system has no such limit
	}
	return r.Cur
}

// findPlaceFor finds a place for a newcomer and reports whether there is one. A connection that is refused has nothing to release.
func (d *Door) findPlaceFor(c *Conn) (admitted bool) {
	now := d.opts.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.kind == Inside {
		d.makeRoomInside()
		d.inside = append(d.inside, c)
		d.addPlacesTaken(Inside, 1)
		return true
	}
	addr, pool := AddressOf(c.RemoteAddr()), Stranger
	if d.isKnown(addr, now) {
		pool = Returning
	}
	d.makeRoomForSource()
	h := d.findOrMakeSource(addr, now)
	if d.chargeRateAndCheck(h, pool, now) {
		d.refused["rate"]++
		return false
	}
	if scope, full := d.findFullScope(h, pool); full {
		victim := d.findVictim(h, scope, pool, now)
		if victim == nil {
			d.refused["crowd"]++
			return false
		}
		d.cutConn(victim, "gave-way")
	}
	c.source, c.kind, c.known = h, pool, pool == Returning
	h.addConn(c, pool)
	d.addPlacesTaken(pool, 1)
	return true
}

// findStalest returns the number of idle connections in list, and the stalest: the one that has waited longest, and for how long. Idle
// connections that were never sent anything come before all others, with knownFor added to their wait.
func findStalest(list []*Conn, now time.Time) (idleCount int, stalest *Conn, longest time.Duration) {
	for _, c := range list {
		waits, isIdle := now.Sub(c.acceptedAt), false
		if at := c.lastWrite.Load(); at != 0 {
			waits = now.Sub(c.door.startedAt) - time.Duration(at)
			isIdle = waits > idleAfter
		} else if isIdle = waits > newcomerIdleAfter; isIdle {
			waits += knownFor // puts it before all that were sent something
		}
		if isIdle {
			idleCount++
		}
		if stalest == nil || waits > longest {
			longest, stalest = waits, c
		}
	}
	return idleCount, stalest, longest
}

// moveToProvedPlace moves c to a place of the kind that it has proved to be; see Conn.Promote.
func (d *Door) moveToProvedPlace(c *Conn, to Kind, user string) (moved bool) {
	now := d.opts.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.released {
		return false
	}
	if c.kind > Returning { // a connection proves only one thing
		if c.kind == Inside && to == Inside {
			d.markProved(c)
		}
		return c.kind == to || c.kind == Inside
	}
	switch to {
	case Public:
		if !d.makeRoomForPublic(c, now) {
			d.refused["crowd"]++
			return false
		}
		d.releasePlace(c)
		c.source.addConn(c, Public)
	case Seat, Host, Device:
		each := userEach
		if to == Device {
			user, each = "device/"+user, deviceEach
		}
		if older := d.users[user]; len(older) >= each {
			d.cutConn(older[0], "replaced")
		}
		if d.taken[to] >= d.places[to] { // more users than the table can have
			d.refused["crowd"]++
			return false
		}
		d.releasePlace(c)
		c.user = user
		d.users[user] = append(d.users[user], c)
		if to != Device || len(d.known) < maxKnown/2 { // one device with many addresses leaves half of the room to phones
			d.rememberAddress(AddressOf(c.RemoteAddr()), now)
		}
	case Inside:
		d.makeRoomInside()
		d.releasePlace(c)
		d.inside = append(d.inside, c)
		defer d.markProved(c)
	default:
		return false
	}
	c.released, c.kind = false, to
	d.addPlacesTaken(to, 1)
	return true
}

// makeRoomInside makes room for one connection inside. Every local process can connect to that listener, so it cuts only one that has
// proved as little as the newcomer; markProved keeps a place for such.
func (d *Door) makeRoomInside() {
	if len(d.inside) < d.places[Inside] {
		return
	}
	oldest := slices.IndexFunc(d.inside, func(c *Conn) bool { return !c.proved })
	d.cutConn(d.inside[max(0, oldest)], "replaced")
}

// markProved marks c, which is inside, as the daemon's own. If then all places inside are taken by proved connections, it cuts the oldest
// other one, so that one place stays free for a newcomer to prove itself.
func (d *Door) markProved(c *Conn) {
	c.proved = true
	if len(d.inside) < d.places[Inside] || slices.ContainsFunc(d.inside, func(c *Conn) bool { return !c.proved }) {
		return
	}
	d.cutConn(d.inside[slices.IndexFunc(d.inside, func(o *Conn) bool { return o != c })], "replaced")
}

// publicPlacesFor returns the number of taken public places below which c gets one.
func (d *Door) publicPlacesFor(c *Conn, now time.Time) int {
	at := AddressOf(c.RemoteAddr())
	switch {
	case isThisMachine(at):
		return d.places[Public]
	case d.isKnown(at, now):
		return d.places[Public] - publicLocal
	}
	return d.places[Public] - publicLocal - publicKnown
}

// isThisMachine reports whether an address is the one that this machine uses to connect to itself.
func isThisMachine(a netip.Prefix) bool {
	return a.Addr() == netip.IPv6Loopback() || a.Addr() == netip.AddrFrom4([4]byte{127, 0, 0, 1})
}

// makeRoomForPublic reports whether c can become public. If need be it cuts a connection, of the same address or of the largest.
func (d *Door) makeRoomForPublic(c *Conn, now time.Time) (hasRoom bool) {
	newcomer := c.source
	if n := len(newcomer.conns[Public]); n >= publicEach {
		d.cutConn(newcomer.conns[Public][0], "gave-way")
		return true
	}
	if d.taken[Public] < d.publicPlacesFor(c, now) {
		return true
	}
	victim := d.findPublicVictim(newcomer)
	if victim == nil {
		return false
	}
	d.cutConn(victim, "gave-way")
	return true
}

// addPlacesTaken adds n to the places taken of a kind.
func (d *Door) addPlacesTaken(k Kind, n int) {
	d.taken[k] += n
	d.peak[k] = max(d.peak[k], d.taken[k])
}

// cutConn ends a connection to make room. The goroutine that serves it gets an error.
func (d *Door) cutConn(c *Conn, reason string) {
	d.releasePlace(c)
	d.cut[reason]++
	c.abort()
}

// releasePlace releases the place of c; a second call does nothing. The caller has locked mu.
func (d *Door) releasePlace(c *Conn) {
	if c.released {
		return
	}
	c.released = true
	d.taken[c.kind]--
	isConn := func(o *Conn) bool { return o == c }
	switch c.kind {
	case Inside:
		d.inside = slices.DeleteFunc(d.inside, isConn)
	case Seat, Host, Device:
		if d.users[c.user] = slices.DeleteFunc(d.users[c.user], isConn); len(d.users[c.user]) == 0 {
			delete(d.users, c.user)
		}
	default:
		c.source.conns[c.kind] = slices.DeleteFunc(c.source.conns[c.kind], isConn)
		c.source.addOpenConns(c.kind, -1)
	}
}

// lockAndReleasePlace does what releasePlace does, and locks mu for it.
func (d *Door) lockAndReleasePlace(c *Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.releasePlace(c)
}

// countReason adds one to the count of a reason in m, which is d.refused or d.cut.
func (d *Door) countReason(m map[string]uint64, reason string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m[reason]++
}

// rememberAddress makes an address known, and forgets the oldest if there are too many.
func (d *Door) rememberAddress(a netip.Prefix, now time.Time) {
	if _, ok := d.known[a]; !ok && len(d.known) >= maxKnown {
		var oldest netip.Prefix
		for k, at := range d.known {
			if !oldest.IsValid() || at.Before(d.known[oldest]) {
				oldest = k
			}
		}
		delete(d.known, oldest)
	}
	d.known[a] = now
}

func (d *Door) isKnown(a netip.Prefix, now time.Time) bool {
	at, ok := d.known[a]
	return ok && now.Sub(at) < knownFor
}

// chargeRequest counts one HTTP request; it returns false if there are too many.
func (d *Door) chargeRequest(c *Conn) (withinRate bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	ok := c.source == nil || c.source.spendRateToken(c.known, func(h *source) bool { return h.requests.TryTake(1, now) },
		func(h *source) bool { return h.spareRequests.TryTake(1, now) })
	if !ok {
		d.refused["requests"]++
	}
	return ok
}

// Count is the number of places of one kind, how many are taken, and the most that were taken at once since WatchPressure last looked.
type Count struct{ Places, Taken, Peak int }

// State is a copy of the counts of a door.
type State struct {
	Places       map[Kind]Count
	Refused, Cut map[string]uint64 // since the start, by reason
}

// State returns the present state.
func (d *Door) State() State {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := State{Places: map[Kind]Count{}, Refused: maps.Clone(d.refused), Cut: maps.Clone(d.cut)}
	for k := range kindCount {
		s.Places[k] = Count{Places: d.places[k], Taken: d.taken[k], Peak: d.peak[k]}
	}
	return s
}
