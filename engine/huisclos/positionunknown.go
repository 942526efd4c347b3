package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/position"
)

// Verbs of a position for what the machine does not know.

func (q *positionBuilder) addUnknown(w []string) *position.Fault {
	q.hasUnrecorded = q.hasUnrecorded || w[0] != "role"
	if w[0] == "place" {
		p, err := q.parsePlace(w[1])
		if err == nil && q.state.rooms[p].cards > 0 {
			err = position.Duplicate.NewFault(w[1])
		}
		if err != nil {
			return err
		}
		return addUnknownCount(w, &q.state.rooms[p].cards)
	}
	x, err := q.parseSeat(w[1])
	if err != nil {
		return err
	}
	switch w[0] {
	case "hand":
		return addUnknownCount(w, &q.state.seats[x].cards)
	case "urn":
		if _, twice := q.urnClues[x]; twice {
			return position.Duplicate.NewFault(w[1])
		}
		q.urnClues[x] = 0
	case "role":
		q.secretRoles = append(q.secretRoles, x)
	default:
		return position.NotOneOfFault(w[0], unknownNoun, "place", "hand", "urn", "role")
	}
	return nil
}

// addUnknownCount adds the number at the end of an unknown line to a count.
func addUnknownCount(w []string, to *uint8) *position.Fault {
	if len(w) < 3 {
		return position.WrongWordCount.NewFault("unknown", w[0]+" "+w[1]+" <count>")
	}
	n, err := position.ParseNumber(w[2], numCards)
	*to += uint8(n)
	return err
}

func (q *positionBuilder) setClaims(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	for _, word := range w[1:] {
		c, ok := q.state.book.cardByID[word]
		if err == nil && !ok {
			err = position.NotOneOfFault(word, clueNoun, q.state.book.cardID[1:]...)
		}
		q.claimsOf[x] = q.claimsOf[x].WithCard(c)
	}
	return err
}

func (q *positionBuilder) setLost(w []string) (err *position.Fault) {
	q.hasUnrecorded = true
	q.minLost, err = position.ParseNumber(w[0], numCards)
	return err
}

// placeUnrecorded makes the clues named nowhere unrecorded ones, and sets the lost clues and the claims.
func (q *positionBuilder) placeUnrecorded(lines position.Position) *position.Fault {
	s := q.state
	if q.hasUnrecorded {
		for c := card(1); c <= numCards; c++ {
			if s.ledger.LocationOf(c) == locOut {
				s.ledger.RecordCard(c, locSomewhere, hidden.Nobody)
			}
		}
		rest := numCards - s.countAccountedClues()
		if rest < q.minLost { // also when more than 39 are somewhere
			return lines.LocateFault(lostTooMany.NewFault(rest, q.minLost), "lost", "")
		}
		s.count.Lost = uint8(rest)
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if cs := q.claimsOf[x]; cs != 0 {
			if s.ledger.SetClaims(x, cs); s.countUnnamedInHand(x) < s.ledger.ClaimCount(x) || cs&s.ledger.CardsAt(custody.HandOf(x)) != 0 {
				return lines.LocateFault(claimsTooMuch.NewFault(x), "claims", x.String())
			}
		}
	}
	return nil
}
