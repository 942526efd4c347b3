package network

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"majordome/companion/address"
	"majordome/companion/web"
)

// AddRoutes adds the requests of pages about the network: the Wi-Fi, for the screen of this machine, and the root
// certificate, if there is one.
func (n *Network) AddRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /wifi", n.AllowOnlyOwnScreen(n.serveWiFi))
	if n.cert == nil {
		return
	}
	trust := web.TrustHandler(n.cert.RootDER(), n.httpsURL)
	for _, path := range []string{"/trust", "/majordome.crt", "/trusted"} {
		mux.Handle("GET "+path, trust)
	}
}

// serveWiFi answers with the name and password of this machine's own Wi-Fi, for people to type into a phone.
func (n *Network) serveWiFi(w http.ResponseWriter, _ *http.Request) {
	own := n.opts.Hotspot.State()
	if own.Name == "" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"name": own.Name, "password": own.Password})
}

// AllowOnlyOwnNames lets requests through whose host is one of this table's names, according to the settings at that moment.
func (n *Network) AllowOnlyOwnNames(next http.Handler) http.Handler {
	type names struct {
		of *Settings
		http.Handler
	}
	var last atomic.Pointer[names]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, known := n.settings.Load(), last.Load()
		if known == nil || known.of != now {
			known = &names{now, n.ownNames(now).RestrictHosts(next)}
			last.Store(known)
		}
		known.ServeHTTP(w, r)
	})
}

// ownNames returns the names of this table.
func (n *Network) ownNames(s *Settings) web.Names {
	own, _ := os.Hostname() // without a host name the addresses remain
	all := web.Names{Own: own, More: s.Names, Found: n.MDNSName}
	if u, err := url.Parse(s.URL); err == nil && u.Host != "" {
		all.More = append(all.More[:len(all.More):len(all.More)], u.Host)
	}
	return all
}

// proxyHeaders are the headers with which a proxy shows that it is one.
var proxyHeaders = []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"}

// isForwarded reports whether the headers of a request show that a proxy has forwarded it.
func isForwarded(r *http.Request) bool {
	return slices.ContainsFunc(proxyHeaders, func(name string) bool { return r.Header.Get(name) != "" })
}

// AllowOnlyLocal lets requests of this machine through, and those of Settings.Metrics, but none that a proxy of this machine
// has forwarded, if its headers show it.
func (n *Network) AllowOnlyLocal(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, err := netip.ParseAddrPort(r.RemoteAddr)
		from := at.Addr().Unmap().WithZone("")
		in := func(name string) bool { p, err := address.ParseNetwork(name); return err == nil && p.Contains(from) }
		if err != nil || isForwarded(r) || !from.IsLoopback() && !slices.ContainsFunc(n.settings.Load().Metrics, in) {
			http.Error(w, "Réservé à cette machine ; la clé metrics de la configuration en admet d’autres.\nFor this machine "+
				"only; the key metrics of the configuration lets others in.", http.StatusForbidden)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		next(w, r)
	}
}

// CanRecognizeOwnScreen reports whether requests from the screen of this machine can be recognised: the settings show no proxy
// in front of it.
func (n *Network) CanRecognizeOwnScreen() bool {
	s := n.settings.Load()
	return s.URL == "" && len(s.Names) == 0
}

// AllowOnlyOwnScreen lets the screen of this machine through, for an answer in JSON, and refuses all others. If the settings
// show a proxy, it refuses all requests.
func (n *Network) AllowOnlyOwnScreen(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		if !n.CanRecognizeOwnScreen() || !isFromOwnScreen(r) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		next(w, r)
	}
}

// isFromOwnScreen reports whether the request comes from one of our pages in a browser of this machine, whose screen
// all people at the table can see: the request comes from a loopback address, uses a name that only this machine has
// for itself, has no proxy headers, and the browser confirms that the page is from here (Sec-Fetch-Site, which browsers
// send to such names on plain http, too).
func isFromOwnScreen(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !at.Addr().Unmap().IsLoopback() || !web.IsLoopback(r.Host) || r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return false
	}
	if !r.ProtoAtLeast(1, 1) || r.Close || strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") {
		return false // no browser sends this; nginx does by default and in front of WebSockets, with our loopback address as the host
	}
	return !isForwarded(r)
}
