package cluedo

import (
	"strings"
	"testing"

	"majordome/engine"
)

// TestPresetOfADeck: the preset that a deck names holds from the beginning, but for the house rules
// that the deck sets itself; what it leaves nameless is called as in that text (SC-S30).
func TestPresetOfADeck(t *testing.T) {
	for _, c := range []struct {
		preset, witnesses, moved, doctor string
		follows                          string
	}{
		{"preset: booklet\n", "all", "board", "Docteur Olive", "booklet"},
		{"preset: web\n", "left-first-then-all", "start", "Révérend Olive", "web"},
		{"preset: web\nrules: {witness-query: until-first}\n", "until-first", "start", "Révérend Olive", "other"},
		{"preset: web\nrules: {first-player: dealer}\n", "left-first-then-all", "start", "Révérend Olive", "web"},
		{"rules: {witness-query: until-first}\n", "until-first", "board", "", "other"},
		{"rules: {witness-query: all}\n", "all", "board", "", "booklet"},
	} {
		text := strings.Replace(string(DefaultYAML("super-cluedo")), "preset: booklet\n", c.preset, 1)
		if c.doctor == "" {
			text = strings.Replace(text, "{id: suspect-olive, colour", `{id: suspect-olive, fr: "Olive", en: "Green", colour`, 1)
			c.doctor = "Olive"
		}
		d, err := ParseDeck("box.yaml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", c.preset, err)
			continue
		}
		b, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		now := b.New().View(engine.Public).Switches
		if now["witness-query"] != c.witnesses || now["weapons-start"] != c.moved || now[presetSwitch] != c.follows {
			t.Errorf("%q: %v", c.preset, now)
		}
		listed := ""
		for _, n := range b.Names() {
			if n.ID == presetSwitch || n.Of == presetSwitch {
				listed += string(n.ID) + ", " + n.Text.EN + "; "
			}
			if n.ID == "suspect-olive" && n.Text.FR != c.doctor {
				t.Errorf("%q: he is called %s, want %s", c.preset, n.Text.FR, c.doctor)
			}
			if n.Of == presetSwitch && n.Default != (string(n.ID) == c.follows) {
				t.Errorf("%q: is %s that of the deck? %v", c.preset, n.ID, n.Default)
			}
		}
		if want := "preset, Rules followed; booklet, The boxed booklet; web, The text found on the web; other, Chosen here; "; listed != want {
			t.Errorf("%q: %s", c.preset, listed)
		}
		kept, err := d.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseDeck("kept.yaml", kept); err != nil || again.defaults != d.defaults {
			t.Errorf("%q: written and read again it has other house rules: %v", c.preset, err)
		}
	}
	nameless := strings.Replace(string(DefaultYAML("super-cluedo")), "preset: booklet\n", "", 1)
	if _, err := ParseDeck("box.yaml", []byte(nameless)); err == nil || !strings.Contains(err.Error(), "a name is missing") {
		t.Errorf("without a preset nobody says how he is called: %v", err)
	}
}
