package box

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// sighting is where a card was seen last, and when: at a reader or in a place. Of one seen in a game the moment is that of its end: by
// the minutes everybody knows who was to lay a card at which second.
type sighting struct {
	at   string
	wall time.Time
	game bool
}

// maxGames limits how many earlier games are searched for missing cards.
const maxGames = 3

// sightings are those of the games of a group that is gone, and of what readers have seen since.
func (b *Box) sightings() map[engine.ID]sighting {
	all := map[engine.ID]sighting{}
	for id := max(1, b.table.Game()-maxGames); id < b.table.Game(); id++ {
		lying, ended := b.table.Lying(id)
		for card, at := range lying {
			if at == "" {
				delete(all, card)
			} else {
				all[card] = sighting{at, ended, true}
			}
		}
	}
	for card, s := range b.sighted {
		if s.wall.After(all[card].wall) {
			all[card] = s
		}
	}
	return all
}

// where says of the missing cards where they were seen last, in the order in which a hand that walks along the table meets them: the
// urn, the other readers, the places. What nobody has seen is in none.
func (b *Box) where(missing []engine.ID, seen map[engine.ID]sighting) []wire.LastSeen {
	all := make([]wire.LastSeen, 0, len(missing))
	rank := map[string]int{engine.ReaderUrn: -2, engine.ReaderShow: -1}
	for i, n := range b.table.Book().Names() {
		rank[string(n.ID)] = i
	}
	for _, card := range missing {
		if s, ok := seen[card]; ok {
			all = append(all, wire.LastSeen{Card: card, At: s.at, Game: s.game, Ago: engine.Millis(max(0, b.table.Wall().Sub(s.wall).Milliseconds()))})
		}
	}
	at := func(l wire.LastSeen) int {
		if n, ok := rank[l.At]; ok {
			return n
		}
		return len(rank) // a reader of no name here
	}
	slices.SortStableFunc(all, func(x, y wire.LastSeen) int { return cmp.Or(cmp.Compare(at(x), at(y)), strings.Compare(x.At, y.At)) })
	return all
}
