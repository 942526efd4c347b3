package huisclos

import "majordome/engine"

// hiddenHoldings returns, for the overseer, hands and roles, the face-down clues in places and in the urn,
// and the clues without a record. A clue that a seat claims may be recorded elsewhere; then it is in both
// lists.
func (s *state) secrets() (all []engine.Holding) {
	k := s.knowledge(engine.Overseer)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.seated(x) {
			continue
		}
		claimed := s.cards.ClaimsTo(engine.Overseer, x)
		all = append(all, engine.Holding{Of: x.String(), Role: roleID(k.role[x]),
			Cards: s.book.engineIDs(k.hand(x) &^ claimed), Said: s.book.engineIDs(claimed)})
	}
	lying := func(of string, by engine.Seat, cs set) {
		if cs != 0 {
			all = append(all, engine.Holding{Of: of, By: by, Cards: s.book.engineIDs(cs)})
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		lying(s.book.placeID[p], 0, k.place(p))
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		lying(engine.InUrn, x, k.urn(x))
	}
	lying("", 0, k.at[locSomewhere])
	return all
}
