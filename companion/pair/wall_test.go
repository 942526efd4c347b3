package pair

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/engine"
)

// lobbyCode opens a lobby with free places, and returns the code on the display.
func (h *house) lobbyCode(places int) string {
	h.t.Helper()
	code := h.desk.SyncLobby(true, places, []engine.ID{"red", "blue"}, nil)
	if code == "" {
		h.t.Fatal("a lobby without a code")
	}
	return code
}

// askSeat sends the request of a phone for a seat.
func (h *house) askSeat(p askingPhone, wall, name, character string) (a seatAnswer) {
	h.t.Helper()
	return h.askSeatOf(p, wall, name, character, false)
}

// askSeatOf sends the request of a phone for a seat; if plays for that of a player, by a card.
func (h *house) askSeatOf(p askingPhone, wall, name, character string, plays bool) (a seatAnswer) {
	h.t.Helper()
	key := string(p.PublicKey())
	wish := fmt.Sprint(key, name, character, plays)
	req := seatRequest{Key: encodeBox(p.PublicKey()), Wall: wall, Name: name, Character: character, Plays: plays,
		Open: encodeBox([]byte(h.wishes[key]))}
	lock := lockOf([]byte(wish))
	req.Lock = encodeBox(lock[:])
	if name != "" {
		h.wishes[key] = wish
		behind := sha256.Sum256([]byte(wish))
		req.Shown = encodeBox(behind[:])
	}
	return h.postSeatRequest(p.from, req)
}

func (h *house) postSeatRequest(from string, req seatRequest) (a seatAnswer) {
	h.t.Helper()
	text, _ := json.Marshal(req)
	r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = net.JoinHostPort(from, "5000")
	w := httptest.NewRecorder()
	h.desk.ServeAsk(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &a); w.Code != http.StatusOK || err != nil {
		h.t.Fatalf("%d: %v", w.Code, err)
	}
	return a
}

// askingNames returns the names of the requests that the host sees.
func (h *house) askingNames() (names []string) {
	all, _ := h.desk.SeatRequests()
	for _, g := range all {
		names = append(names, g.Name)
	}
	return names
}

