package pair

import (
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/door"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// hallWithHost returns a hall whose host has joined.
func hallWithHost(t *testing.T) *hall {
	h := newHall(t, [...]int{3, 2, 4})
	url, _ := h.link(engine.Host)
	if _, status := h.join(codeOf(t, url), 'a'); status != http.StatusOK {
		t.Fatal(status)
	}
	return h
}

// askHost has a device ask, and returns the code that it shows.
func (h *hall) askHost(p askingPhone) string {
	h.t.Helper()
	a := h.postClaim(p, true)
	if a.State != claimWait || len(a.Code) != 4 {
		h.t.Fatalf("a device that asks is answered %+v", a)
	}
	return a.Code
}

// joinAsHost opens the code that the host has granted and joins with it.
func (h *hall) joinAsHost(p askingPhone, nonce byte) seal.Grant {
	h.t.Helper()
	a := h.postClaim(p, false)
	box, _ := base64.RawURLEncoding.DecodeString(a.Box)
	code, err := p.Open(box)
	if a.State != claimYours || err != nil {
		h.t.Fatalf("an admitted device is answered %+v, %v", a, err)
	}
	g, status := h.join(code, nonce)
	if status != http.StatusOK {
		h.t.Fatal(status)
	}
	return g
}

func (h *hall) shownCodes() (codes []string) {
	for _, p := range h.desk.AccessRequests() {
		codes = append(codes, p.Code)
	}
	return codes
}

// TestASecondHostDevice: a second device comes in when the first one admits it, has a key of its own, and is out at
// once when it is ended.
func TestASecondHostDevice(t *testing.T) {
	h, p := hallWithHost(t), phoneAt("10.42.0.7")
	if a := h.postClaim(p, false); a.State != claimTaken || len(h.desk.AccessRequests()) > 0 {
		t.Fatalf("a device that only looks is answered %+v", a)
	}
	code := h.askHost(p)
	if want := []wire.Plea{{Code: code}}; h.changed == 0 || !slices.Equal(h.desk.AccessRequests(), want) {
		t.Fatalf("the host sees %+v, notified %d times", h.desk.AccessRequests(), h.changed)
	}
	if err := h.desk.AdmitDevice(code); err != nil {
		t.Fatal(err)
	}
	if len(h.desk.AccessRequests()) > 0 || h.desk.AdmitDevice(code) == nil {
		t.Error("one plea is granted twice")
	}
	stranger := phoneAt("10.42.0.8")
	box, _ := base64.RawURLEncoding.DecodeString(h.postClaim(p, false).Box)
	if _, err := stranger.Open(box); err == nil {
		t.Error("another device reads the code")
	}
	g := h.joinAsHost(p, 'b')
	if g.Seat != 0 || g.Phone != 2 {
		t.Fatalf("the grant is %+v", g)
	}
	if got := h.desk.HostDevices(); len(got) != 2 || got[1].N != 2 {
		t.Errorf("the hosts are %+v", got)
	}
	if a := h.postClaim(p, true); a.State != claimWait { // its key was used; it may ask for another device
		t.Errorf("the same key again: %+v", a)
	}
	second := wire.Handset{Viewer: engine.Host, N: 2}
	if err := h.desk.EndPhone(second); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(h.cut, second) || len(h.desk.HostDevices()) != 1 {
		t.Errorf("cut off: %v, hosts: %v", h.cut, h.desk.HostDevices())
	}
	if _, err := h.ring.SealReply(second, "t", 1, 1, wire.Reply{}); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("the key of an ended device: %v", err)
	}
}

// TestTheOwnersShellEndsAllHosts: majordome host --new ends all devices of the host and all requests.
func TestTheOwnersShellEndsAllHosts(t *testing.T) {
	h, p, q := hallWithHost(t), phoneAt("10.42.0.7"), phoneAt("10.42.0.8")
	if err := h.desk.AdmitDevice(h.askHost(p)); err != nil {
		t.Fatal(err)
	}
	h.joinAsHost(p, 'b')
	code := h.askHost(q)
	if _, err := h.desk.CutAndInvite(engine.Host); err != nil {
		t.Fatal(err)
	}
	if len(h.desk.HostDevices()) > 0 || len(h.cut) != 2 || len(h.desk.AccessRequests()) > 0 || h.desk.AdmitDevice(code) == nil {
		t.Errorf("hosts %v, cut off %v, asking %v", h.desk.HostDevices(), h.cut, h.desk.AccessRequests())
	}
}

