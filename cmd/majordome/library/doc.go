// Package library holds the decks of a table: the default or the owner's file, with the changes made at the
// table, which the store keeps. Rows returns the host's requests that change the deck of the current game.
package library

import (
	"fmt"
	"slices"
	"sync"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/deck"
)

// Library has the deck and the rulebook of each game. It is safe for concurrent use, but only one goroutine may change
// decks.
//
// Invariant: the deck of a game is its base with the changes in the store.
type Library struct {
	store *store.Store
	decks []*gameDeck
	// OnRenamed is called with a game after a change of its deck; nil: not called.
	OnRenamed func(engine.ID)

	mu sync.Mutex // guards every deckState
}

type gameDeck struct {
	game engine.ID
	base deck.Deck
	deckState
}

// deckState is the part of a gameDeck that a change replaces.
type deckState struct {
	deck      deck.Deck
	book      engine.Rulebook // of deck
	isChanged bool
	readErr   error // why the changes in the store are ignored
}

// UnreadableError says that the changed deck of a game in the store cannot be read, and that the base is used
// instead.
type UnreadableError struct {
	Store string
	Game  engine.ID
	Cause error
}

func (e *UnreadableError) Error() string { return "library: " + e.Text().EN }

// Unwrap returns the cause.
func (e *UnreadableError) Unwrap() error { return e.Cause }

// Text says which deck is used instead, and what to do.
func (e *UnreadableError) Text() engine.Text {
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
		b := &gameDeck{game: d.ID(), base: d, deckState: deckState{deck: d}}
		kept, ok, err := s.Deck(b.game)
		if err != nil {
			return nil, err
		}
		if ok {
			if changed, err := d.MergeEdits(kept); err == nil {
				b.deck, b.isChanged = changed, true
			} else {
				b.readErr = &UnreadableError{s.Path(), b.game, err}
			}
		}
		if b.book, err = b.deck.NewRulebook(); err != nil {
			return nil, err
		}
		l.decks = append(l.decks, b)
	}
	return l, nil
}

func (l *Library) findDeck(game engine.ID) *gameDeck {
	if i := slices.IndexFunc(l.decks, func(s *gameDeck) bool { return s.game == game }); i >= 0 {
		return l.decks[i]
	}
	return nil
}

// copyStateOf returns a copy of the state; the zero value for nil.
func (l *Library) copyStateOf(s *gameDeck) deckState {
	if s == nil {
		return deckState{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.deckState
}

// Deck returns a deck with the owner's changes; nil for an unknown game.
func (l *Library) Deck(game engine.ID) deck.Deck { return l.copyStateOf(l.findDeck(game)).deck }

// OtherGames returns the names of the other games, from which the host may choose one.
func (l *Library) OtherGames(game engine.ID) (names engine.Names) {
	for _, s := range l.decks {
		for _, n := range l.copyStateOf(s).book.Names() {
			if s.game != game && n.Kind == "game" {
				names = append(names, engine.Name{ID: n.ID, Kind: n.Kind, Text: n.Text})
			}
		}
	}
	return names
}

// Rulebooks returns the rulebooks of all decks.
func (l *Library) Rulebooks() (all []engine.Rulebook) {
	for _, s := range l.decks {
		all = append(all, l.copyStateOf(s).book)
	}
	return all
}

// RulebookOf returns the rulebook of a game; nil for an unknown game.
func (l *Library) RulebookOf(game engine.ID) engine.Rulebook {
	return l.copyStateOf(l.findDeck(game)).book
}

// IsChanged reports whether the owner has changed the deck.
func (l *Library) IsChanged(game engine.ID) bool { return l.copyStateOf(l.findDeck(game)).isChanged }

// UnreadableChanges returns an *UnreadableError while the owner's changes of the deck cannot be read, else nil.
func (l *Library) UnreadableChanges(game engine.ID) error {
	return l.copyStateOf(l.findDeck(game)).readErr
}

// edit changes a deck; a nil edit returns to the base.
type edit func(deck.Deck) (deck.Deck, *engine.Reject)

// prepareChange returns the rulebook of the edited deck, or a refusal, and changes nothing. save writes the deck to
// disk, makes it the deck of the game and calls OnRenamed.
func (l *Library) prepareChange(game engine.ID, e edit) (book engine.Rulebook, save func() error, no *engine.Reject) {
	s := l.findDeck(game)
	d := s.base
	if e != nil {
		if d, no = e(l.copyStateOf(s).deck); no != nil {
			return nil, nil, no
		}
	}
	book, err := d.NewRulebook()
	if err != nil {
		panic("library: a deck of valid changes: " + err.Error())
	}
	return book, func() error { return l.saveDeck(s, deckState{deck: d, book: book, isChanged: e != nil}) }, nil
}

// saveDeck writes a changed deck to disk, makes it the deck of its game and then calls OnRenamed.
func (l *Library) saveDeck(target *gameDeck, state deckState) error {
	err := error(nil)
	if state.isChanged {
		var text []byte
		if text, err = state.deck.EncodeYAML(); err == nil {
			err = l.store.SetDeck(target.game, text)
		}
	} else {
		err = l.store.DeleteDeck(target.game)
	}
	if err != nil {
		return fmt.Errorf("library: keep the deck: %w", err)
	}
	l.mu.Lock()
	target.deckState = state
	l.mu.Unlock()
	if l.OnRenamed != nil {
		l.OnRenamed(target.game)
	}
	return nil
}
