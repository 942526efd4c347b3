package door

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
	"time"
)

func TestLimitsOfOneAddress(t *testing.T) {
	for _, c := range []struct {
		name, first, same, other string
	}{
		{"IPv4", "10.0.0.1", "::ffff:10.0.0.1", "10.0.0.2"},
		{"IPv6", "2001:db8::1", "2001:db8::1%eth0", "2001:db8::2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newTestDoor(t)
			first := l.mustConnect(c.first, Stranger, "")
			for range addressStrangers - 1 {
				l.mustConnect(c.same, Stranger, "")
			}
			stays := l.mustConnect(c.other, Stranger, "")
			l.mustConnect(c.same, Stranger, "")
			if n := l.State().Places[Stranger].Taken; !isCut(first) || isCut(stays) || n != addressStrangers+1 {
				t.Errorf("the 33rd: first out %v, other out %v, %d strangers", isCut(first), isCut(stays), n)
			}
			one := l.mustConnect(c.first, Public, "")
			for range publicEach - 1 {
				l.mustConnect(c.same, Public, "")
			}
			if isCut(one) {
				t.Error("sixteen of the public are too many")
			}
			l.mustConnect(c.same, Public, "")
			if !isCut(one) {
				t.Error("the seventeenth is one too many")
			}
		})
	}
}

// TestEverybodyOfOneNetwork checks that a whole table can share one IPv6 network, a link-local one as well: ten phones, the
// host's page and a display open their pages at once, six connections each.
func TestEverybodyOfOneNetwork(t *testing.T) {
	for _, network := range []string{"2001:db8::", "fd00::", "fe80::"} {
		l := newTestDoor(t)
		var all []*Conn
		for range 6 {
			for i := range 12 {
				c := l.mustConnect(fmt.Sprintf("%s%x", network, i+1), Stranger, "")
				for range 20 {
					if !l.chargeRequest(c) {
						t.Fatalf("%s: device %d is told to wait", network, i)
					}
				}
				all = append(all, c)
			}
		}
		l.advance(time.Minute) // idle, and not cut for that
		l.mustConnect(network+"99", Stranger, "")
		for i, c := range all {
			if isCut(c) {
				t.Errorf("%s: connection %d was cut", network, i)
			}
		}
		if s := l.State(); len(s.Refused) > 0 {
			t.Errorf("%s: refused %v", network, s.Refused)
		}
	}
}

// TestLimitsOfOneNetwork checks that a client that comes from another address each time is bounded by the limits of its
// network.
func TestLimitsOfOneNetwork(t *testing.T) {
	l := newTestDoor(t)
	other := l.mustConnect("2001:db8:9::1", Stranger, "")
	var all []*Conn
	for i := range 2 * networkStrangers {
		all = append(all, l.mustConnect(fmt.Sprintf("2001:db8::%x", i+1), Stranger, ""))
		l.advance(time.Second)
	}
	if n := l.State().Places[Stranger].Taken; n != networkStrangers+1 || isCut(other) || !isCut(all[0]) || isCut(all[len(all)-1]) {
		t.Errorf("%d strangers, want %d; another network out: %v", n, networkStrangers+1, isCut(other))
	}
	l = newTestDoor(t)
	in := 0
	for i := range 100_000 {
		if c := l.connectUnchecked(fmt.Sprintf("2001:db8::%x:%x", i>>16, i&0xffff)); c != nil {
			in++
			_ = c.Close()
		}
	}
	if want := networkRate*hardBurst + networkSpareBurst; in != want {
		t.Errorf("%d connections at once from as many addresses of one network, want %d", in, want)
	}
}

// TestRequestsOfOneNetwork checks the same for requests, with addresses that each send as many as they may.
func TestRequestsOfOneNetwork(t *testing.T) {
	l := newTestDoor(t)
	asked := 0
	for second := range 20 {
		for i := range 2000 {
			c := l.connectUnchecked(fmt.Sprintf("2001:db8::%x:%x", second, i))
			for c != nil && l.chargeRequest(c) {
				asked++
			}
			if c != nil {
				_ = c.Close()
			}
		}
		l.advance(time.Second)
	}
	most := networkRate*requestBurst + networkSpareAskBurst + 19*(networkRate*requestRate+networkSpareAskRate)
	if asked > most || asked < most*9/10 {
		t.Errorf("%d requests in 20 s from thousands of addresses of one network, want %d", asked, most)
	}
}

