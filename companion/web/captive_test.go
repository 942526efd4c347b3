package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// captiveRig is a table at 10.42.0.1 with a captive portal and its own clock; phones request the URLs of their probes from it.
type captiveRig struct {
	*Captive
	h   http.Handler
	now time.Time
}

func newCaptiveRig() *captiveRig {
	c := &captiveRig{Captive: NewCaptive(), now: time.Unix(1_800_000_000, 0)}
	c.Captive.now = func() time.Time { return c.now }
	mux := http.NewServeMux()
	mux.HandleFunc("GET /welcome", c.ServeWelcome)
	c.h = c.AnswerProbes(Names{Own: "majordome"}.RestrictHosts(mux))
	return c
}

func (c *captiveRig) requestFrom(from, method, url string) *http.Response {
	r := httptest.NewRequest(method, url, nil)
	r.RemoteAddr = from + ":40000"
	r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(10, 42, 0, 1), Port: 80}))
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	return w.Result()
}

const phoneA, phoneB = "10.42.0.10", "10.42.0.11"

// TestCaptiveProbes checks that every kind of phone and computer is redirected to the welcome page, has ten seconds to read it,
// and then gets the answer that it takes for internet access.
func TestCaptiveProbes(t *testing.T) {
	for url, want := range map[string]string{
		"http://connectivitycheck.gstatic.com/generate_204":  "204 ",
		"http://www.google.com/gen_204":                      "204 ",
		"http://captive.apple.com/hotspot-detect.html":       "200 <HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>",
		"http://www.msftconnecttest.com/connecttest.txt":     "200 Microsoft Connect Test",
		"http://www.msftncsi.com/ncsi.txt":                   "200 Microsoft NCSI",
		"http://detectportal.firefox.com/success.txt?ipv4":   "200 success\n",
		"http://network-test.debian.org/nm":                  "200 NetworkManager is online\n",
		"http://Connectivity-Check.Ubuntu.com.:80/somewhere": "204 ",
	} {
		c := newCaptiveRig()
		for range 3 { // a probe without the page does not count
			if got := c.requestFrom(phoneA, "GET", url); got.StatusCode != 302 || got.Header.Get("Location") != "http://10.42.0.1/welcome" {
				t.Errorf("%s: %d, to %s", url, got.StatusCode, got.Header.Get("Location"))
			}
			c.now = c.now.Add(time.Minute)
		}
		if got := c.requestFrom(phoneA, "GET", "http://10.42.0.1/welcome"); got.StatusCode != 200 {
			t.Fatalf("%s: the page: %d", url, got.StatusCode)
		}
		c.now = c.now.Add(captiveReading - time.Second)
		if got := c.requestFrom(phoneA, "GET", url); got.StatusCode != 302 {
			t.Errorf("%s: already %d", url, got.StatusCode)
		}
		c.now = c.now.Add(time.Second)
		got := c.requestFrom(phoneA, "GET", url)
		if said := fmt.Sprintf("%d %s", got.StatusCode, readBody(t, got)); said != want {
			t.Errorf("%s: %q, not %q", url, said, want)
		}
		if got := c.requestFrom(phoneB, "GET", url); got.StatusCode != 302 {
			t.Errorf("%s: another phone has not seen it: %d", url, got.StatusCode)
		}
		c.now = c.now.Add(captiveLifetime)
		if got := c.requestFrom(phoneA, "GET", url); got.StatusCode != 302 {
			t.Errorf("%s: the day after: %d", url, got.StatusCode)
		}
	}
}

// TestCaptiveBrowser checks that Windows, which opens the real browser, is redirected straight to the table.
func TestCaptiveBrowser(t *testing.T) {
	got := newCaptiveRig().requestFrom(phoneA, "GET", "http://www.msftconnecttest.com/redirect")
	if got.StatusCode != 302 || got.Header.Get("Location") != "http://10.42.0.1/" {
		t.Errorf("%d, to %s", got.StatusCode, got.Header.Get("Location"))
	}
}

// TestOnlyProbesPassTheCheckOfNames checks that only the names of probes pass the check of names, and only for GET, and
// that the welcome page neither links nor fetches: its window must not become the page of a seat.
func TestOnlyProbesPassTheCheckOfNames(t *testing.T) {
	c := newCaptiveRig()
	for _, url := range []string{"http://evil.example/welcome", "http://gstatic.com/generate_204", "http://evil.captive.apple.com/"} {
		if got := c.requestFrom(phoneA, "GET", url); got.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%s: %d", url, got.StatusCode)
		}
	}
	if got := c.requestFrom(phoneA, "POST", "http://captive.apple.com/join"); got.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("an act by the name of a probe: %d", got.StatusCode)
	}
	page := readBody(t, c.requestFrom(phoneA, "GET", "http://10.42.0.1/welcome"))
	for _, no := range []string{"<a", "href", "src=", "<script", "<form", "welcome."} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %s: %s", no, page)
		}
	}
	if !strings.Contains(page, ">http://10.42.0.1<") {
		t.Errorf("the page does not say where to go: %s", page)
	}
}

// TestCaptiveForgets checks that a bounded number of phones is remembered, the newest ones.
func TestCaptiveForgets(t *testing.T) {
	c := newCaptiveRig()
	for n := range 3 * maxCaptiveClients {
		c.now = c.now.Add(time.Second)
		c.requestFrom(fmt.Sprintf("10.42.%d.%d", n/250, n%250+1), "GET", "http://10.42.0.1/welcome")
	}
	c.now = c.now.Add(captiveReading)
	if len(c.shown) != maxCaptiveClients {
		t.Errorf("%d are remembered", len(c.shown))
	}
	last := 3*maxCaptiveClients - 1
	if got := c.requestFrom(fmt.Sprintf("10.42.%d.%d", last/250, last%250+1), "GET", "http://captive.apple.com/"); got.StatusCode != 200 {
		t.Errorf("the last one is forgotten: %d", got.StatusCode)
	}
}
