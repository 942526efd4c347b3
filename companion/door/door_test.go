package door

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"majordome/companion/wire"
)

// peer is a connection from an address, without a socket.
type peer struct {
	net.Conn
	from   netip.AddrPort
	closed bool
}

func (p *peer) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(p.from) }

func (p *peer) Close() error { p.closed = true; return nil }

func (p *peer) SetWriteDeadline(time.Time) error { return nil }

func (p *peer) Write(b []byte) (int, error) { return len(b), nil }

// testDoor is a door with a clock of its own.
type testDoor struct {
	*Door
	t   testing.TB
	now time.Time
}

func newTestDoor(t testing.TB) *testDoor {
	l := &testDoor{t: t, now: time.Unix(1e9, 0)}
	var err error
	if l.Door, err = New(&Opts{Descriptors: 1024, Now: func() time.Time { return l.now }}); err != nil {
		t.Fatal(err)
	}
	return l
}

// connectFrom connects from an address and checks the invariants; it returns nil when the door refuses the connection.
func (l *testDoor) connectFrom(from string) *Conn {
	l.t.Helper()
	c := l.connectUnchecked(from)
	l.checkInvariants()
	return c
}

// connectUnchecked is connectFrom without the check of the invariants, which takes long.
func (l *testDoor) connectUnchecked(from string) *Conn {
	l.t.Helper()
	a, err := netip.ParseAddr(from)
	if err != nil {
		l.t.Fatal(err)
	}
	c := &Conn{Conn: &peer{from: netip.AddrPortFrom(a, 4000)}, door: l.Door, acceptedAt: l.now}
	if !l.findPlaceFor(c) {
		return nil
	}
	return c
}

func (l *testDoor) mustConnect(from string, to Kind, user string) *Conn {
	l.t.Helper()
	c := l.connectFrom(from)
	if c == nil {
		l.t.Fatalf("%s is not let in: %+v", from, l.State())
	}
	if to != Stranger && !c.Promote(to, user) {
		l.t.Fatalf("%s does not become one of the %s: %+v", from, to, l.State())
	}
	l.checkInvariants()
	return c
}

func (l *testDoor) advance(d time.Duration) { l.now = l.now.Add(d) }

func isCut(c *Conn) bool { return c.Conn.(*peer).closed }

// checkInvariants checks the invariants of Door.
func (l *testDoor) checkInvariants() {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var counted [kindCount]int
	note := func(k Kind, list []*Conn) {
		for _, c := range list {
			if c.released || c.kind != k {
				l.t.Fatalf("among the %s is one of the %s, gone %v", k, c.kind, c.released)
			}
			counted[k]++
		}
	}
	open := map[*source][kindCount]int{}
	for at, h := range l.sources {
		for k := range Seat {
			note(k, h.conns[k])
			for up := h; up != nil && len(h.conns[k]) > 0; up = up.parent {
				n := open[up]
				n[k] += len(h.conns[k])
				open[up] = n
			}
		}
		if wide, is := networkAbove(at); is && l.sources[wide] != h.parent || !is && h.parent != nil || h.prefix != at {
			l.t.Fatalf("%v is below %v", at, h.parent)
		}
	}
	for at, h := range l.sources {
		if h.open != open[h] {
			l.t.Fatalf("%v counts %v, and has %v", at, h.open, open[h])
		}
	}
	for _, list := range l.users {
		if len(list) == 0 || len(list) > userEach {
			l.t.Fatalf("a user with %d places", len(list))
		}
		note(list[0].kind, list)
	}
	note(Inside, l.inside)
	if len(l.inside) == insidePlaces && !slices.ContainsFunc(l.inside, func(c *Conn) bool { return !c.proved }) {
		l.t.Fatal("no place is left for proving to be the daemon")
	}
	for k := range kindCount {
		if counted[k] != l.taken[k] || l.taken[k] > l.places[k] {
			l.t.Fatalf("%s: %d in lists, %d taken of %d", k, counted[k], l.taken[k], l.places[k])
		}
	}
	if len(l.sources) > maxSources || len(l.known) > maxKnown {
		l.t.Fatalf("%d addresses and networks remembered, %d known", len(l.sources), len(l.known))
	}
}

func nthAddress(i int) string { return fmt.Sprintf("10.9.%d.%d", i/250, i%250+1) }

// TestDescriptors checks the number of places for a limit of file descriptors, as the package comment describes it.
func TestDescriptors(t *testing.T) {
	for _, c := range []struct {
		limit     uint64
		strangers int
	}{{1024, 160}, {490, 160}, {489, 159}, {362, 32}} {
		d, err := New(&Opts{Descriptors: c.limit})
		if err != nil {
			t.Errorf("%d descriptors: %v", c.limit, err)
			continue
		}
		all := ownFiles
		for _, n := range d.places {
			all += n
		}
		if d.places[Stranger] != c.strangers || uint64(all) > c.limit {
			t.Errorf("%d descriptors: %d strangers, %d in all; want %d strangers", c.limit, d.places[Stranger], all, c.strangers)
		}
	}
	if _, err := New(&Opts{Descriptors: 361}); err == nil || !strings.Contains(err.Error(), "LimitNOFILE") {
		t.Errorf("361 descriptors: %v", err)
	}
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil || descriptorLimit() != r.Cur {
		t.Errorf("the limit of the system is %d, taken for %d (%v)", r.Cur, descriptorLimit(), err)
	}
}

