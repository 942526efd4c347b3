package house

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"majordome/cmd/majordome/config"
	"majordome/companion/cert"
	"majordome/devices/logtest"
)

// TestHTTPS: a phone that has installed the root certificate gets the pages and MQTT by https, without warning, HSTS or
// redirection. One that has not refuses the connection and still has http.
func TestHTTPS(t *testing.T) {
	r := startRig(t, func(o *Opts) { o.Config.HTTPS = "127.0.0.1:0" })
	plain, secure := "http://"+r.house.Network.Pages.Addr().String(), "https://"+r.house.Network.HTTPS.Addr().String()
	get := func(c *http.Client, url string) (*http.Response, string, error) {
		t.Helper()
		res, err := c.Get(url)
		if err != nil {
			return nil, "", err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		return res, string(body), err
	}
	_, root, err := get(http.DefaultClient, plain+"/majordome.crt")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate([]byte(root))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	trusts := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	phone := &http.Client{Transport: &http.Transport{TLSClientConfig: trusts, ForceAttemptHTTP2: true}}
	res, body, err := get(phone, secure+"/table.json")
	if err != nil || res.StatusCode != 200 || !strings.Contains(body, `"https":`) || res.Header.Get("Strict-Transport-Security") != "" ||
		res.ProtoMajor != 1 {
		t.Fatalf("%v, %v, %s", err, res, body)
	}
	if res, _, err := get(http.DefaultClient, plain+"/table.json"); err != nil || res.StatusCode != 200 ||
		res.Request.URL.Scheme != "http" {
		t.Errorf("by http: %v, %v", err, res)
	}
	if _, _, err := get(http.DefaultClient, secure+"/table.json"); err == nil {
		t.Error("a client without the certificate gets the page")
	}
	dial := websocket.Dialer{TLSClientConfig: trusts, Subprotocols: []string{"mqtt"}}
	ws, _, err := dial.DialContext(context.Background(), strings.Replace(secure, "https", "wss", 1)+"/mqtt",
		http.Header{"Origin": {secure}})
	if err != nil {
		t.Errorf("MQTT: %v", err)
	} else {
		_ = ws.Close()
	}
	res, body, err = get(http.DefaultClient, plain+"/trust")
	if err != nil || res.StatusCode != 200 || !strings.Contains(body, secure) || !strings.Contains(body, "/majordome.crt") {
		t.Errorf("%v, %v, %.200s", err, res, body)
	}
	info, err := os.Stat(filepath.Join(r.house.opts.Config.Data, cert.File))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// A damaged root certificate does not prevent a game: the table runs on plain http, and the file is left to its owner.
func TestADamagedRoot(t *testing.T) {
	var file string
	r := startRig(t, func(o *Opts) {
		o.Config.HTTPS = "127.0.0.1:0"
		file = filepath.Join(o.Config.Data, cert.File)
		if err := os.WriteFile(file, []byte("moth"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	res, err := http.Get("http://" + r.house.Network.Pages.Addr().String() + "/table.json")
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res, err)
	}
	_ = res.Body.Close()
	if b, err := os.ReadFile(file); string(b) != "moth" || r.house.Network.HTTPS != nil {
		t.Errorf("%q, %v; https at %v", b, err, r.house.Network.HTTPS)
	}
}

// TestAnotherName: a name outside the root certificate's constraints is reported in the log and at its key; by its
// address the table still works.
func TestAnotherName(t *testing.T) {
	folder := t.TempDir()
	if _, err := cert.LoadOrCreate(folder, "majordome", nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"majordome": false, "salon": true, "off": false} {
		s := config.NewEditor(filepath.Join(t.TempDir(), "majordome.yaml"), config.EditorOpts{})
		log := &logtest.Buffer{}
		r := openRig(t, func(o *Opts) {
			o.Config.Data, o.Config.HTTPS, o.Config.MDNS, o.Editor, o.Log = folder, "127.0.0.1:0", name, s,
				slog.New(slog.NewTextHandler(log, nil))
		})
		faults := s.Snapshot().Faults
		said := len(faults) == 1 && faults[0].Where == "mdns" && strings.Contains(faults[0].Said.FR, "majordome.local")
		if said != want || strings.Contains(log.String(), "another name") != want {
			t.Errorf("%s: %+v\n%s", name, faults, log)
		}
		if err := r.house.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoHTTPS: without the key there is no root, no file and no page that offers one.
func TestNoHTTPS(t *testing.T) {
	r := startRig(t, nil)
	for _, path := range []string{"/trust", "/majordome.crt", "/trusted"} {
		res, err := http.Get("http://" + r.house.Network.Pages.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	if _, err := os.Stat(filepath.Join(r.house.opts.Config.Data, cert.File)); err == nil {
		t.Error("there is a root")
	}
}
