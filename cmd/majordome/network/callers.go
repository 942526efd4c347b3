package network

import (
	"cmp"
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

// AddRoutes adds what pages ask about the network: the Wi-Fi, for the screen of this machine, and the root of the certificate, where
// there is one.
func (n *Network) AddRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /wifi", n.OnlyOwnScreen(n.serveWiFi))
	if n.cert == nil {
		return
	}
	trust := web.Trust(n.cert.Root(), n.httpsURL)
	for _, path := range []string{"/trust", "/majordome.crt", "/trusted"} {
		mux.Handle("GET "+path, trust)
	}
}

// serveWiFi answers with name and password of the Wi-Fi of this machine's own: what is typed into a phone.
func (n *Network) serveWiFi(w http.ResponseWriter, _ *http.Request) {
	own := n.opts.Hotspot.State()
	if own.Name == "" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"name": own.Name, "password": own.Password})
}

// OnlyOwnNames lets those requests through that ask for this table by one of its names, as the settings have them then.
func (n *Network) OnlyOwnNames(next http.Handler) http.Handler {
	type names struct {
		of *Settings
		http.Handler
	}
	var last atomic.Pointer[names]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, known := n.settings.Load(), last.Load()
		if known == nil || known.of != now {
			known = &names{now, n.names(now).Only(next)}
			last.Store(known)
		}
		known.ServeHTTP(w, r)
	})
}

// names are what this table may be called.
func (n *Network) names(s *Settings) web.Names {
	own, _ := os.Hostname() // without a name the addresses remain
	all := web.Names{Own: own, More: s.Names, Found: n.Name}
	if u, err := url.Parse(s.URL); err == nil && u.Host != "" {
		all.More = append(all.More[:len(all.More):len(all.More)], u.Host)
	}
	return all
}

// passed are the headers by which a proxy says that it is one.
var passed = []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"}

// OnlyLocal lets this machine in, and those whom Settings.Metrics names; not what has come through a proxy of this machine that says so.
func (n *Network) OnlyLocal(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, err := netip.ParseAddrPort(r.RemoteAddr)
		from := at.Addr().Unmap().WithZone("")
		in := func(name string) bool { p, err := address.ParseNetwork(name); return err == nil && p.Contains(from) }
		passed := cmp.Or(r.Header.Get("X-Forwarded-For"), r.Header.Get("Forwarded"), r.Header.Get("Via")) != ""
		if err != nil || passed || !from.IsLoopback() && !slices.ContainsFunc(n.settings.Load().Metrics, in) {
			http.Error(w, "Réservé à cette machine ; la clé metrics de la configuration en admet d’autres.\nFor this machine only; the key metrics of the configuration lets others in.", http.StatusForbidden)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		next(w, r)
	}
}

// HasOwnScreen reports that the screen of this machine can be told from others: that nothing stands before it, by the settings.
func (n *Network) HasOwnScreen() bool {
	s := n.settings.Load()
	return s.URL == "" && len(s.Names) == 0
}

// OnlyOwnScreen lets the screen of this machine in, for an answer in JSON, and refuses all others. Behind a proxy, by the settings, nobody is.
func (n *Network) OnlyOwnScreen(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		if !n.HasOwnScreen() || !fromOwnScreen(r) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		next(w, r)
	}
}

// fromOwnScreen reports whether a page of ours asks that is open in a browser of this machine, which everybody before it
// sees: it comes from a loopback address, calls us by a name that only this machine has for itself, has passed no proxy that says so, and the
// browser vouches that the page is from here (Sec-Fetch-Site, which browsers send to such names on plain http, too).
func fromOwnScreen(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !at.Addr().Unmap().IsLoopback() || !web.IsLoopback(r.Host) || r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return false
	}
	if !r.ProtoAtLeast(1, 1) || r.Close || strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") {
		return false // no browser asks so, but nginx does as it comes, and in front of WebSockets, with our loopback address for the name
	}
	return !slices.ContainsFunc(passed, func(name string) bool { return r.Header.Get(name) != "" })
}
