package house

import (
	"fmt"
	"slices"

	"majordome/companion/store"
	"majordome/companion/table"
	"majordome/engine"
	"majordome/engine/deck"
)

// Library are the decks of a table: as they came with the program or in the
// owner's file, and upon them what the owner has changed at the table. It
// implements table.Library.
//
//  1. now is what the store holds, laid upon base.
type Library struct {
	store   *store.Store
	shelves []*shelf
	shown   func(engine.ID, engine.Names) // nil: nobody looks
}

type shelf struct {
	game      engine.ID
	base, now Deck
	book      engine.Rulebook // of now
	own       bool
}

// OpenLibrary reads what the owner has changed. The table begins with the first
// of the decks.
func OpenLibrary(s *store.Store, decks ...Deck) (*Library, error) {
	l := &Library{store: s}
	for _, d := range decks {
		b := &shelf{game: d.id(), base: d, now: d}
		kept, ok, err := s.Deck(b.game)
		if err != nil {
			return nil, err
		}
		if ok {
			if b.now, err = d.overlaid(kept); err != nil {
				return nil, fmt.Errorf("house: the deck kept in %s: %w", s.Path(), err)
			}
			b.own = true
		}
		if b.book, err = b.now.Book(); err != nil {
			return nil, err
		}
		l.shelves = append(l.shelves, b)
	}
	return l, nil
}

func (l *Library) of(game engine.ID) *shelf {
	if i := slices.IndexFunc(l.shelves, func(s *shelf) bool { return s.game == game }); i >= 0 {
		return l.shelves[i]
	}
	return nil
}

// Deck is a deck with the owner's changes; nil for a game that is not here.
func (l *Library) Deck(game engine.ID) Deck {
	if s := l.of(game); s != nil {
		return s.now
	}
	return nil
}

// Books are the rulebooks of the decks.
func (l *Library) Books() (all []engine.Rulebook) {
	for _, s := range l.shelves {
		all = append(all, s.book)
	}
	return all
}

// Book is the rulebook of a game; nil for one that is not here.
func (l *Library) Book(game engine.ID) engine.Rulebook {
	if s := l.of(game); s != nil {
		return s.book
	}
	return nil
}

// Own reports that the owner has changed the deck.
func (l *Library) Own(game engine.ID) bool { s := l.of(game); return s != nil && s.own }

// MaxLabel is the longest label in bytes.
func (l *Library) MaxLabel() int { return deck.MaxName }

// Edit makes the rulebook with one more change.
func (l *Library) Edit(game engine.ID, e table.Edit) (engine.Rulebook, func() error, *engine.Reject) {
	s := l.of(game)
	d, r := s.base, (*engine.Reject)(nil)
	switch {
	case e.Weapon != "":
		d, r = s.now.paired(e.Place, e.Weapon)
	case !e.Reset:
		d, r = s.now.renamed(e.ID, e.Label)
	}
	if r != nil {
		return nil, nil, r
	}
	book, err := d.Book()
	if err != nil {
		panic("house: a deck of valid changes: " + err.Error())
	}
	return book, func() error { return l.keep(s, d, book, e.Reset) }, nil
}

// keep puts a changed deck on disk, and then shows its names.
func (l *Library) keep(s *shelf, d Deck, book engine.Rulebook, reset bool) error {
	err := error(nil)
	if reset {
		err = l.store.DropDeck(s.game)
	} else {
		var text []byte
		if text, err = d.YAML(); err == nil {
			err = l.store.SetDeck(s.game, text)
		}
	}
	if err != nil {
		return fmt.Errorf("house: keep the deck: %w", err)
	}
	s.now, s.book, s.own = d, book, !reset
	if l.shown != nil {
		l.shown(s.game, book.Names())
	}
	return nil
}
