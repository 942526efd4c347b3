package network

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/cmd/majordome/network/hotspot/hotspottest"
)

// Metrics are for this machine, and for the addresses that the configuration names.
func TestMetricsAreReadOnlyFromAllowedAddresses(t *testing.T) {
	n := &Network{}
	n.ApplySettings(Settings{Metrics: []string{"192.168.1.0/24", "fd00::9"}})
	page := n.AllowOnlyLocal(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) })
	for _, c := range []struct {
		from, header string
		want         int
	}{
		{"127.0.0.1:5", "", 204}, {"[::1]:5", "", 204}, {"[::ffff:127.0.0.1]:5", "", 204},
		{"192.168.1.77:5", "", 204}, {"[fd00::9]:5", "", 204}, {"192.168.2.1:5", "", 403}, {"[fd00::8]:5", "", 403}, {"", "", 403},
		{"127.0.0.1:5", "X-Forwarded-For", 403}, {"127.0.0.1:5", "Forwarded", 403}, {"127.0.0.1:5", "Via", 403},
		{"127.0.0.1:5", "X-Real-Ip", 403}, {"127.0.0.1:5", "X-Forwarded-Host", 403}, {"127.0.0.1:5", "X-Forwarded-Proto", 403},
	} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.RemoteAddr = c.from
		if c.header != "" {
			r.Header.Set(c.header, "10.0.0.1")
		}
		w := httptest.NewRecorder()
		page(w, r)
		if w.Code != c.want || c.want == 403 && !strings.Contains(w.Body.String(), "Réservé") {
			t.Errorf("%q %s: %d %s", c.from, c.header, w.Code, w.Body)
		}
	}
}

// requestOwn requests what only this machine's own screen may get, with one thing changed in the request.
func requestOwn(answer http.HandlerFunc, change func(*http.Request)) (int, string) {
	r := httptest.NewRequest("GET", "http://localhost:8080/", nil)
	r.RemoteAddr = "127.0.0.1:4000"
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	change(r)
	w := httptest.NewRecorder()
	answer(w, r)
	return w.Code, w.Body.String()
}

// TestOwnWiFi: only this machine's own screen gets the name and password of its own Wi-Fi.
func TestOwnWiFi(t *testing.T) {
	h := hotspottest.New(t)
	n := &Network{opts: Opts{Hotspot: h}}
	n.ApplySettings(Settings{})
	mux := http.NewServeMux()
	n.AddRoutes(mux)
	wifi := func(w http.ResponseWriter, r *http.Request) { r.URL.Path = "/wifi"; mux.ServeHTTP(w, r) }
	own := func(*http.Request) {}
	if code, text := requestOwn(wifi, own); code != http.StatusNotFound || text != "" {
		t.Errorf("without one: %d %s", code, text)
	}
	hotspottest.WriteStatus(t, h, "shown", "Chez nous\nabcdefgh23\n")
	if code, text := requestOwn(wifi, own); code != 200 || text != `{"name":"Chez nous","password":"abcdefgh23"}`+"\n" {
		t.Errorf("%d %s", code, text)
	}
	if code, text := requestOwn(wifi, func(r *http.Request) { r.RemoteAddr = "10.42.0.9:4000" }); code != http.StatusForbidden ||
		text != "" {
		t.Errorf("a phone is answered with %d %s", code, text)
	}
}

// TestIsOnOwnWifi checks that the addresses of the machine's own Wi-Fi count only while there is one.
func TestIsOnOwnWifi(t *testing.T) {
	h := hotspottest.New(t)
	n := &Network{opts: Opts{Hotspot: h}}
	n.ApplySettings(Settings{})
	phone, elsewhere := netip.MustParseAddr("10.42.0.9"), netip.MustParseAddr("192.168.1.9")
	if n.IsOnOwnWifi(phone) {
		t.Error("without a Wi-Fi of its own")
	}
	hotspottest.WriteStatus(t, h, "shown", "Chez nous\nabcdefgh23\n")
	if !n.IsOnOwnWifi(phone) || n.IsOnOwnWifi(elsewhere) || n.IsOnOwnWifi(netip.Addr{}) {
		t.Error("with one")
	}
	if n.IsOnOwnWifi(netip.MustParseAddr("10.42.0.1")) {
		t.Error("the machine itself, such as a proxy on it")
	}
	n.ApplySettings(Settings{Names: []string{"butler.example"}})
	if n.IsOnOwnWifi(phone) {
		t.Error("behind a proxy")
	}
}

