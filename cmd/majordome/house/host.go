package house

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"majordome/cmd/majordome/adminsocket"
	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/engine"
)

// IssueLinks returns the links of the pages. Each call makes a new code for the host, and codes of earlier calls become invalid.
// With replace, the phone that has the host's page loses it.
func (h *House) IssueLinks(replace bool) (l adminsocket.Links, err error) {
	if replace {
		if _, err = h.Desk.CutAndInvite(engine.Host); err != nil {
			return l, err
		}
	}
	code, err := h.Desk.IssueNewLink(engine.Host)
	l = adminsocket.Links{Display: h.Network.URL() + "/display", Host: code, NoNetwork: h.Network.HasNoNetwork(), Joined: code == ""}
	if l.Joined {
		l.Host = h.Network.URL() + "/host"
	}
	h.recordUseAndRefresh() // the screen of the machine shows the new code
	return l, err
}

// serveHostLink answers GET /claim with the host's one-time link as long as no phone has the host's page. The route lets in only
// the screen of this machine (package pair, "Who becomes the host").
func (h *House) serveHostLink(w http.ResponseWriter, _ *http.Request) {
	link, joined, err := h.Desk.EnsureLink(engine.Host)
	if err != nil || joined || h.Network.HasNoNetwork() {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"url": link})
}

// watchClaims shows the begin and the end of claims and access requests. It polls, because a timeout can end one.
func (h *House) watchClaims(ctx context.Context) {
	callEvery(ctx, 2*time.Second, func(time.Time) {
		if h.claims.TakeChange() {
			h.Loop.PublishAgain()
			h.office.NotifyChanged()
		}
	})
}

// ReplaceInvitation makes a new link for a viewer. A phone that has this seat, or the host's page, is disconnected.
func (h *House) ReplaceInvitation(v engine.Viewer) error {
	if v.IsHost() {
		_, err := h.Desk.CutAndInvite(v)
		h.recordUseAndRefresh()
		return err
	}
	seat, _ := v.Seat()
	return h.hostActs.performAct(2, "invite", engine.Args{"seat": seat.String()})
}

// ResumeGame continues a game that the host, a button or a program has stopped.
func (h *House) ResumeGame() error { return h.hostActs.performAct(2, wire.OrderResume, nil) }

// hostActs does acts as a device of the host.
type hostActs struct {
	loop *game.Loop
	mu   sync.Mutex // held during an act
	last uint64     // number of the last act, higher than that of any device
}

// errEnded means that the table loop ended before it did the act.
var errEnded = errors.New("the table has ended")

// performAct does an act as the n-th device of the host and waits for the answer: nil, the table's refusal (engine.Reject), or errEnded.
// Device 1 is the host's page, which numbers its own acts; while it may be in use, the house acts as device 2.
func (a *hostActs) performAct(n int, act string, args engine.Args) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	u, _ := a.loop.Snapshot(engine.Host) // may lag one act behind: an act is answered before it is shown
	a.last = slices.Max(append([]uint64{a.last, u.Seq}, u.Seqs...)) + 1
	answer := make(chan wire.Reply, 1)
	a.loop.Act(wire.Handset{Viewer: engine.Host, N: n},
		wire.Act{ID: act, Seq: a.last, Act: act, Args: args}, func(r wire.Reply) { answer <- r })
	var r wire.Reply
	select {
	case r = <-answer:
	case <-a.loop.Done():
		select {
		case r = <-answer: // the loop did the act before it ended
		default:
			return fmt.Errorf("house: %s: %w", act, errEnded)
		}
	}
	if !r.OK {
		return fmt.Errorf("house: %s: %w", act, r.Reject)
	}
	return nil
}
