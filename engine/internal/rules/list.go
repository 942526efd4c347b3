package rules

import "math/bits"

// List are the ids of a set of cards, in the order of their deck; bit c is card c. Cards that follow
// each other, such as a single one, share the list of the deck: nobody may change what it returns.
func List[ID ~string](deck []ID, set uint64) []ID {
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
