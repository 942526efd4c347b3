package words_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"majordome/engine/games"
	"majordome/engine/words"
)

// lessons are the explanations of a first evening: by game, then by what they explain.
func lessons(t *testing.T, l words.Lang) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	for path, text := range texts(t, "lessons."+string(l)+".json") {
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return all
}

// The three cards of a first evening are read sitting; the others while one plays.
var readSitting = regexp.MustCompile(`^(about|me|round)$`)

const (
	mostSitting = 215 // signs
	mostPlaying = 130
)

// TestLessonsInBothLanguages: the same games, the same explanations, the same blanks, and
// the three cards in each.
func TestLessonsInBothLanguages(t *testing.T) {
	fr, en := lessons(t, words.FR), lessons(t, words.EN)
	for _, id := range append(games.KnownGames().IDs(), "cluedo") {
		for _, card := range []string{"about", "me", "round"} {
			if fr[id][card] == "" {
				t.Errorf("%s has no card %q", id, card)
			}
		}
	}
	for id, texts := range fr {
		if len(texts) != len(en[id]) {
			t.Errorf("%s: %d explanations in French, %d in English", id, len(texts), len(en[id]))
		}
		for key, s := range texts {
			if other := en[id][key]; other == "" || s == "" || !slices.Equal(blanks(s), blanks(other)) {
				t.Errorf("%s: %s is %q in French, %q in English", id, key, s, other)
			}
		}
	}
}

// TestLessonsKeepTheVoice: they are held to what TestSentencesKeepToTheHouseStyle and TestTypography hold
// every sentence to.
func TestLessonsKeepTheVoice(t *testing.T) {
	for _, l := range words.Langs {
		for id, texts := range lessons(t, l) {
			for key, s := range texts {
				if word := banned[l].FindString(s); word != "" {
					t.Errorf("%s, %s, %s: %q is not a word of the house: %s", id, key, l, word, s)
				}
				if strings.ContainsAny(s, "'\"\u00a0\u202f!") || l == words.FR && (tight.MatchString(s) || elided.MatchString(s)) {
					t.Errorf("%s, %s, %s: not written as the house writes: %s", id, key, l, s)
				}
				most := mostPlaying
				if readSitting.MatchString(key) {
					most = mostSitting
				}
				if n := utf8.RuneCountInString(blank.ReplaceAllString(s, "Margaux")); n > most {
					t.Errorf("%s, %s, %s: %d signs, at most %d: %s", id, key, l, n, most, s)
				}
			}
		}
	}
}
