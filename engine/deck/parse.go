package deck

import (
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Parse reads and checks a deck. name is the file's name, for messages. The
// error is ownfile.Faults: all that is wrong.
func Parse(name string, data []byte) (*Deck, error) {
	d := new(Deck)
	c := read(name, data, d)
	c.check(d)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return d, nil
}

// Game is the game that a deck file says it is of; ok is false when it says none.
func Game(data []byte) (game engine.ID, ok bool) {
	text, ok := ownfile.Parse("", data).Key("game")
	return engine.ID(text), ok
}

// read fills a deck of any game from its text.
func read(name string, data []byte, into any) *checker {
	c := &checker{File: ownfile.Parse(name, data), seen: map[engine.ID]bool{}}
	if c.Empty() {
		c.Note("$", ownfile.Both("il n’y a rien dans ce fichier", "there is nothing in this file"), ownfile.Both("partez du fichier par défaut : majordome check --default", "start from the default file: majordome check --default"))
		c.none = true
	}
	c.Decode(into)
	return c
}

// checker judges what was read.
type checker struct {
	*ownfile.File
	seen map[engine.ID]bool
	none bool // an empty file: nothing can be said of its parts
}

// in notes a fault at a YAML path; the path may name a key that is absent, then its parent is shown.
func (c *checker) in(path string, what, hint engine.Text) {
	if !c.none {
		c.Note(path, what, hint)
	}
}
