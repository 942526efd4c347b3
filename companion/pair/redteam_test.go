package pair

import (
	"bufio"
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// GEN-011: when a player has left and another one takes the same seat, the phone of the first must not go on reading
// and acting for that seat.
func TestASeatThatIsLeftLosesItsPhone(t *testing.T) {
	h := newHouse(t)
	old := codeOf(t, h.desk.RefreshInvites([]engine.Seat{1, 2})[1].URL)
	g, status := h.join(old, 'a')
	if status != http.StatusOK {
		t.Fatalf("join: %d", status)
	}
	h.desk.RefreshInvites([]engine.Seat{1}) // the player of seat 2 leaves
	if err := h.connectFirst(engine.SeatViewer(2), g.Key, 5); !errors.Is(err,
		seal.ErrNoKey) || len(h.cut) != 1 || h.cut[0] != wire.FirstPhoneOf(engine.SeatViewer(2)) {
		t.Errorf("the phone of who has left: %v, cut %v", err, h.cut)
	}
	again := h.desk.RefreshInvites([]engine.Seat{1, 2}) // another player takes it
	if again[1].URL == "" || again[1].Joined {
		t.Errorf("the new player is given no link: %+v", again[1])
	}
	if err := h.connectFirst(engine.SeatViewer(2), g.Key, 6); !errors.Is(err, seal.ErrPassword) {
		t.Errorf("the former phone reads the new player's seat: %v", err)
	}
	if _, status := h.join(old, 'a'); status != http.StatusGone {
		t.Errorf("the former phone asks again with its own request: %d", status)
	}
	h.restart()
	if err := h.connectFirst(engine.SeatViewer(2), g.Key, 7); err == nil {
		t.Error("after a restart the former key is back")
	}
	if h.desk.RefreshInvites([]engine.Seat{1}); !h.ring.HasKey(wire.FirstPhoneOf(engine.SeatViewer(1))) {
		t.Error("a seat that stays lost its key")
	}
}

// The host's key is independent of the seated players.
func TestTheHostKeepsItsPhone(t *testing.T) {
	h := newHouse(t)
	url, _ := h.link(engine.Host)
	g, _ := h.join(codeOf(t, url), 'a')
	h.desk.RefreshInvites(nil)
	if err := h.connectFirst(engine.Host, g.Key, 5); err != nil || len(h.cut) != 0 {
		t.Errorf("the host was cut off: %v", err)
	}
}

// A body that arrives very slowly keeps a connection for a moment only, and counts as a failed try.
func TestBodyThatNeverEnds(t *testing.T) {
	h := newHouse(t)
	h.desk.bodyWait = 50 * time.Millisecond
	srv := httptest.NewServer(h.desk)
	defer srv.Close()
	c, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c,
		"POST /join HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal("nobody answers: ", err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusRequestTimeout {
		t.Errorf("answered with %d", res.StatusCode)
	}
	h.desk.failures.mu.Lock()
	defer h.desk.failures.mu.Unlock()
	if len(h.desk.failures.clearAt) != 1 {
		t.Error("not counted")
	}
}

// recording has what an attacker has of a phone that joined: a photograph of its code, and all that it sent and received.
type recording struct {
	code             seal.Code
	request, answer  []byte
	clientID         string
	connectPasswords []string
}

