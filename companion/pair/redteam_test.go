package pair

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

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
