package cluedo

import (
	"testing"

	"majordome/engine"
)

// The pages draw the house from the names of the game: rows, starts and the secret passages (C8-022), or only the passages where the deck
// has no board.
func TestPlanShowsRowsStartsAndPassages(t *testing.T) {
	of := func(d *Deck) *engine.Plan {
		b, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range b.Names() {
			if n.Kind == "game" && n.ID == b.ID() {
				return n.Plan
			}
		}
		t.Fatal("the game has no name")
		return nil
	}
	p := of(DefaultDeck("cluedo-2008"))
	if len(p.Rows) != 29 || len(p.Starts) != 6 || p.Legend["S"] != "room-spa" || p.Diagonals["room-chambre-amis"] != "20,20" {
		t.Errorf("drawn: %d rows, %d starts, %v, %v", len(p.Rows), len(p.Starts), p.Legend, p.Diagonals)
	}
	super := of(DefaultDeck("super-cluedo"))
	if len(super.Rows) != 24 || super.Legend["H"] != "hall" || super.Passages["hall"] != "garden-path" || !super.Spies || p.Spies {
		t.Errorf("of Super Cluedo: %+v", super)
	}
	bare := DefaultDeck("cluedo-2008")
	bare.Board, bare.Drawing = nil, nil
	p = of(bare)
	if len(p.Rows) != 0 || len(p.Passages) != 4 || p.Passages["room-spa"] != "room-chambre-amis" {
		t.Errorf("without a board: %d rows, passages %v", len(p.Rows), p.Passages)
	}
}
