package house

import (
	"strconv"

	"majordome/companion/wire"
	"majordome/engine"
)

// Invitation is the open link of a viewer, or the plain page when a phone has
// taken that seat already.
func (h *House) Invitation(v engine.Viewer) (url string, joined bool, err error) {
	url, joined, err = h.desk.Link(v)
	if url == "" && err == nil {
		url = h.URL() + "/"
		if s, ok := v.Seat(); ok {
			url += "#seat=" + strconv.Itoa(int(s))
		} else {
			url += "host"
		}
	}
	return url, joined, err
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
		_, err := h.Links(true)
		return err
	}
	seat, _ := v.Seat()
	return h.asHost("invite", engine.Args{"seat": seat.String()})
}

// Resume lets a game go on that the host, a button or a program has stopped.
func (h *House) Resume() error { return h.asHost(wire.OrderResume, nil) }

// asHost sends an act as the host's second device would and waits for the answer.
func (h *House) asHost(act string, args engine.Args) error {
	u, _ := h.Snapshot(engine.Host)
	seq := uint64(1)
	if len(u.Seqs) > 0 {
		seq += u.Seqs[0]
	}
	return h.actAs(wire.Handset{Viewer: engine.Host, N: 2}, seq, act, args)
}
