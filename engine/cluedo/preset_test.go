package cluedo

import (
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/deck"
)

// TestPresetOfADeck: the preset that a deck names applies from the beginning, except for the house rules that the deck sets itself. A card
// that the deck leaves nameless has the name of that text (SC-S30), unless the deck chooses another.
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
		{"preset: web\nrules: {olive-title: docteur}\n", "left-first-then-all", "start", "Docteur Olive", "other"},
		{"rules: {olive-title: reverend}\n", "all", "board", "Révérend Olive", "other"},
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
		now := b.NewGame().View(engine.Public).Switches
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
		want := "preset, Rules followed; booklet, The boxed booklet; web, The text found on the web; other, Chosen here; "
		if listed != want {
			t.Errorf("%q: %s", c.preset, listed)
		}
		kept, err := d.EncodeYAML()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseDeck("kept.yaml", kept); err != nil || again.defaults != d.defaults {
			t.Errorf("%q: written and read again it has other house rules: %v", c.preset, err)
		}
	}
	nameless := strings.Replace(string(DefaultYAML("super-cluedo")), `fr: "Sergent Legris", en: "Sergeant Gray"`, "colour_: teal", 1)
	if _, err := ParseDeck("box.yaml", []byte(strings.Replace(nameless, "colour_: teal, ", "", 1))); err == nil ||
		!strings.Contains(err.Error(), "a name is missing") {
		t.Errorf("no house rule says how the sergeant is called: %v", err)
	}
}

// TestCalledByHouseRules: the names and sentences that a house rule changes follow the table from one act to the next, as in a deck that
// has chosen the same values. A name that the owner has written stays.
func TestCalledByHouseRules(t *testing.T) {
	b, err := New(DefaultDeck("super-cluedo"))
	if err != nil {
		t.Fatal(err)
	}
	g := b.NewGame()
	choose := func(name, value string) {
		t.Helper()
		evs, r := g.Decide(engine.Command{By: engine.Host, Act: "switch", Args: engine.Args{"name": name, "value": value}}, chance.New(1))
		if r != nil {
			t.Fatal(r)
		}
		g = g.Apply(evs...)
	}
	for _, c := range []struct{ name, value, olive, cards, preset string }{
		{"", "", "Docteur Olive", "Énigmes", "booklet"},
		{presetSwitch, "web", "Révérend Olive", "Mystères", "web"},
		{"olive-title", "docteur", "Docteur Olive", "Mystères", "other"},
		{"solution-card-name", "enigme", "Docteur Olive", "Énigmes", "other"},
		{presetSwitch, "web", "Révérend Olive", "Mystères", "web"},
		{presetSwitch, "booklet", "Docteur Olive", "Énigmes", "booklet"},
	} {
		if c.name != "" {
			choose(c.name, c.value)
		}
		for _, viewer := range []engine.Viewer{engine.Public, engine.Host, engine.SeatViewer(2)} {
			now := g.View(viewer).Switches
			names := engine.NamesUnderHouseRules(b, now)
			if got := labelOf(names, "suspect-olive"); got != c.olive || now[presetSwitch] != c.preset {
				t.Errorf("%s %s: %v sees %s by %s, want %s by %s", c.name, c.value, viewer, got, now[presetSwitch], c.olive, c.preset)
			}
			if said := labelOf(names, "cl.prompt.envelope"); !strings.Contains(said, c.cards) {
				t.Errorf("%s %s: %v reads %q, want it to name %s", c.name, c.value, viewer, said, c.cards)
			}
		}
		chosen := strings.Replace(string(DefaultYAML("super-cluedo")), "preset: booklet\n",
			"preset: "+strings.Replace(c.preset, "other", "web\nrules: {olive-title: docteur}", 1)+"\n", 1)
		d, err := ParseDeck("chosen.yaml", []byte(chosen))
		if err != nil {
			t.Fatal(err)
		}
		if book, err := New(d); err != nil || labelOf(book.NamesUnder(nil), "suspect-olive") != c.olive {
			t.Errorf("a deck with preset %s: %v, %v", c.preset, labelOf(book.NamesUnder(nil), "suspect-olive"), err)
		}
	}
}

func labelOf(names engine.Names, id engine.ID) string {
	for _, n := range names {
		if n.ID == id {
			return n.Text.FR
		}
	}
	return ""
}

