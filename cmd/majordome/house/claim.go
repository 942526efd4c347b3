package house

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"

	"majordome/companion/web"
	"majordome/companion/wire"
	"majordome/engine"
)

// canLay reports that a card which is laid on a reader now is seen, and is part of no game.
func (h *House) canLay() bool {
	if h.playing.Load() || h.trial == nil {
		return false
	}
	for i := range h.trial.bridges {
		if !h.trial.bridges[i].isLost() {
			return true
		}
	}
	return false
}

// hosting says for the display whether anybody has the host's page.
func (h *House) hosting() string {
	switch {
	case h.claims.Hosted():
		return ""
	case h.claims.Asked():
		return wire.HostAsked
	}
	return wire.HostFree
}

// screen answers GET /claim with the host's one-time link, to the screen of this machine alone (package pair, "Who
// becomes the host"), as long as no phone has the host's page.
func (h *House) screen(w http.ResponseWriter, r *http.Request) {
	if !h.toOwnScreen(w, r) {
		return
	}
	link, joined, err := h.desk.Link(engine.Host)
	if err != nil || joined || h.Lonely() {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"url": link})
}

// wifi answers GET /wifi with name and password of the Wi-Fi that this machine has made, to its own screen alone: what who stands
// before it types into a phone.
func (h *House) wifi(w http.ResponseWriter, r *http.Request) {
	if !h.toOwnScreen(w, r) {
		return
	}
	own := h.opts.Hotspot.read()
	if own.name == "" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"name": own.name, "password": own.password})
}

// toOwnScreen begins an answer to the screen of this machine, and refuses it to all others.
func (h *House) toOwnScreen(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	c := h.config()
	if c.URL != "" || len(c.Names) > 0 || !ownScreen(r) {
		w.WriteHeader(http.StatusForbidden)
		return false
	}
	return true
}

// passed are the headers by which a proxy says that it is one.
var passed = []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"}

// ownScreen reports whether a page of ours asks that is open in a browser of this machine, which whoever stands before it
// sees: it comes from a loopback address, calls us by a name that only this machine has for itself, has passed no proxy that says so, and the
// browser vouches that the page is from here (Sec-Fetch-Site, which browsers send to such names on plain http, too).
func ownScreen(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !at.Addr().Unmap().IsLoopback() || !web.IsLoopback(r.Host) || r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return false
	}
	if !r.ProtoAtLeast(1, 1) || r.Close || strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") {
		return false // no browser asks so, but nginx does as it comes, and in front of WebSockets, with our loopback address for the name
	}
	for _, name := range passed {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	return true
}
