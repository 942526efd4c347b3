package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"majordome/engine/words"
)

// TestTrustPageLinksToTheCertificate checks that the page links to the root certificate and to the https address in the
// language of the browser, and fetches nothing.
func TestTrustPageLinksToTheCertificate(t *testing.T) {
	h := TrustHandler([]byte("root"), func() string { return "https://192.168.1.5" })
	for lang, want := range map[string]string{"fr": "Prendre le certificat", "en": "Take the certificate"} {
		page := readBody(t, get(h, "/trust", "Accept-Language", lang))
		for _, part := range []string{want, `href="/majordome.crt"`, `href="https://192.168.1.5/"`, `lang="` + lang + `"`} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: no %q", lang, part)
			}
		}
		if strings.Contains(page, "trust.") || strings.Contains(page, "<script") || strings.Contains(page, "src=") {
			t.Errorf("%s: %s", lang, page)
		}
	}
	crt := get(h, "/majordome.crt")
	if kind := crt.Header.Get("Content-Type"); kind != "application/x-x509-ca-cert" || readBody(t, crt) != "root" {
		t.Errorf("the root comes as %s", kind)
	}
	asked := get(h, "/trusted")
	if asked.StatusCode != http.StatusNoContent || asked.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("%v", asked)
	}
}

// TestPolicyOfHTTPS checks that a page may connect to the https port of its own address, and to no other.
func TestPolicyOfHTTPS(t *testing.T) {
	for _, x := range []struct {
		port       int
		host, want string
	}{{8443, "192.168.1.5", "https://192.168.1.5:8443"}, {443, "192.168.1.5:8080", "https://192.168.1.5"},
		{8443, "[fd00::5]:8080", "https://[fd00::5]:8443"}, {443, "[fd00::5]", "https://[fd00::5]"}, {0, "192.168.1.5", ""}} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = x.host
		w := httptest.NewRecorder()
		addHeaders(http.NotFoundHandler(), x.port).ServeHTTP(w, r)
		_, connect, _ := strings.Cut(w.Header().Get("Content-Security-Policy"), "connect-src ")
		if has := strings.Contains(connect, "https://"); has != (x.want != "") || has && !strings.HasSuffix(connect, " "+x.want) {
			t.Errorf("%s, port %d: %s", x.host, x.port, connect)
		}
	}
}

// TestTrustIsCheap checks that a repeated request for the page does not read a catalogue each time.
func TestTrustIsCheap(t *testing.T) {
	for _, lang := range words.Langs {
		if n := testing.AllocsPerRun(10, func() { renderTrustPage(lang, "https://192.168.1.5") }); n > 500 {
			t.Errorf("%s: %v allocations", lang, n)
		}
	}
}
