package house

import (
	"fmt"

	"majordome/companion/store"
	"majordome/companion/table"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
)

// Library is the deck of a table: as it came with the program or in the owner's
// file, and upon it what the owner has changed at the table. It implements
// table.Library.
//
//  1. now is what the store holds, laid upon base.
type Library struct {
	store *store.Store
	base  *deck.Deck
	now   *deck.Deck
	own   bool
	shown func(engine.Names) // nil: nobody looks
}

// OpenLibrary reads what the owner has changed.
func OpenLibrary(s *store.Store, base *deck.Deck) (*Library, error) {
	l := &Library{store: s, base: base, now: base}
	kept, ok, err := s.Deck(base.Game)
	if err != nil || !ok {
		return l, err
	}
	if l.now, err = base.Overlaid(kept); err != nil {
		return nil, fmt.Errorf("house: the deck kept in %s: %w", s.Path(), err)
	}
	l.own = true
	return l, nil
}

// Deck is the deck with the owner's changes.
func (l *Library) Deck() *deck.Deck { return l.now }

// Book is the rulebook of that deck.
func (l *Library) Book() (engine.Rulebook, error) { return huisclos.New(l.now) }

// Own reports that the owner has changed the deck.
func (l *Library) Own(engine.ID) bool { return l.own }

// MaxLabel is the longest label in bytes.
func (l *Library) MaxLabel() int { return deck.MaxName }

// Edit makes the rulebook with one more change.
func (l *Library) Edit(_ engine.ID, e table.Edit) (engine.Rulebook, func() error, *engine.Reject) {
	d, r := l.base, (*engine.Reject)(nil)
	switch {
	case e.Weapon != "":
		d, r = l.now.Paired(e.Place, e.Weapon)
	case !e.Reset:
		d, r = l.now.Renamed(e.ID, e.Label)
	}
	if r != nil {
		return nil, nil, r
	}
	book, err := huisclos.New(d)
	if err != nil {
		panic("house: a deck of valid changes: " + err.Error())
	}
	return book, func() error { return l.keep(d, book, e.Reset) }, nil
}

// keep puts a changed deck on disk, and then shows its names.
func (l *Library) keep(d *deck.Deck, book engine.Rulebook, reset bool) error {
	err := error(nil)
	if reset {
		err = l.store.DropDeck(d.Game)
	} else {
		var text []byte
		if text, err = d.YAML(); err == nil {
			err = l.store.SetDeck(d.Game, text)
		}
	}
	if err != nil {
		return fmt.Errorf("house: keep the deck: %w", err)
	}
	l.now, l.own = d, !reset
	if l.shown != nil {
		l.shown(book.Names())
	}
	return nil
}
