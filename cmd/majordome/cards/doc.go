// Package cards maps tags to cards, for every deck and the control cards, chooses the names under
// which cards are shown, and runs the host's enrolment of tags.
//
//	c, err := cards.Open(opts)        reads the tags of the store
//	c.SetCurrentGame(game, rules)     at each step
//	e := cards.NewEnrolment(opts)     gives tags to cards
//
// What may leak: this package knows the card of each tag, and passes it on only to the table loop
// and the host's page.
package cards

import (
	"cmp"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/library"
	"majordome/companion/store"
	"majordome/devices"
	"majordome/engine"
)

// Opts are the parameters of Cards. No function may block.
type Opts struct {
	Store   *store.Store
	Decks   *library.Library
	Games   []engine.ID                             // of this table
	Tags    map[engine.ID]map[devices.UID]engine.ID // recorded at the start
	Buttons []config.Button
	OnNames func(engine.ID, engine.Names) // publishes the labels of the game on the table
	// OnEnrolled is called after a change, with every card that has a tag.
	OnEnrolled func([]engine.ID)
	Log        *slog.Logger
}

// Cards knows the card of each tag and the names under which cards are shown. It is safe for concurrent use.
type Cards struct {
	opts        Opts
	tags        deckTags
	controls    atomic.Pointer[map[devices.UID]string] // roles of control cards
	currentTags atomic.Pointer[cardsByTag]             // of the game on the table
	labels      atomic.Pointer[engine.Names]           // of the game on the table

	mu         sync.Mutex
	shownGame  engine.ID         // the game whose names are shown
	houseRules map[string]string // the house rules that the names follow
}

// Open records the tags of the options and reads those of the store.
func Open(o Opts) (*Cards, error) {
	c := &Cards{opts: o}
	c.currentTags.Store(&cardsByTag{})
	for _, game := range o.Games {
		if err := c.recordAndLoadTags(game); err != nil {
			return nil, err
		}
	}
	controls, err := c.readControls()
	if err != nil {
		return nil, err
	}
	c.controls.Store(&controls)
	return c, nil
}

// recordAndLoadTags records the tags that Opts gives for a deck in the store, and loads all tags of the deck.
func (c *Cards) recordAndLoadTags(deck engine.ID) error {
	tags, err := c.opts.Store.Tags(deck)
	for uid, card := range c.opts.Tags[deck] {
		if tag := (store.Tag{UID: uid.String(), Card: card}); err == nil && !slices.Contains(tags, tag) {
			err = c.opts.Store.SetTag(deck, tag)
		}
	}
	if err != nil {
		return err
	}
	return c.loadTags(deck)
}

// CurrentCardOf returns the card of a tag in the game on the table; "" for none.
func (c *Cards) CurrentCardOf(uid devices.UID) engine.ID { return (*c.currentTags.Load())[uid] }

// ControlRoles returns the roles of the control cards; callers must not change the map.
func (c *Cards) ControlRoles() map[devices.UID]string { return *c.controls.Load() }

// ControlRole returns the role of a control card.
func (c *Cards) ControlRole(uid devices.UID) (role string, ok bool) {
	role, ok = c.ControlRoles()[uid]
	return role, ok
}

// EnrolledCards returns every card that has a tag, of all decks.
func (c *Cards) EnrolledCards() []engine.ID { return c.tags.taggedCards() }

// Labels returns the names of the cards of the game on the table.
func (c *Cards) Labels() engine.Names { return *cmp.Or(c.labels.Load(), &engine.Names{}) }
