package games_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/games"
	"majordome/engine/games/toy"
	"majordome/engine/huisclos"
	"majordome/engine/ownfile"
	"majordome/engine/ownfile/ownfiletest"
)

// all are the games of the table and the toy game.
func all() games.Table { return append(games.All(), toy.Entry()) }

// TestTable: the deck of each game as it comes is one of that game, and what YAML writes of it reads as the same.
func TestTable(t *testing.T) {
	for i, d := range all().Decks() {
		g := all()[i]
		book, err := d.Book()
		if err != nil {
			t.Fatal(err)
		}
		if d.ID() != g.ID || book.ID() != g.ID || !slices.Contains(g.Keys, "game") {
			t.Errorf("%s has the deck of %s and the rulebook of %s", g.ID, d.ID(), book.ID())
		}
		text, err := d.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := all().Read("box.yaml", text); err != nil || again.ID() != g.ID {
			t.Errorf("%s: %v", g.ID, err)
		}
	}
}

// TestRead: the file says of which game it is, and one that is not known is refused with those that are.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"game: chess\n":       `box.yaml:1:7: unknown game "chess" (one of: huis-clos, cluedo-2008, super-cluedo)`,
		"game: [huis-clos]\n": `unknown game ""`,
		"game:\n":             `unknown game ""`,
		"places: []\n":        `"game" is missing: which game is it of? (one of: huis-clos, cluedo-2008, super-cluedo)`,
		"":                    `"game" is missing`,
		"game: [\n":           "not correct YAML",
		"game: cluedo-2008\n": "0 suspects instead of 6",
		strings.Replace(string(huisclos.DefaultYAML()), "game: huis-clos", "game: chess", 1): "unknown game",
	} {
		d, err := games.All().Read("box.yaml", []byte(text))
		ownfiletest.Check(t, err)
		if d != nil || err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 0 && want == "unknown game" {
			t.Errorf("%q: %v, %v, want %q", text, d, err, want)
		}
	}
}

// TestUnknown: a game that is not known is refused by name, with those that are, in both languages.
func TestUnknown(t *testing.T) {
	for _, id := range []engine.ID{"chess", "", "Huis-Clos", engine.ID(strings.Repeat("x", 1000))} {
		_, err := games.All().Of(id)
		var no *games.UnknownError
		if !errors.As(err, &no) {
			t.Fatalf("%.20s: %v", id, err)
		}
		for _, said := range []string{no.Text().FR, no.Text().EN} {
			if !strings.Contains(said, string(id[:min(len(id), 20)])) || !strings.HasSuffix(said, ": huis-clos, cluedo-2008, super-cluedo") || len(said) > ownfile.MaxMessage {
				t.Errorf("%.20s: %s", id, said)
			}
		}
	}
}

// TestDecodesAsTheLibrary: on a good file the checked reader and the YAML library agree.
func TestDecodesAsTheLibrary(t *testing.T) {
	var hc huisclos.Deck
	var cl cluedo.Deck
	for _, c := range []struct {
		text      []byte
		got, want any
	}{
		{huisclos.DefaultYAML(), &huisclos.Deck{}, &hc}, {cluedo.DefaultYAML("cluedo-2008"), &cluedo.Deck{}, &cl},
	} {
		f := ownfile.Parse("f", c.text)
		f.Decode(c.got)
		if err := errors.Join(f.Err(), yaml.UnmarshalWithOptions(c.text, c.want, yaml.Strict())); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("got  %+v\nwant %+v", c.got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	table := all()
	for _, g := range table {
		f.Add(g.Default)
	}
	f.Add([]byte("game: huis-clos\nplaces:\n  - {}"))
	f.Add([]byte("game: cluedo-2008\ndie-faces: []\nboard: {starts: {a.b[0: x}}"))
	f.Add([]byte("readers: !!int x\n  - a"))
	f.Add([]byte("- a\n- b"))
	f.Add([]byte{})
	decks := table.Decks()
	f.Fuzz(func(t *testing.T, data []byte) {
		for i, g := range table {
			d, err := g.Parse("f", data)
			if (d == nil) == (err == nil) {
				t.Error("neither a deck nor an error")
			}
			ownfiletest.Check(t, err)
			d, err = decks[i].Overlaid(data)
			ownfiletest.Check(t, err)
			if err == nil {
				if _, err := d.YAML(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
