package pair

import (
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/engine"
)

// hall is a house with readers, whose host has not joined yet.
type hall struct {
	*house
	claims  *Claims
	readers bool
	screen  bool
	ownWifi netip.Prefix // whose phones need no card
	draws   [][claimSteps]int
	changed int
}

func newHall(t *testing.T, draws ...[claimSteps]int) *hall {
	h := &hall{house: newHouse(t), readers: true, draws: draws}
	if _, _, err := h.desk.EnsureLink(engine.Host); err != nil {
		t.Fatal(err)
	}
	h.claims = NewClaims(h.desk, ClaimOpts{ReadersReady: func() bool { return h.readers }, IsOnOwnWifi: func(a netip.Addr) bool {
		return h.ownWifi.Contains(a)
	}, HasLocalScreen: func() bool { return h.screen }, Changed: func() { h.changed++ }, DrawNumbers: func() [claimSteps]int {
		d := h.draws[0]
		if len(h.draws) > 1 {
			h.draws = h.draws[1:]
		}
		return d
	}})
	return h
}

// askingPhone is a phone that asks to become a device of the host.
type askingPhone struct {
	seal.Claimant
	from string
}

func phoneAt(from string) askingPhone { return askingPhone{seal.NewClaimant(), from} }

func (h *hall) postClaim(p askingPhone, ask bool) claimAnswer {
	h.t.Helper()
	text, _ := json.Marshal(claimRequest{base64.RawURLEncoding.EncodeToString(p.PublicKey()), ask})
	r := httptest.NewRequest(http.MethodPost, "/claim", strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = net.JoinHostPort(p.from, "5000")
	w := httptest.NewRecorder()
	h.claims.ServeHTTP(w, r)
	var a claimAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &a); w.Code != http.StatusOK || err != nil {
		h.t.Fatalf("%d: %v", w.Code, err)
	}
	return a
}

// layNumber puts a card down n times and waits until that counts as a number. The asking phones poll all the time.
func (h *hall) layNumber(tag string, n int, asking ...askingPhone) {
	for range n {
		h.claims.HandleCard(LaidCard{UID: tag})
		h.now = h.now.Add(900 * time.Millisecond)
		for _, p := range asking {
			h.postClaim(p, false)
		}
	}
	h.now = h.now.Add(claimPause)
	for _, p := range asking {
		h.postClaim(p, false)
	}
}

// TestLayingThePhonesNumbersMakesItTheHosts: laying a phone's numbers makes that phone the host's, and only that phone can read the code.
func TestLayingThePhonesNumbersMakesItTheHosts(t *testing.T) {
	h := newHall(t, [...]int{3, 2, 4})
	old, _ := h.link(engine.Host)
	p := phoneAt("10.42.0.7")
	if a := h.postClaim(p, false); a.State != claimFree || h.claims.HasClaim() {
		t.Fatalf("a phone that only looks is answered %+v, asked: %v", a, h.claims.HasClaim())
	}
	if a := h.postClaim(p, true); a.State != claimLay || !slices.Equal(a.Numbers, []int{3, 2, 4}) ||
		!h.claims.HasClaim() || h.changed != 1 {
		t.Fatalf("a phone that asks is answered %+v, asked: %v, notified %d times", a, h.claims.HasClaim(), h.changed)
	}
	h.layNumber("A", 3, p)
	if a := h.postClaim(p, false); a.At != 1 || a.Wrong != 0 {
		t.Fatalf("after the first number: %+v", a)
	}
	h.layNumber("A", 2, p)
	h.layNumber("A", 4, p)
	a := h.postClaim(p, false)
	box, _ := base64.RawURLEncoding.DecodeString(a.Box)
	code, err := p.Open(box)
	if a.State != claimYours || err != nil {
		t.Fatalf("after the last: %+v, %v", a, err)
	}
	if _, err := phoneAt("10.42.0.8").Open(box); err == nil {
		t.Error("another phone reads the code")
	}
	if _, status := h.join(codeOf(t, old), 'b'); status != http.StatusGone {
		t.Errorf("the code of before still opens the page: %d", status)
	}
	if g, status := h.join(code, 'a'); status != http.StatusOK || g.Seat != 0 {
		t.Fatalf("the code opens nothing: %d", status)
	}
	if a := h.postClaim(p, false); a.State != claimTaken || h.claims.HasClaim() {
		t.Errorf("when there is a host: %+v", a)
	}
	if h.claims.HandleCard(LaidCard{UID: "A"}) {
		t.Error("a card is taken for a claim although there is a host")
	}
}

