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
)

// peer is a connection from an address, without a socket.
type peer struct {
	net.Conn
	from   netip.AddrPort
	closed bool
}

func (p *peer) RemoteAddr() net.Addr             { return net.TCPAddrFromAddrPort(p.from) }
func (p *peer) Close() error                     { p.closed = true; return nil }
func (p *peer) SetWriteDeadline(time.Time) error { return nil }
func (p *peer) Write(b []byte) (int, error)      { return len(b), nil }

// lobby is a door with a clock of its own.
type lobby struct {
	*Door
	t   testing.TB
	now time.Time
}

func newLobby(t testing.TB) *lobby {
	l := &lobby{t: t, now: time.Unix(1e9, 0)}
	var err error
	if l.Door, err = New(&Opts{Descriptors: 1024, Now: func() time.Time { return l.now }}); err != nil {
		t.Fatal(err)
	}
	return l
}

// knock is a newcomer; nil when it is refused.
func (l *lobby) knock(from string) *Conn {
	l.t.Helper()
	a, err := netip.ParseAddr(from)
	if err != nil {
		l.t.Fatal(err)
	}
	c := &Conn{Conn: &peer{from: netip.AddrPortFrom(a, 4000)}, d: l.Door, since: l.now}
	ok := l.enter(c)
	l.sound()
	if !ok {
		return nil
	}
	return c
}

func (l *lobby) comes(from string, to Kind, user string) *Conn {
	l.t.Helper()
	c := l.knock(from)
	if c == nil {
		l.t.Fatalf("%s is not let in: %+v", from, l.State())
	}
	if to != Stranger && !c.Promote(to, user) {
		l.t.Fatalf("%s does not become one of the %s: %+v", from, to, l.State())
	}
	l.sound()
	return c
}

func (l *lobby) later(d time.Duration) { l.now = l.now.Add(d) }

func out(c *Conn) bool { return c.Conn.(*peer).closed }

