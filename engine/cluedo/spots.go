package cluedo

import "majordome/engine/internal/box"

// Mystery cards that lie face down on the board: those of the pool (C8-005), of which whoever is
// there may see all in the place of a hypothesis. Where they lie is a loc, and how many lie
// somewhere is public (state.lying).

// lyingHere reports that mystery cards lie where the active pawn stands.
func (s *state) lyingHere() bool { return s.lying[s.here()] > 0 }

// liesIn are the cards that are recorded somewhere on the board.
func (s *state) liesIn(a area) (all set) {
	for c := card(1); c <= s.book.to[kindRoom]; c++ {
		if s.at(c) == locLies+loc(a) {
			all = all.with(c)
		}
	}
	return all
}

// restLies records what is left when all other cards are recorded and it all lies in one place, so
// that the phone of whoever looks at it can keep it.
func (s *state) restLies() {
	k := s.truth()
	rest := s.book.mystery() &^ k.envelope &^ k.lies
	for x := range k.hand {
		rest &^= k.hand[x]
	}
	for a := range s.lying {
		if n := int(s.lying[a]); n > 0 && n == rest.count() {
			for c := rest; c != 0; c &= c - 1 {
				s.put(c.first(), locLies+loc(a), box.Nobody)
			}
		}
	}
}
