package cards

import (
	"maps"
	"slices"
	"sync"

	"majordome/companion/store"
	"majordome/devices"
	"majordome/engine"
)

// cardsByTag maps the tags of one deck to its cards.
type cardsByTag map[devices.UID]engine.ID

// hasPawns reports whether some pawns have tags.
func (t cardsByTag) hasPawns() bool {
	for card := range maps.Values(t) {
		if _, pawn := engine.PawnOwner(string(card)); pawn {
			return true
		}
	}
	return false
}

// deckTags has the tags of every deck. It is safe for concurrent use; the zero value is empty.
type deckTags struct {
	mu  sync.RWMutex
	all map[engine.ID]cardsByTag
}

// tagsOf returns the tags of a deck; callers must not change the map.
func (t *deckTags) tagsOf(deck engine.ID) cardsByTag {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.all[deck]
}

func (t *deckTags) setTags(deck engine.ID, known cardsByTag) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[engine.ID]cardsByTag{}
	}
	t.all[deck] = known
}

// deckIDs returns the ids of all decks, in order.
func (t *deckTags) deckIDs() []engine.ID {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Sorted(maps.Keys(t.all))
}

// taggedCards returns every card that has a tag, of all decks.
func (t *deckTags) taggedCards() (all []engine.ID) {
	for _, deck := range t.deckIDs() {
		all = slices.AppendSeq(all, maps.Values(t.tagsOf(deck)))
	}
	return all
}

// findCard returns the card and the deck of a tag.
func (t *deckTags) findCard(uid devices.UID) (card, deck engine.ID, ok bool) {
	for _, deck := range t.deckIDs() {
		if card, ok = t.tagsOf(deck)[uid]; ok {
			return card, deck, true
		}
	}
	return "", "", false
}

// Tags and ChangeTags implement enrol.TagStore; changes take effect at once.
func (c *Cards) Tags(deck engine.ID) ([]store.Tag, error) { return c.opts.Store.Tags(deck) }

func (c *Cards) ChangeTags(drop, put []store.DeckTag) error {
	if err := c.opts.Store.ChangeTags(drop, put); err != nil {
		return err
	}
	touched := map[engine.ID]bool{}
	for _, t := range slices.Concat(drop, put) {
		touched[t.Deck] = true
	}
	return c.reloadTags(touched)
}

// reloadTags reads the tags of decks from the store, and passes them on to readers, pages and the box check.
func (c *Cards) reloadTags(decks map[engine.ID]bool) error {
	for deck := range decks {
		if deck != ControlDeck {
			if err := c.loadTags(deck); err != nil {
				return err
			}
		}
	}
	controls, err := c.readControls()
	if err != nil {
		return err
	}
	c.controls.Store(&controls)
	c.opts.OnEnrolled(c.EnrolledCards())
	c.mu.Lock()
	defer c.mu.Unlock()
	if decks[c.shownGame] {
		before, known := *c.currentTags.Load(), c.tags.tagsOf(c.shownGame)
		c.currentTags.Store(&known)
		if before.hasPawns() != known.hasPawns() { // no other tag changes a name, and phones get nothing because of it
			c.publishLabels(c.shownGame)
		}
	}
	return nil
}

// loadTags reads the tags of a deck from the store. It skips an invalid tag.
func (c *Cards) loadTags(deck engine.ID) error {
	tags, err := c.opts.Store.Tags(deck)
	if err != nil {
		return err
	}
	known := make(cardsByTag, len(tags))
	for _, t := range tags {
		uid, err := devices.ParseUID(t.UID)
		if err != nil {
			c.opts.Log.Warn("a tag of the store makes no sense and is left out: enrol its card again", "game", deck, "card", t.Card,
				"conseil", "cette puce enregistrée n’a pas de sens : enregistrez de nouveau sa carte")
			continue
		}
		if why, unfit := uid.UnfitAdvice(); unfit { // from an older program or a backup: an enrolment refuses it
			c.opts.Log.Warn("a tag of the store is left out: enrol its card again", "game", deck, "card", t.Card,
				"advice", why.EN, "conseil", why.FR)
			continue
		}
		known[uid] = t.Card
	}
	c.tags.setTags(deck, known)
	return nil
}
