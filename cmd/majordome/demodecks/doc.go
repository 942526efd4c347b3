// Package demodecks holds the decks of the demonstration: those of the games whose rulebook
// leaves names of the box open, with invented ones in their place. A file is a deck like an
// owner's own; majordome demo --deck FILE takes yours instead.
package demodecks

import (
	"embed"
	"fmt"
	"slices"

	"majordome/engine/games"
)

//go:embed *.yaml
var files embed.FS

// Of is a table of games whose decks are those of the demonstration. A game without one
// keeps its own.
func Of(all games.Table) games.Table {
	out := slices.Clone(all)
	for i, g := range out {
		text, err := files.ReadFile(string(g.ID) + ".yaml")
		if err != nil {
			continue // every name of this box is in its rulebook
		}
		if _, err := g.Parse(string(g.ID)+".yaml", text); err != nil {
			panic(fmt.Sprintf("demodecks: %v", err)) // a file of this folder; its test reads them all
		}
		out[i].Default = text
	}
	return out
}
