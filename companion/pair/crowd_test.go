package pair

import (
	"crypto/rand"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"majordome/companion/door"
	"majordome/companion/seal"
)

// requesterAt returns a requester at an address, in the network that package door derives, with a key of its own.
func requesterAt(address string) (a requester) {
	a.addr = netip.MustParseAddr(address)
	a.network = door.AddressOrNetworkOf(netip.AddrPortFrom(a.addr, 1).String())
	_, _ = rand.Read(a.key[:]) // never fails since Go 1.24
	return a
}

// TestDisplaced: a newcomer takes a place from the largest group, always if that group is larger than its own, else
// one time in four.
func TestDisplaced(t *testing.T) {
	var one, link, many []requester
	for i := range 8 {
		one = append(one, requesterAt("10.42.0.66"))
		link = append(link, requesterAt(fmt.Sprintf("fe80::%d", i+1)))
		many = append(many, requesterAt(fmt.Sprintf("10.42.0.%d", i+1)))
	}
	for name, tc := range map[string]struct {
		line []requester
		by   requester
		of   []int // the places that it may take; nil: any
		in   int   // about how many of 1000 times
	}{
		"one address, and another":     {one, requesterAt("10.42.0.7"), nil, 1000},
		"one address, and itself":      {one, requesterAt("10.42.0.66"), nil, 250},
		"a link, and an address of it": {link, requesterAt("fe80::99"), nil, 250},
		"a link, and another network":  {link, requesterAt("10.42.0.7"), nil, 1000},
		"many addresses, and another":  {many, requesterAt("10.42.0.99"), nil, 250},
		"many in a link, another has one": {append(link[:7:7], requesterAt("10.42.0.7")), requesterAt("fe80::99"),
			[]int{0, 1, 2, 3, 4, 5, 6}, 250},
		"an address of a link, another": {slices.Repeat([]requester{requesterAt("fe80::1")}, 8), requesterAt("fe80::2"), nil, 1000},
		"an address of a link, another in": {append(slices.Repeat([]requester{requesterAt("fe80::1")}, 7), requesterAt("fe80::2")),
			requesterAt("fe80::1"), []int{0, 1, 2, 3, 4, 5, 6}, 250},
		"two of an address, and one address": {append(many[:7:7], many[0]), requesterAt("10.42.0.99"), []int{0, 7}, 1000},
	} {
		in := 0
		for range 1000 {
			i, ok := pickDisplaced(tc.line, tc.by)
			if ok {
				in++
			}
			if tc.of != nil && !slices.Contains(tc.of, i) {
				t.Fatalf("%s: the place of %d", name, i)
			}
		}
		if tc.in == 1000 && in != 1000 || tc.in == 250 && (in < 150 || in > 350) { // 7 standard deviations
			t.Errorf("%s: in %d times of 1000", name, in)
		}
	}
	if _, ok := pickDisplaced(nil, requesterAt("10.42.0.7")); ok {
		t.Error("a place in no line")
	}
}

// crowd is many strangers, each at an address of its own, who ask with a new key whenever no request of theirs waits.
type crowd []requester

func crowdOf(n int) (c crowd) {
	for i := range n {
		c = append(c, requesterAt(fmt.Sprintf("10.43.%d.%d", i/250, 1+i%250)))
	}
	return c
}

// keepAsking has each of them poll, and ask again as soon as possible.
func (c crowd) keepAsking(h *hall) {
	for i, by := range c {
		if a, _ := h.claims.answerClaim(by, true); a.State != claimWait {
			c[i] = requesterAt(by.addr.String())
		}
	}
}

// waitUntilShown reports whether the host is shown the code of a device within a time, while the crowd keeps asking,
// and how long that took.
func (c crowd) waitUntilShown(h *hall, p askingPhone, within time.Duration) (time.Duration, bool) {
	begun := h.now
	for h.now.Sub(begun) < within {
		if a := h.postClaim(p, true); a.Code != "" && slices.Contains(h.shownCodes(), a.Code) {
			return h.now.Sub(begun), true
		}
		h.now = h.now.Add(time.Second)
		c.keepAsking(h)
	}
	return within, false
}

