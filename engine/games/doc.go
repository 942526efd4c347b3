// Package games is the one table of games: everything that asks which games there
// are, or reads the deck of one, asks here.
//
//	d, err := games.All().Read("my-box.yaml", data)   // the file says of which game it is
//	book, err := d.Book()
//
// A new game is a folder of its own and one row of All; its sentences stand in
// a folder below engine/words. Package toy shows a whole one. A new Cluedo is a deck with an edition (package
// cluedo): one that comes with the program makes a row by being there, and With adds the row of
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

// Game is one game.
type Game struct {
	ID engine.ID
	// Default is the text of the deck as it comes, for an owner to copy and edit.
	Default []byte
	// Keys are those at the top of its decks.
	Keys []string
	// Parse reads and checks a deck of this game. name is the file's name, for messages. The error is
	// ownfile.Faults: all that is wrong.
	Parse func(name string, text []byte) (deck.Deck, error)
}

// Table is a list of games, the one of a new table first.
type Table []Game

// All are the games that this program knows.
func All() Table {
	t := Table{{ID: "huis-clos", Default: huisclos.DefaultYAML(), Keys: ownfile.KeysOf(huisclos.Deck{}), Parse: Parser(huisclos.ParseDeck)}}
	for _, id := range cluedo.Editions() {
		t = append(t, Game{ID: id, Default: cluedo.DefaultYAML(id), Keys: ownfile.KeysOf(cluedo.Deck{}), Parse: Parser(cluedo.ParseDeck)})
	}
	return t
}

// Parser makes the Parse of a game from what reads its own kind of deck.
func Parser[D deck.Deck](parse func(string, []byte) (D, error)) func(string, []byte) (deck.Deck, error) {
	return func(name string, text []byte) (deck.Deck, error) {
		d, err := parse(name, text)
		if err != nil {
			return nil, err // not d, which holds no deck
		}
		return d, nil
	}
}

// IDs are the ids of the games.
func (t Table) IDs() []string {
	ids := make([]string, len(t))
	for i, g := range t {
		ids[i] = string(g.ID)
	}
	return ids
}

// Keys are those at the top of the decks of all games.
func (t Table) Keys() (keys []string) {
	for _, g := range t {
		keys = append(keys, g.Keys...)
	}
	return keys
}

// Of is the game of an id; its error is an *UnknownError.
func (t Table) Of(id engine.ID) (Game, error) {
	if i := slices.IndexFunc(t, func(g Game) bool { return g.ID == id }); i >= 0 {
		return t[i], nil
	}
	return Game{}, &UnknownError{id, t.IDs()}
}

// Read reads a deck of any game; the file says which. A deck of a game that is not known is an error, and
// judged as none of the others, unless it brings an edition of its own. Its error is ownfile.Faults, all that is wrong.
func (t Table) Read(name string, text []byte) (deck.Deck, error) {
	g, err := t.judge(name, text)
	if err != nil {
		return nil, err
	}
	return g.Parse(name, text)
}

// With is t with the game of one more deck, and that deck, which stands in the place of the one that came
// with its game. A game is added once: the error of an edition under an id that is there is ownfile.Faults too.
func (t Table) With(name string, text []byte) (Table, deck.Deck, error) {
	g, err := t.judge(name, text)
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

// judge is the game that a deck is of: one of t, or with an edition of its own a new one, whose decks are read as
// those of the game that it is like.
func (t Table) judge(name string, text []byte) (Game, error) {
	f := ownfile.Parse(name, text)
	f.About = "deck"
	id, named := f.Key("game")
	like, _ := f.Key("edition", "like")
	_, own := f.Key("edition")
	g, err := t.Of(engine.ID(id))
	known := engine.Tf("un de : %s", "one of: %s", strings.Join(t.IDs(), ", "))
	switch {
	case !named:
		f.Note("$", engine.T("« game » manque : de quel jeu est-ce ?", "\"game\" is missing: which game is it of?"), known)
	case err == nil && own:
		f.Note("$.game", engine.Tf("le jeu « %s » est déjà là", "the game %q is there already", g.ID),
			engine.T("donnez un autre nom au jeu de ce fichier, ou enlevez edition", "give the game of this file another id, or take edition out"))
	case err == nil:
		return g, nil
	case own:
		family := t.withEditions()
		if g, err = family.Of(engine.ID(like)); err == nil {
			g.ID = engine.ID(id)
			return g, nil
		}
		f.Note("$.edition.like", engine.Tf("édition inconnue « %s »", "unknown edition %q", ownfile.Quote(like)),
			engine.Tf("« like: » et un de : %s", "\"like:\" and one of: %s", strings.Join(family.IDs(), ", ")))
	default:
		f.Note("$.game", engine.Tf("jeu inconnu « %s »", "unknown game %q", ownfile.Quote(id)), known)
	}
	return Game{}, f.Err()
}

// withEditions are the games whose decks may bring an edition of their own.
func (t Table) withEditions() (family Table) {
	for _, g := range t {
		if slices.Contains(g.Keys, "edition") {
			family = append(family, g)
		}
	}
	return family
}

// Decks are the decks of all games as they come.
func (t Table) Decks() []deck.Deck {
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

// UnknownError is about a game that is not in the table.
type UnknownError struct {
	ID    engine.ID
	Known []string
}

func (e *UnknownError) Error() string { return e.Text().EN }

// Text says which games there are.
func (e *UnknownError) Text() engine.Text {
	return engine.Tf("le jeu « %s » n’est pas connu : %s", "the game %q is not known: %s", ownfile.Quote(string(e.ID)), strings.Join(e.Known, ", "))
}
