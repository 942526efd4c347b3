package huisclos

import (
	"reflect"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/deck"
)

// facts.md: the owner names what the rulebook leaves open, in both languages.
func TestOwnerNamesWhatTheRulebookLeavesOpen(t *testing.T) {
	d := DefaultDeck()
	long := strings.Repeat("x", deck.MaxName+1)
	for _, c := range []struct {
		id     engine.ID
		fr, en string
		key    string // of the refusal; "" is accepted
		lang   string
	}{
		{"place-3", "Bibliothèque", "Library", "", ""},
		{"weapon-3", "Dague", "Dagger", "", ""},
		{"character-peely", "Mademoiselle Peely", "Miss P.", "", ""},
		{"clue-peely-1", "Thermomètre", "Thermometer", "", ""},
		{"place-3", strings.Repeat("x", deck.MaxName), "x", "", ""},
		{"place-3", "", "Library", "table.deck.empty", "fr"},
		{"place-3", "Bibliothèque", "  ", "table.deck.empty", "en"},
		{"place-3", "Bibliothèque", long, "table.deck.long", "en"},
		{"place-3", "Bib\tlio", "Library", "table.deck.hidden", "fr"},
		{"place-3", "Bib\u202elio", "Library", "table.deck.hidden", "fr"},
		{"place-3", "Bib\xfflio", "Library", "table.deck.hidden", "fr"},
		{"place-99", "a", "b", "table.deck.unknown", ""},
		{"role-innocent-1", "a", "b", "table.deck.unknown", ""}, // its name is the rulebook's
		{"rounds-exhausted", "a", "b", "table.deck.unknown", ""},
		{"", "a", "b", "table.deck.unknown", ""},
	} {
		e, r := d.WithLabel(c.id, engine.T(c.fr, c.en))
		switch {
		case c.key == "" && r != nil:
			t.Errorf("%s %q: refused %v", c.id, c.fr, r.Why)
		case c.key == "":
			text, err := e.EncodeYAML()
			if err != nil || !strings.Contains(string(text), c.fr) || !strings.Contains(string(text), c.en) {
				t.Errorf("%s is not %q / %q: %v", c.id, c.fr, c.en, err)
			}
			if again, err := ParseDeck("kept", text); err != nil || !reflect.DeepEqual(again, e) {
				t.Errorf("%s: the file is not the deck: %v", c.id, err)
			}
		case r == nil || r.Why.Key != c.key || r.Why.Args.Get("lang") != c.lang || e != nil:
			t.Errorf("%s %q %q: %+v, want %s", c.id, c.fr, c.en, r, c.key)
		}
	}
	if !reflect.DeepEqual(d, DefaultDeck()) {
		t.Error("the deck that was renamed has changed itself")
	}
}

// HC-A02: one weapon, one place, whatever the owner pairs.
func TestEachPlaceHasOneWeapon(t *testing.T) {
	d := DefaultDeck()
	e, r := d.WithSwappedWeapon("place-salon", "weapon-5")
	if r != nil {
		t.Fatal(r.Why)
	}
	moved := e.(*Deck).Places
	if moved[1].Weapon.ID != "weapon-5" || moved[4].Weapon.ID != "weapon-tisonnier" {
		t.Errorf("%v and %v", moved[1], moved[4])
	}
	if same, r := d.WithSwappedWeapon("place-salon", "weapon-tisonnier"); r != nil || !reflect.DeepEqual(same, d) {
		t.Error("a weapon that stays")
	}
	for _, bad := range [][2]engine.ID{{"place-9", "weapon-3"}, {"place-3", "weapon-9"}, {"place-3", ""}, {"weapon-3", "place-3"}} {
		if _, r := d.WithSwappedWeapon(bad[0], bad[1]); r == nil || r.Why.Key != "table.deck.unknown" {
			t.Errorf("%v: %v", bad, r)
		}
	}
}

// The owner's changes are kept when a newer deck of the program is loaded. A change that the new deck does not know is dropped, and the new
// deck keeps its additions.
func TestOwnersChangesSurviveANewerDeck(t *testing.T) {
	d, _ := DefaultDeck().WithLabel("place-3", engine.T("Serre", "Hothouse"))
	d, _ = d.(*Deck).WithSwappedWeapon("place-3", "weapon-7")
	kept, err := d.EncodeYAML()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DefaultDeck().MergeEdits(kept); err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("not what was kept: %v", err)
	}
	older := strings.NewReplacer("id: clue-peely-4", "id: clue-peely-9", "rounds-exhausted", "rounds-gone", "en: Hothouse",
		"en: \"\"").Replace(string(kept))
	older = strings.Replace(older, "id: weapon-corde", "id: weapon-corde\n      tag: none", 1)
	laid, err := DefaultDeck().MergeEdits([]byte(older))
	if err != nil {
		t.Fatal(err)
	}
	got := laid.(*Deck)
	if got.Places[2].FR != "Lieu 3" || got.Places[2].Weapon.ID != "weapon-7" || got.Switches[0].ID != "rounds-exhausted" {
		t.Errorf("%+v %+v", got.Places[2], got.Switches[0])
	}
	if !got.IsUntagged("weapon-corde") || got.IsUntagged("weapon-3") || got.IsUntagged("place-3") || got.IsUntagged("nothing") {
		t.Error("tags are not what was kept")
	}
	if _, err := DefaultDeck().MergeEdits([]byte("a: [")); err == nil {
		t.Error("no deck at all was taken")
	}
}

// GEN-E08: the deck data may mark a card "no tag".
func TestDeckMarksCardsWithoutATag(t *testing.T) {
	text := strings.Replace(string(DefaultYAML()), "id: role-innocent-1, role", "id: role-innocent-1, tag: none, role", 1)
	text = strings.Replace(text, "{id: weapon-4,", "{id: weapon-4, tag: none,", 1)
	d, err := ParseDeck("box.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[engine.ID]bool{"role-innocent-1": true, "weapon-4": true, "role-innocent-2": false, "clue-peely-1": false} {
		if d.IsUntagged(id) != want {
			t.Errorf("%s: %v", id, !want)
		}
	}
	if _, err := ParseDeck("box.yaml", []byte(strings.ReplaceAll(text, "tag: none", "tag: lost"))); err == nil ||
		!strings.Contains(err.Error(), "unknown tag") {
		t.Errorf("tag: lost: %v", err)
	}
}
