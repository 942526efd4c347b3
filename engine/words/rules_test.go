package words_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/words"
)

// maxRule is the length of an explanation, in bytes: what a phone shows without
// scrolling.
const maxRule = 280

// ruleIDs lists the rules that have an explanation, numbered as in their reference. HC-A02 is a reading of an unclear rule that
// refusals about the deck cite.
func ruleIDs() map[string]bool {
	ids := map[string]bool{"HC-A02": true}
	for _, r := range []struct {
		form     string
		from, to int
	}{
		{"HC-%03d", 1, 11}, {"HC-%03d", 20, 25}, {"HC-%03d", 30, 36}, {"HC-%03d", 40, 46},
		{"HC-%03d", 50, 54}, {"HC-%03d", 56, 59}, {"HC-%03d", 60, 68}, {"HC-%03d", 70, 88}, {"HC-%03d", 90, 101},
		{"HC-%03d", 110, 118}, {"HC-%03d", 120, 141}, {"HC-%03d", 150, 158}, {"HC-%03d", 180, 189},
		{"HC-%03d", 200, 212},
		{"C8-%03d", 1, 12}, {"C8-%03d", 20, 24}, {"C8-%03d", 30, 36}, {"C8-%03d", 40, 55}, {"C8-%03d", 60, 65},
		{"C8-%03d", 70, 74}, {"C8-%03d", 80, 87}, {"C8-%03d", 90, 99}, {"C8-%03d", 110, 120}, {"C8-%03d", 130, 142},
		{"C8-%03d", 150, 158}, {"C8-%03d", 160, 160}, {"C8-%03d", 170, 176}, {"C8-%03d", 190, 192},
		{"CC-%03d", 1, 9}, {"CC-%03d", 20, 22}, {"CC-%03d", 30, 37}, {"CC-%03d", 40, 49}, {"CC-%03d", 50, 54}, {"CC-%03d", 60, 65},
		{"CC-%03d", 70, 78}, {"CC-%03d", 120, 122}, {"CC-%03d", 130, 138}, {"SC-%03d", 1, 10}, {"SC-%03d", 12, 14},
		{"SC-%03d", 20, 22}, {"SC-%03d", 30, 36}, {"SC-%03d", 40, 45}, {"SC-%03d", 50, 57}, {"SC-%03d", 60, 65},
		{"SC-%03d", 70, 80}, {"SC-%03d", 90, 99}, {"GEN-%03d", 1, 11}, {"GEN-%03d", 20, 24}, {"GEN-E%02d", 1, 14},
	} {
		for n := r.from; n <= r.to; n++ {
			ids[fmt.Sprintf(r.form, n)] = true
		}
	}
	return ids
}

// rules reads the explanations of one language as they are written.
func rules(t *testing.T, l words.Lang) map[string]string {
	t.Helper()
	data, err := os.ReadFile("rules." + string(l) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("rules.%s.json: %v", l, err)
	}
	return m
}

// TestRuleTexts: every numbered rule is explained in both languages, nothing
// else is, each explanation is short and made of whole sentences.
func TestRuleTexts(t *testing.T) {
	ids := ruleIDs()
	for _, l := range words.Langs {
		texts := rules(t, l)
		for id := range ids {
			if texts[id] == "" {
				t.Errorf("rules.%s.json does not explain %s", l, id)
			}
		}
		for id, s := range texts {
			switch n := strings.Count(s, ". ") + 1; {
			case !ids[id]:
				t.Errorf("rules.%s.json explains %s, which is no rule of these games", l, id)
			case len(s) > maxRule:
				t.Errorf("%s, %s: %d bytes, at most %d: %s", id, l, len(s), maxRule, s)
			case n > 3:
				t.Errorf("%s, %s: %d sentences, at most 3: %s", id, l, n, s)
			case !strings.HasSuffix(s, ".") || blank.MatchString(s):
				t.Errorf("%s, %s: no whole sentence: %s", id, l, s)
			}
		}
	}
}

