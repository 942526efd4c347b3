package cluedo

import (
	"reflect"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/deck"
)

// GEN-010: the owner's names of a Cluedo are saved as a file and applied to the deck of the program. The deck they were made from does not
// change.
func TestNamesOfTheOwner(t *testing.T) {
	base := DefaultDeck("cluedo-2008")
	mine := deck.Deck(base)
	for _, id := range []engine.ID{"suspect-olive", "weapon-hache", "room-spa", "pool", base.Events[0].ID} {
		d, r := mine.WithLabel(id, engine.T("Le mien", "Mine: \"this\""))
		if r != nil {
			t.Fatalf("%s: %v", id, r)
		}
		mine = d
	}
	if !reflect.DeepEqual(base, DefaultDeck("cluedo-2008")) {
		t.Error("the deck as it comes has changed")
	}
	text, err := mine.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ParseDeck("mine.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	laid, err := base.MergeEdits(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Deck{"read": read, "laid": laid.(*Deck)} {
		if !reflect.DeepEqual(d.namedItems(), mine.(*Deck).namedItems()) || d.Board == nil {
			t.Errorf("%s: the names differ", name)
		}
	}
	for _, c := range []struct {
		id    engine.ID
		label string
	}{{"suspect-nobody", "x"}, {"pool", ""}, {"pool", strings.Repeat("x", deck.MaxName+1)}, {"pool", "a\nb"}} {
		if _, r := base.WithLabel(c.id, engine.T(c.label, c.label)); r == nil {
			t.Errorf("%s is called %q", c.id, c.label)
		}
	}
	if _, err := base.MergeEdits([]byte("[")); err == nil {
		t.Error("a broken copy of the deck is applied")
	}
}

// CC-030: the owner enters the texts of the clue cards at the table. They obey the rules of a deck file and are saved as one.
func TestClueCardsOfTheOwner(t *testing.T) {
	base := DefaultDeck("cluedo-classic")
	mine := deck.Deck(base)
	says := map[engine.ID]engine.Effect{
		"clue-card-1":  {Kind: "show", Who: "next", What: "choice", To: "active"},
		"clue-card-2":  {Kind: "show", Who: "holder", What: "weapon", To: "left"},
		"clue-card-28": {Kind: "show", Who: "holder", What: "room-salon", To: "all"},
		"clue-card-29": {Kind: "manual"},
	}
	for id, does := range says {
		d, r := mine.(deck.ClueDeck).WithClueEffect(id, does)
		if r != nil {
			t.Fatalf("%s: %v", id, r)
		}
		mine = d
	}
	if !reflect.DeepEqual(base, DefaultDeck("cluedo-classic")) {
		t.Error("the deck as it comes has changed")
	}
	text, err := mine.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ParseDeck("mine.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	laid, err := base.MergeEdits(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Deck{"changed": mine.(*Deck), "read": read, "laid": laid.(*Deck)} {
		b, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range b.Names() {
			if want, ok := says[n.ID]; ok && (n.Does == nil || *n.Does != want) {
				t.Errorf("%s: %s does %v, want %v", name, n.ID, n.Does, want)
			}
		}
	}
	for _, c := range []struct {
		id   engine.ID
		does engine.Effect
		key  string
	}{
		{"clue-card-30", engine.Effect{Kind: "nothing"}, "table.deck.unknown"},
		{"suspect-rose", engine.Effect{Kind: "nothing"}, "table.deck.unknown"},
		{"clue-card-1", engine.Effect{}, "table.deck.clue.kind"},
		{"clue-card-1", engine.Effect{Kind: "time"}, "table.deck.clue.kind"},
		{"clue-card-1", engine.Effect{Kind: "link", To: "all"}, "table.deck.clue.kind"},
		{"clue-card-1", engine.Effect{Kind: "show", What: "choice", To: "all"}, "table.deck.clue.who"},
		{"clue-card-1", engine.Effect{Kind: "show", Who: "holder", What: "choice", To: "all"}, "table.deck.clue.what"},
		{"clue-card-1", engine.Effect{Kind: "show", Who: "all", What: "room-salon", To: "all"}, "table.deck.clue.what"},
		{"clue-card-1", engine.Effect{Kind: "show", Who: "all", What: "choice", To: "right"}, "table.deck.clue.to"},
	} {
		if _, r := base.WithClueEffect(c.id, c.does); r == nil || r.Why.Key != c.key {
			t.Errorf("%s %+v: %+v, want %s", c.id, c.does, r, c.key)
		}
	}
	old := strings.Replace(string(text), "to: left", "to: right", 1)
	laid, err = base.MergeEdits([]byte(old))
	if err != nil || laid.(*Deck).Events[1] != base.Events[1] || laid.(*Deck).Events[0].To != "active" {
		t.Errorf("of a copy that says what nobody knows: %v, %+v", err, laid.(*Deck).Events[:2])
	}
	if DefaultDeck("cluedo-2008").ClueParams() != nil {
		t.Error("the Intrigue cards are rewritten")
	}
}
