package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/position"
)

// The verbs of Position for what the machine does not know.

func (q *builder) unknown(w []string) error {
	q.vague = q.vague || w[0] != "role"
	if w[0] == "place" {
		p, err := q.where(w[1])
		if err == nil && q.s.rooms[p].cards > 0 {
			err = fmt.Errorf("%s holds clues by another line", w[1])
		}
		if err != nil {
			return err
		}
		return q.number(w[2:], &q.s.rooms[p].cards)
	}
	x, err := q.known(w[1])
	if err != nil {
		return err
	}
	switch w[0] {
	case "hand":
		return q.number(w[2:], &q.s.seats[x].cards)
	case "urn":
		if _, twice := q.urn[x]; twice {
			return fmt.Errorf("%s deposits twice", w[1])
		}
		q.urn[x] = 0
	case "role":
		q.secret = append(q.secret, x)
	default:
		return fmt.Errorf("nothing is unknown of %.40q: place, hand, urn or role", w[0])
	}
	return nil
}

// number adds the number that is the only word left.
func (q *builder) number(w []string, to *uint8) error {
	if len(w) != 1 {
		return fmt.Errorf("a number of clues is missing")
	}
	n, err := position.Number(w[0], numCards)
	*to += uint8(n)
	return err
}

func (q *builder) claim(w []string) error {
	x, err := q.known(w[0])
	for _, word := range w[1:] {
		c, ok := q.s.book.cards[word]
		if err == nil && !ok {
			err = fmt.Errorf("no clue %.40q", word)
		}
		q.claims[x] = q.claims[x].with(c)
	}
	return err
}

func (q *builder) lose(w []string) (err error) {
	q.vague = true
	q.lost, err = position.Number(w[0], numCards)
	return err
}

// settle gives the clues named nowhere to those who hold unrecorded ones.
func (q *builder) settle() error {
	s := q.s
	if q.vague {
		for c := card(1); c <= numCards; c++ {
			if s.is(c, locOut) {
				s.put(c, locSomewhere, box.Nobody)
			}
		}
		rest := numCards - s.counted()
		if rest < q.lost { // also when more than 39 are somewhere
			return fmt.Errorf("huisclos: position: %d clues are left to be lost, not %d", rest, q.lost)
		}
		s.lost = uint8(rest)
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if cs := q.claims[x]; cs != 0 {
			if s.setClaims(x, cs); s.unnamed(x) < int(s.claimed[x]) || cs&s.at(inHand(x)) != 0 {
				return fmt.Errorf("huisclos: position: %s claims more than the unrecorded clues of its hand", x)
			}
		}
	}
	return nil
}
