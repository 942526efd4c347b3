package huisclos_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/engine/huisclos/scenarios"
	"majordome/engine/script"
)

var update = flag.Bool("update", false, "write COVERAGE.md anew")

// noEffect are the rules that no script and no test can show, and why.
var noEffect = map[string]string{
	"HC-036":  "Talk is not sensed: no act, card or reader carries a statement, so there is nothing that could have an effect.",
	"HC-046":  "Showing a card across the table is not sensed. The machine's part is that it offers no act for it, which every list of offers in the scenarios shows.",
	"GEN-023": "Speaks of the Cluedos alone: Huis Clos has no solution that would follow from the hands.",
}

// testFolders hold the Go tests that may show a rule, seen from here.
var testFolders = []string{".", "scenarios", "../play", "../script", "../words", "../deck", "../internal/box", "../internal/reading",
	"../../companion/pair", "../../companion/relay", "../../companion/seal", "../../companion/store", "../../companion/table",
	"../../companion/wire", "../../cmd/majordome", "../../cmd/majordome/house", "../../cmd/majordome/e2e"}

// sections are the chapters of the rules by their first number.
var sections = []struct {
	first string
	title string
}{
	{"HC-001", "Set-up"}, {"HC-020", "First-round set-up"}, {"HC-030", "Rounds"}, {"HC-040", "Hands"}, {"HC-050", "Move"},
	{"HC-060", "Search"}, {"HC-070", "Destroy"}, {"HC-081", "Forced exchange"}, {"HC-090", "Accuse"}, {"HC-110", "Observe"},
	{"HC-120", "Murder resolution"}, {"HC-150", "End of the game"}, {"HC-180", "Innocent with two or more weapons"},
	{"HC-200", "Confrontation"}, {"GEN-001", "Common principles"}, {"GEN-020", "Custody"}, {"GEN-E01", "Physical errors"},
}

var ruleID = regexp.MustCompile(`\b(HC-\d{3}|GEN-\d{3}|GEN-E\d\d)\b( to (HC-\d{3}|GEN-\d{3}|GEN-E\d\d)\b)?`)

// shown is where each rule is shown: names of scripts and of Go tests.
type shown map[string]struct{ scripts, tests []string }

// allRules are the ids that the product explains to the table, in order: HC-001
// to HC-212 and each common rule that touches Huis Clos.
func allRules(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../words/rules.en.json")
	if err != nil {
		t.Fatal(err)
	}
	says := map[string]string{}
	if err := json.Unmarshal(data, &says); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for id := range says {
		if ruleID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { // HC before GEN, numbers before errors
		if x, y := strings.HasPrefix(a, "GEN"), strings.HasPrefix(b, "GEN"); x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		return strings.Compare(a, b)
	})
	return ids
}

// covers reads the scripts' covers lines.
func (s shown) covers(t *testing.T, known []string) {
	t.Helper()
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range script.Coverage(all...) {
		if !slices.Contains(known, c.Rule) {
			t.Errorf("%v cover %s, which is no rule of this game", c.Scripts, c.Rule)
			continue
		}
		one := s[c.Rule]
		for _, name := range c.Scripts {
			one.scripts = append(one.scripts, strings.TrimSuffix(name, ".script"))
		}
		s[c.Rule] = one
	}
}

// tests reads which rule ids stand in the comment or body of each test function.
func (s shown) tests(t *testing.T, known []string) {
	t.Helper()
	for _, folder := range testFolders {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no tests there (%v)", folder, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, name, text, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test") || fn.Name.Name == "TestRuleCoverage" {
					continue
				}
				from := fn.Pos()
				if fn.Doc != nil {
					from = fn.Doc.Pos()
				}
				body := string(text[set.Position(from).Offset:set.Position(fn.End()).Offset])
				s.add(known, strings.ReplaceAll(body, "\n// ", " "), path.Base(pathOf(folder))+"."+fn.Name.Name)
			}
		}
	}
}

func pathOf(folder string) string {
	all, err := filepath.Abs(folder)
	if err != nil {
		return folder
	}
	return filepath.ToSlash(all)
}

// add notes a test for each rule in a text; "HC-081 to HC-087" is all of them.
func (s shown) add(known []string, text, test string) {
	for _, m := range ruleID.FindAllStringSubmatch(text, -1) {
		last := m[1]
		if m[3] != "" {
			last = m[3]
		}
		for _, id := range known {
			if one := s[id]; id >= m[1] && id <= last && !slices.Contains(one.tests, test) {
				one.tests = append(one.tests, test)
				s[id] = one
			}
		}
	}
}

// markdown is the table that a person reads.
func (s shown) markdown(known []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Where each rule is shown

Every rule of Huis Clos and every common rule that touches it, the scripts of
[scenarios](scenarios) that name it in their covers line, and the Go tests that
carry its id. %d rules. A test of this folder compares this page with the tree;
after a change write it anew:

    go test ./engine/huisclos -run TestRuleCoverage -update
`, len(known))
	next := 0
	for _, id := range known {
		if next < len(sections) && sections[next].first == id {
			fmt.Fprintf(&b, "\n## %s\n\n| Rule | Scripts | Go tests |\n|---|---|---|\n", sections[next].title)
			next++
		}
		one := s[id]
		slices.Sort(one.tests)
		if why := noEffect[id]; why != "" && len(one.scripts)+len(one.tests) == 0 {
			fmt.Fprintf(&b, "| %s | — | %s |\n", id, why)
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", id, strings.Join(one.scripts, " "), strings.Join(one.tests, " "))
	}
	return b.String()
}

// TestRuleCoverage: each rule is shown by a script or a test, or it is said why
// it cannot be; and COVERAGE.md says so truly.
func TestRuleCoverage(t *testing.T) {
	known := allRules(t)
	hc := 0
	for _, id := range known {
		if strings.HasPrefix(id, "HC-") {
			hc++
		}
	}
	if hc != 143 {
		t.Errorf("%d rules of Huis Clos, want 143", hc)
	}
	s := shown{}
	s.covers(t, known)
	s.tests(t, known)
	for _, id := range known {
		if one := s[id]; len(one.scripts)+len(one.tests) == 0 && noEffect[id] == "" {
			t.Errorf("%s is shown by no script and no test; write one, or say in noEffect why it cannot be shown", id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(noEffect)) {
		if !slices.Contains(known, id) {
			t.Errorf("noEffect names %s, which is no rule", id)
		}
	}
	for _, sec := range sections {
		if !slices.Contains(known, sec.first) {
			t.Errorf("section %q begins with %s, which is no rule", sec.title, sec.first)
		}
	}
	want := s.markdown(known)
	if *update {
		if err := os.WriteFile("COVERAGE.md", []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("COVERAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("COVERAGE.md is out of date: %s\nwrite it anew with: go test ./engine/huisclos -run TestRuleCoverage -update", firstDifference(string(got), want))
	}
}

func firstDifference(got, want string) string {
	one, two := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(one), len(two)) {
		if one[i] != two[i] {
			return fmt.Sprintf("line %d says %q, the tree says %q", i+1, one[i], two[i])
		}
	}
	return fmt.Sprintf("%d lines, the tree has %d", len(one), len(two))
}