// TestRuleSwitches: a rule that a house rule changes names it as the set-up does.
func TestRuleSwitches(t *testing.T) {
	fr, en := rules(t, words.FR), rules(t, words.EN)
	ui, uiEN := catalogue(t, words.FR), catalogue(t, words.EN)
	for _, game := range []struct {
		book    engine.Rulebook
		changed map[engine.ID][]string
	}{
		{bookOf(t, huisclos.DefaultDeck()), map[engine.ID][]string{
			"rounds-exhausted":              {"HC-154", "HC-211"},
			"confrontation-round-limit":     {"HC-211"},
			"confrontation-double-kill":     {"HC-210"},
			"confrontation-destroy-weapons": {"HC-206"},
			"destroy-below-limit":           {"HC-065"},
			"exchange-order":                {"HC-083"},
			"post-game-debrief":             {"GEN-008", "HC-157"},
		}},
		{bookOf(t, cluedo.DefaultDeck("cluedo-2008")), map[engine.ID][]string{
			"two-players":              {"C8-001"},
			"movement":                 {"C8-041"},
			"displacement-draw-timing": {"C8-091"},
			"displacement-draw-origin": {"C8-095"},
			"wrong-accuser-turns":      {"C8-115"},
			"wrong-accuser-interrupts": {"C8-118"},
			"olive-needs-room":         {"C8-173"},
			"post-game-debrief":        {"GEN-008"},
		}},
		{bookOf(t, cluedo.DefaultDeck("cluedo-classic")), map[engine.ID][]string{
			"clue-cards":           {"CC-120"},
			"movement":             {"CC-040"},
			"mode":                 {"CC-130"},
			"hidden-card-rooms":    {"CC-131"},
			"team-hidden-cards":    {"CC-138"},
			"roll-when-not-moving": {"CC-037"},
			"post-game-debrief":    {"GEN-008"},
		}},
		{bookOf(t, cluedo.DefaultDeck("super-cluedo")), map[engine.ID][]string{
			"first-player":           {"SC-013"},
			"movement":               {"SC-031"},
			"weapons-start":          {"SC-005"},
			"olive-title":            {"SC-002"},
			"solution-card-name":     {"SC-007"},
			"witness-query":          {"SC-076"},
			"spy-per-turn":           {"SC-064"},
			"combination-order":      {"SC-052", "SC-056"},
			"combination-hypothesis": {"SC-020", "SC-053"},
			"occupied-exact-stop":    {"SC-034"},
			"accusation-location":    {"SC-091"},
			"post-game-debrief":      {"GEN-008"},
		}},
	} {
		for _, sw := range game.book.Names() {
			if sw.Kind != "switch" {
				continue
			}
			if len(game.changed[sw.ID]) == 0 && sw.Of != "" {
				t.Errorf("which rule does %s change?", sw.ID)
			}
			for _, id := range game.changed[sw.ID] {
				if !strings.Contains(fr[id], "« "+sw.Text.FR+" »") || !strings.Contains(en[id], "“"+sw.Text.EN+"”") {
					t.Errorf("%s does not name the house rule %s (%s, %s)", id, sw.ID, sw.Text.FR, sw.Text.EN)
				}
			}
		}
	}
	for _, sw := range huisclos.DefaultDeck().Switches {
		if key := "ui.value." + string(sw.ID); ui[key] != sw.FR || uiEN[key] != sw.EN {
			t.Errorf("%s is %q, %q in the catalogues, and %q, %q in the deck", sw.ID, ui[key], uiEN[key], sw.FR, sw.EN)
		}
	}
}

// bookOf is the rulebook of a deck.
func bookOf(t *testing.T, d deck.Deck) engine.Rulebook {
	t.Helper()
	book, err := d.NewRulebook()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// TestRulesCited: every rule that the game, an edition, the table or the daemon cites
// has an explanation.
func TestRulesCited(t *testing.T) {
	id := regexp.MustCompile(`^(HC|C8|SC|CC|GEN)-[AE]?\d+$`)
	texts, found := rules(t, words.FR), 0
	for _, pattern := range []string{"../huisclos/*.go", "../cluedo/*.go", "../../companion/game/*.go", "../../cmd/majordome/house/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no sources: %v", pattern, err)
		}
		for _, path := range slices.DeleteFunc(files, func(p string) bool { return strings.HasSuffix(p, "_test.go") }) {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				continue // the file is being written; the compiler reports that better
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if s, err := strconv.Unquote(lit.Value); err == nil && id.MatchString(s) {
					if found++; texts[s] == "" {
						t.Errorf("%s cites %s, which nobody explains", path, s)
					}
				}
				return true
			})
		}
	}
	if found == 0 {
		t.Error("no source cites a rule: is the pattern right?")
	}
	editions, err := filepath.Glob("../cluedo/editions/*.yaml")
	if err != nil || len(editions) == 0 {
		t.Fatalf("no editions: %v", err)
	}
	for _, path := range editions {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cited := regexp.MustCompile(`\b[A-Z][A-Z0-9]+-[AE]?\d+\b`).FindAllString(string(data), -1)
		if len(cited) == 0 {
			t.Errorf("%s cites no rule: is the pattern right?", path)
		}
		for _, s := range cited {
			if texts[s] == "" {
				t.Errorf("%s cites %s, which nobody explains", path, s)
			}
		}
	}
}
