// Package demodecks contains the decks of the demonstration. Some rulebooks leave names of the game box open;
// these decks fill them with invented ones. A file is a deck like an owner's own; majordome demo --deck FILE
// uses yours instead.
package demodecks

import (
	"embed"
	"fmt"
	"slices"

	"majordome/engine/games"
)

//go:embed *.yaml
var files embed.FS

// WithDemoDecks returns the table of games with the decks of the demonstration. A game without one keeps its
// own.
func WithDemoDecks(all games.Table) games.Table {
	out := slices.Clone(all)
	for i, g := range out {
		text, err := files.ReadFile(string(g.ID) + ".yaml")
		if err != nil {
			continue // its rulebook has all names
		}
		if _, err := g.Parse(string(g.ID)+".yaml", text); err != nil {
			panic(fmt.Sprintf("demodecks: %v", err)) // never: a test parses all files of this folder
		}
		out[i].Default = text
	}
	return out
}