// TestHostDevicesAreFew: there are at most three devices. One that was admitted but never joins keeps its place for
// ten minutes only.
func TestHostDevicesAreFew(t *testing.T) {
	h := hallWithHost(t)
	a, b, c := phoneAt("10.42.0.7"), phoneAt("10.42.0.8"), phoneAt("10.42.0.9")
	codes := []string{h.askHost(a), h.askHost(b), h.askHost(c)}
	for i, want := range []error{nil, nil, ErrFull} {
		if err := h.desk.AdmitDevice(codes[i]); !errors.Is(err, want) {
			t.Errorf("device %d: %v, want %v", i+2, err, want)
		}
	}
	if g := h.joinAsHost(b, 'b'); g.Phone != 3 { // the later one joins first: neither takes the other's place
		t.Errorf("the grant is %+v", g)
	}
	if a := h.postClaim(phoneAt("10.42.0.10"), true); a.State != claimFull {
		t.Errorf("one more hears %+v", a)
	}
	h.now = h.now.Add(InvitationTime)
	if a := h.postClaim(a, false); a.State == claimYours {
		t.Errorf("ten minutes later: %+v", a)
	}
	if err := h.desk.AdmitDevice(h.askHost(phoneAt("10.42.0.10"))); err != nil {
		t.Errorf("its place is free again: %v", err)
	}
}

// TestTwoAskAtOnce: each device has a code of its own, and only the device whose code is admitted gets in.
func TestTwoAskAtOnce(t *testing.T) {
	h, owner, stranger := hallWithHost(t), phoneAt("10.42.0.7"), phoneAt("10.42.0.66")
	wrong, right := h.askHost(stranger), h.askHost(owner)
	if wrong == right || len(h.desk.AccessRequests()) != 2 {
		t.Fatalf("%s and %s, the host sees %v", wrong, right, h.shownCodes())
	}
	if err := h.desk.AdmitDevice(right); err != nil {
		t.Fatal(err)
	}
	if a := h.postClaim(stranger, false); a.State != claimWait || a.Box != "" {
		t.Errorf("the other hears %+v", a)
	}
	if err := h.desk.DenyDevice(wrong); err != nil {
		t.Fatal(err)
	}
	if a := h.postClaim(stranger, true); a.State != claimDenied {
		t.Errorf("denied, it hears %+v", a)
	}
	h.joinAsHost(owner, 'b')
}

// TestLateGrantOfTheHostsPageHasNoEffect: an access request expires, a late answer has no effect, and another phone that replays the
// request cannot read the granted code.
func TestLateGrantOfTheHostsPageHasNoEffect(t *testing.T) {
	h, p := hallWithHost(t), phoneAt("10.42.0.7")
	code := h.askHost(p)
	h.claims.TakeChange()
	for range 6 {
		h.now = h.now.Add(requestTime / 6)
		h.postClaim(p, false)
	}
	if a := h.postClaim(p, false); a.State != claimOver || h.desk.AdmitDevice(code) == nil || !h.claims.TakeChange() {
		t.Errorf("after its time: %+v", a)
	}
	h.now = h.now.Add(claimRest)
	code = h.askHost(p)
	h.now = h.now.Add(requestSilence)
	if h.desk.AdmitDevice(code) == nil {
		t.Error("a device that is not heard of any more is admitted")
	}
	h.now = h.now.Add(claimRest)
	replayed := askingPhone{p.Claimant, "10.42.0.66"} // sends the same request as p
	if err := h.desk.AdmitDevice(h.askHost(replayed)); err != nil {
		t.Fatal(err)
	}
	box, _ := base64.RawURLEncoding.DecodeString(h.postClaim(replayed, false).Box)
	if _, err := phoneAt("10.42.0.66").Open(box); err == nil {
		t.Error("a device that has recorded the request reads the code")
	}
}

