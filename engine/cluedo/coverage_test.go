package cluedo_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/engine/cluedo/scenarios"
	"majordome/engine/script"
)

var update = flag.Bool("update", false, "write COVERAGE.md anew")

// testFolders hold the Go tests that may show a rule of Cluedo 2008, seen from here.
var testFolders = []string{".", "../board", "../deck", "../play"}

// sections are the chapters of the rules by their first number.
var sections = map[string]string{
	"C8-001": "Set-up", "C8-020": "Board", "C8-030": "Turn", "C8-040": "Moving", "C8-060": "The pool", "C8-070": "Hypothesis",
	"C8-080": "Answering", "C8-090": "Displaced", "C8-110": "Accusation", "C8-130": "Intrigue cards", "C8-150": "Butler cards",
	"C8-160": "Powers", "C8-190": "End of the game", "GEN-001": "Common principles", "GEN-020": "Custody", "GEN-E01": "Physical errors",
}

var ruleID = regexp.MustCompile(`\b((?:C8|GEN)-E?\d+)\b(?: to ((?:C8|GEN)-E?\d+)\b)?`)

// place is what shows a rule.
type place struct{ scripts, tests []string }

// explained are the ids that the product explains to the table, C8 before GEN.
func explained(t *testing.T) (ids []string) {
	t.Helper()
	data, err := os.ReadFile("../words/rules.en.json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	for id := range texts {
		if ruleID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// shownIn finds the scripts that cover each rule and the tests that name it in
// their comment or body; "C8-041 to C8-046" names all of them.
func shownIn(t *testing.T, ids []string) map[string]*place {
	t.Helper()
	shown := map[string]*place{}
	for _, id := range ids {
		shown[id] = new(place)
	}
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range script.Coverage(all...) {
		if shown[c.Rule] == nil {
			t.Errorf("%v cover %s, which is no rule of this game", c.Scripts, c.Rule)
			continue
		}
		for _, name := range c.Scripts {
			shown[c.Rule].scripts = append(shown[c.Rule].scripts, strings.TrimSuffix(name, ".script"))
		}
	}
	for _, folder := range testFolders {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no tests there (%v)", folder, err)
		}
		for _, name := range files {
			for test, text := range testTexts(t, name) {
				note(shown, ids, text, strings.TrimPrefix(strings.TrimPrefix(folder+"."+test, "../"), ".."))
			}
		}
	}
	return shown
}

// testTexts are the comment and body of each test of a file that is about Cluedo 2008.
func testTexts(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
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
		if strings.Contains(body, "C8-") { // else its common rules are shown for another game
			out[fn.Name.Name] = strings.ReplaceAll(body, "\n// ", " ")
		}
	}
	return out
}

func note(shown map[string]*place, ids []string, text, test string) {
	for _, m := range ruleID.FindAllStringSubmatch(text, -1) {
		last := m[1]
		if m[2] != "" {
			last = m[2]
		}
		for _, id := range ids {
			if p := shown[id]; id >= m[1] && id <= last && !slices.Contains(p.tests, test) {
				p.tests = append(p.tests, test)
			}
		}
	}
}

// markdown is the table that a person reads.
func markdown(shown map[string]*place, ids []string) string {
	var b strings.Builder
	fmt.Fprint(&b, `# Where each rule is shown

Every rule of Cluedo 2008 and the common rules that its tests touch, the scripts of
[scenarios](scenarios) that name it in their covers line, and the Go tests that
carry its id. A test of this folder compares this page with the tree; after a
change write it anew:

    go test ./engine/cluedo -run TestRuleCoverage -update
`)
	for _, id := range ids {
		p := shown[id]
		slices.Sort(p.tests)
		if title := sections[id]; title != "" {
			fmt.Fprintf(&b, "\n## %s\n\n| Rule | Scripts | Go tests |\n|---|---|---|\n", title)
		}
		if strings.HasPrefix(id, "C8") || len(p.scripts)+len(p.tests) > 0 {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", id, strings.Join(p.scripts, " "), strings.Join(p.tests, " "))
		}
	}
	return b.String()
}

// TestRuleCoverage: each rule is shown by a script or a test, and COVERAGE.md says so.
func TestRuleCoverage(t *testing.T) {
	ids := explained(t)
	shown := shownIn(t, ids)
	rules := 0
	for _, id := range ids {
		if !strings.HasPrefix(id, "C8") {
			continue
		}
		rules++
		if p := shown[id]; len(p.scripts)+len(p.tests) == 0 {
			t.Errorf("%s is shown by no script and no test", id)
		}
	}
	if rules != 113 {
		t.Errorf("%d rules of Cluedo 2008, want 113", rules)
	}
	want := markdown(shown, ids)
	if *update {
		if err := os.WriteFile("COVERAGE.md", []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("COVERAGE.md"); err != nil || string(got) != want {
		t.Errorf("COVERAGE.md is out of date (%v); write it anew with: go test ./engine/cluedo -run TestRuleCoverage -update", err)
	}
}
