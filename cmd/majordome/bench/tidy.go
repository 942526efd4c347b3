package bench

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// isClueOrWeapon reports whether a card is put face down on places and into hands.
func isClueOrWeapon(c *card) bool { return c.Kind == "clue" || c.Kind == "weapon" }

// pile is a pile of clues whose number is public: the number that the game says, and the cards in it.
type pile struct {
	spot  string
	want  int
	cards []*card
}

// cluePiles returns the places, the living hands and the urn, with their clues. spare are the clues in other spots: in
// the box, in a dead hand, or face up although they were not shown. A card on a reader counts where it goes back to.
func (t *Table) cluePiles(v engine.View) (piles []*pile, spare []*card) {
	at := map[string]*pile{}
	add := func(spot string, want int) {
		p := &pile{spot: spot, want: want}
		at[spot], piles = p, append(piles, p)
	}
	for _, p := range v.Places {
		add(string(p.Place), p.Cards)
	}
	for _, s := range v.Seats {
		if s.Alive {
			add(handSpot(s.Seat), s.Cards)
		}
	}
	add(wire.SpotUrn, v.Urn)
	for _, c := range t.cards {
		switch {
		case c.Spot == wire.SpotOpen && v.Phase == "reveal": // the cards are being named
		case !isClueOrWeapon(c) || slices.Contains(v.Shown, c.Card) || slices.Contains(v.Gone, c.Card):
		case at[restingSpot(c)] != nil:
			at[restingSpot(c)].cards = append(at[restingSpot(c)].cards, c)
		default:
			spare = append(spare, c)
		}
	}
	return piles, spare
}

// matchPilesToView moves cards until every pile has as many clues as the game says. People do the same after they have played
// on their phones for a while. Cards that no phone shows are chosen at random.
func (t *Table) matchPilesToView() {
	v := t.lastUpdate.View
	if t.isPresentingCards() || v.Phase == "" || v.Phase == engine.PhaseLobby || v.IsDealing() {
		return
	}
	known := t.knownSpots(v)
	t.swapKnownCards(known)
	if v.Case != nil {
		t.tidyCluedoPiles(v, known)
		return
	}
	piles, spare := t.cluePiles(v)
	if n := len(spare); n > 0 && !slices.ContainsFunc(piles, func(p *pile) bool { return len(p.cards) > 0 }) {
		spare = t.fillLargestPlace(piles, spare)
	}
	t.evenOutPiles(piles, spare, known)
}

// evenOutPiles moves cards from piles that are too high, and the spare ones, to piles that are too low.
// Those that a phone shows in a pile stay there if they can.
func (t *Table) evenOutPiles(piles []*pile, spare []*card, known map[engine.ID]string) {
	t.shuffleCards(spare)
	for _, p := range piles {
		t.shuffleCards(p.cards)
		for len(p.cards) > p.want {
			i := max(0, slices.IndexFunc(p.cards, func(c *card) bool { return known[c.Card] != p.spot }))
			spare = append(spare, p.cards[i]) // after the spare cards, which go first
			p.cards = slices.Delete(p.cards, i, i+1)
		}
	}
	for _, p := range piles {
		for len(p.cards) < p.want && len(spare) > 0 {
			t.rest(spare[0], p.spot)
			p.cards, spare = append(p.cards, spare[0]), spare[1:]
		}
	}
}

func (t *Table) shuffleCards(cs []*card) {
	chance.Shuffle(t.opts.Dice, len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
}

// fillLargestPlace fills the largest place as the rule requires (HC-007): with its own weapon and one clue of each
// character. It returns the other cards.
func (t *Table) fillLargestPlace(piles []*pile, spare []*card) []*card {
	first := slices.MaxFunc(piles, func(a, b *pile) int { return a.want - b.want })
	t.shuffleCards(spare)
	clueOwners := map[engine.ID]bool{}
	var rest []*card
	for _, c := range spare {
		owner := t.ownerOfCard(c.Card)
		mine := c.Kind == "weapon" && string(owner) == first.spot || c.Kind == "clue" && !clueOwners[owner]
		if !mine || len(first.cards) == first.want {
			rest = append(rest, c)
			continue
		}
		clueOwners[owner] = true
		t.rest(c, first.spot)
		first.cards = append(first.cards, c)
	}
	return rest
}

// ownerOfCard returns the owner of a card: the character of a clue, the place of a weapon.
func (t *Table) ownerOfCard(id engine.ID) engine.ID {
	for _, n := range t.names[t.game] {
		if n.ID == id && n.Kind != "value" {
			return n.Of
		}
	}
	return ""
}

// giveMissingRoleCards gives every seat without a role card one: people who draw without a reader, or do not enter it, have their
// cards all the same.
func (t *Table) giveMissingRoleCards(v engine.View) {
	var without []engine.Seat
	for _, s := range v.Seats {
		if len(t.cards.roleCardsAt(handSpot(s.Seat))) == 0 {
			without = append(without, s.Seat)
		}
	}
	drawn := t.cards.roleCardsToDeal(len(without))
	t.shuffleCards(drawn)
	for i, c := range drawn {
		t.moveCardAndTag(c, handSpot(without[i]))
	}
}
