package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/position"
)

// Verbs of a position for what the machine does not know.

func (q *builder) unknown(w []string) *position.Fault {
	q.vague = q.vague || w[0] != "role"
	if w[0] == "place" {
		p, err := q.where(w[1])
		if err == nil && q.s.rooms[p].cards > 0 {
			err = position.Twice.Of(w[1])
		}
		if err != nil {
			return err
		}
		return number(w, &q.s.rooms[p].cards)
	}
	x, err := q.known(w[1])
	if err != nil {
		return err
	}
	switch w[0] {
	case "hand":
		return number(w, &q.s.seats[x].cards)
	case "urn":
		if _, twice := q.urn[x]; twice {
			return position.Twice.Of(w[1])
		}
		q.urn[x] = 0
	case "role":
		q.secret = append(q.secret, x)
	default:
		return position.NotA(w[0], unknownNoun, "place", "hand", "urn", "role")
	}
	return nil
}

// addNumber adds the number at the end of an unknown line to a count.
func number(w []string, to *uint8) *position.Fault {
	if len(w) < 3 {
		return position.Words.Of("unknown", w[0]+" "+w[1]+" <count>")
	}
	n, err := position.Number(w[2], numCards)
	*to += uint8(n)
	return err
}

func (q *builder) claim(w []string) *position.Fault {
	x, err := q.known(w[0])
	for _, word := range w[1:] {
		c, ok := q.s.book.cards[word]
		if err == nil && !ok {
			err = position.NotA(word, clueNoun, q.s.book.cardID[1:]...)
		}
		q.claims[x] = q.claims[x].With(c)
	}
	return err
}

func (q *builder) lose(w []string) (err *position.Fault) {
	q.vague = true
	q.lost, err = position.Number(w[0], numCards)
	return err
}

// placeUnrecorded makes the clues named nowhere unrecorded ones, and sets the lost clues and the claims.
func (q *builder) settle(lines position.Position) *position.Fault {
	s := q.s
	if q.vague {
		for c := card(1); c <= numCards; c++ {
			if s.cards.At(c) == locOut {
				s.cards.Put(c, locSomewhere, box.Nobody)
			}
		}
		rest := numCards - s.counted()
		if rest < q.lost { // also when more than 39 are somewhere
			return lines.At(lostTooMany.Of(rest, q.lost), "lost", "")
		}
		s.count.Lost = uint8(rest)
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if cs := q.claims[x]; cs != 0 {
			if s.cards.SetClaims(x, cs); s.unnamed(x) < s.cards.Claimed(x) || cs&s.cards.In(custody.HandOf(x)) != 0 {
				return lines.At(claimsTooMuch.Of(x), "claims", x.String())
			}
		}
	}
	return nil
}
