package game

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// phones holds which phones are connected, and the number of the last act of each.
type phones struct {
	online []wire.Handset
	seqs   map[engine.Viewer]seqs
	// playerSeqs holds the acts that show a player at the phone (master.Act.Silent), not what a phone sends unasked.
	playerSeqs map[engine.Viewer]seqs
}

// seqs are the numbers of the last acts of a viewer's phones, in the order of the phones.
type seqs [wire.MaxPhones]uint64

func newPhones() phones {
	return phones{[]wire.Handset{}, map[engine.Viewer]seqs{}, map[engine.Viewer]seqs{}}
}

// seatsOnline returns the seats with a connected phone.
func (p *phones) seatsOnline() []engine.Seat {
	seats := []engine.Seat{}
	for _, h := range p.online {
		if s, ok := h.Seat(); ok && !slices.Contains(seats, s) {
			seats = append(seats, s)
		}
	}
	return seats
}

// recordNewSeq stores the number of an act of a phone; false if the act has come before.
func (p *phones) recordNewSeq(h wire.Handset, seq uint64) (isNew bool) {
	all := p.seqs[h.Viewer]
	if seq <= all[h.N-1] {
		return false
	}
	all[h.N-1] = seq
	p.seqs[h.Viewer] = all
	return true
}

// recordPlayerAct notes that a player has done the act with this number.
func (p *phones) recordPlayerAct(h wire.Handset, seq uint64) {
	all := p.playerSeqs[h.Viewer]
	all[h.N-1] = seq
	p.playerSeqs[h.Viewer] = all
}

// lastSeqs returns the numbers of the last acts of a viewer's phones: of the first phone, and of the others up
// to the last that has acted.
func (p *phones) lastSeqs(v engine.Viewer) (first uint64, further []uint64) {
	all := p.seqs[v]
	n := len(all)
	for n > 1 && all[n-1] == 0 {
		n--
	}
	return all[0], append(further, all[1:n]...)
}

// resetSeqs forgets the numbers of phones that are gone.
func (p *phones) resetSeqs(gone func(wire.Handset) bool) {
	for _, of := range []map[engine.Viewer]seqs{p.seqs, p.playerSeqs} {
		for v, all := range of {
			for i := range all {
				if gone(wire.Handset{Viewer: v, N: i + 1}) {
					all[i] = 0
				}
			}
			of[v] = all
		}
	}
}
