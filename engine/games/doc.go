// Package games lists all games that this program knows. Code that needs the list, or that reads the
// deck of a game not known in advance, uses it.
//
//	d, err := games.KnownGames().ParseDeck("my-box.yaml", data)   // the file names its game
//	book, err := d.NewRulebook()
//
// A new game is a folder of its own, one row in KnownGames, and a folder with its sentences below
// engine/words; package toy is a complete example. A new Cluedo is a deck with an edition (package
// cluedo): those that come with the program are rows automatically, and WithDeck adds the row of
// one that an owner has written.
package games

import (
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/ownfile"
)

// Game is one row of the list.
type Game struct {
	ID engine.ID
	// Default is the text of the deck that comes with the program, for an owner to copy and edit.
	Default []byte
	// DeckKeys are the top-level keys of its decks.
	DeckKeys []string
	// Parse parses and checks a deck of this game. name is the file's name, for messages. The error
	// is ownfile.Faults, with all faults.
	Parse func(name string, text []byte) (deck.Deck, error)
}

// Table is a list of games. The first is the game of a new table.
type Table []Game

// KnownGames returns the games that this program knows.
func KnownGames() Table {
	t := Table{{ID: "huis-clos", Default: huisclos.DefaultYAML(), DeckKeys: ownfile.YAMLKeys(huisclos.Deck{}),
		Parse: AdaptParser(huisclos.ParseDeck)}}
	for _, id := range cluedo.Editions() {
		t = append(t, Game{ID: id, Default: cluedo.DefaultYAML(id), DeckKeys: ownfile.YAMLKeys(cluedo.Deck{}),
			Parse: AdaptParser(cluedo.ParseDeck)})
	}
	return t
}

// AdaptParser makes the Parse of a game from the function that parses its own deck type.
func AdaptParser[D deck.Deck](parse func(string, []byte) (D, error)) func(string, []byte) (deck.Deck, error) {
	return func(name string, text []byte) (deck.Deck, error) {
		d, err := parse(name, text)
		if err != nil {
			return nil, err // not d: it would be a Deck interface with a nil pointer
		}
		return d, nil
	}
}

// IDs returns the ids of the games.
func (t Table) IDs() []string {
	ids := make([]string, len(t))
	for i, g := range t {
		ids[i] = string(g.ID)
	}
	return ids
}

// DeckKeys returns the top-level keys of the decks of all games; a key may occur several times.
func (t Table) DeckKeys() (keys []string) {
	for _, g := range t {
		keys = append(keys, g.DeckKeys...)
	}
	return keys
}

// FindGame returns the game with an id; its error is an *UnknownError.
func (t Table) FindGame(id engine.ID) (Game, error) {
	if i := slices.IndexFunc(t, func(g Game) bool { return g.ID == id }); i >= 0 {
		return t[i], nil
	}
	return Game{}, &UnknownError{id, t.IDs()}
}

// ParseDeck parses a deck of any game, which the file names. A deck of an unknown game is an error,
// unless it has an edition of its own. The error is ownfile.Faults, with all faults.
func (t Table) ParseDeck(name string, text []byte) (deck.Deck, error) {
	g, err := t.findOrMakeGameOfDeck(name, text)
	if err != nil {
		return nil, err
	}
	return g.Parse(name, text)
}

// WithDeck returns t with the game of one more deck, which becomes the default deck of that game,
// and the deck. If t already has the game, it returns t unchanged. An edition whose id is already
// in t is an error, also of type ownfile.Faults.
func (t Table) WithDeck(name string, text []byte) (Table, deck.Deck, error) {
	g, err := t.findOrMakeGameOfDeck(name, text)
	if err != nil {
		return t, nil, err
	}
	d, err := g.Parse(name, text)
	if err != nil || slices.ContainsFunc(t, func(h Game) bool { return h.ID == g.ID }) {
		return t, d, err
	}
	g.Default = text
	return append(slices.Clip(t), g), d, nil
}

// findOrMakeGameOfDeck returns the game that a deck belongs to: one of t, or for a deck with its own edition
// a new game that is parsed like the game named by "like".
func (t Table) findOrMakeGameOfDeck(name string, text []byte) (Game, error) {
	f := ownfile.Parse(name, text)
	f.About = "deck"
	id, named := f.LookupScalar("game")
	like, _ := f.LookupScalar("edition", "like")
	_, own := f.LookupScalar("edition")
	g, err := t.FindGame(engine.ID(id))
	known := engine.Tf("un de : %s", "one of: %s", strings.Join(t.IDs(), ", "))
	switch {
	case !named:
		f.AddFault("$", engine.T("« game » manque : de quel jeu est-ce ?", "\"game\" is missing: which game is it of?"), known)
	case err == nil && own:
		f.AddFault("$.game", engine.Tf("le jeu « %s » est déjà là", "the game %q is there already", g.ID),
			engine.T("donnez un autre nom au jeu de ce fichier, ou enlevez edition",
				"give the game of this file another id, or take edition out"))
	case err == nil:
		return g, nil
	case own:
		family := t.gamesWithEditions()
		if g, err = family.FindGame(engine.ID(like)); err == nil {
			g.ID = engine.ID(id)
			return g, nil
		}
		f.AddFault("$.edition.like", engine.Tf("édition inconnue « %s »", "unknown edition %q", ownfile.ClipQuote(like)),
			engine.Tf("« like: » et un de : %s", "\"like:\" and one of: %s", strings.Join(family.IDs(), ", ")))
	default:
		f.AddFault("$.game", engine.Tf("jeu inconnu « %s »", "unknown game %q", ownfile.ClipQuote(id)), known)
	}
	return Game{}, f.Err()
}

// gamesWithEditions returns the games whose decks may have an edition of their own.
func (t Table) gamesWithEditions() (family Table) {
	for _, g := range t {
		if slices.Contains(g.DeckKeys, "edition") {
			family = append(family, g)
		}
	}
	return family
}

// DefaultDecks returns the default decks of all games.
func (t Table) DefaultDecks() []deck.Deck {
	all := make([]deck.Deck, len(t))
	for i, g := range t {
		d, err := g.Parse(string(g.ID)+".yaml", g.Default)
		if err != nil {
			panic("games: the deck as it comes is broken: " + err.Error())
		}
		all[i] = d
	}
	return all
}

// UnknownError reports a game that is not in the table.
type UnknownError struct {
	ID    engine.ID
	Known []string
}

func (e *UnknownError) Error() string { return e.Text().EN }

// Text returns the message in both languages, with the known games.
func (e *UnknownError) Text() engine.Text {
	return engine.Tf("le jeu « %s » n’est pas connu : %s", "the game %q is not known: %s",
		ownfile.ClipQuote(string(e.ID)), strings.Join(e.Known, ", "))
}
