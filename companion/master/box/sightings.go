package box

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// sighting is the reader or place where a card was last seen, and when. For a card seen in a game the time is
// the end of that game, because the minutes show publicly which player placed a card at which second.
type sighting struct {
	at   string
	wall time.Time
	game bool
}

// maxGames limits how many earlier games are searched for missing cards.
const maxGames = 3

// allSightings returns where each card was last seen, in the last games before this one or on a reader since.
func (b *Box) allSightings() map[engine.ID]sighting {
	all := map[engine.ID]sighting{}
	for id := max(1, b.table.GameNumber()-maxGames); id < b.table.GameNumber(); id++ {
		positions, ended := b.table.LastPositions(id)
		for card, at := range positions {
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

// lastSightings returns where the missing cards were last seen, in the order along the table: the urn, the
// other readers, the places. A card that was never seen is left out.
func (b *Box) lastSightings(missing []engine.ID, seen map[engine.ID]sighting) []wire.LastSeen {
	all := make([]wire.LastSeen, 0, len(missing))
	rank := map[string]int{engine.ReaderUrn: -2, engine.ReaderShow: -1}
	for i, n := range b.table.Book().Names() {
		rank[string(n.ID)] = i
	}
	for _, card := range missing {
		if s, ok := seen[card]; ok {
			all = append(all, wire.LastSeen{
				Card: card, At: s.at, Game: s.game,
				Ago: engine.Millis(max(0, b.table.WallTime().Sub(s.wall).Milliseconds())),
			})
		}
	}
	at := func(l wire.LastSeen) int {
		if n, ok := rank[l.At]; ok {
			return n
		}
		return len(rank) // a reader without a name in this game
	}
	slices.SortStableFunc(all, func(x, y wire.LastSeen) int { return cmp.Or(cmp.Compare(at(x), at(y)), strings.Compare(x.At, y.At)) })
	return all
}
