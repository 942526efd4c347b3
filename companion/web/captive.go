package web

import (
	"html"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"majordome/companion/catalogue"
	"majordome/engine/words"
)

// What a Captive remembers: whom it has shown its page, for one evening, and no more than this many.
const (
	captiveMost    = 256
	captiveEvening = 12 * time.Hour
	// captiveRead is how long a phone is left to its page. Then it is told what it wants to hear, or it leaves the network.
	captiveRead = 10 * time.Second
)

// probes are what phones and computers ask of the internet to learn whether it is there: what they want to hear, by name.
var probes = map[string]answer{
	// Android, ChromeOS
	"connectivitycheck.gstatic.com": gone, "connectivitycheck.android.com": gone, "www.google.com": gone, "clients3.google.com": gone, "play.googleapis.com": gone,
	// iOS, macOS
	"captive.apple.com": apple, "www.apple.com": apple,
	// Windows
	"www.msftconnecttest.com": {"text/plain", "Microsoft Connect Test"}, "ipv6.msftconnecttest.com": {"text/plain", "Microsoft Connect Test"},
	"www.msftncsi.com": {"text/plain", "Microsoft NCSI"},
	// Firefox, NetworkManager
	"detectportal.firefox.com": {"text/plain", "success\n"},
	"nmcheck.gnome.org":        {"text/plain", "NetworkManager is online\n"}, "connectivity-check.ubuntu.com": gone, "network-test.debian.org": {"text/plain", "NetworkManager is online\n"},
}

// answer is a body and its type. The zero value is 204, without any.
type answer struct{ kind, body string }

var (
	gone  answer
	apple = answer{"text/html", "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"}
)

// Captive answers the probes of a network that is the table's own, and has no internet: there, and only there, their names
// lead here. A phone's first probes lead to GET /welcome, a page that says which address to open in the browser: the window that a phone
// opens for it is none, for it forgets its keys and knows no WebSocket. Ten seconds after that page the phone hears
// what it takes for the internet, for the rest of the evening, so that it stays.
//
// What may leak: nothing. The page is a constant but for the address, by which it was reached.
type Captive struct {
	now func() time.Time

	mu    sync.Mutex
	shown map[netip.Addr]time.Time // by client; at most captiveMost
}

// NewCaptive is asked before Names.Only, which would refuse those names: Before.
func NewCaptive() *Captive { return &Captive{now: time.Now, shown: map[netip.Addr]time.Time{}} }

// Before answers the probes; all else goes to next.
func (c *Captive) Before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		want, probed := probes[plainName(r.Host)]
		home, ok := reached(r)
		if !probed || !ok || r.TLS != nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		c.answer(w, r, want, home)
	})
}

func (c *Captive) answer(w http.ResponseWriter, r *http.Request, want answer, home string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	switch {
	case r.URL.Path == "/redirect": // Windows asks this in the real browser
		c.show(client(r))
		h.Set("Location", home+"/")
		w.WriteHeader(http.StatusFound)
	case !c.read(client(r)):
		h.Set("Location", home+"/welcome")
		w.WriteHeader(http.StatusFound)
	case want == gone:
		w.WriteHeader(http.StatusNoContent)
	default:
		h.Set("Content-Type", want.kind)
		_, _ = w.Write([]byte(want.body)) // the phone may have gone
	}
}

// Welcome is the page at GET /welcome, behind Names.Only as all pages are: it names an address.
func (c *Captive) Welcome(w http.ResponseWriter, r *http.Request) {
	home, ok := reached(r)
	if !ok {
		nothing.Answer(w, http.StatusNotFound)
		return
	}
	c.show(client(r))
	writePage(w, welcomePage(preferred(r.Header.Get("Accept-Language")), home))
}

// show notes that a client has its page now. The first time counts: a window that is reloaded keeps nobody waiting.
func (c *Captive) show(who netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.now()
	var oldest netip.Addr
	for other, when := range c.shown {
		if at.Sub(when) > captiveEvening {
			delete(c.shown, other)
		} else if !oldest.IsValid() || when.Before(c.shown[oldest]) {
			oldest = other
		}
	}
	if _, has := c.shown[who]; has {
		return
	}
	if len(c.shown) >= captiveMost {
		delete(c.shown, oldest)
	}
	c.shown[who] = at
}

// read reports whether a client has had the time to read its page.
func (c *Captive) read(who netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	when, has := c.shown[who]
	since := c.now().Sub(when)
	return has && since >= captiveRead && since <= captiveEvening
}

func client(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr) // all without one share the invalid address
	return at.Addr().Unmap()
}

// reached is the address at which a request has come in, as a browser writes it.
func reached(r *http.Request) (string, bool) {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return "", false
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return "", false
	}
	at = netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
	return "http://" + strings.TrimSuffix(at.String(), ":80"), true
}

func welcomePage(lang words.Lang, home string) string {
	book, _ := catalogue.Of(lang) // of words.Langs
	say := func(key string) string { return html.EscapeString(book.Sentence(key)) }
	b := &strings.Builder{}
	b.WriteString(`<!doctype html><html lang="` + string(lang) + `"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="dark"><title>` +
		say("welcome.title") + ` · Majordome</title><style>` + trustStyle + `.at{font-size:34px;color:#e0bd74;overflow-wrap:anywhere;margin:14px 0;-webkit-user-select:all;user-select:all}</style><main><h1>` +
		say("welcome.title") + `</h1><p>` + say("welcome.why") + `</p><ol><li>` + say("welcome.iphone") + `</li><li>` + say("welcome.android") + `</li><li>` + say("welcome.browser") +
		`<p class="at">` + html.EscapeString(home) + `</p></li></ol><p class="soft">` + say("welcome.internet") + `</p></main></html>`)
	return b.String()
}
