package rules

import (
	"math/bits"

	"majordome/engine"
)

// ListIDs returns the ids of a set of cards, in deck order; bit c is card c. A result of
// consecutive cards, such as a single one, shares the memory of deck, so no caller may change it.
func ListIDs[ID ~string](deck []ID, set uint64) []ID {
	from, n := bits.TrailingZeros64(set), bits.OnesCount64(set)
	if set != 0 && set>>from == 1<<n-1 {
		return deck[from : from+n : from+n]
	}
	ids := make([]ID, 0, n)
	for ; set != 0; set &= set - 1 {
		ids = append(ids, deck[bits.TrailingZeros64(set)])
	}
	return ids
}

// ListSeats returns the names of the seats up to last for which may is true, in table order. No
// caller may change the result.
func ListSeats(last engine.Seat, may func(engine.Seat) bool) []string {
	var set uint64
	for x := engine.Seat(1); x <= last; x++ {
		if may(x) {
			set |= 1 << x
		}
	}
	return ListIDs(seatNames, set)
}

// SetOfSeats returns the set of these seats, of which zero is none; bit x is seat x.
func SetOfSeats(seats ...engine.Seat) (set uint16) {
	for _, x := range seats {
		set |= 1 << x &^ 1
	}
	return set
}

// SeatsOf returns the seats up to last in a set; bit x is seat x.
func SeatsOf(set uint16, last engine.Seat) []engine.Seat {
	seats := []engine.Seat{}
	for x := engine.Seat(1); x <= last; x++ {
		if set&(1<<x) != 0 {
			seats = append(seats, x)
		}
	}
	return seats
}

var seatNames = func() (all []string) {
	for x := range engine.Seat(engine.MaxSeats + 1) {
		all = append(all, x.String())
	}
	return all
}()
