package huisclos

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

func TestDefaultDeck(t *testing.T) {
	d := DefaultDeck()
	clues := 0
	for _, c := range d.Characters {
		clues += len(c.Clues)
	}
	if len(d.Places) != 7 || clues != 32 || len(d.RoleCards) != 8 || len(d.Switches) != 7 {
		t.Errorf("places %d, clues %d, role cards %d, switches %d", len(d.Places), clues, len(d.RoleCards), len(d.Switches))
	}
	if d.Places[1].Weapon.ID != "weapon-tisonnier" {
		t.Error("the poker does not belong to the drawing room")
	}
	if again := DefaultYAML(); len(again) == 0 {
		t.Error("no text of the default deck")
	}
}

// TestDeckFaults changes the default deck in one place and expects a fault with the line of that place.
func TestDeckFaults(t *testing.T) {
	text := string(DefaultYAML())
	for _, c := range []struct {
		name, old, new string
		line           string // text of the line that must be named
		want           string // part of the English sentence
	}{
		{"broken YAML", "    fr: Salon", "    fr: [Salon", "", "correct YAML"},
		{"unknown key", "    en: Drawing room", "    en: Drawing room\n    colour: red", "colour", "unknown key \"colour\""},
		{"key twice", "    en: Drawing room", "    en: Drawing room\n    en: Saloon", "en: Saloon", "written twice"},
		{"list for a name", "    en: Drawing room", "    en: [Drawing, room]", "Drawing, room", "a text is expected"},
		{"other game", "game: huis-clos", "game: chess", "game: chess", "unknown game"},
		{"delay", "observe-delay: 3000", "observe-delay: 3000000", "observe-delay", "out of range"},
		{"id twice", "clue-worms-2", "clue-worms-1", "Worms n° 2", "used before"},
		{"bad id", "id: place-3", "id: Place_3", "Place_3", "bad id"},
		{"long id", "id: place-3", "id: place-3333333333333333333333333333333333333333", "place-3333", "bad id"},
		{"no id", "  - id: place-3\n    fr: Lieu 3", "  - fr: Lieu 3", "fr: Lieu 3", "id is missing"},
		{"missing weapon", "    weapon: {id: weapon-5, fr: Arme 5, en: Weapon 5}\n", "", "id: place-5", "no weapon"},
		{"weapon of two places", "id: weapon-5,", "id: weapon-4,", "weapon-4, fr: Arme 5", "used before"},
		{"no name", "fr: Arme 4, ", "", "id: weapon-4", "name is missing"},
		{"long name", "en: Drawing room", "en: Drawing room of the late Lord Hamilton and his guests", "Hamilton", "too long"},
		{"turned name", "en: Drawing room", "en: \"Drawing \\u202Eroom\"", "Drawing", "invisible"},
		{"start is no place", "start: place-suite-bleue", "start: weapon-corde", "start:", "no place"},
		{"start-weapon is no weapon", "start-weapon: weapon-corde", "start-weapon: place-3", "start-weapon:", "no weapon"},
		{"six places", "  - id: place-7\n    fr: Lieu 7\n    en: Place 7\n    weapon: {id: weapon-7, fr: Arme 7, en: Weapon 7}\n", "",
			"id: place-suite-bleue", "6 places instead of 7"},
		{"three clues", "      - {id: clue-peely-4, fr: \"Indice de Miss Peely n° 4\", en: \"Miss Peely’s clue no. 4\"}\n", "",
			"clue-peely-1", "3 clues instead of 4"},
		{"two murderers", "id: role-innocent-1, role: innocent", "id: role-innocent-1, role: murderer", "",
			"2 Murderer cards instead of 1"},
		{"unknown role", "id: role-innocent-1, role: innocent", "id: role-innocent-1, role: butler", "butler", "unknown role"},
		{"unknown default", "default: survivors", "default: cats", "default: cats", "none of the values"},
		{"unknown switch", "id: exchange-order", "id: exchange-hats", "exchange-hats", "unknown house rule"},
		{"unknown value", "{id: lifted", "{id: lofted", "lofted", "bad value"},
		{"value missing", "      - {id: lifted, fr: elle est levée, en: it is lifted}\n", "", "applies", "1 values instead of 2"},
		{"too large", "game: huis-clos", "game: huis-clos\n# " + strings.Repeat("x", deck.MaxFile), "", "too large"},
		{"two documents", "game: huis-clos", "a: b\n---\ngame: huis-clos", "", "second YAML document"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(text, c.old) == 0 {
				t.Fatalf("the default deck has no %q", c.old)
			}
			broken := strings.Replace(text, c.old, c.new, 1)
			_, err := ParseDeck("box.yaml", []byte(broken))
			var all ownfile.Faults
			if !errors.As(err, &all) {
				t.Fatalf("Parse: %v, want Faults", err)
			}
			i := slices.IndexFunc(all, func(f *ownfile.Fault) bool { return strings.Contains(f.Error(), c.want) })
			if i < 0 || !strings.HasPrefix(err.Error(), "box.yaml:") {
				t.Fatalf("Parse: %v, want %q", err, c.want)
			}
			e := all[i]
			if len(all) > 2 {
				t.Errorf("one change, %d faults: %v", len(all), err)
			}
			if e.Hint.FR == "" || e.Hint.EN == "" || e.What.FR == "" || e.Line > 0 != strings.Contains(e.Text().FR, "ligne") {
				t.Errorf("half a message: %+v", e)
			}
			if c.line != "" {
				lines := strings.Split(broken, "\n")
				if e.Line < 1 || !strings.Contains(lines[e.Line-1], c.line) || e.Column < 1 {
					t.Errorf("line %d column %d is not at %q", e.Line, e.Column, c.line)
				}
			}
		})
	}
}

// TestAllDeckFaultsAtOnce: no fault hides another one.
func TestAllDeckFaultsAtOnce(t *testing.T) {
	text := string(DefaultYAML())
	for _, c := range [][2]string{
		{"game: huis-clos", "game: huis-clos\ncolour: red"}, {"observe-delay: 3000", "observe-delay: soon"}, {"id: place-3", "id: Place_3"},
		{"    en: Drawing room", "    en: [Drawing, room]"}, {"fr: Arme 4, ", ""}, {"id: weapon-5,", "idd: weapon-5,"},
		{"default: survivors", "default: cats"},
	} {
		if !strings.Contains(text, c[0]) {
			t.Fatalf("the default deck has no %q", c[0])
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	_, err := ParseDeck("box.yaml", []byte(text))
	var all ownfile.Faults
	if !errors.As(err, &all) || len(all) != 7 {
		t.Fatalf("%d faults, want 7:\n%v", len(all), err)
	}
	for i, want := range []string{
		`unknown key "colour"`, "whole number", "a text is expected", `bad id "Place_3"`, "name is missing", `did you mean "id"?`,
		"none of the values",
	} {
		if !strings.Contains(all[i].Text().EN, want) || all[i].Line == 0 || all[i].Column == 0 {
			t.Errorf("fault %d is %q, want %q", i, all[i].Text().EN, want)
		}
	}
}
