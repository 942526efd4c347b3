package words_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/play"
	"majordome/engine/words"
)

// TestNarratorHasLinesForEveryAnnouncedHappening: every happening that the display announces (engine.AllHappenings) has
// lines of the narrator, in games that are played at random and at every end that a game has.
func TestNarratorHasLinesForEveryAnnouncedHappening(t *testing.T) {
	announced := map[string]bool{}
	for _, k := range engine.AllHappenings {
		announced[k.What] = k.Spoken
	}
	data, err := os.ReadFile("narrator.fr.json") // TestNarrator: and in English
	if err != nil {
		t.Fatal(err)
	}
	var lines map[string][]string
	if err := json.Unmarshal(data, &lines); err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for key := range catalogue(t, words.FR) {
		if ofGame.MatchString(key) && strings.Contains(key, ".over.") {
			told[key] = true
		}
	}
	for _, d := range games.KnownGames().DefaultDecks() {
		book, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			if _, _, err := play.Run(book.NewGame(), &play.Opts{Seed: seed, Check: func(s play.Step) error {
				v := s.After.View(engine.Public)
				by := map[uint16]string{}
				for _, h := range v.Happened {
					by[uint16(h.N)] = h.What
				}
				for _, l := range v.Log {
					if announced[by[l.Of]] && ofGame.MatchString(l.Msg.Key) {
						told[l.Msg.Key] = true
					}
				}
				return nil
			}}); err != nil && !strings.Contains(err.Error(), "does not end") {
				t.Fatal(err)
			}
		}
	}
	for key := range told {
		if len(lines[key]) == 0 {
			t.Errorf("the display announces %s, and the narrator has no line for it", key)
		}
	}
	t.Logf("%d sentences", len(told))
}

var ofGame = regexp.MustCompile(`^(hc|cl)\.`)