// TestClaimOnOwnWifi checks that the first phone on the machine's own Wi-Fi becomes the host without a card, as long as no
// reader works; that a phone of another network does not; and that nobody else can read its code.
func TestClaimOnOwnWifi(t *testing.T) {
	h := newHall(t, [...]int{3, 2, 4})
	h.ownWifi = netip.MustParsePrefix("10.42.0.0/24")
	owner, second, stranger := phoneAt("10.42.0.7"), phoneAt("10.42.0.8"), phoneAt("192.168.1.9")
	if a := h.postClaim(owner, true); a.State != claimLay {
		t.Fatalf("with a reader, asking without a card: %+v", a)
	}
	h.now = h.now.Add(claimTime)
	h.readers = false
	if a := h.postClaim(stranger, true); a.State != claimScreen || h.claims.HasClaim() {
		t.Fatalf("a phone of another network: %+v", a)
	}
	if a := h.postClaim(second, false); a.State != claimWifi || h.claims.HasClaim() {
		t.Fatalf("looking only: %+v", a)
	}
	owner = phoneAt("10.42.0.7")
	a := h.postClaim(owner, true)
	box, _ := base64.RawURLEncoding.DecodeString(a.Box)
	code, err := owner.Open(box)
	if a.State != claimYours || err != nil {
		t.Fatalf("the first: %+v, %v", a, err)
	}
	if _, err := second.Open(box); err == nil {
		t.Error("another phone reads the code")
	}
	if b := h.postClaim(second, true); b.State != claimBusy || b.Box != "" {
		t.Errorf("the second, before the first has joined: %+v", b)
	}
	if b := h.postClaim(owner, false); b.Box != a.Box {
		t.Error("an answer that was lost does not come again")
	}
	if g, status := h.join(code, 'a'); status != http.StatusOK || g.Seat != 0 {
		t.Fatalf("the code opens nothing: %d", status)
	}
	if b := h.postClaim(second, true); b.State != claimWait {
		t.Errorf("the second asks the host: %+v", b)
	}
	if _, err := h.desk.CutAndInvite(engine.Host); err != nil {
		t.Fatal(err)
	}
	if b := h.postClaim(phoneAt("10.42.0.8"), true); b.State != claimScreen {
		t.Errorf("after a lost host, whose new link is for its owner: %+v", b)
	}
}

// TestOwnWifiAfterAHost checks that the machine's own Wi-Fi makes no host any more once there was one, also if nobody asked
// while it was.
func TestOwnWifiAfterAHost(t *testing.T) {
	h := newHall(t, [...]int{3, 2, 4})
	h.ownWifi, h.readers = netip.MustParsePrefix("10.42.0.0/24"), false
	owner := phoneAt("10.42.0.7")
	box, _ := base64.RawURLEncoding.DecodeString(h.postClaim(owner, true).Box)
	code, err := owner.Open(box)
	if err != nil {
		t.Fatal(err)
	}
	if _, status := h.join(code, 'a'); status != http.StatusOK {
		t.Fatalf("the code opens nothing: %d", status)
	}
	if _, err := h.desk.CutAndInvite(engine.Host); err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(claimTime)
	if a := h.postClaim(phoneAt("10.42.0.8"), true); a.State != claimScreen {
		t.Errorf("a phone that asks after the host was cut off: %+v", a)
	}
}

// TestAStrangerWhoRacesIsNotTheHost: a stranger's phone that asks first gets numbers that no one at the table lays.
// The phone at the table sees that another one is asking, and is next.
func TestAStrangerWhoRacesIsNotTheHost(t *testing.T) {
	h := newHall(t, [...]int{4, 4, 2}, [...]int{2, 3, 3})
	stranger, owner := phoneAt("10.42.0.66"), phoneAt("10.42.0.7")
	h.postClaim(stranger, true)
	if a := h.postClaim(owner, true); a.State != claimBusy {
		t.Fatalf("a second phone that asks hears %+v", a)
	}
	h.now = h.now.Add(claimSilence + time.Second)
	if a := h.postClaim(stranger, false); a.State != claimOver {
		t.Fatalf("a phone that has not asked is answered %+v", a)
	}
	if a := h.postClaim(phoneAt("10.42.0.66"), true); a.State != claimLater {
		t.Errorf("the same network asks again at once: %+v", a)
	}
	if a := h.postClaim(owner, true); a.State != claimLay {
		t.Fatalf("the owner: %+v", a)
	}
	for _, n := range []int{2, 3, 3} {
		h.layNumber("A", n, owner, stranger)
	}
	if a := h.postClaim(owner, false); a.State != claimYours {
		t.Errorf("the owner laid the numbers: %+v", a)
	}
	if a := h.postClaim(stranger, false); a.Box != "" || a.State == claimYours {
		t.Errorf("the stranger is answered with %+v", a)
	}
}