// TestCalledAndRenamed: a card that its owner renames keeps that name under every house rule, also after it is written and read again. A
// name that an older program wrote under a preset follows the table.
func TestCalledAndRenamed(t *testing.T) {
	base := DefaultDeck("super-cluedo")
	booklet, web := map[string]string{"olive-title": "docteur"}, map[string]string{"olive-title": "reverend"}
	for _, c := range []struct {
		name string // "": not renamed
		kept string // in the stored file; "": as the program writes it now
		want string
	}{
		{"", "", "Révérend Olive"},
		{"Olive Vert", "", "Olive Vert"},
		{"Docteur Olive", "", "Révérend Olive"}, // renamed as it was called
		{"", `game: super-cluedo
suspects: [{id: suspect-olive, fr: "Docteur Olive", en: "Doctor Green"}]`, "Révérend Olive"},
		{"", `game: super-cluedo
suspects: [{id: suspect-olive, fr: "Le Docteur", en: "Doctor Green"}]`, "Le Docteur"},
		{"Révérend Olive", "", "Révérend Olive"}, // what the card of the owner says, under the other text too
	} {
		d, text := deck.Deck(base), []byte(c.kept)
		if c.name != "" {
			renamed, r := d.WithLabel("suspect-olive", engine.T(c.name, "Doctor Green"))
			if r != nil {
				t.Fatal(r)
			}
			if book, _ := renamed.NewRulebook(); labelOf(engine.NamesUnderHouseRules(book, web), "suspect-olive") != c.want {
				t.Errorf("renamed %q it is called %q", c.name, labelOf(engine.NamesUnderHouseRules(book, web), "suspect-olive"))
			}
			d = renamed
		}
		if c.kept == "" {
			var err error
			if text, err = d.EncodeYAML(); err != nil {
				t.Fatal(err)
			}
		}
		again, err := base.MergeEdits(text)
		if err != nil {
			t.Fatal(err)
		}
		book, err := again.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		if got := labelOf(engine.NamesUnderHouseRules(book, web), "suspect-olive"); got != c.want {
			t.Errorf("%q, %q: kept and read again it is called %q, want %q", c.name, c.kept, got, c.want)
		}
		if got := labelOf(engine.NamesUnderHouseRules(book, booklet), "suspect-olive"); c.name == "Révérend Olive" && got != c.name {
			t.Errorf("renamed %q it is called %q under the other text", c.name, got)
		}
	}
}

// TestCalledFaults: labels and sentences of house rules that are empty, or that two house rules change, are reported with their line.
func TestCalledFaults(t *testing.T) {
	of := func(more string) string {
		return strings.Replace(strings.Replace(string(DefaultYAML("super-cluedo")), "preset: booklet\n", "", 1),
			"game: super-cluedo\n", `game: mine
edition:
  like: super-cluedo
  name: {fr: x, en: x}
  switches:
    - {id: title, rule: MY-001, fr: x, en: x, values: [{id: a, fr: x, en: x}, {id: b, fr: x, en: x}], `+more+`}
`, 1)
	}
	for _, c := range []struct{ more, want string }{
		{"labels: {a: {suspect-legris: {fr: x, en: x}}}", ""},
		{"labels: {c: {suspect-legris: {fr: x, en: x}}}", `unknown value "c" (one of [a b])`},
		{"labels: {a: {suspect-legri: {fr: x, en: x}}}", `"suspect-legri" is no card of this game (did you mean "suspect-legris"?)`},
		{"labels: {a: {suspect-legris: {fr: x}}}", "a name is missing"},
		{"labels: {a: {suspect-olive: {fr: x, en: x}}}", `"suspect-olive" is settled already by "title"`},
		{"sentences: {a: {cl.prompt.envelop: {fr: x, en: x}}}",
			`unknown sentence "cl.prompt.envelop" (did you mean "cl.prompt.envelope"?)`},
		{"sentences: {a: {cl.prompt.pick: {fr: x, en: x}}, c: {}}", `unknown value "c"`},
		{"sentences: {a: {cl.log.sealed: {fr: x, en: \"{hat}\"}}}", "nothing fills {hat}"},
		{"sentences: {a: {MY-001: {fr: x, en: x}}}", ""},
	} {
		_, err := ParseDeck("mine.yaml", []byte(of(strings.ReplaceAll(c.more, `\"`, `"`))))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.more, err, c.want)
		}
	}
}
