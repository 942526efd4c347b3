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

// Invitation is the open link of a viewer, or the plain page when a phone has
// taken that seat already.
func (h *House) Invitation(v engine.Viewer) (url string, joined bool, err error) {
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

// Links are where the pages are. No code is given twice: each call makes a new one, and what an earlier one gave opens
// nothing any more. Anew: the phone that has the host's page is out.
func (h *House) Links(anew bool) (l adminsocket.Links, err error) {
	if anew {
		if _, err = h.desk.Invite(engine.Host); err != nil {
			return l, err
		}
	}
	code, err := h.desk.Fresh(engine.Host)
	l = adminsocket.Links{Display: h.network.URL() + "/display", Host: code, Lonely: h.network.Lonely(), Joined: code == ""}
	if l.Joined {
		l.Host = h.network.URL() + "/host"
	}
	h.changed() // the screen of the machine shows the code that serves now
	return l, err
}

// Phones are the links of everybody who sits at the table.
func (h *House) Phones() []wire.BenchPlayer {
	all := []wire.BenchPlayer{}
	u, _ := h.loop.Snapshot(engine.Public)
	for _, s := range u.View.Seats {
		if url, _, err := h.Invitation(engine.At(s.Seat)); err == nil {
			all = append(all, wire.BenchPlayer{Seat: s.Seat, URL: url})
		}
	}
	return all
}

// Snapshot is what a viewer is shown now; ok is false before the first step and where nobody sits.
func (h *House) Snapshot(v engine.Viewer) (u wire.Update, ok bool) { return h.loop.Snapshot(v) }

// Act does what a phone asks for, as if it had come by the broker. reply is called once and must not block.
func (h *House) Act(phone wire.Handset, act wire.Act, reply func(wire.Reply)) {
	h.loop.Act(phone, act, reply)
}

// Invite gives a viewer a new link; a phone that has this seat, or the host's page, is cut.
func (h *House) Invite(v engine.Viewer) error {
	if v.IsHost() {
		_, err := h.desk.Invite(v)
		h.changed()
		return err
	}
	seat, _ := v.Seat()
	return h.hostAct(2, "invite", engine.Args{"seat": seat.String()})
}

// Resume lets a game go on that the host, a button or a program has stopped.
func (h *House) Resume() error { return h.hostAct(2, wire.OrderResume, nil) }

// errEnded says that the table has ended, and the act was not done.
var errEnded = errors.New("the table has ended")

// hostAct acts as the n-th device of the host does, and waits for the answer: the reason of the table (engine.Reject), or errEnded. The first
// is the page of the host, which counts its acts by itself: what comes while somebody uses it is the second's.
func (h *House) hostAct(n int, act string, args engine.Args) error {
	h.hostMu.Lock()
	defer h.hostMu.Unlock()
	u, _ := h.Snapshot(engine.Host) // maybe that of before the last act, which is answered before it is shown
	h.acted = slices.Max(append([]uint64{h.acted, u.Seq}, u.Seqs...)) + 1
	answer := make(chan wire.Reply, 1)
	h.loop.Act(wire.Handset{Viewer: engine.Host, N: n}, wire.Act{ID: act, Seq: h.acted, Act: act, Args: args}, func(r wire.Reply) { answer <- r })
	var r wire.Reply
	select {
	case r = <-answer:
	case <-h.loop.Done():
		select {
		case r = <-answer: // the last that it did
		default:
			return fmt.Errorf("house: %s: %w", act, errEnded)
		}
	}
	if !r.OK {
		return fmt.Errorf("house: %s: %w", act, r.Reject)
	}
	return nil
}