// TestOwnScreen: only a page of ours in a browser on this machine gets the host's link; a request that merely claims to
// be one does not.
func TestOwnScreen(t *testing.T) {
	n := &Network{}
	n.ApplySettings(Settings{})
	page := n.AllowOnlyOwnScreen(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "/host#j=") })
	ask := func(change func(*http.Request)) (int, string) { return requestOwn(page, change) }
	for name, change := range map[string]func(*http.Request){
		"by name": func(*http.Request) {}, "by address": func(r *http.Request) { r.Host = "127.0.0.1" },
		"by IPv6": func(r *http.Request) { r.Host, r.RemoteAddr = "[::1]:8080", "[::1]:4000" },
	} {
		if code, text := ask(change); code != 200 || !strings.Contains(text, "/host#j=") {
			t.Errorf("%s: %d %s", name, code, text)
		}
	}
	for name, change := range map[string]func(*http.Request){
		"from elsewhere":         func(r *http.Request) { r.RemoteAddr = "192.168.1.9:4000" },
		"from elsewhere by IPv6": func(r *http.Request) { r.RemoteAddr = "[fe80::1%eth0]:4000" },
		"by another name":        func(r *http.Request) { r.Host = "majordome.local" },
		"by a rebound name":      func(r *http.Request) { r.Host = "evil.example" },
		"no page":                func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") },
		"a foreign page":         func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"another port's page":    func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"a proxy":                func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.168.1.9") },
		"another proxy":          func(r *http.Request) { r.Header.Set("Via", "1.1 x") },
		"nginx, as it comes":     func(r *http.Request) { r.Proto, r.ProtoMinor = "HTTP/1.0", 0 },
		"a proxy of WebSockets":  func(r *http.Request) { r.Header.Set("Connection", "upgrade") },
		"a proxy that closes":    func(r *http.Request) { r.Close = true },
	} {
		if code, text := ask(change); code != http.StatusForbidden || text != "" {
			t.Errorf("%s: %d %s", name, code, text)
		}
	}
	for name, s := range map[string]Settings{"names": {Names: []string{"table.example"}}, "url": {URL: "http://table.example"}} {
		n.ApplySettings(s)
		if code, text := ask(func(*http.Request) {}); code != http.StatusForbidden || text != "" {
			t.Errorf("a proxy by the key %s: %d %s", name, code, text)
		}
	}
}

// TestWiFiIsNews: the display is sent an update when a Wi-Fi appears, changes or disappears while nothing else happens
// at the table, and for nothing else.
func TestWiFiIsNews(t *testing.T) {
	h := hotspottest.New(t)
	n := &Network{opts: Opts{Hotspot: h}}
	for what, do := range map[string]func(){
		"comes":         func() { hotspottest.WriteStatus(t, h, "shown", "Salon\nabcdefgh23\n") },
		"is renamed":    func() { hotspottest.WriteStatus(t, h, "shown", "Grenier\nabcdefgh23\n") },
		"is the card's": func() { hotspottest.WriteStatus(t, h, "card", "") },
	} {
		if do(); !n.updateWiFi() || n.updateWiFi() {
			t.Errorf("it %s: news once", what)
		}
	}
	if err := os.Remove(filepath.Join(h.StatusFolder, "shown")); err != nil || !n.updateWiFi() {
		t.Errorf("it goes: %v", err)
	}
}