// opensWithCode reports whether the answer opens with all that follows from the code, the request and the answer, computed here without
// package seal: only the secret that the phone and the daemon have agreed on is missing.
func (r *recording) opensWithCode(t *testing.T) bool {
	t.Helper()
	var sent struct{ Hello, Box string }
	if json.Unmarshal(r.request, &sent) != nil || json.Unmarshal(r.answer, &sent) != nil {
		t.Fatal("the recording cannot be read")
	}
	raw := func(text string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		b, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	sum := func(b ...[]byte) []byte { h := sha256.Sum256(bytes.Join(b, nil)); return h[:] }
	hello, box := raw(sent.Hello)[1:], raw(sent.Box)[1:]
	psk := derive(raw(r.code.Link()), []byte("majordome/1"), "join-psk", 32)
	name := sum([]byte("Noise_NNpsk0_25519_ChaChaPoly_SHA256"))
	made := derive(psk, name, "", 96)
	chain, hash := made[:32], sum(sum(name, []byte("majordome/1 join 2")), made[32:64])
	made = derive(hello[:32], chain, "", 64)
	chain, hash = made[:32], sum(hash, hello[:32])
	open := func(key, sealed []byte) bool {
		a, err := chacha20poly1305.New(key)
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Open(nil, make([]byte, 12), sealed, hash)
		return err == nil
	}
	if !open(made[32:], hello[32:]) { // so this is the right computation
		t.Fatal("the code does not open the request")
	}
	hash = sum(sum(hash, hello[32:]), box[:32])
	made = derive(box[:32], chain, "", 64)
	return open(made[32:], box[32:]) || open(derive(make([]byte, 32), made[:32], "", 64)[32:], box[32:])
}

// attack tries all that a recording allows, as the phone h at this house, and returns whether anything opened or was let in. It ends
// with an attempt to use the code.
func (r *recording) attack(h *house, at wire.Handset) (seat bool) {
	h.t.Helper()
	opens := func(j *seal.Joiner, answer []byte) bool {
		_, err := j.OpenAnswer(answer)
		return err == nil
	}
	thief := seal.NewJoiner(r.code, seal.NewPhone())
	seat = r.opensWithCode(h.t) || opens(thief, r.answer) || opens(seal.NewJoiner(r.code, seal.PhoneOfClientID(r.clientID)), r.answer)
	for _, password := range r.connectPasswords {
		seat = seat || h.desk.AcceptConnect(at, r.clientID, password) == nil
	}
	for _, id := range []string{r.clientID, seal.NewPhone().ClientID("t7-" + at.String())} {
		password, err := seal.ConnectPassword(seal.NewKey(), id, 1<<62)
		if err != nil {
			h.t.Fatal(err)
		}
		seat = seat || h.desk.AcceptConnect(at, id, password) == nil
	}
	for _, request := range [][]byte{r.request, thief.Body()} { // the first may still get its answer, which the thief cannot open
		if w := h.post("10.42.0.66", string(request)); w.Code == http.StatusOK {
			seat = seat || opens(thief, w.Body.Bytes())
		} else if w.Code != http.StatusGone {
			h.t.Fatalf("the used code: %d", w.Code)
		}
	}
	return seat
}

// An attacker who has photographed a code and recorded the joining and all connects gets no seat, whenever they try, and the table is
// told that the code was used again. The phone itself is not affected.
func TestRecordedJoinsOpenNothing(t *testing.T) {
	const rounds = 1000
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 37))
	h := newHouse(t)
	seats, told := 0, 0
	for n := range uint64(rounds) {
		at := engine.SeatViewer(engine.Seat(1 + dice.IntN(engine.MaxSeats)))
		first := wire.FirstPhoneOf(at)
		if err := h.invite(at); err != nil {
			t.Fatal(err)
		}
		url, _ := h.link(at)
		phone := seal.NewPhone()
		joiner := seal.NewJoiner(codeOf(t, url), phone)
		w := h.post("10.42.0.9", string(joiner.Body()))
		g, err := joiner.OpenAnswer(w.Body.Bytes())
		if err != nil {
			t.Fatal(w.Code, err)
		}
		r := recording{code: codeOf(t, url), request: joiner.Body(), answer: w.Body.Bytes(), clientID: phone.ClientID("t7-" + at.String())}
		connect := func(counter uint64) {
			password, _ := seal.ConnectPassword(g.Key, r.clientID, counter)
			if err := h.desk.AcceptConnect(first, r.clientID, password); err != nil {
				t.Fatalf("round %d: the phone is refused: %v", n, err)
			}
			r.connectPasswords = append(r.connectPasswords, password)
		}
		connects := uint64(dice.IntN(4))
		for i := range connects {
			connect(10 + i)
		}
		h.now = h.now.Add(time.Duration(dice.IntN(7200)) * time.Second)
		switch dice.IntN(20) {
		case 0:
			h.restart()
		case 1, 2, 3:
			h.desk.EndSeatLinks()
		}
		before := len(h.announced)
		if r.attack(h, first) {
			seats++
		}
		if slices.ContainsFunc(h.announced[before:], func(m engine.Msg) bool {
			return m.Key == "table.phone.tried" && m.Args.Get("seat") == at.String()
		}) {
			told++
		}
		connect(10 + connects)
	}
	t.Logf("%d recorded joins: %d seats, %d told", rounds, seats, told)
	if seats != 0 || told != rounds {
		t.Errorf("%d of %d attacks got a seat, and %d were told", seats, rounds, told)
	}
}
