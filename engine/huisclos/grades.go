package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/rules"
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
			Cards: rules.GradeOf(s.ledger.CountAt(custody.HandOf(x))+s.ledger.ClaimCount(x), 0, int(s.seats[x].cards))}
		if s.isRoleKnown(x) {
			c.Role = engine.Verified
		}
		out = append(out, c)
	}
	for p := place(1); p <= numPlaces; p++ {
		if !s.rooms[p].closed {
			out = append(out, engine.Custody{Of: s.book.placeID[p],
				Cards: rules.GradeOf(s.ledger.CountAt(loc(p)), 0, int(s.rooms[p].cards))})
		}
	}
	if s.urnCount > 0 {
		out = append(out, engine.Custody{Of: engine.ReaderUrn, Cards: rules.GradeOf(s.countRecordedInUrn(), 0, int(s.urnCount))})
	}
	return out
}
