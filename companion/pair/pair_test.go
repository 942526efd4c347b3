package pair

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/companion/door"
	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// house is a desk on a real store, with a clock of its own.
type house struct {
	t           *testing.T
	path        string
	store       *store.Store
	ring        *seal.Ring
	desk        *Desk
	now         time.Time
	cut         []wire.Handset
	announcedMu sync.Mutex // guards announced: several phones redeem at once
	changed     int
	announced   []engine.Msg
	wishes      map[string]string // the last wish of each key that asks for a seat (askSeat)
	joiners     sync.Map          // *seal.Joiner, by the code and the letter of the phone
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, wishes: map[string]string{},
		path: filepath.Join(t.TempDir(), "t.db"), now: time.Unix(1_700_000_000, 0)}
	h.start()
	t.Cleanup(func() { _ = h.store.Close() })
	return h
}

func (h *house) start() {
	h.t.Helper()
	tree, err := wire.NewTree("", "maison", "t7")
	if err != nil {
		h.t.Fatal(err)
	}
	if h.store, err = store.Open(h.path, nil); err != nil {
		h.t.Fatal(err)
	}
	h.ring = seal.NewRing(&seal.RingOpts{OnCounter: func(p wire.Handset, n uint64) { _ = h.store.RaiseCounter(p, n) }})
	h.desk, err = New(h.store, h.ring, &Opts{
		UserName:   func(p wire.Handset) string { return tree.TreeOfPhone(p.N).UserName(p.Viewer) },
		BaseURL:    func() string { return "http://10.42.0.1" },
		Disconnect: func(p wire.Handset) { h.cut = append(h.cut, p) },
		Changed:    func() { h.changed++ },
		Announce:   h.recordAnnouncement,
		Now:        func() time.Time { return h.now },
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) recordAnnouncement(said engine.Msg) {
	h.announcedMu.Lock()
	defer h.announcedMu.Unlock()
	h.changed++
	h.announced = append(h.announced, said)
}

func (h *house) restart() {
	if err := h.store.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.start()
}

func (h *house) link(v engine.Viewer) (string, bool) {
	h.t.Helper()
	url, joined, err := h.desk.EnsureLink(v)
	if err != nil {
		h.t.Fatal(err)
	}
	return url, joined
}

func codeOf(t *testing.T, url string) seal.Code {
	t.Helper()
	_, frag, ok := strings.Cut(url, "#j=")
	if !ok {
		t.Fatalf("no invitation in %q", url)
	}
	c, err := seal.ParseCode(frag)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var b64 = base64.RawURLEncoding.EncodeToString

// joinBody returns the request of a new phone.
func joinBody(c seal.Code) string { return string(seal.NewJoiner(c, seal.NewPhone()).Body()) }

// joiner returns a phone with a name of one letter, which always sends the same request for a code.
func (h *house) joiner(c seal.Code, letter byte) *seal.Joiner {
	of := c.Link() + string(rune(letter))
	j, _ := h.joiners.LoadOrStore(of, seal.NewJoiner(c, phoneNamed(letter)))
	return j.(*seal.Joiner)
}

func (h *house) post(from, text string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/join", strings.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = net.JoinHostPort(from, "5000")
	w := httptest.NewRecorder()
	h.desk.ServeHTTP(w, r)
	return w
}

// phoneNamed returns a phone with a name of one letter.
func phoneNamed(letter byte) seal.Phone { return seal.Phone(strings.Repeat(string(rune(letter)), 16)) }

func (h *house) join(c seal.Code, letter byte) (seal.Grant, int) {
	h.t.Helper()
	j := h.joiner(c, letter)
	w := h.post("10.42.0.9", string(j.Body()))
	if w.Code != http.StatusOK {
		return seal.Grant{}, w.Code
	}
	g, err := j.OpenAnswer(w.Body.Bytes())
	if err != nil {
		h.t.Fatal(err)
	}
	return g, w.Code
}

func (h *house) connectFirst(v engine.Viewer, k seal.Key, counter uint64) error {
	h.t.Helper()
	return h.connectAs('a', wire.FirstPhoneOf(v), k, counter)
}

func (h *house) connectAs(letter byte, v wire.Handset, k seal.Key, counter uint64) error {
	h.t.Helper()
	id := phoneNamed(letter).ClientID("t7-" + v.String())
	pass, err := seal.ConnectPassword(k, id, counter)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.desk.AcceptConnect(v, id, pass)
}

// invite gives a viewer a new invitation.
func (h *house) invite(v engine.Viewer) error {
	_, err := h.desk.CutAndInvite(v)
	return err
}

// GEN-011: the phone that redeems the invitation becomes that seat, once.
func TestInvitationMakesOnePhoneASeat(t *testing.T) {
	h := newHouse(t)
	url, joined := h.link(engine.SeatViewer(3))
	if !strings.HasPrefix(url, "http://10.42.0.1/#j=") || joined {
		t.Fatalf("link %q joined %v", url, joined)
	}
	c := codeOf(t, url)
	g, status := h.join(c, 'a')
	if status != 200 || g.Seat != 3 || g.Phone != 1 || g.User != "t7-s3" {
		t.Fatalf("status %d, grant %v", status, g)
	}
	if err := h.connectFirst(engine.SeatViewer(3), g.Key, 1); err != nil {
		t.Error("the granted key does not serve:", err)
	}
	if h.changed != 1 {
		t.Errorf("told %d times that a phone joined", h.changed)
	}
	if url, joined := h.link(engine.SeatViewer(3)); url != "" || !joined {
		t.Errorf("after joining: link %q, joined %v", url, joined)
	}
	if _, status := h.join(c, 'b'); status != http.StatusGone {
		t.Errorf("a second phone with the same link: %d", status)
	}
	host, _ := h.link(engine.Host)
	if !strings.HasPrefix(host, "http://10.42.0.1/host#j=") {
		t.Errorf("the host's link is %q", host)
	}
	if g, _ := h.join(codeOf(t, host), 'a'); g.Seat != 0 || g.User != "t7-host" {
		t.Errorf("the host's grant is %v", g)
	}
}

// If the answer was lost, the same request gets it again for two minutes, and no second joining is announced.
func TestSameRequestGetsTheSameAnswer(t *testing.T) {
	h := newHouse(t)
	url, _ := h.link(engine.SeatViewer(1))
	c := codeOf(t, url)
	if _, status := h.join(c, 'a'); status != 200 {
		t.Fatal(status)
	}
	h.now = h.now.Add(answerTime)
	if _, status := h.join(c, 'a'); status != 200 || h.changed != 1 {
		t.Errorf("the same request again: %d, notified %d times", status, h.changed)
	}
	h.now = h.now.Add(time.Second)
	if _, status := h.join(c, 'a'); status != http.StatusGone {
		t.Errorf("much later: %d", status)
	}
}

// GEN-E12: the lost phone is cut off when the seat gets a new invitation.
func TestReissueCutsTheOldPhoneOff(t *testing.T) {
	h := newHouse(t)
	at := engine.SeatViewer(2)
	url, _ := h.link(at)
	old, _ := h.join(codeOf(t, url), 'a')
	if err := h.invite(at); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(h.cut, []wire.Handset{wire.FirstPhoneOf(at)}) {
		t.Errorf("cut off: %v", h.cut)
	}
	if err := h.connectFirst(at, old.Key, 2); !errors.Is(err, seal.ErrPassword) {
		t.Error("the old phone still connects:", err)
	}
	if _, status := h.join(codeOf(t, url), 'a'); status != http.StatusGone {
		t.Errorf("the old link, even with the old request: %d", status)
	}
	again, joined := h.link(at)
	if joined || again == url {
		t.Errorf("link %q, joined %v", again, joined)
	}
	// A new invitation also closes an open one.
	if err := h.invite(at); err != nil {
		t.Fatal(err)
	}
	if _, status := h.join(codeOf(t, again), 'a'); status != http.StatusGone {
		t.Errorf("a replaced link: %d", status)
	}
	last, _ := h.link(at)
	if g, _ := h.join(codeOf(t, last), 'a'); h.connectFirst(at, g.Key, 1) != nil {
		t.Error("the new phone does not connect")
	}
}

func TestWithdraw(t *testing.T) {
	h := newHouse(t)
	url, _ := h.link(engine.SeatViewer(2))
	if err := h.desk.WithdrawViewer(engine.SeatViewer(2)); err != nil {
		t.Fatal(err)
	}
	_, status := h.join(codeOf(t, url), 'a')
	if status != http.StatusGone || h.ring.HasKey(wire.FirstPhoneOf(engine.SeatViewer(2))) || len(h.cut) != 1 {
		t.Errorf("a withdrawn link: %d", status)
	}
}

func TestRestartKeepsKeysAndOpenInvitations(t *testing.T) {
	h := newHouse(t)
	one, _ := h.link(engine.SeatViewer(1))
	two, _ := h.link(engine.SeatViewer(2))
	g, _ := h.join(codeOf(t, one), 'a')
	if err := h.connectFirst(engine.SeatViewer(1), g.Key, 77); err != nil {
		t.Fatal(err)
	}
	h.restart()
	if err := h.connectFirst(engine.SeatViewer(1), g.Key, 77); !errors.Is(err, seal.ErrReplay) {
		t.Error("a password from before the restart:", err)
	}
	if err := h.connectFirst(engine.SeatViewer(1), g.Key, 78); err != nil {
		t.Error("the phone lost its seat:", err)
	}
	if url, joined := h.link(engine.SeatViewer(1)); url != "" || !joined {
		t.Errorf("seat 1: %q %v", url, joined)
	}
	if url, joined := h.link(engine.SeatViewer(2)); url != two || joined {
		t.Errorf("the host sees another link than before: %v", joined)
	}
	if _, status := h.join(codeOf(t, one), 'b'); status != http.StatusGone {
		t.Errorf("the used link: %d", status)
	}
	if _, status := h.join(codeOf(t, two), 'b'); status != 200 {
		t.Errorf("the open link: %d", status)
	}
}

func TestInvitesOfTheHostPage(t *testing.T) {
	h := newHouse(t)
	first := h.desk.RefreshInvites([]engine.Seat{1, 2})
	again := h.desk.RefreshInvites([]engine.Seat{1, 2})
	if len(first) != 2 || !slices.Equal(first, again) || first[0].URL == "" || first[0].URL == first[1].URL {
		t.Errorf("%v then %v", first, again)
	}
	if none := newHouse(t).desk.RefreshInvites(nil); none == nil || len(none) != 0 {
		t.Error("no seats must be an empty list, not null")
	}
	_ = h.store.Close()
	if broken := h.desk.RefreshInvites([]engine.Seat{1,
		5}); broken[0].URL != first[0].URL || broken[1].URL != "" || h.ring.HasKey(wire.FirstPhoneOf(engine.SeatViewer(5))) {
		t.Error("an invitation that is not on disk was shown")
	}
	if err := h.invite(engine.SeatViewer(1)); err == nil || len(h.cut) != 0 {
		t.Error("a phone was cut off without a record:", err)
	}
	c := codeOf(t, first[0].URL)
	if _, status := h.join(c, 'a'); status != http.StatusServiceUnavailable {
		t.Errorf("a key was given away without a record: %d", status)
	}
}

func TestBadRequests(t *testing.T) {
	h := newHouse(t)
	url, _ := h.link(engine.SeatViewer(1))
	c := codeOf(t, url)
	hello := seal.NewJoiner(c, seal.NewPhone()).Request()
	good := joinRequest{ID: c.PublicID(), Hello: b64(hello)}
	with := func(change func(*joinRequest)) string {
		r := good
		change(&r)
		out, _ := json.Marshal(r)
		return string(out)
	}
	for i, tc := range []struct {
		name, text string
		want       int
	}{
		{"an unknown invitation", joinBody(seal.NewCode()), 404},
		{"the id without the code", with(func(r *joinRequest) {
			r.Hello = b64(seal.NewJoiner(seal.NewCode(), seal.NewPhone()).Request())
		}), 404},
		{"a request for the public key of another", with(func(r *joinRequest) {
			r.Hello = b64(append(seal.NewJoiner(c, seal.NewPhone()).Request()[:33:33], hello[33:]...))
		}), 404},
		{"no JSON", "hello", 400},
		{"empty", "", 400},
		{"a short request", with(func(r *joinRequest) { r.Hello = b64(hello[:64]) }), 400},
		{"a long request", with(func(r *joinRequest) { r.Hello = b64(append(hello[:65:65], 0)) }), 400},
		{"a request of another version", with(func(r *joinRequest) { r.Hello = b64(append([]byte{3}, hello[1:]...)) }), 400},
		{"no base64url", with(func(r *joinRequest) { r.Hello = "+/+/" }), 400},
		{"nothing in it", with(func(r *joinRequest) { r.Hello = "" }), 400},
		{"a long id", with(func(r *joinRequest) { r.ID += "00" }), 400},
		{"too large", `{"id":"` + strings.Repeat("0", 600) + `"}`, 413},
	} {
		w := h.post(fmt.Sprintf("10.0.0.%d", i), tc.text)
		if w.Code != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, w.Code, tc.want)
		}
		wantRefusalWords(t, w)
	}
	get := httptest.NewRequest(http.MethodGet, "/join", nil)
	w := httptest.NewRecorder()
	h.desk.ServeHTTP(w, get)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", w.Code)
	}
	form := httptest.NewRequest(http.MethodPost, "/join", strings.NewReader(joinBody(c)))
	form.Header.Set("Content-Type", "text/plain")
	w = httptest.NewRecorder()
	h.desk.ServeHTTP(w, form)
	if w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a form of another page: %d", w.Code)
	}
	if _, status := h.join(c, 'a'); status != 200 {
		t.Errorf("bad tries used the invitation up: %d", status)
	}
}