// TestAccessRequestWithoutAKeyIsRefused: a key of zeros is granted nothing, and takes no place.
func TestAccessRequestWithoutAKeyIsRefused(t *testing.T) {
	h := hallWithHost(t)
	a, _ := h.claims.answerClaim(requester{}, true)
	if err := h.desk.AdmitDevice(a.Code); !errors.Is(err, ErrNoPhone) {
		t.Errorf("admitted: %v", err)
	}
	if all, _, _ := h.desk.phonesOf(engine.Host); len(all) != 1 || len(h.desk.AccessRequests()) > 0 {
		t.Errorf("keys of %v, asking %v", all, h.desk.AccessRequests())
	}
}

// TestASecondHostAfterARestart: a second device keeps its key, its kind and the time of its invitation.
func TestASecondHostAfterARestart(t *testing.T) {
	h, p := hallWithHost(t), askingPhone{seal.NewClaimant(), "10.42.0.7"}
	_, changed := h.claims.answerClaim(requester{key: [32]byte(p.PublicKey()), network: door.AddressOrNetworkOf(p.from + ":1"),
		kind: "ipad"}, true)
	if !changed {
		t.Fatal("the host is not notified")
	}
	if err := h.desk.AdmitDevice(h.shownCodes()[0]); err != nil {
		t.Fatal(err)
	}
	h.joinAsHost(p, 'b')
	h.restart()
	if got := h.desk.HostDevices(); len(got) != 2 || got[1] != (wire.HostDevice{N: 2, Kind: "ipad"}) {
		t.Errorf("the hosts are %+v", got)
	}
}

// TestUserAgentIsReducedToAFewWords: a browser's user agent is reduced to one of a few words, and no part of it is repeated.
func TestUserAgentIsReducedToAFewWords(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X)": "iphone", "Mozilla/5.0 (Linux; Android 16; Pixel 9)": "android",
		"Mozilla/5.0 (X11; Linux x86_64)": "linux", "Mozilla/5.0 (Macintosh; Intel)": "mac", "<b>your own tablet</b>": "",
		strings.Repeat("x", 9999): "",
	} {
		if got := deviceKind(agent); got != want || got != "" && !slices.Contains(wire.DeviceKinds, got) {
			t.Errorf("%.40q is %q, want %q", agent, got, want)
		}
	}
}

// TestShownInTurn: while others wait for its place, a shown device gets the time for which it is surely shown, and
// the host's count of the waiting requests is right at the next poll.
func TestShownInTurn(t *testing.T) {
	h, first := hallWithHost(t), phoneAt("10.42.0.7")
	if a := h.postClaim(first, true); a.Turns || a.Seconds != secondsRoundedUp(requestTime) {
		t.Errorf("alone it hears %+v", a)
	}
	h.claims.TakeChange()
	c := crowdOf(maxShownRequests + 2)
	for n, by := range c {
		h.claims.answerClaim(by, true)
		got, want := h.desk.WaitingRequests(), max(0, n+2-maxShownRequests)
		if got != want || !h.claims.TakeChange() || h.claims.TakeChange() {
			t.Errorf("with %d others the host reads that %d wait, not %d", n+1, got, want)
		}
	}
	second := func() { // in each second every device polls
		h.now = h.now.Add(time.Second)
		h.postClaim(first, false)
		for _, by := range c {
			h.claims.answerClaim(by, false)
		}
	}
	before := h.shownCodes()
	for left := secondsRoundedUp(requestTurn); left > 0; left-- {
		if a := h.postClaim(first, false); !a.Turns || a.Seconds != left || !slices.Equal(h.shownCodes(), before) {
			t.Fatalf("%d s before its turn ends it hears %+v, and the host sees %v", left, a, h.shownCodes())
		}
		second()
	}
	if a := h.postClaim(first, false); slices.Equal(h.shownCodes(), before) {
		t.Errorf("after its turn it hears %+v, and the host sees %v", a, h.shownCodes())
	}
}
