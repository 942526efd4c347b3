package bench

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of people in a Cluedo. The Intrigue cards are in their pile from the beginning. The mystery cards that are
// presented go into the envelope first and then into the hands. A card that was shown goes back.

// isMysteryCard reports whether a card belongs in the envelope, the pool or a hand.
func isMysteryCard(c *card) bool {
	return c.Kind == "suspect" || c.Kind == "weapon" || c.Kind == "room"
}

// isEventCard reports whether a card belongs in the Intrigue pile.
func isEventCard(c *card) bool {
	return c.Kind == "time-card" || c.Kind == "butler-card" || c.Kind == "clue-card"
}

// moveDrawnClueCard puts a clue card into the hand of the player who draws it, face up if the card was named, until it is
// carried out (CC-030).
func (t *Table) moveDrawnClueCard(h *engine.Happening) {
	if t.lastUpdate.View.Case.Virtual {
		return // no card is needed
	}
	i := slices.IndexFunc(t.cards, func(c *card) bool {
		return c.Kind == "clue-card" && c.Spot == wire.SpotPile && (len(h.Cards) == 0 || slices.Contains(h.Cards, c.Card))
	})
	if i >= 0 {
		t.moveCardAndTag(t.cards[i], handSpot(h.Seat))
		t.cards[i].Up = len(h.Cards) > 0
	}
}

// returnClueCards puts clue cards back under the pile, where all of them are while none is carried out (CC-032).
func (t *Table) returnClueCards(v engine.View) {
	clues := slices.DeleteFunc(slices.Clone(t.cards), func(c *card) bool { return c.Kind != "clue-card" })
	if v.Case == nil || v.Case.Virtual || v.Case.Pile < len(clues) {
		return
	}
	for _, c := range clues {
		if _, held := parseHandSpot(c.Spot); held {
			t.moveCardAndTag(c, wire.SpotPile)
		}
	}
}

// awaitedSeat returns the seat that a reader waits for; 0: none.
func awaitedSeat(v engine.View, readerRole string) engine.Seat {
	for _, r := range v.Readers {
		if r.Reader == readerRole {
			return r.Seat
		}
	}
	return 0
}

// nextCluedoCardsToDeal returns the cards that the helping hand may present next when a Cluedo is dealt: those of kinds that
// are missing in the envelope, then all others for the rooms and the hands.
func (t *Table) nextCluedoCardsToDeal(v engine.View) []*card {
	pile, sealed := t.cards.inBox("suspect", "weapon", "room"), map[engine.ID]bool{}
	for _, c := range t.cards {
		if c.Spot == wire.SpotEnvelope {
			sealed[c.Kind] = true
		}
	}
	if awaitedSeat(v, engine.ReaderShow) != 0 || len(sealed) == 3 {
		return pile
	}
	return slices.DeleteFunc(pile, func(c *card) bool { return sealed[c.Kind] })
}

// cluedoPiles returns the piles of a Cluedo whose sizes are public, with the cards that are in them now: those of mystery
// cards or, if butlers, of Butler and clue cards. spare are the cards of these kinds that are in none of the piles. The
// caller subtracts the Time cards from the size of the Intrigue pile.
func (t *Table) cluedoPiles(v engine.View, butlers bool) (piles []*pile, spare []*card) {
	at := map[string]*pile{}
	add := func(spot string, want int) {
		p := &pile{spot: spot, want: want}
		at[spot], piles = p, append(piles, p)
	}
	matches := isMysteryCard
	if butlers {
		matches = func(c *card) bool { return c.Kind == "butler-card" || c.Kind == "clue-card" }
		add(wire.SpotPile, v.Case.Pile)
	} else {
		add(wire.SpotEnvelope, 3)
		for _, p := range v.Places {
			if p.Cards > 0 {
				add(string(p.Place), p.Cards)
			}
		}
	}
	for _, s := range v.Seats {
		if butlers {
			add(handSpot(s.Seat), s.Tokens)
		} else {
			add(handSpot(s.Seat), s.Cards)
		}
	}
	for _, c := range t.cards {
		switch {
		case !matches(c) || slices.Contains(v.Gone, c.Card):
		case at[restingSpot(c)] != nil:
			at[restingSpot(c)].cards = append(at[restingSpot(c)].cards, c)
		default:
			spare = append(spare, c)
		}
	}
	return piles, spare
}

// tidyCluedoPiles makes every pile of a Cluedo as large as the game says. The envelope comes first and gets one card of each kind; Time
// cards only go to the pile.
func (t *Table) tidyCluedoPiles(v engine.View, known map[engine.ID]string) {
	if !slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool { return s.Cards > 0 }) {
		return // nothing is dealt yet
	}
	if v.Case.Virtual { // no card is needed
		t.placeMatchingCards(func(c *card) bool { return isMysteryCard(c) || isEventCard(c) }, wire.SpotBox)
		return
	}
	piles, spare := t.cluedoPiles(v, false)
	envelope := piles[0]
	sealed := map[engine.ID]bool{}
	var rest []*card
	for _, c := range envelope.cards {
		if sealed[c.Kind] {
			rest = append(rest, c)
		}
		sealed[c.Kind] = true
	}
	envelope.cards = slices.DeleteFunc(envelope.cards, func(c *card) bool { return slices.Contains(rest, c) })
	spare = append(spare, rest...)
	t.shuffleCards(spare)
	spare = slices.DeleteFunc(spare, func(c *card) bool {
		if sealed[c.Kind] {
			return false
		}
		sealed[c.Kind] = true
		t.rest(c, envelope.spot)
		envelope.cards = append(envelope.cards, c)
		return true
	})
	t.evenOutPiles(piles, spare, known)

	piles, spare = t.cluedoPiles(v, true)
	for _, c := range t.cards { // Time cards count for the pile
		if c.Kind == "time-card" && !isOnReader(c) && !slices.Contains(v.Gone, c.Card) {
			if c.Spot != wire.SpotPile {
				t.moveCardAndTag(c, wire.SpotPile)
			}
			piles[0].want--
		}
	}
	t.evenOutPiles(piles, spare, known)
}
