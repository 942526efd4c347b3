package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// custodyViews returns for the host how well the machine knows the cards (GEN-022): of each living seat, of
// each open place, and of the urn unless it is empty. It uses only numbers.
func (s *roleState) custodyViews() []engine.Custody {
	if s.phase < phaseRoles || s.phase >= phaseOver {
		return nil
	}
	out := make([]engine.Custody, 0, maxSeats+numPlaces+1)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.isLiving(x) {
			continue
		}
		c := engine.Custody{Of: x.String(), Role: engine.Trusted,
			Cards: gradeOf(s.ledger.CountAt(custody.HandOf(x))+s.ledger.ClaimCount(x), int(s.seats[x].cards))}
		if s.isRoleKnown(x) {
			c.Role = engine.Verified
		}
		out = append(out, c)
	}
	for p := place(1); p <= numPlaces; p++ {
		if !s.rooms[p].closed {
			out = append(out, engine.Custody{Of: s.book.placeID[p], Cards: gradeOf(s.ledger.CountAt(loc(p)), int(s.rooms[p].cards))})
		}
	}
	if s.urnCount > 0 {
		out = append(out, engine.Custody{Of: engine.ReaderUrn, Cards: gradeOf(s.countRecordedUrn(), int(s.urnCount))})
	}
	return out
}

// gradeOf returns the grade of a holder of n clues, of which so many are known.
func gradeOf(known, n int) string {
	switch known {
	case n:
		return engine.Verified
	case 0:
		return engine.Trusted
	}
	return engine.Partly
}
