package words_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"majordome/engine/words"
)

// TestStory: the sentences of the story of the evening (story.*.json) are the same in both
// languages, with the same blanks, and keep the voice of all others.
func TestStory(t *testing.T) {
	const most = 110 // signs: two lines of a phone, three with long names
	all := map[words.Lang]map[string]string{}
	for _, l := range words.Langs {
		data, err := os.ReadFile("story." + string(l) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		if err := json.Unmarshal(data, &texts); err != nil {
			t.Fatalf("story.%s.json: %v", l, err)
		}
		all[l] = texts
		for key, s := range texts {
			if word := banned[l].FindString(s); word != "" {
				t.Errorf("%s, %s: %q is not a word of the house: %s", key, l, word, s)
			}
			if s == "" || strings.ContainsAny(s, "'\"\u00a0\u202f!") || l == words.FR && (tight.MatchString(s) || elided.MatchString(s)) {
				t.Errorf("%s, %s: not written as the house writes: %q", key, l, s)
			}
			if n := utf8.RuneCountInString(blank.ReplaceAllString(s, "Margaux")); n > most {
				t.Errorf("%s, %s: %d signs, at most %d: %s", key, l, n, most, s)
			}
		}
	}
	for key, s := range all[words.FR] {
		if other := all[words.EN][key]; !slices.Equal(blanks(s), blanks(other)) {
			t.Errorf("%s is %q in French, %q in English", key, s, other)
		}
	}
	if len(all[words.FR]) != len(all[words.EN]) {
		t.Errorf("%d sentences in French, %d in English", len(all[words.FR]), len(all[words.EN]))
	}
}