// TestClaimsThatComeToNothing: claims that fail by wrong numbers, another card, time, a lost reader, or a host who
// joins in another way.
func TestClaimsThatComeToNothing(t *testing.T) {
	lost := func(t *testing.T, h *hall, p askingPhone) {
		t.Helper()
		if a := h.postClaim(p, false); a.State != claimOver || a.Box != "" || h.claims.HasClaim() {
			t.Errorf("the claim is at %+v", a)
		}
	}
	t.Run("numbers", func(t *testing.T) {
		h, p := newHall(t, [...]int{3, 2, 4}), phoneAt("10.42.0.7")
		h.postClaim(p, true)
		h.layNumber("A", 3, p)
		h.layNumber("A", 3, p)
		if a := h.postClaim(p, false); a.At != 0 || a.Wrong != 1 {
			t.Fatalf("after a wrong number: %+v", a)
		}
		h.layNumber("A", 2, p)
		h.layNumber("A", 5, p)
		lost(t, h, p)
	})
	t.Run("cards", func(t *testing.T) { // cards are being enrolled
		h, p := newHall(t, [...]int{2, 2, 2}), phoneAt("10.42.0.7")
		h.postClaim(p, true)
		for _, tag := range []string{"A", "B", "C", "D", "E", "F"} { // two in each pause
			h.claims.HandleCard(LaidCard{UID: tag})
			h.layNumber(tag+"'", 1, p)
		}
		lost(t, h, p)
	})
	t.Run("time", func(t *testing.T) {
		h, p := newHall(t, [...]int{3, 2, 4}), phoneAt("10.42.0.7")
		h.postClaim(p, true)
		for range int(claimTime/claimSilence) + 2 {
			h.now = h.now.Add(claimSilence)
			h.postClaim(p, false)
		}
		lost(t, h, p)
	})
	t.Run("no reader", func(t *testing.T) {
		h, p := newHall(t, [...]int{3, 2, 4}), phoneAt("10.42.0.7")
		h.readers = false
		if a := h.postClaim(p, true); a.State != claimScreen || h.claims.HandleCard(LaidCard{UID: "A"}) {
			t.Errorf("without a reader, or in a game: %+v", a)
		}
	})
	t.Run("host", func(t *testing.T) {
		h, p := newHall(t, [...]int{3, 2, 4}), phoneAt("10.42.0.7")
		h.postClaim(p, true)
		url, _ := h.link(engine.Host)
		if _, status := h.join(codeOf(t, url), 'a'); status != http.StatusOK {
			t.Fatal(status)
		}
		for _, n := range []int{3, 2, 4} {
			h.layNumber("A", n, p)
		}
		if a := h.postClaim(p, false); a.State != claimTaken || a.Box != "" {
			t.Errorf("after a host has come: %+v", a)
		}
	})
}

// passTime lets time pass while these phones poll.
func (h *hall) passTime(d time.Duration, phones ...askingPhone) {
	for ; d > 0; d -= time.Second {
		h.now = h.now.Add(time.Second)
		for _, p := range phones {
			h.postClaim(p, false)
		}
	}
}

// TestAGuestDoesNotLockTheOwnerOut: a phone that asks again and again without laying cards gives way to a phone that
// waits, for which a turn is then reserved.
func TestAGuestDoesNotLockTheOwnerOut(t *testing.T) {
	h := newHall(t, [...]int{4, 4, 2}, [...]int{2, 3, 3})
	guest, owner := phoneAt("fd00::66"), phoneAt("fd00::7") // both in one network
	h.postClaim(guest, true)
	h.passTime(claimIdle-time.Second, guest, owner)
	if a := h.postClaim(owner, false); a.State != claimBusy {
		t.Fatalf("within its minute: %+v", a)
	}
	h.passTime(3*time.Second, guest, owner)
	again := phoneAt("fd00::66")
	if a := h.postClaim(again, true); a.State != claimBusy {
		t.Errorf("the guest, before who has waited: %+v", a)
	}
	if a := h.postClaim(owner, false); a.State != claimFree {
		t.Fatalf("the owner's turn: %+v", a)
	}
	if a := h.postClaim(owner, true); a.State != claimLay {
		t.Fatalf("the owner: %+v", a)
	}
	h.layNumber("A", 2, owner)
	h.passTime(claimIdle+time.Second, owner, again)
	if a := h.postClaim(owner, false); a.State != claimLay || a.At != 1 {
		t.Errorf("a phone that lays cards does not give way: %+v", a)
	}
	// A turn that is not used goes to the next phone.
	h = newHall(t, [...]int{4, 4, 2})
	h.postClaim(guest, true)
	late := phoneAt("fd00::9")
	h.passTime(claimIdle+2*time.Second, guest, owner, late)
	h.passTime(claimTurn+2*time.Second, owner, late)
	if a := h.postClaim(late, true); a.State != claimLay {
		t.Errorf("a phone behind one that does not begin is answered %+v", a)
	}
}

