package house

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"majordome/cmd/majordome/config/configtest"
	"majordome/companion/uplink"
	"majordome/companion/webhook"
	"majordome/companion/wire"
	"majordome/engine"
)

// hooked is an owner's program that is called at a web address and records each body.
type hooked struct {
	mu     sync.Mutex
	bodies []string
}

func (x *hooked) serve(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		stamp, id := r.Header.Get("webhook-timestamp"), r.Header.Get("webhook-id")
		if err != nil || r.Header.Get("webhook-signature") != "v1,"+webhook.SignBody([]byte("a secret of the house"), id, stamp, body) {
			t.Errorf("a call that nobody has signed: %s: %v", body, err)
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		x.bodies = append(x.bodies, string(body))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/in"
}

// unspokenText returns an event as text, without what is said aloud if aloud is true.
func unspokenText(e uplink.Event, aloud bool) string {
	if aloud {
		if e.Place = ""; e.What == engine.HapAsked || e.What == engine.HapAccused {
			e.Cards = nil
		}
	}
	return fmt.Sprint(e)
}

// search looks for secrets in all calls so far.
func (x *hooked) search(t *testing.T, secrets []string, aloud bool) {
	t.Helper()
	count := func() int { x.mu.Lock(); defer x.mu.Unlock(); return len(x.bodies) }
	for end := time.Now().Add(patience); count() < 5; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("called %d times", count())
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, body := range x.bodies {
		var c webhook.Call
		if err := json.Unmarshal([]byte(body), &c); err != nil || c.Type != c.Data.What {
			t.Fatalf("%s: %v", body, err)
		}
		text := unspokenText(c.Data, aloud)
		c.Data = uplink.Event{}
		checkAbsent(t, "a call", fmt.Sprint(text, c), secrets)
	}
}

// TestHookStopsNoGame: an address that does not answer causes one sentence for the host, and nothing else.
func TestHookStopsNoGame(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, secret, authority, want string }{
		{"nobody is there", configtest.WriteTempFile(t, "a secret of the house"), "", "in time"},
		{"no secret", "", "", "cannot be read"},
		{"a short one", configtest.WriteTempFile(t, "x"), "", "cannot be read"},
		{"no file", "/nowhere", "", "cannot be read"},
		{"a pipe, which may never end", pipe, "", "cannot be read"},
		{"no certificate", configtest.WriteTempFile(t, "a secret of the house"), configtest.WriteTempFile(t, "x"), "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := startRig(t, func(o *Opts) {
				o.Config.Hook, o.Config.Plain, o.Config.Secret, o.Config.Authority = "http://127.0.0.1:1/", true, c.secret, c.authority
			})
			if len(r.house.smartHome.Findings()) == 0 { // so that there is something to send
				r.mustHostAct("begin", nil)
			}
			eventually(t, "no sentence for the host", func() bool { return len(r.house.smartHome.Findings()) > 0 })
			all := r.house.smartHome.Findings()
			if !strings.Contains(all[0].Fix.EN, c.want) || all[0].Fix.FR == "" || all[0].State != wire.StateWarning {
				t.Errorf("%+v, want %q", all, c.want)
			}
		})
	}
}
