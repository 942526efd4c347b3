package games_test

import (
	"bytes"
	"errors"
	"os"
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

// allGames lists the games of the table and the toy game.
func allGames() games.Table { return append(games.KnownGames(), toy.TableEntry()) }

// known lists the games of the table as a message does.
var known = strings.Join(games.KnownGames().IDs(), ", ")

// TestDefaultDecksSurviveYAML: the deck of each game as it comes is one of that game, and what YAML writes of it reads as the same.
func TestDefaultDecksSurviveYAML(t *testing.T) {
	for i, d := range allGames().DefaultDecks() {
		g := allGames()[i]
		book, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		if d.ID() != g.ID || book.ID() != g.ID || allGames().IDs()[i] != string(g.ID) || !slices.Contains(g.DeckKeys, "game") {
			t.Errorf("%s has the deck of %s and the rulebook of %s, and is listed as %s", g.ID, d.ID(), book.ID(), allGames().IDs()[i])
		}
		text, err := d.EncodeYAML()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := allGames().ParseDeck("box.yaml", text); err != nil || again.ID() != g.ID {
			t.Errorf("%s: %v", g.ID, err)
		}
	}
}

// TestLobby: every game begins in the lobby, and nothing is dealt there.
func TestLobby(t *testing.T) {
	for _, d := range allGames().DefaultDecks() {
		book, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		if v := book.NewGame().View(engine.Public); v.Phase != engine.PhaseLobby || v.IsDealing() {
			t.Errorf("%s begins in %q", book.ID(), v.Phase)
		}
	}
}

// TestReadDeckFindsTheGameByTheFile: the file says of which game it is, and an unknown game is refused with a list of the known ones.
func TestReadDeckFindsTheGameByTheFile(t *testing.T) {
	for text, want := range map[string]string{
		"game: chess\n":       `box.yaml:1:7: unknown game "chess" (one of: ` + known + `)`,
		"game: [huis-clos]\n": `unknown game ""`,
		"game:\n":             `unknown game ""`,
		"places: []\n":        `"game" is missing: which game is it of? (one of: ` + known + `)`,
		"":                    `"game" is missing`,
		"game: [\n":           "not correct YAML",
		"game: cluedo-2008\n": "0 suspects instead of 6",
		strings.Replace(string(huisclos.DefaultYAML()), "game: huis-clos", "game: chess", 1): "unknown game",
	} {
		d, err := games.KnownGames().ParseDeck("box.yaml", []byte(text))
		ownfiletest.CheckFaults(t, err)
		if d != nil || err == nil || !strings.Contains(err.Error(), want) ||
			strings.Count(err.Error(), "\n") > 0 && want == "unknown game" {
			t.Errorf("%q: %v, %v, want %q", text, d, err, want)
		}
	}
}

// TestOwnEditionAddsAGame: a deck with an edition of its own adds a game, whose deck is read as any other. An id that
// exists already is refused, and a deck of a known game replaces the deck of that game.
func TestOwnEditionAddsAGame(t *testing.T) {
	text, err := os.ReadFile("../cluedo/testdata/phare/phare.yaml")
	if err != nil {
		t.Fatal(err)
	}
	more, d, err := allGames().WithDeck("phare.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := more.FindGame("phare-noir"); err != nil || len(more) != len(allGames())+1 || !bytes.Equal(g.Default, text) ||
		d.ID() != "phare-noir" || len(d.DemoCast()) != 3 {
		t.Errorf("%v: %v", more.IDs(), err)
	}
	if decks := more.DefaultDecks(); decks[len(decks)-1].ID() != "phare-noir" {
		t.Error("its deck is not there")
	}
	var editions []string
	for _, id := range cluedo.Editions() {
		editions = append(editions, string(id))
	}
	for _, c := range []struct {
		in             games.Table
		old, new, want string
	}{
		{more, "", "", `phare.yaml:3:7: the game "phare-noir" is there already`},
		{allGames(), "game: phare-noir", "game: huis-clos", `the game "huis-clos" is there already`},
		{allGames(), "game: phare-noir", "game: cluedo-2008", `the game "cluedo-2008" is there already`},
		{allGames(), "like: cluedo-2008", "like: chess",
			`phare.yaml:5:9: unknown edition "chess" ("like:" and one of: ` + strings.Join(editions, ", ") + `)`},
		{allGames(), "  like: cluedo-2008\n", "", `unknown edition ""`},
		{allGames(), "like: cluedo-2008", "like: huis-clos", `unknown edition "huis-clos"`},
		{allGames(), "suspects: 7", "suspects: 6", "7 suspects instead of 6"},
	} {
		now, d, err := c.in.WithDeck("phare.yaml", bytes.Replace(text, []byte(c.old), []byte(c.new), 1))
		ownfiletest.CheckFaults(t, err)
		if d != nil || len(now) != len(c.in) || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
	same, d, err := allGames().WithDeck("box.yaml", cluedo.DefaultYAML("cluedo-2008"))
	if err != nil || d.ID() != "cluedo-2008" || len(same) != len(allGames()) {
		t.Errorf("a deck of a known game: %v", err)
	}
}

// TestUnknownGameIsRefusedWithTheKnownOnes: an unknown game is refused by name, with a list of the known ones, in both languages.
func TestUnknownGameIsRefusedWithTheKnownOnes(t *testing.T) {
	for _, id := range []engine.ID{"chess", "", "Huis-Clos", engine.ID(strings.Repeat("x", 1000))} {
		_, err := games.KnownGames().FindGame(id)
		var no *games.UnknownError
		if !errors.As(err, &no) {
			t.Fatalf("%.20s: %v", id, err)
		}
		for _, said := range []string{no.Text().FR, no.Text().EN} {
			if !strings.Contains(said, string(id[:min(len(id), 20)])) || !strings.HasSuffix(said, ": "+known) ||
				len(said) > ownfile.MaxMessage {
				t.Errorf("%.20s: %s", id, said)
			}
		}
	}
}

// TestDecodesAsTheLibrary: the checked reader and the YAML library agree on a valid file.
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
	table := allGames()
	for _, g := range table {
		f.Add(g.Default)
	}
	f.Add([]byte("game: huis-clos\nplaces:\n  - {}"))
	f.Add([]byte("game: cluedo-2008\ndie-faces: []\nboard: {starts: {a.b[0: x}}"))
	f.Add([]byte("readers: !!int x\n  - a"))
	f.Add([]byte("- a\n- b"))
	f.Add([]byte{})
	decks := table.DefaultDecks()
	f.Fuzz(func(t *testing.T, data []byte) {
		for i, g := range table {
			d, err := g.Parse("f", data)
			if (d == nil) == (err == nil) {
				t.Error("neither a deck nor an error")
			}
			ownfiletest.CheckFaults(t, err)
			d, err = decks[i].MergeEdits(data)
			ownfiletest.CheckFaults(t, err)
			if err == nil {
				if _, err := d.EncodeYAML(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// TestNamesArePrinted: what a deck calls its things has the apostrophes and quotation marks of print, as every sentence has.
func TestNamesArePrinted(t *testing.T) {
	for _, g := range games.KnownGames() {
		d, err := g.Parse(string(g.ID), g.Default)
		if err != nil {
			t.Fatal(err)
		}
		book, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range book.Names() {
			if strings.ContainsAny(n.Text.FR+n.Text.EN, "'\"") {
				t.Errorf("%s: %s: %s / %s", g.ID, n.ID, n.Text.FR, n.Text.EN)
			}
		}
	}
}