// TestSixPhonesScanTheSameCode: all ask by the same code, and each gets a seat of its own that only it can decrypt.
func TestSixPhonesScanTheSameCode(t *testing.T) {
	h := newHouse(t)
	wall := h.lobbyCode(6)
	var phones []askingPhone
	for i := range 6 {
		p := phoneAt(fmt.Sprintf("10.42.0.%d", 10+i))
		a := h.askSeat(p, wall, "", "")
		if a.State != seatLook || !slices.Equal(a.Free, []engine.ID{"red", "blue"}) || len(h.askingNames()) != i {
			t.Fatalf("a phone that only looks is answered %+v, the host sees %v", a, h.askingNames())
		}
		if a := h.askSeat(p, wall, fmt.Sprint("P", i), "red"); a.State != seatWait || a.Full || len(a.Code) != 4 {
			t.Fatalf("a phone that asks is answered %+v", a)
		}
		phones = append(phones, p)
	}
	all, more := h.desk.SeatRequests()
	if len(all) != 6 || more != 0 || all[2].Name != "P2" || all[2].Character != "red" || all[2].Seat != 0 {
		t.Fatalf("the host sees %+v and %d more", all, more)
	}
	users := map[string]bool{}
	for i, g := range all {
		if err := h.desk.AdmitToSeat(g.Ask, engine.Seat(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range phones {
		box, _ := base64.RawURLEncoding.DecodeString(h.askSeat(p, wall, "P", "").Box)
		if _, err := phones[(i+1)%6].Open(box); err == nil {
			t.Error("another phone opens the code")
		}
		code, err := p.Open(box)
		if err != nil {
			t.Fatal(err)
		}
		g, status := h.join(code, byte('a'+i))
		if status != http.StatusOK || g.Seat != engine.Seat(i+1) {
			t.Fatalf("%d: seat %d", status, g.Seat)
		}
		users[g.User] = true
	}
	if len(users) != 6 || len(h.askingNames()) != 0 {
		t.Errorf("%v joined, the host sees %v", users, h.askingNames())
	}
}

// TestTheCodeOnTheDisplayOnlyAsks: it is no invitation, and that of an earlier lobby does not ask. A phone that has asked
// waits for the next lobby. A restart keeps the code.
func TestTheCodeOnTheDisplayOnlyAsks(t *testing.T) {
	h := newHouse(t)
	wall, p := h.lobbyCode(1), phoneAt("10.42.0.10")
	if _, err := seal.ParseCode(wall); err == nil {
		t.Error("the code of the display is an invitation")
	}
	if a := h.askSeat(p, "another", "Anne", ""); a.State != seatOld || a.Box != "" {
		t.Errorf("another code hears %+v", a)
	}
	h.restart()
	if again := h.lobbyCode(1); again != wall {
		t.Errorf("after a restart the code is %s", again)
	}
	h.askSeat(p, wall, "Anne", "")
	other := phoneAt("10.42.0.11")
	if a := h.askSeat(other, wall, "Bruno", ""); a.State != seatWait || !a.Full {
		t.Errorf("for no place there asks %+v", a)
	}
	if h.desk.SyncLobby(false, 0, nil, nil) != "" {
		t.Error("a code while a game is running")
	}
	late := phoneAt("10.42.0.12")
	for _, is := range []askingPhone{p, other, late} {
		if a := h.askSeat(is, wall, "L", ""); a.State != seatLate || a.Box != "" {
			t.Errorf("in the game it hears %+v", a)
		}
	}
	h.now = h.now.Add(lateSilence - time.Minute) // their screens are off
	next := h.lobbyCode(3)
	if next == wall {
		t.Error("the next lobby has the same code")
	}
	if n := len(h.askingNames()); n != 0 {
		t.Errorf("the next lobby begins with %d requests of phones that are not heard", n)
	}
	h.askSeat(p, wall, "Anne", "")
	h.askSeat(other, wall, "Bruno", "")
	if a := h.askSeat(late, wall, "Late", ""); a.State != seatWait || a.Full || len(h.askingNames()) != 3 {
		t.Errorf("in the next lobby it hears %+v, the host sees %v", a, h.askingNames())
	}
	if a := h.askSeat(phoneAt("10.42.0.13"), wall, "Old", ""); a.State != seatOld {
		t.Errorf("a phone with a photo of the last code is answered %+v", a)
	}
}

// TestOnlyTheHostSeats: a phone that was turned away gets nothing and must wait, a silent one is forgotten, and an admitted
// one has no seat that has another phone.
func TestOnlyTheHostSeats(t *testing.T) {
	h := newHouse(t)
	wall, p := h.lobbyCode(2), phoneAt("10.42.0.10")
	code := h.askSeat(p, wall, "Anne", "").Code
	h.desk.ExplainSeat(code, engine.NewMsg("table.guest.name"))
	if a := h.askSeat(p, wall, "Anne", ""); a.Why == nil || a.Why.Key != "table.guest.name" {
		t.Errorf("the phone is answered %+v", a)
	}
	if a := h.askSeat(p, wall, "Anna", ""); a.Why != nil || !slices.Equal(h.askingNames(), []string{"Anna"}) {
		t.Errorf("with another name it hears %+v, the host sees %v", a, h.askingNames())
	}
	if err := h.desk.RefuseSeat(code); err != nil || h.desk.AdmitToSeat(code, 1) == nil {
		t.Errorf("turned away: %v, and then admitted", err)
	}
	if a := h.askSeat(p, wall, "Anna", ""); a.State != seatDenied || a.Box != "" {
		t.Errorf("turned away it hears %+v", a)
	}
	if a := h.askSeat(phoneAt("10.42.0.10"), wall, "Anna", ""); a.State != seatBusy || a.Seconds != 60 {
		t.Errorf("with another key it hears %+v", a)
	}
	h.now = h.now.Add(seatDenyRest)
	code = h.askSeat(p, wall, "Anne", "").Code
	url, _ := h.link(engine.SeatViewer(1))
	if _, status := h.join(codeOf(t, url), 'x'); status != http.StatusOK {
		t.Fatal(status)
	}
	if h.desk.AdmitToSeat(code, 1) == nil || len(h.cut) > 0 {
		t.Error("the phone gets the seat of another phone")
	}
	h.now = h.now.Add(seatSilence + time.Second)
	if len(h.askingNames()) > 0 {
		t.Error("a silent phone still asks")
	}
	for _, body := range []string{"", "{}", `{"key":"AAAA"}`, strings.Repeat("x", maxBody)} {
		r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if h.desk.ServeAsk(w, r); w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d", body, w.Code)
		}
	}
}

// TestStrangersKeepNobodyFromASeat: however many strangers ask, the host sees a player who asks, after a time; one address
// and one network do not delay players of another at all.
func TestStrangersKeepNobodyFromASeat(t *testing.T) {
	for name, tc := range map[string]struct {
		strangers []string // their addresses
		within    time.Duration
	}{
		"one address":      {slices.Repeat([]string{"10.42.0.66"}, 200), time.Second},
		"one IPv6 network": {addresses(200, "fe80::%x"), time.Second},
		"thirty addresses": {addresses(30, "10.43.0.%d"), 7 * time.Minute},
		"70 addresses":     {addresses(70, "10.43.0.%d"), 12 * time.Hour},
	} {
		h := newHouse(t)
		wall := h.lobbyCode(6)
		var crowd []requester
		for _, at := range tc.strangers {
			crowd = append(crowd, requesterAt(at))
		}
		asks := func() {
			for i, by := range crowd {
				if a, _ := h.desk.answerSeat(by, wall, seatWish{name: fmt.Sprint("S", i)}, wishProof{}); a.State != seatWait {
					crowd[i] = requesterAt(by.addr.String())
				}
			}
		}
		asks()
		if n := len(h.desk.wall.asks.all); n > 6+maxWaitingRequests || len(h.askingNames()) != 6 {
			t.Fatalf("%s: %d ask, the host sees %v", name, n, h.askingNames())
		}
		p, begun := phoneAt("10.42.0.7"), h.now
		for !slices.Contains(h.askingNames(), "Anne") && h.now.Sub(begun) < tc.within {
			h.askSeat(p, wall, "Anne", "")
			if slices.Contains(h.askingNames(), "Anne") {
				break
			}
			h.now = h.now.Add(10 * time.Second)
			asks()
		}
		t.Logf("%s: shown after %v", name, h.now.Sub(begun))
		if !slices.Contains(h.askingNames(), "Anne") {
			t.Fatalf("%s keep her out for %v", name, h.now.Sub(begun))
		}
		shown := h.now
		for slices.Contains(h.askingNames(), "Anne") && h.now.Sub(shown) < 2*seatTurn {
			h.now = h.now.Add(10 * time.Second)
			h.askSeat(p, wall, "Anne", "")
			asks()
		}
		if lasted := h.now.Sub(shown); lasted < seatTurn-10*time.Second {
			t.Errorf("%s: the host sees her for %v", name, lasted)
		}
	}
}

// addresses returns n addresses, made by a format from 1 on.
func addresses(n int, format string) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i+1))
	}
	return all
}

