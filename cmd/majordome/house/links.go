package house

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"majordome/cmd/majordome/adminsocket"
	"majordome/companion/wire"
	"majordome/engine"
)

// InvitationURL returns the open link of a viewer or, if a phone has joined that seat already, the plain
// page.
func (h *House) InvitationURL(v engine.Viewer) (url string, joined bool, err error) {
	url, joined, err = h.desk.Link(v)
	if url == "" && err == nil {
		url = h.network.URL() + "/"
		if s, ok := v.Seat(); ok {
			url += "#seat=" + strconv.Itoa(int(s))
		} else {
			url += "host"
		}
	}
	return url, joined, err
}

// IssueLinks returns the links of the pages. Each call makes a new code for the host, and codes of earlier calls become invalid.
// With replace, the phone that has the host's page loses it.
func (h *House) IssueLinks(replace bool) (l adminsocket.Links, err error) {
	if replace {
		if _, err = h.desk.Invite(engine.Host); err != nil {
			return l, err
		}
	}
	code, err := h.desk.NewLink(engine.Host)
	l = adminsocket.Links{Display: h.network.URL() + "/display", Host: code, NoNetwork: h.network.HasNoNetwork(), Joined: code == ""}
	if l.Joined {
		l.Host = h.network.URL() + "/host"
	}
	h.refreshViews() // the screen of the machine shows the new code
	return l, err
}

// PlayerLinks returns the link of each player at the table.
func (h *House) PlayerLinks() []wire.BenchPlayer {
	all := []wire.BenchPlayer{}
	u, _ := h.loop.Snapshot(engine.Public)
	for _, s := range u.View.Seats {
		if url, _, err := h.InvitationURL(engine.SeatViewer(s.Seat)); err == nil {
			all = append(all, wire.BenchPlayer{Seat: s.Seat, URL: url})
		}
	}
	return all
}

// Snapshot returns the present update of a viewer; ok is false before the first step and for an empty seat.
func (h *House) Snapshot(v engine.Viewer) (u wire.Update, ok bool) { return h.loop.Snapshot(v) }

// Act does an act of a phone, as if the broker had received it. reply is called once and must not block.
func (h *House) Act(phone wire.Handset, act wire.Act, reply func(wire.Reply)) {
	h.loop.Act(phone, act, reply)
}

// Invite makes a new link for a viewer. A phone that has this seat, or the host's page, is disconnected.
func (h *House) Invite(v engine.Viewer) error {
	if v.IsHost() {
		_, err := h.desk.Invite(v)
		h.refreshViews()
		return err
	}
	seat, _ := v.Seat()
	return h.actAsHost(2, "invite", engine.Args{"seat": seat.String()})
}

// Resume continues a game that the host, a button or a program has stopped.
func (h *House) Resume() error { return h.actAsHost(2, wire.OrderResume, nil) }

// errEnded means that the table loop ended before it did the act.
var errEnded = errors.New("the table has ended")

// actAsHost does an act as the n-th device of the host and waits for the answer: nil, the table's refusal (engine.Reject), or
// errEnded. Device 1 is the host's page, which numbers its own acts; while it may be in use, the house acts as device 2.
func (h *House) actAsHost(n int, act string, args engine.Args) error {
	h.hostMu.Lock()
	defer h.hostMu.Unlock()
	u, _ := h.Snapshot(engine.Host) // may lag one act behind: an act is answered before it is shown
	h.lastHostAct = slices.Max(append([]uint64{h.lastHostAct, u.Seq}, u.Seqs...)) + 1
	answer := make(chan wire.Reply, 1)
	h.loop.Act(wire.Handset{Viewer: engine.Host, N: n},
		wire.Act{ID: act, Seq: h.lastHostAct, Act: act, Args: args}, func(r wire.Reply) { answer <- r })
	var r wire.Reply
	select {
	case r = <-answer:
	case <-h.loop.Done():
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
