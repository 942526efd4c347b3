package game

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// phones are those that are connected, and how far each has counted its acts.
type phones struct {
	online []wire.Handset
	seqs   map[engine.Viewer][wire.MaxPhones]uint64
}

func newPhones() phones {
	return phones{[]wire.Handset{}, map[engine.Viewer][wire.MaxPhones]uint64{}}
}

// seatsOnline are the seats with a phone connected.
func (p *phones) seatsOnline() []engine.Seat {
	seats := []engine.Seat{}
	for _, h := range p.online {
		if s, ok := h.Seat(); ok && !slices.Contains(seats, s) {
			seats = append(seats, s)
		}
	}
	return seats
}

// take counts an act of a phone; false for one that has come before.
func (p *phones) take(h wire.Handset, seq uint64) bool {
	all := p.seqs[h.Viewer]
	if seq <= all[h.N-1] {
		return false
	}
	all[h.N-1] = seq
	p.seqs[h.Viewer] = all
	return true
}

// counted is how far the phones of a viewer have counted their acts: the first, and
// the further ones as far as any has.
func (p *phones) counted(v engine.Viewer) (first uint64, further []uint64) {
	all := p.seqs[v]
	n := len(all)
	for n > 1 && all[n-1] == 0 {
		n--
	}
	return all[0], append(further, all[1:n]...)
}

// restart forgets how far phones have counted.
func (p *phones) restart(gone func(wire.Handset) bool) {
	for v, all := range p.seqs {
		for i := range all {
			if gone(wire.Handset{Viewer: v, N: i + 1}) {
				all[i] = 0
			}
		}
		p.seqs[v] = all
	}
}

// afresh forgets how far phones have counted their acts: what was sealed with their keys opens no more.
func (c *core) afresh(gone func(wire.Handset) bool) {
	c.restart(gone)
	c.notes.forget(gone)
}
