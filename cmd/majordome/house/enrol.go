package house

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"majordome/companion/enrol"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
)

// enrolOpts are what a list of wire.Enrol asks for; game is the one of names, games are all of the table.
func enrolOpts(list string, game engine.ID, names engine.Names, games []engine.ID) enrol.Opts {
	o := enrol.Opts{Deck: game, Others: []engine.ID{controlDeck}, Unfit: unfit}
	switch list {
	case wire.EnrolControls:
		o.Deck, o.Others, o.Cards = controlDeck, games, controlCardNames()
	case wire.EnrolPawns:
		o.Cards = engine.Pawns(names)
	case wire.EnrolSpare: // one without a tag may get its first
		o.Cards = slices.DeleteFunc(slices.Clone(names), func(n engine.Name) bool { return !n.IsCard() })
	default:
		o.Cards = slices.DeleteFunc(slices.Clone(names), func(n engine.Name) bool { return !n.IsCard() || n.Untagged })
	}
	return o
}

// unfit says why a tag cannot name a card, see devices.UID.Unfit.
func unfit(uid string) (engine.Text, bool) {
	u, err := devices.ParseUID(uid)
	if err != nil {
		return engine.T("ce numéro n’est pas celui d’une puce", "this is not the number of a tag"), true
	}
	why, ok := u.Unfit()
	return engine.T(why.FR, why.EN), ok
}

// unfitTag says why a tag cannot be enrolled at this table: it cannot name a card, or the configuration has it as a button.
func (h *House) unfitTag(uid string) (engine.Text, bool) {
	for _, b := range h.opts.Buttons {
		if b.Watch == nil && b.Tag.String() == uid {
			return engine.T("la puce "+uid+" est un bouton dans les réglages ("+b.Role+") : prenez-en une autre", "tag "+uid+" is a button in the settings ("+b.Role+"): take another one"), true
		}
	}
	return unfit(uid)
}

// parseNumber returns a tag's number as readers write it; ok is false for what is none.
func parseNumber(typed string) (uid string, ok bool) {
	u, err := devices.ParseUID(typed)
	if err != nil {
		return "", false
	}
	return u.String(), true
}

// tagStore keeps tags in the store; the readers know them at once. It implements enrol.Shelf.
type tagStore struct{ h *House }

func (s tagStore) Tags(deck engine.ID) ([]store.Tag, error) { return s.h.store.Tags(deck) }

func (s tagStore) ChangeTags(drop, put []store.TagOf) error {
	if err := s.h.store.ChangeTags(drop, put); err != nil {
		return err
	}
	touched := map[engine.ID]bool{}
	for _, c := range slices.Concat(drop, put) {
		touched[c.Deck] = true
	}
	return s.h.relearn(touched)
}

// deckTags holds which tag is which card, of every deck. It is safe for concurrent use; the zero value is empty.
type deckTags struct {
	mu  sync.RWMutex
	all map[engine.ID]cards
}

// of returns the tags of a deck; nobody may change them.
func (t *deckTags) of(deck engine.ID) cards {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.all[deck]
}

func (t *deckTags) set(deck engine.ID, known cards) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[engine.ID]cards{}
	}
	t.all[deck] = known
}

// decks returns the ids of all decks, in order.
func (t *deckTags) decks() []engine.ID {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Sorted(maps.Keys(t.all))
}

// cards returns every card that has a tag, of all decks.
func (t *deckTags) cards() (all []engine.ID) {
	for _, deck := range t.decks() {
		all = slices.AppendSeq(all, maps.Values(t.of(deck)))
	}
	return all
}

// find returns the card and the deck of a tag.
func (t *deckTags) find(uid devices.UID) (card, deck engine.ID, ok bool) {
	for _, deck := range t.decks() {
		if card, ok = t.of(deck)[uid]; ok {
			return card, deck, true
		}
	}
	return "", "", false
}

// relearn reads the tags of decks from the store, and has readers, pages and box check know them.
func (h *House) relearn(decks map[engine.ID]bool) error {
	for deck := range decks {
		if deck != controlDeck {
			if err := h.learn(deck); err != nil {
				return err
			}
		}
	}
	controls, err := h.controlCards()
	if err != nil {
		return err
	}
	h.controls.Store(&controls)
	h.loop.SetEnrolled(h.tags.cards())
	h.labelMu.Lock()
	defer h.labelMu.Unlock()
	if decks[h.game] {
		known := h.tags.of(h.game)
		h.cards.Store(&known)
		h.showNames(h.game) // those of pawns, where some have tags now
	}
	return nil
}

// learn reads which tags are the cards of a deck. A tag that makes no sense costs that tag.
func (h *House) learn(deck engine.ID) error {
	tags, err := h.store.Tags(deck)
	if err != nil {
		return err
	}
	known := make(cards, len(tags))
	for _, t := range tags {
		uid, err := devices.ParseUID(t.UID)
		if err != nil {
			h.opts.Log.Warn("a tag of the store makes no sense and is left out: enrol its card again", "game", deck, "card", t.Card,
				"conseil", "cette puce enregistrée n’a pas de sens : enregistrez de nouveau sa carte")
			continue
		}
		if why, unfit := uid.Unfit(); unfit { // of an older program or a backup: an enrolment refuses it
			h.opts.Log.Warn("a tag of the store is left out: enrol its card again", "game", deck, "card", t.Card, "advice", why.EN, "conseil", why.FR)
			continue
		}
		known[uid] = t.Card
	}
	h.tags.set(deck, known)
	return nil
}

// controlOf is the role of a control card.
func (h *House) controlOf(uid devices.UID) (role string, ok bool) {
	role, ok = (*cmp.Or(h.controls.Load(), &map[devices.UID]string{}))[uid]
	return role, ok
}

// TagsJudged are the tags of a game, counted.
type TagsJudged struct {
	Cards, Tagged int // that want a tag, and of them those that have one
	Unfit         int // numbers that are none, or that change or that others have too
	Unknown       int // of cards that the deck does not have
}

// JudgeTags counts the tags that a store has of a game, of those cards that want one; pawns may have some, too.
func JudgeTags(s *store.Store, game engine.ID, names engine.Names) (j TagsJudged, err error) {
	tags, err := s.Tags(game)
	if err != nil {
		return j, err
	}
	known := map[engine.ID]bool{}
	for _, n := range slices.Concat(names, engine.Pawns(names)) {
		known[n.ID] = true
	}
	has := map[engine.ID]bool{}
	for _, t := range tags {
		_, bad := unfit(t.UID)
		switch {
		case bad:
			j.Unfit++
		case !known[t.Card]:
			j.Unknown++
		default:
			has[t.Card] = true
		}
	}
	for _, n := range enrolOpts(wire.EnrolCards, game, names, nil).Cards {
		if j.Cards++; has[n.ID] {
			j.Tagged++
		}
	}
	return j, nil
}
