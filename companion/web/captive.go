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

// Limits of what a Captive remembers about the clients that have seen its page: number, and time, one
// evening.
const (
	maxCaptiveClients = 256
	captiveLifetime   = 12 * time.Hour
	// captiveReading is the time that a phone has to show the page. After that a probe gets the expected
	// answer, because otherwise the phone would leave the network.
	captiveReading = 10 * time.Second
)

// probes maps the host names that phones and computers ask to find out whether they have internet to the
// answers that they expect.
var probes = map[string]probeAnswer{
	// Android, ChromeOS
	"connectivitycheck.gstatic.com": noContent, "connectivitycheck.android.com": noContent, "www.google.com": noContent,
	"clients3.google.com": noContent, "play.googleapis.com": noContent,
	// iOS, macOS
	"captive.apple.com": appleSuccess, "www.apple.com": appleSuccess,
	// Windows
	"www.msftconnecttest.com":  {"text/plain", "Microsoft Connect Test"},
	"ipv6.msftconnecttest.com": {"text/plain", "Microsoft Connect Test"},
	"www.msftncsi.com":         {"text/plain", "Microsoft NCSI"},
	// Firefox, NetworkManager
	"detectportal.firefox.com": {"text/plain", "success\n"},
	"nmcheck.gnome.org":        {"text/plain", "NetworkManager is online\n"}, "connectivity-check.ubuntu.com": noContent,
	"network-test.debian.org": {"text/plain", "NetworkManager is online\n"},
}

// probeAnswer is the body of an answer and its type. The zero value is 204 without a body.
type probeAnswer struct{ kind, body string }

var (
	noContent    probeAnswer
	appleSuccess = probeAnswer{"text/html", "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"}
)

// Captive answers the probes of phones on the table's own network, which has no internet. Only on
// that network do the names of probes lead here. The first probes of a phone are redirected to
// GET /welcome, a page with the address to open in the browser. The window that the phone opens for
// that page is not good enough itself, because it forgets its keys and has no WebSocket. Ten
// seconds after the page was shown, the probes of the phone get the answers that mean internet, for
// the rest of the evening, so that the phone stays on the network.
//
// What may leak: nothing. The page is constant except for the address by which it was reached.
type Captive struct {
	now func() time.Time

	mu    sync.Mutex
	shown map[netip.Addr]time.Time // first time by client; at most maxCaptiveClients
}

// NewCaptive returns a Captive. Its AnswerProbes must come before Names.RestrictHosts, which would refuse the host names
// of probes.
func NewCaptive() *Captive { return &Captive{now: time.Now, shown: map[netip.Addr]time.Time{}} }

// AnswerProbes returns a handler that answers probes and passes all other requests to next.
func (c *Captive) AnswerProbes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		want, probed := probes[normaliseHost(r.Host)]
		home, ok := reachedURL(r)
		if !probed || !ok || r.TLS != nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		c.answerProbe(w, r, want, home)
	})
}

// answerProbe redirects a probe to the page until its phone has shown that, and then sends the expected answer. home
// is the address of the table.
func (c *Captive) answerProbe(w http.ResponseWriter, r *http.Request, want probeAnswer, home string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	switch {
	case r.URL.Path == "/redirect": // Windows opens this in the real browser
		c.recordWelcomeShown(clientAddr(r))
		h.Set("Location", home+"/")
		w.WriteHeader(http.StatusFound)
	case !c.hasReadWelcome(clientAddr(r)):
		h.Set("Location", home+"/welcome")
		w.WriteHeader(http.StatusFound)
	case want == noContent:
		w.WriteHeader(http.StatusNoContent)
	default:
		h.Set("Content-Type", want.kind)
		_, _ = w.Write([]byte(want.body)) // the phone may have gone
	}
}

// ServeWelcome serves the page at GET /welcome. Like all pages it comes after Names.RestrictHosts.
func (c *Captive) ServeWelcome(w http.ResponseWriter, r *http.Request) {
	home, ok := reachedURL(r)
	if !ok {
		notFound.WriteResponse(w, http.StatusNotFound)
		return
	}
	c.recordWelcomeShown(clientAddr(r))
	writePage(w, renderWelcomePage(preferredLanguage(r.Header.Get("Accept-Language")), home))
}

// recordWelcomeShown records that a client has the page now. Only the first time counts, so that reloading the page
// does not make a client wait longer.
func (c *Captive) recordWelcomeShown(who netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.now()
	var oldest netip.Addr
	for other, when := range c.shown {
		if at.Sub(when) > captiveLifetime {
			delete(c.shown, other)
		} else if !oldest.IsValid() || when.Before(c.shown[oldest]) {
			oldest = other
		}
	}
	if _, has := c.shown[who]; has {
		return
	}
	if len(c.shown) >= maxCaptiveClients {
		delete(c.shown, oldest)
	}
	c.shown[who] = at
}

// hasReadWelcome reports whether a client has had the time to show its page.
func (c *Captive) hasReadWelcome(who netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	when, has := c.shown[who]
	since := c.now().Sub(when)
	return has && since >= captiveReading && since <= captiveLifetime
}

func clientAddr(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr) // all unparsable ones share the invalid address
	return at.Addr().Unmap()
}

// reachedURL returns the address that a request has come to, as a URL.
func reachedURL(r *http.Request) (string, bool) {
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

func renderWelcomePage(lang words.Lang, home string) string {
	book, _ := catalogue.Lookup(lang) // never fails for words.Langs
	say := func(key string) string { return html.EscapeString(book.Sentence(key)) }
	b := &strings.Builder{}
	b.WriteString(`<!doctype html><html lang="` + string(lang) + `"><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="dark"><title>` +
		say("welcome.title") + ` · Majordome</title><style>` + trustStyle +
		`.at{font-size:34px;color:#e0bd74;overflow-wrap:anywhere;margin:14px 0;` +
		`-webkit-user-select:all;user-select:all}</style><main><h1>` +
		say("welcome.title") + `</h1><p>` + say("welcome.why") + `</p><ol><li>` + say("welcome.iphone") + `</li><li>` +
		say("welcome.android") + `</li><li>` + say("welcome.browser") +
		`<p class="at">` + html.EscapeString(home) + `</p></li></ol><p class="soft">` + say("welcome.internet") + `</p></main></html>`)
	return b.String()
}
