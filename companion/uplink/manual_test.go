package uplink

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/engine/games"
)

var (
	momentRow  = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| .+ \\| (.+) \\|$")
	eventTopic = regexp.MustCompile(`/event/([a-z-]+)`)
)

// gamesByWord gives the games that a word in the third column of the page "moments" means.
var gamesByWord = map[string][]string{
	"tous":   {"huis-clos", "cluedo-2008", "super-cluedo", "cluedo-classic"},
	"all":    {"huis-clos", "cluedo-2008", "super-cluedo", "cluedo-classic"},
	"Cluedo": {"cluedo-2008", "super-cluedo", "cluedo-classic"}, "Huis Clos": {"huis-clos"},
	"2008": {"cluedo-2008"}, "Super": {"super-cluedo"}, "classique": {"cluedo-classic"}, "classic": {"cluedo-classic"},
}

// TestManualMoments checks that the page "moments" lists each moment once, with the same games in both languages, that every
// moment of random games is listed for its game, and that no page names an unknown one.
func TestManualMoments(t *testing.T) {
	said := map[string]map[string][]string{} // by language, the games of each moment
	for _, lang := range []string{"fr", "en"} {
		said[lang] = map[string][]string{}
		for _, page := range []string{"moments", "programs", "house"} {
			text, err := os.ReadFile("../web/manual/" + lang + "/" + page + ".md")
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range eventTopic.FindAllStringSubmatch(string(text), -1) {
				if !slices.Contains(moments, m[1]) {
					t.Errorf("%s/%s.md: nothing happens that is called %s", lang, page, m[1])
				}
			}
			if page != "moments" {
				continue
			}
			for _, m := range momentRow.FindAllStringSubmatch(string(text), -1) {
				if said[lang][m[1]] != nil {
					t.Errorf("%s/%s.md has %s twice", lang, page, m[1])
				}
				for word := range strings.SplitSeq(m[2], ", ") {
					said[lang][m[1]] = append(said[lang][m[1]], gamesByWord[word]...)
				}
			}
		}
	}
	codes := slices.Sorted(maps.Keys(said["fr"]))
	if !slices.Equal(codes, slices.Sorted(slices.Values(moments))) || !reflect.DeepEqual(said["fr"], said["en"]) {
		t.Fatalf("the page has %v\n%v, the house receives %v", said["fr"], said["en"], moments)
	}
	for _, d := range games.KnownGames().DefaultDecks() {
		for seed := uint64(1); seed <= 8; seed++ {
			for _, v := range playRandomGame(t, d.ID(), seed, 2000) {
				for _, h := range v.Happened {
					if !slices.Contains(said["fr"][h.What], string(d.ID())) {
						t.Fatalf("%s happens in %s, and the manual does not say so", h.What, d.ID())
					}
				}
			}
		}
	}
}
