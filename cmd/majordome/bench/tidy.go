package bench

import (
	"slices"
	"strings"

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
// the box, in a dead hand, or face up although they were not shown. Cards on readers are left out: a player is busy
// with them.
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
		case !isClueOrWeapon(c) || isOnReader(c) || slices.Contains(v.Shown, c.Card) || slices.Contains(v.Gone, c.Card):
		case at[c.Spot] != nil:
			at[c.Spot].cards = append(at[c.Spot].cards, c)
		default:
			spare = append(spare, c)
		}
	}
	return piles, spare
}

// matchPilesToView moves cards until every pile has as many clues as the game says. People do the same after they have played
// on their phones for a while. The cards are chosen at random, because only the numbers are public.
func (t *Table) matchPilesToView() {
	v := t.lastUpdate.View
	if t.isPresentingCards() || v.Phase == "" || v.Phase == engine.PhaseLobby || v.IsDealing() {
		return
	}
	if v.Case != nil {
		t.tidyCluedoPiles(v)
		return
	}
	piles, spare := t.cluePiles(v)
	if n := len(spare); n > 0 && !slices.ContainsFunc(piles, func(p *pile) bool { return len(p.cards) > 0 }) {
		spare = t.fillLargestPlace(piles, spare)
	}
	t.evenOutPiles(piles, spare)
}

// evenOutPiles moves cards from piles that are too high, and the spare ones, to piles that are too low.
func (t *Table) evenOutPiles(piles []*pile, spare []*card) {
	t.shuffleCards(spare)
	for _, p := range piles {
		t.shuffleCards(p.cards)
		for len(p.cards) > p.want {
			spare = append(spare, p.cards[0]) // after the spare cards, which go first
			p.cards = p.cards[1:]
		}
	}
	for _, p := range piles {
		for len(p.cards) < p.want && len(spare) > 0 {
			t.moveCardAndTag(spare[0], p.spot)
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
		t.moveCardAndTag(c, first.spot)
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
		if len(t.roleCardsAt(handSpot(s.Seat))) == 0 {
			without = append(without, s.Seat)
		}
	}
	drawn := t.roleCardsToDeal(len(without))
	t.shuffleCards(drawn)
	for i, c := range drawn {
		t.moveCardAndTag(c, handSpot(without[i]))
	}
}

// roleCardsAt returns the role cards at a spot.
func (t *Table) roleCardsAt(spot string) []*card {
	var cs []*card
	for _, c := range t.cards {
		if c.Spot == spot && c.Kind == "role-card" {
			cs = append(cs, c)
		}
	}
	return cs
}

// turnUpRoleCard turns over the role card of a seat whose role is public now. If the machine has drawn the roles, the card in
// that hand was chosen at random: it is then swapped for one with the public role.
func (t *Table) turnUpRoleCard(s engine.SeatView) {
	says := func(c *card) bool { return c.Card == s.Role || strings.HasPrefix(string(c.Card), string(s.Role)+"-") }
	spot := handSpot(s.Seat)
	for _, c := range t.roleCardsAt(spot) {
		if c.Up {
			return
		}
		if !says(c) {
			other := slices.IndexFunc(t.cards, func(o *card) bool { return o.Kind == "role-card" && says(o) && !o.Up && !isOnReader(o) })
			if other < 0 {
				continue
			}
			o := t.cards[other]
			from := o.Spot
			t.moveCardAndTag(o, spot)
			t.moveCardAndTag(c, from)
			c = o
		}
		c.Up = true
	}
}
