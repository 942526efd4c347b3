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
type tagged map[devices.UID]engine.ID

// deckTags has the tags of every deck. It is safe for concurrent use; the zero value is empty.
type deckTags struct {
	mu  sync.RWMutex
	all map[engine.ID]tagged
}

// tagsOf returns the tags of a deck; callers must not change the map.
func (t *deckTags) of(deck engine.ID) tagged {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.all[deck]
}

func (t *deckTags) set(deck engine.ID, known tagged) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[engine.ID]tagged{}
	}
	t.all[deck] = known
}

// deckIDs returns the ids of all decks, in order.
func (t *deckTags) decks() []engine.ID {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Sorted(maps.Keys(t.all))
}

// taggedCards returns every card that has a tag, of all decks.
func (t *deckTags) cards() (all []engine.ID) {
	for _, deck := range t.decks() {
		all = slices.AppendSeq(all, maps.Values(t.of(deck)))
	}
	return all
}

// findCard returns the card and the deck of a tag.
func (t *deckTags) find(uid devices.UID) (card, deck engine.ID, ok bool) {
	for _, deck := range t.decks() {
		if card, ok = t.of(deck)[uid]; ok {
			return card, deck, true
		}
	}
	return "", "", false
}

// Tags and ChangeTags implement the store of package enrol; changes take effect at once.
func (c *Cards) Tags(deck engine.ID) ([]store.Tag, error) { return c.opts.Store.Tags(deck) }

func (c *Cards) ChangeTags(drop, put []store.TagOf) error {
	if err := c.opts.Store.ChangeTags(drop, put); err != nil {
		return err
	}
	touched := map[engine.ID]bool{}
	for _, t := range slices.Concat(drop, put) {
		touched[t.Deck] = true
	}
	return c.relearn(touched)
}

// reloadTags reads the tags of decks from the store, and passes them on to readers, pages and the box check.
func (c *Cards) relearn(decks map[engine.ID]bool) error {
	for deck := range decks {
		if deck != ControlDeck {
			if err := c.learn(deck); err != nil {
				return err
			}
		}
	}
	controls, err := c.readControls()
	if err != nil {
		return err
	}
	c.controls.Store(&controls)
	c.opts.Enrolled(c.Enrolled())
	c.mu.Lock()
	defer c.mu.Unlock()
	if decks[c.game] {
		known := c.tags.of(c.game)
		c.current.Store(&known)
		c.showNames(c.game) // with the names of pawns, if some have tags now
	}
	return nil
}

// loadTags reads the tags of a deck from the store. It skips an invalid tag.
func (c *Cards) learn(deck engine.ID) error {
	tags, err := c.opts.Store.Tags(deck)
	if err != nil {
		return err
	}
	known := make(tagged, len(tags))
	for _, t := range tags {
		uid, err := devices.ParseUID(t.UID)
		if err != nil {
			c.opts.Log.Warn("a tag of the store makes no sense and is left out: enrol its card again", "game", deck, "card", t.Card,
				"conseil", "cette puce enregistrée n’a pas de sens : enregistrez de nouveau sa carte")
			continue
		}
		if why, unfit := uid.Unfit(); unfit { // from an older program or a backup: an enrolment refuses it
			c.opts.Log.Warn("a tag of the store is left out: enrol its card again", "game", deck, "card", t.Card,
				"advice", why.EN, "conseil", why.FR)
			continue
		}
		known[uid] = t.Card
	}
	c.tags.set(deck, known)
	return nil
}
