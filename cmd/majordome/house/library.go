package house

import (
	"fmt"
	"slices"

	"majordome/companion/store"
	"majordome/companion/table"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

// Library are the decks of a table: as they came with the program or in the
// owner's file, and upon them what the owner has changed at the table. It
// implements table.Library.
//
//  1. now is what the store holds, laid upon base.
type Library struct {
	store   *store.Store
	shelves []*shelf
	shown   func(engine.ID) // shows the names of a game; nil: nobody looks
}

type shelf struct {
	game      engine.ID
	base, now deck.Deck
	book      engine.Rulebook // of now
	own       bool
	unread    error // why what the store holds is passed over
}

// UnreadError says that the deck of a game in the store is none. The one that it was made
// from is used.
type UnreadError struct {
	Store string
	Game  engine.ID
	Cause error
}

func (e *UnreadError) Error() string { return "house: " + e.Text().EN }

// Unwrap is the cause.
func (e *UnreadError) Unwrap() error { return e.Cause }

// Text says what is used instead, and what to do.
func (e *UnreadError) Text() engine.Text {
	return ownfile.Bothf("%s : le jeu de cartes gardé pour %s est illisible ; celui d’origine, ou celui de la clé deck, prend sa place : refaites vos noms sur la page de l’hôte",
		"%s: the deck kept for %s cannot be read; the one it came with, or that of the key deck, is used instead: change your names again on the host’s page", e.Store, e.Game)
}

// OpenLibrary reads what the owner has changed. The table begins with the first
// of the decks. Changes that cannot be read cost only themselves: Unread says so.
func OpenLibrary(s *store.Store, decks ...deck.Deck) (*Library, error) {
	l := &Library{store: s}
	for _, d := range decks {
		b := &shelf{game: d.ID(), base: d, now: d}
		kept, ok, err := s.Deck(b.game)
		if err != nil {
			return nil, err
		}
		if ok {
			if changed, err := d.Overlaid(kept); err == nil {
				b.now, b.own = changed, true
			} else {
				b.unread = &UnreadError{s.Path(), b.game, err}
			}
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
func (l *Library) Deck(game engine.ID) deck.Deck {
	if s := l.of(game); s != nil {
		return s.now
	}
	return nil
}

// others is what the other games are called: the host may choose one of them.
func (l *Library) others(game engine.ID) (names engine.Names) {
	for _, s := range l.shelves {
		for _, n := range s.book.Names() {
			if s.game != game && n.Kind == "game" {
				names = append(names, engine.Name{ID: n.ID, Kind: n.Kind, Text: n.Text})
			}
		}
	}
	return names
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

// Unread is an UnreadError while what the owner has changed in the deck cannot be read.
func (l *Library) Unread(game engine.ID) error {
	if s := l.of(game); s != nil {
		return s.unread
	}
	return nil
}

// Clues are what the owner chooses for a clue card; none in a game without.
func (l *Library) Clues(game engine.ID) []engine.Param {
	if s := l.of(game); s != nil {
		if d, ok := s.now.(deck.Clued); ok {
			return d.Clues()
		}
	}
	return nil
}

// MaxLabel is the longest label in bytes.
func (l *Library) MaxLabel() int { return deck.MaxName }

// Edit makes the rulebook with one more change.
func (l *Library) Edit(game engine.ID, e table.Edit) (engine.Rulebook, func() error, *engine.Reject) {
	s := l.of(game)
	d, r := s.base, (*engine.Reject)(nil)
	switch {
	case e.Weapon != "":
		pairs, ok := s.now.(deck.Pairer)
		if !ok {
			return nil, nil, deck.Unknown()
		}
		d, r = pairs.Paired(e.Place, e.Weapon)
	case e.Does != nil:
		clues, ok := s.now.(deck.Clued)
		if !ok {
			return nil, nil, deck.Unknown()
		}
		d, r = clues.Rewritten(e.ID, *e.Does)
	case len(e.Labels) > 0:
		d = s.now
		for _, n := range e.Labels {
			if d, r = d.Renamed(n.ID, n.Text); r != nil {
				break
			}
		}
	case !e.Reset:
		d, r = s.now.Renamed(e.ID, e.Label)
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
func (l *Library) keep(s *shelf, d deck.Deck, book engine.Rulebook, reset bool) error {
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
	s.now, s.book, s.own, s.unread = d, book, !reset, nil
	if l.shown != nil {
		l.shown(s.game)
	}
	return nil
}
