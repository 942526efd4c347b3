package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestOnlyItsOwnNames checks that a request for a name or address that is not this table's own is refused: it comes from
// another site whose name was pointed here.
func TestOnlyItsOwnNames(t *testing.T) {
	h := Names{Own: "Majordome", More: []string{"Table.Example", "192.168.9.9", "proxy.example:8443"}}.RestrictHosts(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	four := &net.TCPAddr{IP: net.IPv4(10, 42, 0, 1), Port: 80}
	six := &net.TCPAddr{IP: net.ParseIP("fe80::1"), Port: 8080, Zone: "wlan0"}
	for _, c := range []struct {
		host string
		at   net.Addr
		want int
	}{
		{"10.42.0.1", four, 204}, {"10.42.0.1:8080", four, 204}, {"10.42.0.2", four, 421}, {"10.42.0.1", nil, 421},
		{"[::ffff:10.42.0.1]:80", four, 204}, {"[fe80::1]:8080", six, 204}, {"[fe80::1%25wlan0]", six, 204}, {"[fe80::2]:8080", six, 421},
		{"localhost", four, 204}, {"LOCALHOST.:80", four, 204}, {"127.0.0.1:8080", four, 204}, {"[::1]", four, 204},
		{"majordome", four, 204}, {"majordome.local", four, 204}, {"MAJORDOME.lan:80", four, 204}, {"majordome.home.arpa", four, 204},
		{"majordome.example", four, 421}, {"majordome.evil.local", four, 421}, {"xmajordome.local", four, 421},
		{"table.example", four, 204}, {"table.example:8443", four, 204}, {"proxy.example", four, 204}, {"192.168.9.9", four, 204},
		{"connectivitycheck.gstatic.com", four, 421}, {"", four, 421}, {"6.6.6.6", four, 421}, {"rebind.example:80", four, 421},
		{"10.42.0.1.evil.example", four, 421}, {"localhost.evil.example", four, 421}, {"[", four, 421}, {"a b", four, 421},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = c.host
		r = r.WithContext(context.WithValue(context.Background(), http.LocalAddrContextKey, c.at))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("Host %q at %v: %d, want %d", c.host, c.at, w.Code, c.want)
		}
		if said := w.Body.String(); c.want == 421 &&
			(!strings.Contains(said, "QR code or of the table display") || !strings.Contains(said, "code QR ou de l’écran de table")) {
			t.Errorf("Host %q is answered with %q", c.host, said)
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/", nil)
	r.Host = ""
	Names{}.RestrictHosts(http.NotFoundHandler()).ServeHTTP(w, r)
	if w.Code != 421 {
		t.Errorf("no name at all: %d", w.Code)
	}
}