// TestNobodyTakesThePlaceOfASeat checks that strangers and the public, from one address and from 64, at once and for twelve
// minutes, take no place of the seats and the host, whose phones come, go and come back.
func TestNobodyTakesThePlaceOfASeat(t *testing.T) {
	l := newTestDoor(t)
	for minute := range 12 {
		for i := range 65 {
			for range 40 {
				if c := l.connectFrom(nthAddress(i % 64)); c != nil && i%2 == 0 {
					c.Promote(Public, "")
				}
			}
		}
		l.advance(300 * time.Millisecond)
		for seat := range 10 {
			from := fmt.Sprintf("10.0.0.%d", seat+1)
			c := l.mustConnect(from, Seat, fmt.Sprintf("s%d", seat))
			if minute%3 != 0 {
				_ = c.Close()
			}
		}
		l.mustConnect("10.0.0.99", Host, "host")
		l.advance(time.Minute)
	}
	s := l.State()
	if s.Places[Host].Taken != userEach || s.Refused["rate"] == 0 || s.Refused["crowd"] == 0 {
		t.Errorf("%+v", s)
	}
	for k := range Seat {
		if c := s.Places[k]; c.Peak > c.Places {
			t.Errorf("%s: %d of %d places were taken", k, c.Peak, c.Places)
		}
	}
}

// TestEveryDeviceOfTheHostHasItsPlace checks that all devices that the host may have are served at once, and that each may come
// back before its old connection is given up.
func TestEveryDeviceOfTheHostHasItsPlace(t *testing.T) {
	l := newTestDoor(t)
	for range 3 {
		for n := range wire.MaxHosts {
			l.mustConnect(nthAddress(n), Host, fmt.Sprintf("host.%d", n+1))
		}
	}
	if s := l.State(); s.Refused["crowd"] != 0 || s.Places[Host].Taken != wire.MaxHosts*userEach {
		t.Errorf("%+v", s)
	}
}

// TestNobodyCutsTheDaemonsOwnClient checks the inner listener, to which any process of this machine may connect: such a process
// takes the place only of connections that have not authenticated either, never that of the daemon's own client.
func TestNobodyCutsTheDaemonsOwnClient(t *testing.T) {
	l := newTestDoor(t)
	inner := func() *Conn {
		c := &Conn{Conn: &peer{from: netip.MustParseAddrPort("127.0.0.1:4000")}, door: l.Door, kind: Inside, acceptedAt: l.now}
		if !l.findPlaceFor(c) {
			t.Fatal("not let in")
		}
		l.checkInvariants()
		return c
	}
	prove := func(c *Conn) *Conn {
		if !c.Promote(Inside, "daemon") || isCut(c) {
			t.Fatal("the daemon's client is not let in")
		}
		l.checkInvariants()
		return c
	}
	own := prove(inner())
	for range 10 * insidePlaces {
		inner()
	}
	if isCut(own) {
		t.Fatal("strangers cut the daemon's own client")
	}
	// The daemon reconnects before its old connections are found dead, and is never refused.
	for range 2 * insidePlaces {
		last := prove(inner())
		for range insidePlaces {
			inner()
		}
		if isCut(last) {
			t.Fatal("strangers cut the daemon's newest client")
		}
	}
	if !isCut(own) {
		t.Error("the oldest is still there")
	}
	l = newTestDoor(t)
	slow := inner() // it authenticates after three that came later
	for range insidePlaces - 1 {
		prove(l.mustConnect("127.0.0.1", Stranger, ""))
	}
	prove(slow)
	if n := l.State().Places[Inside].Taken; n != insidePlaces-1 {
		t.Errorf("%d of the daemon's own, want %d", n, insidePlaces-1)
	}
}

// TestASeatIsNeverKeptOutByItself checks that the third connection of a phone ends its first, and that other phones keep
// theirs.
func TestASeatIsNeverKeptOutByItself(t *testing.T) {
	l := newTestDoor(t)
	other := l.mustConnect("10.0.0.1", Seat, "s1b")
	var mine []*Conn
	for range 3 {
		mine = append(mine, l.mustConnect("10.0.0.1", Seat, "s1"))
	}
	if !isCut(mine[0]) || isCut(mine[1]) || isCut(other) {
		t.Error("the third is to end the first, and no other")
	}
	if mine[0].Promote(Seat, "s1") {
		t.Error("a connection that has ended became a seat")
	}
}

// TestRandom checks the invariants while random connections open, close and authenticate.
func TestRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 1))
	l := newTestDoor(t)
	var all []*Conn
	for range 10_000 {
		l.advance(time.Duration(dice.IntN(300)) * time.Millisecond)
		switch n := dice.IntN(10); {
		case n < 5:
			from := nthAddress(dice.IntN(70))
			if dice.IntN(2) == 0 {
				from = fmt.Sprintf("2001:db8:%x:%x::%x", dice.IntN(3), dice.IntN(5), dice.IntN(20))
			}
			if c := l.connectFrom(from); c != nil {
				all = append(all, c)
			}
		case len(all) == 0:
		case n < 7:
			c := all[dice.IntN(len(all))]
			k := []Kind{Public, Seat, Seat, Host, Inside, Stranger}[dice.IntN(6)]
			c.Promote(k, fmt.Sprintf("%s-%d", k, dice.IntN(50)))
		case n < 8:
			_, _ = all[dice.IntN(len(all))].Write([]byte("x"))
		default:
			i := dice.IntN(len(all))
			_ = all[i].Close()
			all = append(all[:i], all[i+1:]...)
		}
		l.checkInvariants()
	}
}
