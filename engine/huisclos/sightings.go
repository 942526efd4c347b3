package huisclos

import (
	"cmp"
	"slices"

	"majordome/engine"
)

// sightings are where seat x saw each clue last, newest first: all but those in
// its hand, those that lie face up and those that are out of the game.
func (s *state) sightings(v engine.Viewer, k *sight, x engine.Seat) []engine.Sighting {
	out := []engine.Sighting{}
	mine, _ := s.seen[x].See(v)
	all, _ := s.seen[0].See(v)
	plain := k.hand[x] | k.shown | k.gone
	cards := make([]card, 0, numCards)
	for c := card(1); c <= numCards; c++ {
		if all[c].moment > mine[c].moment {
			mine[c] = all[c]
		}
		if mine[c].moment > 0 && !plain.has(c) {
			cards = append(cards, c)
		}
	}
	slices.SortStableFunc(cards, func(a, b card) int { return cmp.Compare(mine[b].moment, mine[a].moment) })
	for i, c := range cards {
		g := mine[c]
		if i == 0 || g.moment != mine[cards[i-1]].moment {
			out = append(out, engine.Sighting{How: howNames[g.how], Place: engine.ID(s.book.placeID[g.place]), Other: g.other, Round: int(g.round)})
		}
		last := &out[len(out)-1]
		last.Cards = append(last.Cards, engine.ID(s.book.cardID[c]))
	}
	return out
}