// TestStrangersKeepNobodyFromAskingTheHost: three addresses do not hinder the owner, thirty cause a delay, and among
// two hundred each gets its turn by chance.
func TestStrangersKeepNobodyFromAskingTheHost(t *testing.T) {
	for _, tc := range []struct {
		strangers int
		within    time.Duration
	}{
		{3, time.Second},
		{maxShownRequests, requestTurn + 2*time.Second},
		{30, 4 * time.Minute},
		{64, 8 * time.Minute},
		{200, 12 * time.Hour},
	} {
		h, c := hallWithHost(t), crowdOf(tc.strangers)
		for range 60 {
			c.keepAsking(h)
			h.now = h.now.Add(time.Second)
		}
		n, l := len(h.desk.AccessRequests()), h.desk.hostAsks
		if n > maxShownRequests || len(l.all) > maxShownRequests+maxWaitingRequests || len(l.resting) > maxResting {
			t.Fatalf("%d strangers: the host sees %d, %d ask, %d rest", tc.strangers, n, len(l.all), len(l.resting))
		}
		owner := phoneAt("10.42.0.7")
		took, ok := c.waitUntilShown(h, owner, tc.within)
		if t.Logf("%d strangers: shown after %v", tc.strangers, took); !ok {
			t.Fatalf("%d strangers keep the owner's device out for %v", tc.strangers, took)
		}
		shown := h.now
		for slices.Contains(h.shownCodes(), h.postClaim(owner, false).Code) && h.now.Sub(shown) < time.Hour {
			h.now = h.now.Add(time.Second)
			c.keepAsking(h)
		}
		if lasted := h.now.Sub(shown); lasted < requestTurn {
			t.Errorf("%d strangers: the host sees it for %v", tc.strangers, lasted)
		}
	}
}

// TestANetworkFillsNoList: a machine with any number of addresses gets half of what the host is shown, and a phone in
// another network does not wait. A machine with one address does not delay other addresses of its network.
func TestANetworkFillsNoList(t *testing.T) {
	h := hallWithHost(t)
	flood := func(address func(int) string) {
		for i := range 2000 {
			h.claims.answerClaim(requesterAt(address(i)), true)
		}
	}
	flood(func(i int) string { return fmt.Sprintf("fe80::%x", i+1) })
	if n := len(h.shownCodes()); n != maxShownPerNetwork {
		t.Errorf("a network is shown %d times", n)
	}
	p := phoneAt("10.42.0.7")
	if code := h.askHost(p); !slices.Contains(h.shownCodes(), code) {
		t.Errorf("the host sees %v, not %s", h.shownCodes(), code)
	}
	h = hallWithHost(t)
	flood(func(int) string { return "fe80::66" })
	if n := len(h.shownCodes()); n != 1 {
		t.Errorf("an address is shown %d times", n)
	}
	if code := h.askHost(phoneAt("fe80::7")); !slices.Contains(h.shownCodes(), code) {
		t.Errorf("the host sees %v, not %s", h.shownCodes(), code)
	}
}

// TestANoRestsOneAddress: a denied address must wait, and no other. Denials of more addresses than are remembered do
// not keep others out.
func TestANoRestsOneAddress(t *testing.T) {
	h, stranger := hallWithHost(t), phoneAt("fe80::66")
	if err := h.desk.DenyDevice(h.askHost(stranger)); err != nil {
		t.Fatal(err)
	}
	if a := h.postClaim(stranger, true); a.State != claimDenied {
		t.Errorf("denied, it hears %+v", a)
	}
	h.now = h.now.Add(denyRest - time.Second)
	if a := h.postClaim(phoneAt("fe80::66"), true); a.State != claimBusy || a.Seconds != 1 {
		t.Errorf("with another key it hears %+v", a)
	}
	h.askHost(phoneAt("fe80::7")) // another address of its network
	for i := range 3 * maxResting {
		if err := h.desk.DenyDevice(h.askHost(phoneAt(fmt.Sprintf("10.44.%d.%d", i/250, 1+i%250)))); err != nil {
			t.Fatal(err)
		}
	}
	if len(h.desk.hostAsks.resting) > maxResting {
		t.Errorf("%d addresses are remembered", len(h.desk.hostAsks.resting))
	}
	h.askHost(phoneAt("10.42.0.7"))
}

