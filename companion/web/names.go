package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"majordome/companion/plain"
)

// private are domains that nobody can register (RFC 6762, RFC 8375, and the root's
// reserved .internal) or that home routers give to the machines behind them.
var private = []string{"local", "lan", "home.arpa", "internal"}

// Names are what a table may be called in the Host header of a request: whoever calls
// it otherwise is a page of somebody else, whose name was pointed here to read what
// is served here (DNS rebinding), or has come through a proxy that nobody told us of.
type Names struct {
	// Own is the name of this machine; it is also taken with .local, .lan,
	// .home.arpa and .internal behind it.
	Own string
	// More are further names and addresses, in any case, without port.
	More []string
	// Found is the name by which it is found now, "" for none; nil: it never has one.
	Found func() string
}

// Only answers 421 (RFC 9110, 15.5.20) with words in both languages to a request whose
// Host is none of these: localhost and loopback addresses; the address that the connection
// itself has come to; Own, More and Found. The port is not looked at.
func (n Names) Only(next http.Handler) http.Handler {
	known := map[string]bool{"localhost": true}
	if own := plainName(n.Own); own != "" {
		known[own] = true
		first, _, _ := strings.Cut(own, ".")
		for _, domain := range private {
			known[first+"."+domain] = true
		}
	}
	for _, m := range n.More {
		known[plainName(m)] = true
	}
	delete(known, "")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if name := plainName(r.Host); !known[name] && !ownAddress(name, local) && (n.Found == nil || name == "" || name != plainName(n.Found())) {
			misdirected.Answer(w, http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// misdirected says what to do, to players and to the owner. It names no address: a
// foreign page can read it.
var misdirected = plain.New(
	[]string{"Cette table ne porte pas ce nom. Ouvrez l’adresse du code QR ou de l’écran de table.",
		"Si ce nom est le vôtre, ajoutez-le dans majordome.yaml : names: [le-nom]"},
	[]string{"This table does not go by that name. Open the address of the QR code or of the table display.",
		"If the name is yours, add it to majordome.yaml: names: [the-name]"})

// plainName is a Host without port, brackets, zone and final dot, in small letters.
func plainName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	host, _, _ = strings.Cut(host, "%")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// ownAddress reports whether name is a loopback address, or the one at which the
// connection has arrived.
func ownAddress(name string, local net.Addr) bool {
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

// IsLoopback reports whether a Host header names the machine as only itself does.
func IsLoopback(host string) bool {
	name := plainName(host)
	a, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && a.Unmap().IsLoopback()
}
