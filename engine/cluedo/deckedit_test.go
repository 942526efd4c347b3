package cluedo

import (
	"reflect"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/deck"
)

// GEN-010: the owner's names of a Cluedo are kept as a file and laid upon the
// deck as it comes; the deck they were made from does not change.
func TestNamesOfTheOwner(t *testing.T) {
	base := DefaultDeck("cluedo-2008")
	mine := deck.Deck(base)
	for _, id := range []engine.ID{"suspect-olive", "weapon-hache", "room-spa", "pool", base.Events[0].ID} {
		d, r := mine.Renamed(id, engine.Text{FR: "Le mien", EN: "Mine: \"this\""})
		if r != nil {
			t.Fatalf("%s: %v", id, r)
		}
		mine = d
	}
	if !reflect.DeepEqual(base, DefaultDeck("cluedo-2008")) {
		t.Error("the deck as it comes has changed")
	}
	text, err := mine.YAML()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ParseDeck("mine.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	laid, err := base.Overlaid(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Deck{"read": read, "laid": laid.(*Deck)} {
		if !reflect.DeepEqual(d.items(), mine.(*Deck).items()) || d.Board == nil {
			t.Errorf("%s: the names differ", name)
		}
	}
	for _, c := range []struct {
		id    engine.ID
		label string
	}{{"suspect-nobody", "x"}, {"pool", ""}, {"pool", strings.Repeat("x", deck.MaxName+1)}, {"pool", "a\nb"}} {
		if _, r := base.Renamed(c.id, engine.Text{FR: c.label, EN: c.label}); r == nil {
			t.Errorf("%s is called %q", c.id, c.label)
		}
	}
	if _, err := base.Overlaid([]byte("[")); err == nil {
		t.Error("a broken copy is laid on")
	}
}