// wantRefusalWords checks that a refusal has words in both languages.
func wantRefusalWords(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	var m engine.Msg
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
		t.Fatalf("%d: %v", w.Code, err)
	}
	for _, l := range words.Langs {
		book, err := words.Open(l)
		if err != nil || !book.HasKey(m.Key) {
			t.Errorf("%q has no words in %s", m.Key, l)
		}
	}
}

// A page from before X25519 is told that it is outdated, in the way that it understands, and uses nothing up.
func TestAPageFromBeforeIsToldToReload(t *testing.T) {
	h := newHouse(t)
	url, _ := h.link(engine.SeatViewer(1))
	c := codeOf(t, url)
	old := `{"id":"` + c.PublicID() + `","nonce":"AAAAAAAAAAAAAAAAAAAAAA","mac":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`
	if w := h.post("10.42.0.9", old); w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != `{"box":"Ag"}` {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if _, status := h.join(c, 'a'); status != http.StatusOK {
		t.Errorf("the page after its reload: %d", status)
	}
}

func TestTooManyTries(t *testing.T) {
	h := newHouse(t)
	url, _ := h.link(engine.SeatViewer(1))
	c := codeOf(t, url)
	wrong := joinBody(seal.NewCode())
	for i := range maxFailures {
		if w := h.post("10.42.0.9", wrong); w.Code != 404 {
			t.Fatalf("try %d: %d", i, w.Code)
		}
	}
	w := h.post("10.42.0.9", wrong)
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("after %d failures: %d", maxFailures, w.Code)
	}
	wantRefusalWords(t, w)
	if w := h.post("10.42.0.10", wrong); w.Code != 404 {
		t.Errorf("another phone: %d", w.Code)
	}
	if w := h.post("10.42.0.9", joinBody(c)); w.Code != 200 {
		t.Errorf("a right proof from the address that has failed: %d", w.Code)
	}
	h.now = h.now.Add(forgetFailure)
	if w := h.post("10.42.0.9", wrong); w.Code != 404 {
		t.Errorf("after waiting: %d", w.Code)
	}
	for i := range 3 * maxSources {
		h.post(fmt.Sprintf("10.1.%d.%d", i/256, i%256), wrong)
	}
	if n := len(h.desk.failures.clearAt); n > maxSources+1 {
		t.Errorf("%d addresses remembered", n)
	}
}

