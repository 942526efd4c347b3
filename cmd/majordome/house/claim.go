package house

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/readers"
	"majordome/companion/wire"
	"majordome/engine"
)

// canLay reports that a card which is laid on a reader now is seen, and is part of no game.
func (h *House) canLay() bool {
	return !h.playing.Load() && slices.ContainsFunc(h.readers.Counters(), func(r readers.Counters) bool { return !r.Lost })
}

// enrolsApart reports a reader for enrolling that answers.
func (h *House) enrolsApart() bool {
	return slices.ContainsFunc(h.readers.Counters(), func(r readers.Counters) bool { return r.Role == config.RoleEnrol && !r.Lost })
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

// serveHostLink answers GET /claim with the host's one-time link, to the screen of this machine alone (package pair, "Who
// becomes the host"), as long as no phone has the host's page.
func (h *House) serveHostLink(w http.ResponseWriter, _ *http.Request) {
	link, joined, err := h.desk.Link(engine.Host)
	if err != nil || joined || h.network.Lonely() {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"url": link})
}

// watchClaims shows that a claim or a plea has begun or ended: time alone ends one.
func (h *House) watchClaims(ctx context.Context) {
	every(ctx, 2*time.Second, func(time.Time) {
		if h.claims.Turned() {
			h.loop.Refresh()
			h.office.Changed()
		}
	})
}
