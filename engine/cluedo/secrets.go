package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// hiddenHoldings lists the hidden cards for the overseer: hands, face-down cards on the board, the
// envelope (also where it follows from all other cards), and mystery cards without a record.
func (s *answerState) hiddenHoldings() (all []engine.Holding) {
	at, open := s.cards.AllByLocation(), s.knowledgeFor(engine.Public).openCards
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.isSeated(x) {
			continue
		}
		held := at[custody.HandOf(x)] &^ open
		claimed := s.cards.ClaimsVisibleTo(engine.Overseer, x)
		all = append(all, engine.Holding{Of: x.String(), Cards: s.book.cardEngineIDs(uint64(held)),
			Said: s.book.cardEngineIDs(uint64(claimed &^ held &^ open))})
	}
	addCards := func(of string, cs set) {
		if cs &^= open; cs != 0 {
			all = append(all, engine.Holding{Of: of, Cards: s.book.cardEngineIDs(uint64(cs))})
		}
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		addCards(s.book.areaID[a], at[locBoard+loc(a)])
	}
	solution := at[locEnvelope]
	if s.phase == turn || s.phase == over {
		if found, ok := s.deducedSolution(); ok {
			solution = found
		}
		addCards("", at[locUnknown]&s.book.mysteryCards()&^solution)
	}
	addCards(engine.InEnvelope, solution)
	return all
}
