package house

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/devices/logtest"
	"majordome/engine"
)

// askOwn asks what the screen of this machine alone is told, with one thing changed.
func askOwn(answer http.HandlerFunc, change func(*http.Request)) (int, string) {
	r := httptest.NewRequest("GET", "http://localhost:8080/", nil)
	r.RemoteAddr = "127.0.0.1:4000"
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	change(r)
	w := httptest.NewRecorder()
	answer(w, r)
	return w.Code, w.Body.String()
}

// TestOwnWifi: so are name and password of the machine's own Wi-Fi.
func TestOwnWifi(t *testing.T) {
	told := t.TempDir()
	file := filepath.Join(told, "shown")
	h := open(t, func(o *Opts) { o.Hotspot.Told = told }).house
	t.Cleanup(func() { _ = h.Close() })
	own := func(*http.Request) {}
	if code, text := askOwn(h.wifi, own); code != http.StatusNotFound || text != "" {
		t.Errorf("without one: %d %s", code, text)
	}
	if err := os.WriteFile(file, []byte("Chez nous\nabcdefgh23\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, text := askOwn(h.wifi, own); code != 200 || text != `{"name":"Chez nous","password":"abcdefgh23"}`+"\n" {
		t.Errorf("%d %s", code, text)
	}
	if code, text := askOwn(h.wifi, func(r *http.Request) { r.RemoteAddr = "10.42.0.9:4000" }); code != http.StatusForbidden || text != "" {
		t.Errorf("a phone is told: %d %s", code, text)
	}
}

// TestOwnScreen: the host's link is for a page of ours in a browser of this machine, and for nobody who only says so.
func TestOwnScreen(t *testing.T) {
	h := open(t, nil).house
	t.Cleanup(func() { _ = h.Close() })
	ask := func(change func(*http.Request)) (int, string) { return askOwn(h.screen, change) }
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
	h.config().Names = []string{"table.example"} // the last: it stays
	if code, text := ask(func(*http.Request) {}); code != http.StatusForbidden || text != "" {
		t.Errorf("a proxy in the file: %d %s", code, text)
	}
}

// TestNoLinkInTheLog: neither a start nor a claim writes what opens the host's page into the log.
func TestNoLinkInTheLog(t *testing.T) {
	log := &logtest.Text{}
	r := start(t, func(o *Opts) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	r.until(0, "nobody is the host", func(u wire.Update) bool { return u.Table.Host == wire.HostFree })
	links, err := AskLinks(r.house.opts.Config, false)
	if err != nil {
		t.Fatal(err)
	}
	_, code, ok := strings.Cut(links.Host, "#j=")
	if !ok || links.Joined {
		t.Fatalf("the owner is given %+v", links)
	}
	again, err := AskLinks(r.house.opts.Config, true)
	if err != nil || again.Host == links.Host {
		t.Errorf("a new link is the old one, %v", err)
	}
	if s := log.String(); strings.Contains(s, "#j=") || strings.Contains(s, code) {
		t.Errorf("the log has the host's link:\n%s", s)
	}
	info, err := os.Stat(filepath.Join(r.house.opts.Config.Data, shellSocket))
	if err != nil || info.Mode()&os.ModeSocket == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestTheOwnersPIN: a shell of the machine gives the owner's account another PIN, and it stands in no log; without accounts there is none.
func TestTheOwnersPIN(t *testing.T) {
	log := &logtest.Text{}
	r := start(t, func(o *Opts) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	if o, err := AskPIN(r.house.opts.Config); err != nil || o != (Owner{}) {
		t.Errorf("a table without accounts gives %+v, %v", o, err)
	}
	r.office("people-set", engine.Args{"name": "Odile", "role": "owner", "pin": "271828"}, nil)
	o, err := AskPIN(r.house.opts.Config)
	if err != nil || o.Name != "Odile" || staff.Good(o.PIN) != nil {
		t.Fatalf("the owner is given %+v, %v", o, err)
	}
	if why := r.refused("sign-in", engine.Args{"id": "1", "pin": "271828"}); why != "table.staff.wrong" {
		t.Errorf("the old PIN: %s", why)
	}
	r.office("sign-in", engine.Args{"id": "1", "pin": o.PIN}, nil)
	if s := log.String(); strings.Contains(s, o.PIN) || strings.Contains(s, "271828") || strings.Contains(s, "Odile") {
		t.Errorf("the log has\n%s", s)
	}
}

// TestClaimAtAReader: the cards of a real reader are counted before a game.
func TestClaimAtAReader(t *testing.T) {
	r := start(t, nil)
	body := `{"key":"` + strings.Repeat("A", 42) + `E","ask":true}`
	ask := func() string {
		t.Helper()
		res, err := http.Post("http://"+r.house.pages.Addr().String()+"/claim", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if a := ask(); !strings.Contains(a, `"lay"`) {
		t.Fatal(a)
	}
	r.until(0, "somebody asks", func(u wire.Update) bool { return u.Table.Host == wire.HostAsked })
	r.put(engine.ReaderShow, uid(t, 200))
	for !strings.Contains(ask(), `"laid":1`) {
		if t.Context().Err() != nil {
			t.Fatal("the card is not counted")
		}
	}
}