// TestOneAddressDoesNotUseUpItsNetwork checks that a machine that floods a shared network uses up its own rates and not those
// of the others.
func TestOneAddressDoesNotUseUpItsNetwork(t *testing.T) {
	l := newTestDoor(t)
	for i := range 81 { // the door is under pressure
		l.mustConnect(nthAddress(i), Stranger, "")
	}
	for range 100 {
		var last *Conn
		for range 200 {
			if c := l.connectUnchecked("2001:db8::bad"); c != nil {
				last = c
			}
		}
		for i := range 1000 {
			if last != nil && !l.chargeRequest(last) && i == 0 {
				t.Error("the first request after a while")
			}
		}
		l.advance(100 * time.Millisecond)
	}
	for i := range 12 {
		c := l.mustConnect(fmt.Sprintf("2001:db8::%x", i+1), Stranger, "")
		if !l.chargeRequest(c) {
			t.Errorf("device %d is told to wait", i)
		}
	}
}

// TestFiveAddressesDoNotUseUpTheirNetwork checks that a phone can open its page and join, also under pressure, while five
// addresses of its network use up the rates of the network.
func TestFiveAddressesDoNotUseUpTheirNetwork(t *testing.T) {
	for _, pressed := range []bool{false, true} {
		l := newTestDoor(t)
		for i := range 81 {
			if pressed {
				l.mustConnect(nthAddress(i), Stranger, "")
			}
		}
		flood := func() {
			for i := range 5 {
				from := fmt.Sprintf("2001:db8::bad:%x", i)
				for range 12 { // 120 in a second
					if c := l.connectUnchecked(from); c != nil {
						for l.chargeRequest(c) {
						}
						_ = c.Close()
					}
				}
			}
			l.advance(100 * time.Millisecond)
		}
		for range 600 {
			flood()
		}
		for phone := range 12 {
			var page []*Conn
			for range 6 {
				page = append(page, l.mustConnect(fmt.Sprintf("2001:db8::%x", phone+1), Stranger, ""))
			}
			for i := range 60 {
				if !l.chargeRequest(page[i%6]) {
					t.Fatalf("pressed %v: phone %d is told to wait at its request %d", pressed, phone, i)
				}
			}
			flood()
		}
	}
}

// TestASiteOfManyNetworks checks that a site with 256 networks (a /56), with a busy connection from each, counts as one crowd:
// a phone from elsewhere gets in and keeps its connections.
func TestASiteOfManyNetworks(t *testing.T) {
	l := newTestDoor(t)
	for i := range 50 {
		l.mustConnect(nthAddress(i), Stranger, "")
	}
	var busy []*Conn
	raid := func() {
		for i := range 256 {
			if c := l.connectUnchecked(fmt.Sprintf("2001:db8:77:1%02x::%x", i, len(busy)&0xffff)); c != nil {
				busy = append(busy, c)
			}
		}
		l.checkInvariants()
		for _, c := range busy {
			_, _ = c.Write([]byte("x"))
		}
		l.advance(100 * time.Millisecond)
	}
	for range 5 {
		raid()
	}
	var page []*Conn
	for range 6 {
		page = append(page, l.mustConnect("2001:db8:1:1::5", Stranger, ""))
		raid()
	}
	for range 50 {
		for _, c := range page {
			_, _ = c.Write([]byte("x"))
		}
		raid()
	}
	for i, c := range page {
		if isCut(c) {
			t.Errorf("connection %d of the page was cut", i)
		}
	}
}

// TestAHundredThousandAddresses checks that memory stays bounded, however many addresses connect.
func TestAHundredThousandAddresses(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 1))
	l := newTestDoor(t)
	before := heapInUse()
	for i := range 100_000 {
		from := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		if i%2 == 0 {
			six := [16]byte{0x20, 1}
			for j := 2; j < 16; j++ {
				six[j] = byte(dice.Uint32())
			}
			from = netip.AddrFrom16(six)
		}
		if c := l.connectUnchecked(from.String()); c != nil && i%7 == 0 {
			c.Promote([]Kind{Public, Seat}[i%2], "s1")
		}
		if i%5000 == 0 {
			l.checkInvariants()
			l.advance(time.Millisecond)
		}
	}
	l.checkInvariants()
	if grown := heapInUse() - before; grown > 2<<20 {
		t.Errorf("%d bytes are kept", grown)
	}
	runtime.KeepAlive(l)
}