// TestAPageThatWasReloaded: the code from before the reload gives way to the new one within seconds.
func TestAPageThatWasReloaded(t *testing.T) {
	h := hallWithHost(t)
	before := h.askHost(phoneAt("10.42.0.7"))
	p := phoneAt("10.42.0.7")
	if a := h.postClaim(p, true); a.State != claimWait || a.Ahead != 1 || h.desk.WaitingRequests() != 1 {
		t.Fatalf("the phone is answered %+v", a)
	}
	h.passTime(reloadSilence, p)
	if a := h.postClaim(p, false); a.Ahead != 0 || !slices.Equal(h.shownCodes(), []string{a.Code}) || h.desk.AdmitDevice(before) == nil {
		t.Errorf("the phone is answered %+v, the host sees %v", a, h.shownCodes())
	}
}

// TestOnlyWhatTheHostSeesIsAdmitted: a code that waits for its turn cannot be admitted.
func TestOnlyWhatTheHostSeesIsAdmitted(t *testing.T) {
	h, c := hallWithHost(t), crowdOf(maxShownRequests)
	c.keepAsking(h)
	p := phoneAt("10.42.0.7")
	code := h.askHost(p)
	if h.desk.AdmitDevice(code) == nil || h.desk.DenyDevice(code) == nil {
		t.Error("the host answers what it does not see")
	}
	h.passTime(requestTurn, p)
	if err := h.desk.AdmitDevice(code); err != nil {
		t.Errorf("its turn: %v", err)
	}
	h.joinAsHost(p, 'b')
}

// TestOneAddressDoesNotHoldTheLine: strangers who only wait, with a new key each time and without ever asking, delay
// the owner at the table by at most two minutes.
func TestOneAddressDoesNotHoldTheLine(t *testing.T) {
	h := newHall(t, [...]int{4, 4, 2})
	holder, owner := phoneAt("10.42.0.66"), phoneAt("10.42.0.7")
	h.postClaim(holder, true)
	flood := func() {
		for i := range 50 { // requests a second, as many as package door lets through
			h.claims.answerClaim(requesterAt([]string{"10.42.0.66", "fd00::66", fmt.Sprintf("fd00::%x", 100+i)}[i%3]), false)
		}
	}
	for range 10 {
		flood()
	}
	if len(h.claims.waitingPhones) != maxQueue {
		t.Fatalf("%d in line", len(h.claims.waitingPhones))
	}
	h.postClaim(owner, false)
	in := func() bool {
		return slices.ContainsFunc(h.claims.waitingPhones, func(w waitingPhone) bool {
			return w.key == [seal.PublicKeySize]byte(owner.PublicKey())
		})
	}
	begun := h.now
	for h.now.Sub(begun) < maxQueue*claimTurn+claimIdle {
		if !in() {
			t.Fatalf("after %v the owner is out of the line", h.now.Sub(begun))
		}
		h.passTime(time.Second, owner)
		flood()
		if a := h.postClaim(owner, false); a.State == claimFree {
			if a := h.postClaim(owner, true); a.State != claimLay {
				t.Fatalf("its turn: %+v", a)
			}
			t.Logf("the owner's turn comes after %v", h.now.Sub(begun))
			return
		}
	}
	t.Errorf("the owner has had no turn for %v", h.now.Sub(begun))
}