// TestRestsAreOfOneAddress: after each failed claim an address must wait twice as long as before, and no other
// address of its network must.
func TestRestsAreOfOneAddress(t *testing.T) {
	h := newHall(t, [...]int{4, 4, 2})
	for n := range 6 {
		p := phoneAt("fd00::66")
		if a := h.postClaim(p, true); a.State != claimLay {
			t.Fatalf("after %d: %+v", n, a)
		}
		h.now = h.now.Add(claimSilence + time.Second)
		h.postClaim(p, false)
		rest := min(claimRest<<n, claimRestMax)
		if a := h.postClaim(phoneAt("fd00::66"), true); a.State != claimLater || a.Seconds != secondsRoundedUp(rest) {
			t.Errorf("after %d: %+v, want a rest of %v", n, a, rest)
		}
		if rest := h.claims.claimRestTime(netip.MustParseAddr("fd00::7"), h.now); rest > 0 {
			t.Errorf("another of its network rests for %v", rest)
		}
		h.now = h.now.Add(rest)
	}
}

// TestGuessesAreBounded: after a number of wrong numbers from any phones, no claim by card begins until some time has
// passed.
func TestGuessesAreBounded(t *testing.T) {
	h := newHall(t, [...]int{4, 4, 2})
	for _, from := range []string{"10.42.0.66", "10.42.0.67"} {
		p := phoneAt(from)
		if a := h.postClaim(p, true); a.State != claimLay {
			t.Fatalf("%s: %+v", from, a)
		}
		for range claimMaxWrong {
			h.layNumber("A", 3, p)
		}
	}
	if a := h.postClaim(phoneAt("10.42.0.68"), true); a.State != claimLater || len(h.claims.wrongTimes) != maxWrong {
		t.Errorf("after %d wrong numbers: %+v", len(h.claims.wrongTimes), a)
	}
	h.now = h.now.Add(wrongSpan)
	if a := h.postClaim(phoneAt("10.42.0.68"), true); a.State != claimLay {
		t.Errorf("later: %+v", a)
	}
}

// TestDrawnNumbers: the numbers are within their limits and never all equal.
func TestDrawnNumbers(t *testing.T) {
	seen := map[[claimSteps]int]bool{}
	for range 2000 {
		n := drawNumbers()
		seen[n] = true
		if slices.Min(n[:]) < minPlaced || slices.Max(n[:]) > maxPlaced || n[0] == n[1] && n[1] == n[2] {
			t.Fatal(n)
		}
	}
	if len(seen) != 24 {
		t.Errorf("%d kinds of numbers, 24 are said", len(seen))
	}
}

// A phone learns of the machine's own screen only where that shows a code.
func TestAPhoneLearnsOfTheScreenThatShowsACode(t *testing.T) {
	h := newHall(t)
	h.readers = false
	p := phoneAt("10.42.0.20")
	for _, screen := range []bool{false, true} {
		if h.screen = screen; h.postClaim(p, false).Screen != screen {
			t.Errorf("a screen: %v", screen)
		}
	}
}

// An invalid public key is refused and begins no claim. A key of zeros is never granted the code.
func TestClaimOfNoKey(t *testing.T) {
	h := newHall(t, [...]int{2, 2, 3})
	for _, text := range []string{"", "{}", `{"key":"AAAA","ask":true}`, `{"key":"!","ask":true}`, strings.Repeat("x", maxBody+1)} {
		r := httptest.NewRequest(http.MethodPost, "/claim", strings.NewReader(text))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if h.claims.ServeHTTP(w, r); w.Code != http.StatusBadRequest || h.claims.HasClaim() {
			t.Errorf("%.20q: %d", text, w.Code)
		}
	}
	h.claims.answerClaim(requester{}, true) // a point of low order, with which the shared secret would be public
	for _, n := range []int{2, 2, 3} {
		h.layNumber("A", n)
	}
	if a, _ := h.claims.answerClaim(requester{}, false); a.State == claimYours {
		t.Errorf("a key of zeros is given %+v", a)
	}
}
