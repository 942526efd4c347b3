package demodecks_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/demodecks"
	"majordome/engine"
	"majordome/engine/games"
)

// numbered matches a name that is only a kind and a number.
var numbered = regexp.MustCompile(`^(Lieu|Arme|Pièce|Place|Weapon|Room) \d+$`)

// TestEveryThingHasAName checks that at a demonstration each place, room and weapon has a name that people can say.
// All else is as in the deck that comes with the game: the same things in the same order, with the same owners.
func TestEveryThingHasAName(t *testing.T) {
	all, demo := games.KnownGames(), demodecks.WithDemoDecks(games.KnownGames())
	for i, d := range demo.DefaultDecks() {
		own, shown := namesOf(t, all, i), namesOf(t, demo, i)
		if len(own) != len(shown) {
			t.Fatalf("%s: %d names, %d in its own deck", d.ID(), len(shown), len(own))
		}
		for j, n := range shown {
			if numbered.MatchString(n.Text.FR) || numbered.MatchString(n.Text.EN) {
				t.Errorf("%s: %s is called %q", d.ID(), n.ID, n.Text)
			}
			if o := own[j]; n.ID != o.ID || n.Kind != o.Kind || n.Of != o.Of {
				t.Errorf("%s: %s %s of %q, in its own deck %s %s of %q", d.ID(), n.Kind, n.ID, n.Of, o.Kind, o.ID, o.Of)
			}
		}
	}
}

func namesOf(t *testing.T, all games.Table, i int) engine.Names {
	t.Helper()
	book, err := all.DefaultDecks()[i].NewRulebook()
	if err != nil {
		t.Fatal(err)
	}
	return book.Names()
}

// TestFilesAreOfGames checks that each file belongs to a known game, and says that its names are invented.
func TestFilesAreOfGames(t *testing.T) {
	files, err := fs.Glob(os.DirFS("."), "*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v %v", files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(games.KnownGames().IDs(), strings.TrimSuffix(f, ".yaml")) || !strings.Contains(string(text), "invented") {
			t.Errorf("%s is of no game, or does not say that its names are invented", f)
		}
	}
}
