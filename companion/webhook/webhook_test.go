package webhook

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

const patience = time.Minute

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

var secret = []byte("a secret of the house")

// receiver is the program that is called: it answers as a test says and records the requests.
type receiver struct {
	mu     sync.Mutex
	answer func(n int, w http.ResponseWriter, r *http.Request)
	heard  []*http.Request
	bodies [][]byte
}

func (x *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	x.mu.Lock()
	x.heard, x.bodies = append(x.heard, r), append(x.bodies, body)
	n, answer := len(x.heard), x.answer
	x.mu.Unlock()
	if answer != nil {
		answer(n, w, r)
	}
}

func (x *receiver) count() int { x.mu.Lock(); defer x.mu.Unlock(); return len(x.heard) }

func newHook(t testing.TB, change func(*Opts)) *Hook {
	t.Helper()
	tree, err := wire.NewTree("", "home", "salon")
	if err != nil {
		t.Fatal(err)
	}
	o := &Opts{Secret: secret, AllowHTTP: true, Tree: tree, Timeout: patience, Waits: []time.Duration{time.Millisecond, time.Millisecond}}
	change(o)
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// publishHappenings publishes a step up to which n things have happened.
func publishHappenings(h *Hook, n int) {
	u := wire.Update{View: engine.View{Game: "toy"}}
	for i := 1; i <= n; i++ {
		u.View.Happened = append(u.View.Happened, &engine.Happening{N: i, What: engine.HapTurn, Seat: 1})
	}
	h.Publish(&u)
}

// TestEachHappeningIsSentOnceSignedAndInOrder checks that each happening is sent once, in order, and signed so that the
// receiver can verify the sender.
func TestEachHappeningIsSentOnceSignedAndInOrder(t *testing.T) {
	x := &receiver{}
	s := httptest.NewTLSServer(x)
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	h := newHook(t, func(o *Opts) { o.URL, o.AllowHTTP, o.Roots, o.Demo = s.URL+"/in?room=1", false, roots, true })
	for n := range 4 { // the first step is the start: what happened before it is not sent
		publishHappenings(h, n)
	}
	eventually(t, "not everything was sent", func() bool { return h.Status().Counts["done"] == 3 })
	ids := map[string]bool{}
	for i, r := range x.heard {
		id, stamp := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
		if got := r.Header.Get("webhook-signature"); got != "v1,"+SignBody(secret, id, stamp, x.bodies[i]) || ids[id] || id == "" {
			t.Errorf("signed %q, id %q", got, id)
		}
		ids[id] = true
		var c Call
		if err := json.Unmarshal(x.bodies[i], &c); err != nil || c.Type != "turn" || c.Data.N != i+1 ||
			c.Table != "majordome/1/home/salon" || !c.Demo {
			t.Errorf("%s: %v", x.bodies[i], err)
		}
		if at, err := time.Parse(time.RFC3339, c.Timestamp); err != nil || time.Since(at) > patience || r.URL.Path != "/in" ||
			r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
	}
	// The example of the specification's own libraries.
	key, err := ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
	if got := SignBody(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`)); err != nil ||
		got != "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("%s: %v", got, err)
	}
}

// TestAnswers checks what the status code of an answer leads to: done, retried, refused or no further call.
func TestAnswers(t *testing.T) {
	elsewhere := &receiver{}
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	for _, c := range []struct {
		name   string
		status int
		calls  int // of two happenings
		reason string
		done   uint64
	}{
		{"taken", 204, 2, "", 2},
		{"broken", 500, 6, Unanswered, 0},
		{"too much", 429, 6, Unanswered, 0},
		{"not there", 404, 2, Refused, 0},
		{"moved", 302, 2, Refused, 0},
		{"moved for good", 308, 2, Refused, 0},
		{"gone", 410, 1, Gone, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &receiver{answer: func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", other.URL)
				w.WriteHeader(c.status)
			}}
			s := httptest.NewServer(x)
			defer s.Close()
			h := newHook(t, func(o *Opts) { o.URL = s.URL })
			publishHappenings(h, 0)
			eventually(t, "the first step is not heard", func() bool { return len(h.wake) == 0 })
			publishHappenings(h, 2)
			eventually(t, "the body is read without an end", func() bool {
				n := h.Status().Counts
				return n["done"]+n["refused"]+n["dropped"] == 2
			})
			if got := h.Status(); x.count() != c.calls || got.Reason != c.reason || got.Counts["done"] != c.done {
				t.Errorf("%d calls, %+v", x.count(), got)
			}
			if c.calls == 6 && (x.heard[0].Header.Get("webhook-id") != x.heard[2].Header.Get("webhook-id") ||
				x.heard[0].Header.Get("webhook-id") == x.heard[3].Header.Get("webhook-id")) {
				t.Error("a repetition has another id, or another call the same")
			}
		})
	}
	if elsewhere.count() > 0 {
		t.Error("a redirection is followed")
	}
}

// TestPublishNeverWaitsForTheReceiver checks that, whatever the receiver does, Publish returns at once, the queue is
// bounded, and Close does not wait. The figures are in the log.
func TestPublishNeverWaitsForTheReceiver(t *testing.T) {
	hung := make(chan struct{})
	defer close(hung)
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	serve := func(answer func(int, http.ResponseWriter, *http.Request)) string {
		s := httptest.NewServer(&receiver{answer: answer})
		t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
		return s.URL
	}
	endless := func(c net.Conn, line string) {
		defer c.Close()
		for {
			if _, err := io.WriteString(c, line); err != nil {
				return
			}
		}
	}
	hijack := func(first, then string) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(c, first)
				go endless(c, then)
			}
		}
	}
	for name, at := range map[string]string{
		"hangs":            serve(func(int, http.ResponseWriter, *http.Request) { <-hung }),
		"takes nothing":    "http://" + deaf.Addr().String(),
		"refuses":          "http://127.0.0.1:1",
		"endless headers":  serve(hijack("HTTP/1.1 200 OK\r\n", "X: "+strings.Repeat("x", 1000)+"\r\n")),
		"endless body":     serve(hijack("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n", strings.Repeat("x", 1000))),
		"no HTTP":          serve(hijack("", "hello\r\n")),
		"endless 100":      serve(hijack("", "HTTP/1.1 100 Continue\r\n\r\n")),
		"cut":              serve(hijack("HTTP/1.1 200", "")),
		"no such name":     "http://hook.invalid",
		"broken each time": serve(func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHook(t, func(o *Opts) { o.URL, o.Timeout, o.Waits = at, 200*time.Millisecond, []time.Duration{time.Hour} })
			var took []time.Duration
			for n := range 3 * maxQueue {
				began := time.Now()
				publishHappenings(h, n)
				took = append(took, time.Since(began))
			}
			h.mu.Lock()
			waiting := len(h.queue)
			h.mu.Unlock()
			if waiting > maxQueue {
				t.Errorf("%d wait", waiting)
			}
			if name != "endless body" {
				eventually(t, "nobody learns of it", func() bool { return h.Status().Reason != "" })
			}
			began := time.Now()
			h.Close()
			slices.Sort(took)
			t.Logf("%d steps: median %v, longest %v; closed after %v; %+v", len(took), took[len(took)/2], took[len(took)-1],
				time.Since(began), h.Status())
		})
	}
}

// TestHTTPStaysAtHome checks that calls over http never leave the house, whatever address a name resolves to, and need the
// owner's permission.
func TestHTTPStaysAtHome(t *testing.T) {
	for at, want := range map[string]bool{
		"https://example.org/x": true, "http://127.0.0.1/": true, "http://192.168.1.5:14999/clue": true, "http://[fd00::5]/": true,
		"http://box.lan/":       true,
		"http://93.184.216.34/": false, "http://[2001:db8::1]/": false, "http://0.0.0.0/": false, "http://[::ffff:93.184.216.34]/": false,
		"ftp://x/": false, "https://": false, "https://:443/": false, "https://h:0/": false, "https://a..b/": false, "https://h/#x": false,
		"https://h/ x": false, "https://h/x?token=1": true, "https://me:word@example.org/": false, "/x": false,
	} {
		if err := CheckURL(at, true); (err == nil) != want {
			t.Errorf("%s: %v", at, err)
		}
		if strings.HasPrefix(at, "http:") && CheckURL(at, false) == nil {
			t.Errorf("%s without the owner's word", at)
		}
	}
	h := newHook(t, func(o *Opts) { o.URL, o.Waits = "http://127.0.0.1:1", []time.Duration{} })
	dial := h.client.Transport.(*http.Transport).DialContext
	for _, at := range []string{"93.184.216.34:80", "[2001:db8::1]:80", "0.0.0.0:80", "169.254.1.1:80"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := dial(ctx, "tcp", at)
		cancel()
		if got := err != nil && failureReason(err) == Public; got != (at != "169.254.1.1:80") {
			t.Errorf("%s: %v", at, err)
		}
	}
	for text, want := range map[string]int{
		"whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 24)): 24,
		"sixteen letters..": 17,
		"short":             0,
		"whsec_%%%":         0,
		"whsec_YWJj":        0,
		"":                  0,
	} {
		if got, err := ParseSecret(text); len(got) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d bytes, %v", text, len(got), err)
		}
	}
	if _, err := New(&Opts{URL: "https://example.org"}); err == nil {
		t.Error("without a secret")
	}
}

// TestSayNothingOfThisMachine checks that a call has only the headers that it needs and none about this machine.
func TestSayNothingOfThisMachine(t *testing.T) {
	x := &receiver{}
	s := httptest.NewServer(x)
	defer s.Close()
	h := newHook(t, func(o *Opts) { o.URL = s.URL })
	publishHappenings(h, 0)
	publishHappenings(h, 1)
	eventually(t, "the event is not sent", func() bool { return h.Status().Counts["done"] == 1 })
	var names []string
	for name := range x.heard[0].Header {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{"Content-Length", "Content-Type", "User-Agent", "Webhook-Id", "Webhook-Signature", "Webhook-Timestamp"}
	if fmt.Sprint(names) != fmt.Sprint(want) {
		t.Errorf("the hook sends %v", names)
	}
}