// 700 wrong proofs from one IPv6 network count as one address that has failed: a phone of another network is
// answered, and so is one of the same network with a right proof.
func TestOneNetworkIsOneAddress(t *testing.T) {
	h := newHouse(t)
	wrong := joinBody(seal.NewCode())
	refused := 0
	for i := range 700 {
		if w := h.post(fmt.Sprintf("2001:db8:0:1:%x:0:%x:1", i, i), wrong); w.Code == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused < 700-2*maxFailures || len(h.desk.failures.clearAt) != 1 {
		t.Errorf("%d of 700 tries were refused, and %d addresses are remembered", refused, len(h.desk.failures.clearAt))
	}
	if w := h.post("2001:db8:0:2::9", wrong); w.Code != 404 {
		t.Errorf("a phone of another network: %d", w.Code)
	}
	for i, from := range []string{"2001:db8:0:1::9", "2001:db8:0:2::9"} {
		url, _ := h.link(engine.SeatViewer(engine.Seat(i + 1)))
		if w := h.post(from, joinBody(codeOf(t, url))); w.Code != 200 {
			t.Errorf("a right proof from %s: %d", from, w.Code)
		}
	}
}

// However many addresses fail, only few are remembered.
func TestTriesOfAHundredThousandAddresses(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	now := time.Unix(1_700_000_000, 0)
	tries := newFailureCounts(func() time.Time { return now })
	for i := range 100_000 {
		from := door.AddressOrNetworkOf(fmt.Sprintf("[2001:db8:%x:%x::%x]:5000", i>>8, i&0xff, i&0xffff))
		if tries.isBlocked(from) && i < maxSources {
			t.Fatalf("the try of network %d, its first, is one too many", i)
		}
		tries.addFailure(from)
		if len(tries.clearAt) > maxSources+1 { // one entry is shared by all other addresses
			t.Fatalf("%d addresses are remembered", len(tries.clearAt))
		}
	}
}

// Two phones redeem the same code: exactly one becomes the seat.
func TestRaceForOneInvitation(t *testing.T) {
	h := newHouse(t)
	url, _ := h.link(engine.SeatViewer(1))
	c := codeOf(t, url)
	var mu sync.Mutex
	var won int
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := h.desk.Redeem(c.PublicID(), seal.NewJoiner(c, seal.NewPhone()).Request(), ""); err == nil {
				mu.Lock()
				won++
				mu.Unlock()
			} else if !errors.Is(err, ErrUsed) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d phones became seat 1", won)
	}
}

func TestNewNeedsUserNames(t *testing.T) {
	h := newHouse(t)
	if _, err := New(h.store, h.ring, nil); err == nil {
		t.Error("a desk that would grant seats without a user name")
	}
}
