package bench

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// cardList are cards of the table, in deck order.
type cardList []*card

// find returns the card with a tag, or nil.
func (l cardList) find(tag string) *card {
	for _, c := range l {
		if c.Tag == tag {
			return c
		}
	}
	return nil
}

// inBox returns the cards of these kinds that are in the box.
func (l cardList) inBox(kinds ...engine.ID) []*card {
	var pile []*card
	for _, c := range l {
		if c.Spot == wire.SpotBox && slices.Contains(kinds, c.Kind) {
			pile = append(pile, c)
		}
	}
	return pile
}

// roleCardsToDeal returns as many role cards as there are seats without one: the Murderer, if it is still in the box, and
// Innocents (HC-004).
func (l cardList) roleCardsToDeal(seats int) []*card {
	pile := l.inBox("role-card")
	slices.SortStableFunc(pile, func(a, b *card) int {
		switch {
		case a.Card == b.Card:
			return 0
		case a.Card == "role-murderer":
			return -1
		case b.Card == "role-murderer":
			return 1
		}
		return 0
	})
	return pile[:max(0, min(seats, len(pile)))]
}

// roleCardsAt returns the role cards at a spot.
func (l cardList) roleCardsAt(spot string) []*card {
	var cs []*card
	for _, c := range l {
		if c.Spot == spot && c.Kind == "role-card" {
			cs = append(cs, c)
		}
	}
	return cs
}

// countKnown counts the clues or mystery cards that the phones say are at a spot.
func (l cardList) countKnown(known map[engine.ID]string, spot string) (n int) {
	for _, c := range l {
		if c.Card != "" && known[c.Card] == spot && (isClueOrWeapon(c) || isMysteryCard(c)) {
			n++
		}
	}
	return n
}
