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

// SC-S30: the two texts of Super Cluedo give the green suspect another title. It is a name of
// the deck: with either, the card keeps its id and its rank.
func TestTheTitleOfTheGreenSuspect(t *testing.T) {
	booklet := DefaultDeck("super-cluedo")
	web, r := booklet.Renamed("suspect-olive", engine.Text{FR: "Révérend Olive", EN: "Reverend Green"})
	if r != nil {
		t.Fatal(r)
	}
	for want, d := range map[engine.Text]*Deck{{FR: "Docteur Olive", EN: "Doctor Green"}: booklet, {FR: "Révérend Olive", EN: "Reverend Green"}: web.(*Deck)} {
		if got := d.Suspects[1]; got.ID != "suspect-olive" || (engine.Text{FR: got.FR, EN: got.EN}) != want {
			t.Errorf("the second suspect is %+v, want suspect-olive, %v", got, want)
		}
		if _, err := New(d); err != nil {
			t.Error(err)
		}
	}
}
