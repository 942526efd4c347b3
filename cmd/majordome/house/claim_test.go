package house

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/cmd/majordome/adminsocket"
	"majordome/cmd/majordome/network/hotspot/hotspottest"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/devices/logtest"
	"majordome/engine"
)

// TestOwnScreen: only a page of ours, in a browser on this machine, gets the host's link and this machine's own Wi-Fi.
func TestOwnScreen(t *testing.T) {
	h := hotspottest.New(t)
	hotspottest.WriteStatus(t, h, "shown", "Chez nous\nabcdefgh23\n")
	r := startRig(t, func(o *Opts) { o.Hotspot = h })
	ask := func(path, page string) (int, string) {
		t.Helper()
		req, err := http.NewRequest("GET", "http://"+r.house.Network.Pages.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Sec-Fetch-Site", page)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(text)
	}
	for path, want := range map[string]string{"/claim": "/host#j=", "/wifi": `{"name":"Chez nous","password":"abcdefgh23"}`} {
		if code, text := ask(path, "same-origin"); code != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, code, text)
		}
		if code, text := ask(path, "cross-site"); code != http.StatusForbidden || text != "" {
			t.Errorf("%s for a foreign page: %d %s", path, code, text)
		}
	}
}

// TestNoLinkInTheLog: neither a start nor a claim writes a link that opens the host's page into the log.
func TestNoLinkInTheLog(t *testing.T) {
	log := &logtest.Buffer{}
	r := startRig(t, func(o *Opts) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	r.waitUpdate(0, "nobody is the host", func(u wire.Update) bool { return u.Table.Host == wire.HostFree })
	links, err := adminsocket.RequestLinks(r.house.opts.Config.Data, false)
	if err != nil {
		t.Fatal(err)
	}
	_, code, ok := strings.Cut(links.Host, "#j=")
	if !ok || links.Joined {
		t.Fatalf("the owner is given %+v", links)
	}
	again, err := adminsocket.RequestLinks(r.house.opts.Config.Data, true)
	if err != nil || again.Host == links.Host {
		t.Errorf("a new link is the old one, %v", err)
	}
	if s := log.String(); strings.Contains(s, "#j=") || strings.Contains(s, code) {
		t.Errorf("the log has the host's link:\n%s", s)
	}
	info, err := os.Stat(filepath.Join(r.house.opts.Config.Data, adminsocket.SocketName))
	if err != nil || info.Mode()&os.ModeSocket == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestTheOwnersPIN: a command in a shell of the machine gives the owner's account a new PIN, which no log contains.
// Without accounts there is none to give.
func TestTheOwnersPIN(t *testing.T) {
	log := &logtest.Buffer{}
	r := startRig(t, func(o *Opts) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	if o, err := adminsocket.RequestNewPIN(r.house.opts.Config.Data); err != nil || o != (adminsocket.Owner{}) {
		t.Errorf("a table without accounts gives %+v, %v", o, err)
	}
	r.doRow("people-set", engine.Args{"name": "Odile", "role": "owner", "pin": "271828"}, nil)
	o, err := adminsocket.RequestNewPIN(r.house.opts.Config.Data)
	if err != nil || o.Name != "Odile" || staff.CheckPIN(o.PIN) != nil {
		t.Fatalf("the owner is given %+v, %v", o, err)
	}
	if why := r.refusalOf("sign-in", engine.Args{"id": "1", "pin": "271828"}); why != "table.staff.wrong" {
		t.Errorf("the old PIN: %s", why)
	}
	r.doRow("sign-in", engine.Args{"id": "1", "pin": o.PIN}, nil)
	if s := log.String(); strings.Contains(s, o.PIN) || strings.Contains(s, "271828") || strings.Contains(s, "Odile") {
		t.Errorf("the log has\n%s", s)
	}
}

// TestClaimAtAReader: the cards of a real reader are counted before a game.
func TestClaimAtAReader(t *testing.T) {
	r := startRig(t, nil)
	body := `{"key":"` + strings.Repeat("A", 42) + `E","ask":true}`
	ask := func() string {
		t.Helper()
		res, err := http.Post("http://"+r.house.Network.Pages.Addr().String()+"/claim", "application/json", strings.NewReader(body))
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
	r.waitUpdate(0, "somebody asks", func(u wire.Update) bool { return u.Table.Host == wire.HostAsked })
	r.placeTags(engine.ReaderShow, uid(t, 200))
	for !strings.Contains(ask(), `"laid":1`) {
		if t.Context().Err() != nil {
			t.Fatal("the card is not counted")
		}
	}
}
