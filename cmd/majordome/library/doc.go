// Package library holds the decks of a table: the default or the owner's file, with the changes made at the
// table, which the store keeps. Rows are the host's commands that change the deck of the current game.
package library

import (
	"fmt"
	"slices"
	"sync"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/deck"
)

// Library is safe for concurrent use, but only one goroutine may change decks.
//
// Invariant: the deck of a game is its base with the changes in the store.
type Library struct {
	store   *store.Store
	shelves []*shelf
	// OnRenamed is called with a game after a change of its deck; nil: not called.
	Renamed func(engine.ID)

	mu sync.Mutex // guards every deckState
}

type shelf struct {
	game engine.ID
	base deck.Deck
	onShelf
}

// deckState is the part of a gameDeck that a change replaces.
type onShelf struct {
	now    deck.Deck
	book   engine.Rulebook // of deck
	own    bool
	unread error // why the changes in the store are ignored
}

// UnreadableError says that the changed deck of a game in the store cannot be read, and that the base is used
// instead.
type UnreadError struct {
	Store string
	Game  engine.ID
	Cause error
}

func (e *UnreadError) Error() string { return "library: " + e.Text().EN }

// Unwrap returns the cause.
func (e *UnreadError) Unwrap() error { return e.Cause }

// Text says which deck is used instead, and what to do.
func (e *UnreadError) Text() engine.Text {
	return engine.Tf("%s : le jeu de cartes gardé pour %s est illisible ; celui d’origine, ou celui de la clé deck, "+
		"prend sa place : refaites vos noms sur la page de l’hôte",
		"%s: the deck kept for %s cannot be read; the one it came with, or that of the key deck, is used instead: "+
			"change your names again on the host’s page", e.Store, e.Game)
}

// Open reads the owner's changes from the store. The table begins with the first of the decks. Unreadable
// changes are ignored; ReadError reports them.
func Open(s *store.Store, decks ...deck.Deck) (*Library, error) {
	l := &Library{store: s}
	for _, d := range decks {
		b := &shelf{game: d.ID(), base: d, onShelf: onShelf{now: d}}
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

// stateOf returns a copy of the state; the zero value for nil.
func (l *Library) at(s *shelf) onShelf {
	if s == nil {
		return onShelf{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.onShelf
}

// Deck returns a deck with the owner's changes; nil for an unknown game.
func (l *Library) Deck(game engine.ID) deck.Deck { return l.at(l.of(game)).now }

// OtherGames returns the names of the other games, from which the host may choose one.
func (l *Library) Others(game engine.ID) (names engine.Names) {
	for _, s := range l.shelves {
		for _, n := range l.at(s).book.Names() {
			if s.game != game && n.Kind == "game" {
				names = append(names, engine.Name{ID: n.ID, Kind: n.Kind, Text: n.Text})
			}
		}
	}
	return names
}

// Books returns the rulebooks of all decks.
func (l *Library) Books() (all []engine.Rulebook) {
	for _, s := range l.shelves {
		all = append(all, l.at(s).book)
	}
	return all
}

// Book returns the rulebook of a game; nil for an unknown game.
func (l *Library) Book(game engine.ID) engine.Rulebook { return l.at(l.of(game)).book }

// IsChanged reports that the owner has changed the deck.
func (l *Library) Own(game engine.ID) bool { return l.at(l.of(game)).own }

// ReadError returns an *UnreadableError while the owner's changes of the deck cannot be read, else nil.
func (l *Library) Unread(game engine.ID) error { return l.at(l.of(game)).unread }

// edit changes a deck; a nil edit returns to the base.
type edit func(deck.Deck) (deck.Deck, *engine.Reject)

// prepareChange returns the rulebook after an edit. save writes the deck to disk and calls OnRenamed.
func (l *Library) change(game engine.ID, e edit) (book engine.Rulebook, keep func() error, no *engine.Reject) {
	s := l.of(game)
	d := s.base
	if e != nil {
		if d, no = e(l.at(s).now); no != nil {
			return nil, nil, no
		}
	}
	book, err := d.Book()
	if err != nil {
		panic("library: a deck of valid changes: " + err.Error())
	}
	return book, func() error { return l.keep(s, onShelf{now: d, book: book, own: e != nil}) }, nil
}

// saveDeck writes a changed deck to disk and then calls OnRenamed.
func (l *Library) keep(s *shelf, with onShelf) error {
	err := error(nil)
	if with.own {
		var text []byte
		if text, err = with.now.YAML(); err == nil {
			err = l.store.SetDeck(s.game, text)
		}
	} else {
		err = l.store.DropDeck(s.game)
	}
	if err != nil {
		return fmt.Errorf("library: keep the deck: %w", err)
	}
	l.mu.Lock()
	s.onShelf = with
	l.mu.Unlock()
	if l.Renamed != nil {
		l.Renamed(s.game)
	}
	return nil
}
