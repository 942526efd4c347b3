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

// canClaimByCard reports whether a card put on a reader now would be read and not count as a move: no game is on and a reader works.
func (h *House) canClaimByCard() bool {
	return !h.playing.Load() && slices.ContainsFunc(h.readers.Counters(), func(r readers.Counters) bool { return !r.Lost })
}

// hasEnrolReader reports whether a separate reader for enrolling works.
func (h *House) hasEnrolReader() bool {
	return slices.ContainsFunc(h.readers.Counters(), func(r readers.Counters) bool { return r.Role == config.RoleEnrol && !r.Lost })
}

// hostState returns the display's code for whether the host's page is taken, asked for or free.
func (h *House) hostState() string {
	switch {
	case h.claims.HasHost():
		return ""
	case h.claims.HasClaim():
		return wire.HostAsked
	}
	return wire.HostFree
}

// serveHostLink answers GET /claim with the host's one-time link as long as no phone has the host's page. The route lets in only
// the screen of this machine (package pair, "Who becomes the host").
func (h *House) serveHostLink(w http.ResponseWriter, _ *http.Request) {
	link, joined, err := h.desk.Link(engine.Host)
	if err != nil || joined || h.network.HasNoNetwork() {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"url": link})
}

// watchClaims shows the begin and the end of claims and access requests. It polls, because a timeout can end one.
func (h *House) watchClaims(ctx context.Context) {
	runEvery(ctx, 2*time.Second, func(time.Time) {
		if h.claims.PollChanged() {
			h.loop.Refresh()
			h.office.NotifyChanged()
		}
	})
}
