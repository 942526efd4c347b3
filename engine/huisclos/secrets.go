package huisclos

import "majordome/engine"

// hiddenHoldings returns, for the overseer, hands and roles, the face-down clues in places and in the urn,
// and the clues without a record. A clue that a seat claims may be recorded elsewhere; then it is in both
// lists.
func (s *inquiryState) hiddenHoldings() (all []engine.Holding) {
	k := s.knowledgeFor(engine.Overseer)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.isSeated(x) {
			continue
		}
		claimed := s.ledger.ClaimsVisibleTo(engine.Overseer, x)
		all = append(all, engine.Holding{Of: x.String(), Role: roleID(k.roleOf[x]),
			Cards: s.book.listEngineIDs(k.knownHandOf(x) &^ claimed), Said: s.book.listEngineIDs(claimed)})
	}
	addCards := func(of string, by engine.Seat, cs set) {
		if cs != 0 {
			all = append(all, engine.Holding{Of: of, By: by, Cards: s.book.listEngineIDs(cs)})
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		addCards(s.book.placeID[p], 0, k.knownCluesIn(p))
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		addCards(engine.InUrn, x, k.knownDepositOf(x))
	}
	addCards("", 0, k.cluesAt[locSomewhere])
	return all
}
