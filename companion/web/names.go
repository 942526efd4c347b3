package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"majordome/companion/noticepage"
)

// privateDomains cannot be registered (RFC 6762, RFC 8375, and the root's reserved .internal), or home
// routers give them to the machines behind them.
var privateDomains = []string{"local", "lan", "home.arpa", "internal"}

// Names are the names that a Host header may have. A request with another one comes from a page of another
// site that has pointed its name here to read our answers (DNS rebinding), or through a proxy that is not
// configured.
type Names struct {
	// Own is the name of this machine; it is also accepted with .local, .lan, .home.arpa and .internal after
	// it.
	Own string
	// More lists further names and addresses, in any case, without port.
	More []string
	// Found returns the name by which the table is announced now (mDNS), "" for none; nil: it never has one.
	Found func() string
}

// RestrictHosts returns a handler that passes requests to next, but answers 421 (RFC 9110, 15.5.20), with a text in both
// languages, to one with a wrong Host. Accepted are localhost and loopback addresses, the address that the connection has come to, and the
// names Own, More and Found. The port is ignored.
func (n Names) RestrictHosts(next http.Handler) http.Handler {
	known := map[string]bool{"localhost": true}
	if own := normaliseHost(n.Own); own != "" {
		known[own] = true
		first, _, _ := strings.Cut(own, ".")
		for _, domain := range privateDomains {
			known[first+"."+domain] = true
		}
	}
	for _, m := range n.More {
		known[normaliseHost(m)] = true
	}
	delete(known, "")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if name := normaliseHost(r.Host); !known[name] && !isOwnAddress(name, local) &&
			(n.Found == nil || name == "" || name != normaliseHost(n.Found())) {
			misdirected.WriteResponse(w, http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// misdirected says what to do, to players and to the owner. It names no address, because a page of another
// site can read it.
var misdirected = noticepage.New(
	[]string{"Cette table ne porte pas ce nom. Ouvrez l’adresse du code QR ou de l’écran de table.",
		"Si ce nom est le vôtre, ajoutez-le dans majordome.yaml : names: [le-nom]"},
	[]string{"This table does not go by that name. Open the address of the QR code or of the table display.",
		"If the name is yours, add it to majordome.yaml: names: [the-name]"})

// normaliseHost returns a Host without port, brackets, zone and final dot, in lower case.
func normaliseHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	host, _, _ = strings.Cut(host, "%")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// isOwnAddress reports whether name is a loopback address, or the one that the connection has come to.
func isOwnAddress(name string, local net.Addr) bool {
	a, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	if a = a.Unmap(); a.IsLoopback() {
		return true
	}
	if local == nil {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	return err == nil && at.Addr().Unmap().WithZone("") == a
}

// IsLoopback reports whether a Host header is localhost or a loopback address.
func IsLoopback(host string) bool {
	name := normaliseHost(host)
	a, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && a.Unmap().IsLoopback()
}
