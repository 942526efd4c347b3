package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// custodyViews returns for the host how well the machine knows the cards (GEN-022): of each living seat, of
// each open place, and of the urn unless it is empty. It uses only numbers.
func (s *roleState) custody() []engine.Custody {
	if s.phase < roles || s.phase >= over {
		return nil
	}
	out := make([]engine.Custody, 0, maxSeats+numPlaces+1)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.living(x) {
			continue
		}
		c := engine.Custody{Of: x.String(), Role: engine.Trusted,
			Cards: grade(s.cards.Count(custody.HandOf(x))+s.cards.Claimed(x), int(s.seats[x].cards))}
		if s.told(x) {
			c.Role = engine.Verified
		}
		out = append(out, c)
	}
	for p := place(1); p <= numPlaces; p++ {
		if !s.rooms[p].closed {
			out = append(out, engine.Custody{Of: s.book.placeID[p], Cards: grade(s.cards.Count(loc(p)), int(s.rooms[p].cards))})
		}
	}
	if s.urn > 0 {
		out = append(out, engine.Custody{Of: engine.ReaderUrn, Cards: grade(s.inUrn(), int(s.urn))})
	}
	return out
}

// gradeOf returns the grade of a holder of n clues, of which so many are known.
func grade(known, n int) string {
	switch known {
	case n:
		return engine.Verified
	case 0:
		return engine.Trusted
	}
	return engine.Partly
}