// TestAClosedInvitationOfARequest: a phone that did not join in time asks again, and gets no second key.
func TestAClosedInvitationOfARequest(t *testing.T) {
	h := newHouse(t)
	wall, p := h.lobbyCode(2), phoneAt("10.42.0.10")
	if err := h.desk.AdmitToSeat(h.askSeat(p, wall, "Anne", "").Code, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := h.desk.CutAndInvite(engine.SeatViewer(2)); err != nil { // the host has made a new code
		t.Fatal(err)
	}
	if a := h.askSeat(p, wall, "Anne", ""); a.State != seatWait || a.Box != "" {
		t.Errorf("the phone is answered %+v", a)
	}
	if all := h.desk.RefreshInvites([]engine.Seat{2}); len(all) != 1 || all[0].URL == "" || all[0].Joined {
		t.Errorf("the host's code is gone: %+v", all)
	}
}

// TestANameOfBlanksAsksForNothing: a phone that sends only blanks for a name has not asked, so no line of the host is its own; and a
// key of low order, whose secret all could compute, is refused.
func TestANameOfBlanksAsksForNothing(t *testing.T) {
	h := newHouse(t)
	wall := h.lobbyCode(6)
	if a := h.askSeat(phoneAt("10.42.0.7"), wall, " \u00a0\t", "red"); a.State != seatLook || len(h.askingNames()) > 0 {
		t.Errorf("%+v, the host sees %q", a, h.askingNames())
	}
	for _, low := range []byte{0, 1} {
		key := make([]byte, seal.PublicKeySize)
		key[0] = low
		text, _ := json.Marshal(seatRequest{Key: encodeBox(key), Wall: wall, Name: "Ada", Lock: encodeBox(make([]byte, 32))})
		r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader(string(text)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if h.desk.ServeAsk(w, r); w.Code != http.StatusBadRequest {
			t.Errorf("a key of low order: %d", w.Code)
		}
	}
}

// TestAWishHasALock: an eavesdropper on the request of a phone, who so knows its key, cannot change its name, nor send its
// last wish again; the phone can.
func TestAWishHasALock(t *testing.T) {
	h := newHouse(t)
	wall, p := h.lobbyCode(2), phoneAt("10.42.0.10")
	h.askSeat(p, wall, "Anne", "")
	key := encodeBox(p.PublicKey())
	lock := sha256.Sum256([]byte("of the eavesdropper"))
	heard := seatRequest{Key: key, Wall: wall, Name: "Zed", Lock: encodeBox(lock[:])}
	behind := sha256.Sum256([]byte(h.wishes[string(p.PublicKey())])) // the phone shows it for the figures of a card
	for _, heard.Open = range []string{"", encodeBox([]byte("of the eavesdropper")), heard.Lock, encodeBox(behind[:])} {
		if a := h.postSeatRequest("10.42.0.66", heard); a.State != seatDenied || !slices.Equal(h.askingNames(), []string{"Anne"}) {
			t.Errorf("a phone that knows the key is answered %+v, the host sees %v", a, h.askingNames())
		}
	}
	if a := h.askSeat(p, wall, "Anne B.", ""); a.State != seatWait || !slices.Equal(h.askingNames(), []string{"Anne B."}) {
		t.Errorf("the phone hears %+v, the host sees %v", a, h.askingNames())
	}
	again := seatRequest{Key: key, Wall: wall, Name: "Anne", Lock: heard.Lock, Open: encodeBox([]byte(string(p.PublicKey()) + "Anne"))}
	if a := h.postSeatRequest("10.42.0.66", again); a.State != seatDenied || !slices.Equal(h.askingNames(), []string{"Anne B."}) {
		t.Errorf("a phone that repeats what it has overheard is answered %+v, the host sees %v", a, h.askingNames())
	}
}

// TestSilentRequestsWaitForTheirPhones: phones that asked in a game and are gone take no place in the next lobby, nor one
// in the queue; one that wakes up has its place.
func TestSilentRequestsWaitForTheirPhones(t *testing.T) {
	h := newHouse(t)
	wall := h.lobbyCode(2)
	h.desk.SyncLobby(false, 0, nil, nil)
	var gone []askingPhone
	for i := range maxWaitingRequests {
		gone = append(gone, phoneAt(fmt.Sprint("10.42.1.", i)))
		h.askSeat(gone[i], wall, fmt.Sprint("G", i), "")
	}
	next := h.lobbyCode(2)
	if all, more := h.desk.SeatRequests(); len(all)+more != 0 {
		t.Errorf("the host sees %v and %d more", all, more)
	}
	if a := h.askSeat(phoneAt("10.42.0.9"), next, "Anne", ""); a.State != seatWait || a.Full {
		t.Errorf("a phone that comes now is answered %+v", a)
	}
	if a := h.askSeat(gone[7], wall, "G7", ""); a.State != seatWait || a.Full || !slices.Equal(h.askingNames(), []string{"Anne", "G7"}) {
		t.Errorf("a phone that wakes up is answered %+v, the host sees %v", a, h.askingNames())
	}
}

// TestTheNextGroupFindsNoRequests: they have ended, and the code of the last group asks for nothing.
func TestTheNextGroupFindsNoRequests(t *testing.T) {
	h := newHouse(t)
	wall, p := h.lobbyCode(2), phoneAt("10.42.0.10")
	h.askSeat(p, wall, "Anne", "")
	h.desk.EndSeatRequests()
	if a := h.askSeat(p, wall, "Anne", ""); a.State != seatOld {
		t.Errorf("the phone of the last group hears %+v", a)
	}
	if next := h.lobbyCode(2); next == wall || len(h.askingNames()) > 0 {
		t.Errorf("the next lobby has the code %q after %q, and the host sees %v", next, wall, h.askingNames())
	}
}