// heapInUse returns the bytes in use after a garbage collection.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestAddressOfASeatKeepsPlacesToComeBackTo checks that for twelve hours an address at which a seat has authenticated
// has places of its own to come back to, even in a /64 that an attacker fills.
func TestAddressOfASeatKeepsPlacesToComeBackTo(t *testing.T) {
	l := newTestDoor(t)
	_ = l.mustConnect("2001:db8::1", Seat, "s1").Close()
	flood := func() {
		for i := range 500 {
			l.connectUnchecked(fmt.Sprintf("2001:db8::bad:%x", i))
			l.connectUnchecked(nthAddress(i % 64))
		}
		l.checkInvariants()
	}
	for range 20 {
		flood()
		_ = l.mustConnect("2001:db8::1", Seat, "s1").Close()
		l.advance(50 * time.Millisecond)
	}
	for range 25 { // at once and under pressure, which is more than a stranger may
		_ = l.mustConnect("2001:db8::1", Seat, "s1").Close()
	}
	for i := range 2 * maxKnown { // what is remembered is bounded
		_ = l.mustConnect(fmt.Sprintf("2001:db8:1:%x::1", i), Seat, "s2").Close()
		l.advance(time.Second)
	}
	_ = l.mustConnect("10.0.0.7", Seat, "s1").Close()
	if c := l.mustConnect("10.0.0.7", Stranger, ""); c.kind != Returning {
		t.Errorf("the address of a seat is one of the %s", c.kind)
	}
	l.advance(knownFor)
	if c := l.mustConnect("10.0.0.7", Stranger, ""); c.kind != Stranger {
		t.Errorf("after twelve hours it is one of the %s", c.kind)
	}
}

// TestKnownAddressesCountByThemselves checks that each known address counts separately: a home with many of them in one network
// loses no connection to an address elsewhere that has more.
func TestKnownAddressesCountByThemselves(t *testing.T) {
	l := newTestDoor(t)
	_ = l.mustConnect("10.0.0.1", Seat, "s0").Close()
	_ = l.mustConnect("10.0.0.2", Seat, "s0").Close()
	var home, hog []*Conn
	for i := range 8 {
		from := fmt.Sprintf("2001:db8:0:%x::%x", i%2, i+1)
		_ = l.mustConnect(from, Seat, "s1").Close()
		for range 5 {
			home = append(home, l.mustConnect(from, Stranger, ""))
		}
	}
	for range returningPlaces - len(home) {
		hog = append(hog, l.mustConnect("10.0.0.1", Stranger, ""))
	}
	l.advance(time.Minute)
	newcomer := l.mustConnect("10.0.0.2", Stranger, "")
	if newcomer.kind != Returning {
		t.Fatalf("the newcomer is one of the %s", newcomer.kind)
	}
	for i, c := range home {
		if isCut(c) {
			t.Errorf("connection %d of the home was cut", i)
		}
	}
	if !isCut(hog[0]) || isCut(hog[1]) {
		t.Error("of who has the most, the stalest is to give way")
	}
}

func TestRates(t *testing.T) {
	l := newTestDoor(t)
	count := func(from string, n int) (in int) {
		for range n {
			if c := l.connectFrom(from); c != nil {
				in++
				_ = c.Close()
			}
		}
		return in
	}
	if n := count("10.0.0.1", 1000); n != hardBurst {
		t.Errorf("%d connections at once, want %d", n, hardBurst)
	}
	l.advance(time.Second)
	if n := count("10.0.0.1", 1000); n != hardRate {
		t.Errorf("%d in the next second, want %d", n, hardRate)
	}
	for i := range 81 { // more than half of the strangers' places
		l.mustConnect(nthAddress(i), Stranger, "")
	}
	if n := count("10.0.0.2", 1000); n != softBurst {
		t.Errorf("%d connections under pressure, want %d", n, softBurst)
	}
	l.advance(time.Second)
	if n := count("10.0.0.2", 1000); n != softRate {
		t.Errorf("%d in the next second, want %d", n, softRate)
	}
	for i := range 4 * maxSources { // connectFrom checks that few addresses are remembered
		count(fmt.Sprintf("10.44.%d.%d", i/250, i%250), 1)
	}
}
