package bench

import (
	"slices"
	"strings"

	"majordome/engine"
)

// knownSpots returns the spots of cards by the phones: each phone shows the hand of its seat, and the cards that the
// seat looks through. Cards that all players see are left out; showOpenCards moves them.
func (t *Table) knownSpots(v engine.View) map[engine.ID]string {
	known := map[engine.ID]string{}
	if t.opts.Own == nil || v.Case != nil && v.Case.Virtual {
		return known
	}
	for _, s := range v.Seats {
		me := t.opts.Own(s.Seat)
		if me == nil || !s.Alive {
			continue
		}
		if s.Place != "" {
			for _, id := range me.Tray {
				known[id] = string(s.Place)
			}
		}
		for _, c := range me.Hand {
			known[c.Card] = handSpot(s.Seat)
		}
	}
	for _, id := range slices.Concat(v.Shown, v.Gone) {
		delete(known, id)
	}
	return known
}

// followPhones does what people do when they decide on their phones: it moves the cards that a phone shows to where it
// shows them, and swaps each for a card there that is on no phone. If the game has all hands on record, it also makes all
// piles as high as the game says. Otherwise a person must move the cards that no phone names.
func (t *Table) followPhones(v engine.View) {
	if t.opts.Own == nil || v.Phase == "" || v.Phase == engine.PhaseLobby || v.IsDealing() {
		return
	}
	known := t.knownSpots(v)
	t.swapKnownCards(known)
	for _, s := range v.Seats {
		if n := t.cards.countKnown(known, handSpot(s.Seat)); s.Alive && n != s.Cards {
			return
		}
	}
	t.matchPilesToView()
}

// swapKnownCards puts the known cards where they are known to be.
func (t *Table) swapKnownCards(known map[engine.ID]string) {
	for _, c := range t.cards {
		spot, ok := known[c.Card]
		from := restingSpot(c)
		if !ok || c.Card == "" || from == spot {
			continue
		}
		t.rest(c, spot)
		i := slices.IndexFunc(t.cards, func(o *card) bool {
			return o.Card != "" && restingSpot(o) == spot && known[o.Card] != spot && isSameSort(o, c)
		})
		if i >= 0 {
			t.rest(t.cards[i], from)
		}
	}
}

// isSameSort reports whether two cards are in the same piles, so that one may be swapped for the other.
func isSameSort(a, b *card) bool {
	if isEventCard(a) || isEventCard(b) {
		return a.Kind == b.Kind
	}
	sort := func(c *card) bool { return isClueOrWeapon(c) || isMysteryCard(c) }
	return sort(a) && sort(b)
}

// restingSpot returns the spot of a card; of one on a reader, the spot to which it goes back.
func restingSpot(c *card) string {
	if isOnReader(c) {
		return c.home
	}
	return c.Spot
}

// rest moves a card to a spot; one on a reader stays there, but goes back to that spot.
func (t *Table) rest(c *card, spot string) {
	if isOnReader(c) {
		c.home = spot
		return
	}
	t.moveCardAndTag(c, spot)
}

// followRoles gives every seat whose role is on its phone, or face up, a card with that role, and turns over the cards of
// roles that are face up. If the machine has drawn the roles, the cards were chosen at random before.
func (t *Table) followRoles(v engine.View) {
	roles := map[string]engine.ID{} // by the spot of the hand
	for _, s := range v.Seats {
		if roles[handSpot(s.Seat)] = s.Role; s.Role != "" || t.opts.Own == nil {
			continue
		}
		if me := t.opts.Own(s.Seat); me != nil {
			roles[handSpot(s.Seat)] = me.Role
		}
	}
	for _, s := range v.Seats {
		spot := handSpot(s.Seat)
		mine := t.cards.roleCardsAt(spot)
		if len(mine) == 0 || roles[spot] == "" {
			continue
		}
		c := mine[0]
		if !isOfRole(c, roles[spot]) {
			other := slices.IndexFunc(t.cards, func(o *card) bool { // in the box, or in a hand that needs another
				isNeeded := roles[o.Spot] != "" && isOfRole(o, roles[o.Spot])
				return o.Kind == "role-card" && isOfRole(o, roles[spot]) && !isOnReader(o) && !isNeeded
			})
			if other < 0 {
				continue
			}
			o := t.cards[other]
			from := o.Spot
			t.moveCardAndTag(o, spot)
			t.moveCardAndTag(c, from)
			c = o
		}
		c.Up = s.Role != ""
	}
}

// isOfRole reports whether a role card says a role.
func isOfRole(c *card, role engine.ID) bool {
	return c.Card == role || strings.HasPrefix(string(c.Card), string(role)+"-")
}