// sound checks the invariants of Door.
func (l *lobby) sound() {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var counted [kinds]int
	note := func(k Kind, list []*Conn) {
		for _, c := range list {
			if c.gone || c.kind != k {
				l.t.Fatalf("among the %s is one of the %s, gone %v", k, c.kind, c.gone)
			}
			counted[k]++
		}
	}
	for _, h := range l.hosts {
		for k := range Seat {
			note(k, h.list[k])
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
	for k := range kinds {
		if counted[k] != l.taken[k] || l.taken[k] > l.places[k] {
			l.t.Fatalf("%s: %d in lists, %d taken of %d", k, counted[k], l.taken[k], l.places[k])
		}
	}
	if len(l.hosts) > maxHosts || len(l.known) > maxKnown {
		l.t.Fatalf("%d addresses remembered, %d known", len(l.hosts), len(l.known))
	}
}

func nth(i int) string { return fmt.Sprintf("10.9.%d.%d", i/250, i%250+1) }

// What the package comment says of descriptors.
func TestDescriptors(t *testing.T) {
	for _, c := range []struct {
		limit     uint64
		strangers int
	}{{1024, 160}, {448, 160}, {447, 159}, {320, 32}} {
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
	if _, err := New(&Opts{Descriptors: 319}); err == nil || !strings.Contains(err.Error(), "LimitNOFILE") {
		t.Errorf("319 descriptors: %v", err)
	}
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil || descriptors() != r.Cur {
		t.Errorf("the limit of the system is %d, taken for %d (%v)", r.Cur, descriptors(), err)
	}
}

// Strangers and the public, from one address and from 64, at once and for twelve minutes,
// leave every place of the seats and the host: phones come, go and come back.
func TestNobodyTakesThePlaceOfASeat(t *testing.T) {
	l := newLobby(t)
	for minute := range 12 {
		for i := range 65 {
			for range 40 {
				if c := l.knock(nth(i % 64)); c != nil && i%2 == 0 {
					c.Promote(Public, "")
				}
			}
		}
		l.later(300 * time.Millisecond)
		for seat := range 10 {
			from := fmt.Sprintf("10.0.0.%d", seat+1)
			c := l.comes(from, Seat, fmt.Sprintf("s%d", seat))
			if minute%3 != 0 {
				_ = c.Close()
			}
		}
		l.comes("10.0.0.99", Host, "host")
		l.later(time.Minute)
	}
	s := l.State()
	if s.Places[Host].Taken != 4 || s.Refused["rate"] == 0 || s.Refused["crowd"] == 0 {
		t.Errorf("%+v", s)
	}
	for k := range Seat {
		if c := s.Places[k]; c.Most > c.Places {
			t.Errorf("%s: %d of %d places were taken", k, c.Most, c.Places)
		}
	}
}

// A newcomer takes the place of the stalest of the address that has the most idle
// strangers; a phone that is being served keeps its own.
func TestTheStalestOfTheGreediestGivesWay(t *testing.T) {
	l := newLobby(t)
	var greedy []*Conn
	for i := range 159 {
		c := l.comes(nth(i/20), Stranger, "")
		greedy = append(greedy, c)
		l.later(500 * time.Millisecond)
	}
	phone := l.comes("10.0.0.1", Stranger, "") // the last place
	if _, err := phone.Write([]byte("HTTP/1.1 200 OK")); err != nil {
		t.Fatal(err)
	}
	_, _ = greedy[0].Write([]byte("something, long ago"))
	l.later(1500 * time.Millisecond)
	_, _ = phone.Write([]byte("more"))
	for i := range 20 {
		l.comes(fmt.Sprintf("10.0.1.%d", i), Stranger, "")
		l.later(10 * time.Millisecond)
	}
	if out(phone) {
		t.Error("a phone that is being served had to go")
	}
	gone := 0
	for i, c := range greedy {
		if out(c) {
			gone++
		}
		if i >= 140 && out(c) && !out(greedy[i-140]) && i%20 == 19 {
			t.Errorf("stranger %d went before its elders", i)
		}
	}
	if gone != 20 || out(greedy[0]) {
		t.Errorf("%d of the greedy gave way, the one that was sent something first: %v", gone, out(greedy[0]))
	}
	if c := l.State().Cut["gave-way"]; c != 20 {
		t.Errorf("%d counted", c)
	}
}

// Who has more than others cannot push them out.
func TestTheGreedyPushNobodyOut(t *testing.T) {
	l := newLobby(t)
	var modest []*Conn
	for i := range 128 {
		modest = append(modest, l.comes(nth(i), Stranger, ""))
	}
	for range 32 {
		l.later(time.Second)
		l.comes("10.0.0.1", Stranger, "")
	}
	for range 1000 {
		l.knock("10.0.0.1")
		l.later(time.Second)
	}
	for i, c := range modest {
		if out(c) {
			t.Fatalf("%s had to go", nth(i))
		}
	}
}

// The same where they are not at their own limit yet, and where nobody is idle.
func TestWhoHasMorePushesNobodyOut(t *testing.T) {
	l := newLobby(t)
	var modest []*Conn
	for i := range 150 {
		modest = append(modest, l.comes(nth(i), Stranger, ""))
	}
	var greedy []*Conn
	for range 10 {
		l.later(time.Second)
		greedy = append(greedy, l.comes("10.0.0.1", Stranger, ""))
	}
	for range 100 { // its own are being served: it is refused
		l.later(time.Second)
		for _, c := range greedy {
			_, _ = c.Write([]byte("x"))
		}
		if l.knock("10.0.0.1") != nil {
			t.Fatal("who has ten took the place of who has one")
		}
	}
	l.later(stale)
	for range 100 { // everybody is idle: it pushes itself out
		l.later(time.Second)
		l.comes("10.0.0.1", Stranger, "")
	}
	for i, c := range modest {
		if out(c) {
			t.Fatalf("%s had to go", nth(i))
		}
	}
	for _, c := range modest {
		_ = c.Close()
	}
	l = newLobby(t)
	for i := range 160 {
		l.comes(nth(i), Stranger, "")
	}
	if c := l.knock(nth(7)); c != nil { // nobody is idle, and nobody has more
		t.Error("a second of one address pushed somebody out who has just come")
	}
	if n := l.State().Refused["crowd"]; n != 1 {
		t.Errorf("%d counted", n)
	}
}

// A page that loads over six connections keeps them while others hold idle ones.
func TestAPageThatLoadsKeepsItsConnections(t *testing.T) {
	l := newLobby(t)
	for i := range 154 {
		l.comes(nth(i/3), Stranger, "")
	}
	l.later(2 * time.Second)
	var page []*Conn
	for range 6 {
		page = append(page, l.comes("10.0.0.1", Stranger, ""))
	}
	for i := range 40 {
		l.later(100 * time.Millisecond)
		for _, c := range page {
			_, _ = c.Write([]byte("x"))
		}
		l.comes(fmt.Sprintf("10.0.1.%d", i), Stranger, "")
	}
	for i, c := range page {
		if out(c) {
			t.Errorf("connection %d of the page had to go", i)
		}
	}
}

// Of one address goes first who was never sent anything.
func TestWhoWasNeverServedGoesFirst(t *testing.T) {
	l := newLobby(t)
	served := l.comes("10.0.0.1", Stranger, "")
	_, _ = served.Write([]byte("x"))
	l.later(time.Minute)
	never := l.comes("10.0.0.1", Stranger, "")
	l.later(time.Minute)
	for range strangersEach - 2 {
		c := l.comes("10.0.0.1", Stranger, "")
		_, _ = c.Write([]byte("x"))
	}
	l.comes("10.0.0.1", Stranger, "")
	if out(served) || !out(never) {
		t.Errorf("gone: who was served %v, who never was %v", out(served), out(never))
	}
}

func TestLimitsOfOneAddress(t *testing.T) {
	for _, c := range []struct {
		name, first, same, other string
	}{
		{"IPv4", "10.0.0.1", "::ffff:10.0.0.1", "10.0.0.2"},
		{"IPv6", "2001:db8::1", "2001:db8::ffff:0:9", "2001:db8:0:1::1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLobby(t)
			first := l.comes(c.first, Stranger, "")
			for range strangersEach - 1 {
				l.comes(c.same, Stranger, "")
			}
			stays := l.comes(c.other, Stranger, "")
			l.comes(c.same, Stranger, "")
			if n := l.State().Places[Stranger].Taken; !out(first) || out(stays) || n != strangersEach+1 {
				t.Errorf("the 33rd: first out %v, other out %v, %d strangers", out(first), out(stays), n)
			}
			one := l.comes(c.first, Public, "")
			for range publicEach - 1 {
				l.comes(c.same, Public, "")
			}
			if out(one) {
				t.Error("sixteen of the public are too many")
			}
			l.comes(c.same, Public, "")
			if !out(one) {
				t.Error("the seventeenth is one too many")
			}
		})
	}
}

// Of a full public the greediest gives its newest, and only to who has two fewer.
func TestPublic(t *testing.T) {
	l := newLobby(t)
	var first []*Conn
	for range 16 {
		first = append(first, l.comes("10.0.0.1", Public, ""))
	}
	for i := range 20 { // 36: the other twelve are kept
		l.comes(nth(i), Public, "")
	}
	for i := range 15 {
		l.comes(fmt.Sprintf("10.0.1.%d", i), Public, "")
	}
	if out(first[0]) || !out(first[1]) {
		t.Error("of sixteen displays of one address one is to stay, the oldest")
	}
	late := l.knock("10.0.2.1")
	if late == nil || late.Promote(Public, "") {
		t.Error("a 37th of the public")
	}
	if n := l.State().Refused["crowd"]; n != 1 {
		t.Errorf("%d counted", n)
	}
}

// However many addresses read the public state: the display of this machine and those of
// known addresses find a place, and keep it.
func TestPlacesOfTheTablesOwnDisplays(t *testing.T) {
	l := newLobby(t)
	_ = l.comes("10.0.0.1", Seat, "s1").Close()
	crowd := func(from string) {
		for i := range 2 * publicPlaces {
			if c := l.knock(fmt.Sprintf("10.%s.%d.1", from, i)); c != nil {
				c.Promote(Public, "")
			}
		}
	}
	crowd("1")
	known := []*Conn{l.comes("10.0.0.1", Public, ""), l.comes("10.0.0.1", Public, "")}
	for i := range maxKnown - 1 { // whoever sits at the table is known by many addresses
		from := fmt.Sprintf("2001:db8:0:%x::1", i)
		_ = l.comes(from, Seat, "s2").Close()
		if c := l.knock(from); c != nil {
			c.Promote(Public, "")
		}
	}
	own := []*Conn{l.comes("127.0.0.1", Public, ""), l.comes("127.0.0.1", Public, ""), l.comes("::1", Public, "")}
	crowd("2")
	for i, c := range append(own, known[0]) {
		if out(c) {
			t.Errorf("display %d of the table had to go", i)
		}
	}
}

// Any process of this machine may connect to the inner listener: it pushes out who has
// proved as little as itself, never the daemon's own client.
func TestNobodyCutsTheDaemonsOwnClient(t *testing.T) {
	l := newLobby(t)
	inner := func() *Conn {
		c := &Conn{Conn: &peer{from: netip.MustParseAddrPort("127.0.0.1:4000")}, d: l.Door, kind: Inside, since: l.now}
		if !l.enter(c) {
			t.Fatal("not let in")
		}
		l.sound()
		return c
	}
	prove := func(c *Conn) *Conn {
		if !c.Promote(Inside, "daemon") || out(c) {
			t.Fatal("the daemon's client is not let in")
		}
		l.sound()
		return c
	}
	own := prove(inner())
	for range 10 * insidePlaces {
		inner()
	}
	if out(own) {
		t.Fatal("strangers cut the daemon's own client")
	}
	// It comes back before its old connections are found dead, and is never kept out.
	for range 2 * insidePlaces {
		last := prove(inner())
		for range insidePlaces {
			inner()
		}
		if out(last) {
			t.Fatal("strangers cut the daemon's newest client")
		}
	}
	if !out(own) {
		t.Error("the oldest is still there")
	}
	l = newLobby(t)
	slow := inner() // it proves itself after three that came later
	for range insidePlaces - 1 {
		prove(l.comes("127.0.0.1", Stranger, ""))
	}
	prove(slow)
	if n := l.State().Places[Inside].Taken; n != insidePlaces-1 {
		t.Errorf("%d of the daemon's own, want %d", n, insidePlaces-1)
	}
}

// The fifth connection of a seat ends its first; other seats are not touched.
func TestASeatIsNeverKeptOutByItself(t *testing.T) {
	l := newLobby(t)
	other := l.comes("10.0.0.2", Seat, "s2")
	var mine []*Conn
	for range 5 {
		mine = append(mine, l.comes("10.0.0.1", Seat, "s1"))
	}
	if !out(mine[0]) || out(mine[1]) || out(other) {
		t.Error("the fifth is to end the first, and no other")
	}
	if mine[0].Promote(Seat, "s1") {
		t.Error("a connection that has ended became a seat")
	}
}

// An address where a seat has proved itself comes back by places of its own, also
// from the /64 that an attacker fills, for twelve hours.
func TestReturning(t *testing.T) {
	l := newLobby(t)
	_ = l.comes("2001:db8::1", Seat, "s1").Close()
	flood := func() {
		for i := range 500 {
			l.knock(fmt.Sprintf("2001:db8::bad:%x", i))
			l.knock(nth(i % 64))
		}
	}
	for range 20 {
		flood()
		_ = l.comes("2001:db8::1", Seat, "s1").Close()
		l.later(50 * time.Millisecond)
	}
	for range 25 { // at once, under pressure: more than a stranger may
		_ = l.comes("2001:db8::1", Seat, "s1").Close()
	}
	for i := range 2 * maxKnown { // what is remembered is bounded
		_ = l.comes(fmt.Sprintf("2001:db8:1:%x::1", i), Seat, "s2").Close()
		l.later(time.Second)
	}
	_ = l.comes("10.0.0.7", Seat, "s1").Close()
	if c := l.comes("10.0.0.7", Stranger, ""); c.kind != Returning {
		t.Errorf("the address of a seat is one of the %s", c.kind)
	}
	l.later(knownFor)
	if c := l.comes("10.0.0.7", Stranger, ""); c.kind != Stranger {
		t.Errorf("after twelve hours it is one of the %s", c.kind)
	}
}

func TestRates(t *testing.T) {
	l := newLobby(t)
	count := func(from string, n int) (in int) {
		for range n {
			if c := l.knock(from); c != nil {
				in++
				_ = c.Close()
			}
		}
		return in
	}
	if n := count("10.0.0.1", 1000); n != hardBurst {
		t.Errorf("%d connections at once, want %d", n, hardBurst)
	}
	l.later(time.Second)
	if n := count("10.0.0.1", 1000); n != hardRate {
		t.Errorf("%d in the next second, want %d", n, hardRate)
	}
	for i := range 81 { // more than half of the strangers' places
		l.comes(nth(i), Stranger, "")
	}
	if n := count("10.0.0.2", 1000); n != softBurst {
		t.Errorf("%d connections under pressure, want %d", n, softBurst)
	}
	l.later(time.Second)
	if n := count("10.0.0.2", 1000); n != softRate {
		t.Errorf("%d in the next second, want %d", n, softRate)
	}
	for i := range 4 * maxHosts { // what is remembered is bounded: sound looks
		count(fmt.Sprintf("10.44.%d.%d", i/250, i%250), 1)
	}
}

// Random comings, goings and provings keep the invariants.
func TestRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 1))
	l := newLobby(t)
	var all []*Conn
	for range 20_000 {
		l.later(time.Duration(dice.IntN(300)) * time.Millisecond)
		switch n := dice.IntN(10); {
		case n < 5:
			if c := l.knock(nth(dice.IntN(70))); c != nil {
				all = append(all, c)
			}
		case len(all) == 0:
		case n < 7:
			c := all[dice.IntN(len(all))]
			k := []Kind{Public, Seat, Seat, Host, Inside, Stranger}[dice.IntN(6)]
			c.Promote(k, fmt.Sprintf("%s-%d", k, dice.IntN(14)))
		case n < 8:
			_, _ = all[dice.IntN(len(all))].Write([]byte("x"))
		default:
			i := dice.IntN(len(all))
			_ = all[i].Close()
			all = append(all[:i], all[i+1:]...)
		}
		l.sound()
	}
}
