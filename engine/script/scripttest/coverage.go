package scripttest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/engine/script"
)

// Coverage lists where the rules of a game are shown: by scripts that name them in their covers line, and
// by Go tests that contain their id.
type Coverage struct {
	Folder string // of the tests, from the top of the tree
	Page   string // its name in that folder; empty: COVERAGE.md
	Prefix string // of the game's own rules: "HC"
	Rules  int    // the number of them
	// Scenarios is the number of acceptance scenarios, "HC-S01" and on. For each there is a script of that
	// name, or a test that names it.
	Scenarios int
	Intro     string // text at the top of the page
	// Common demands that every common rule (GEN) is shown too; otherwise those that are not shown are not
	// on the page.
	Common   bool
	Sections []Section
	// NoEffect has the rules that no script and no test can show, and why.
	NoEffect map[string]string
	// Folders hold the Go tests that may show a rule, from the top of the tree.
	Folders []string
	// TestText is a text that a test must contain to count. It keeps the common rules of one game's tests
	// from counting for another game. Empty: every test counts.
	TestText string
	Scripts  []*script.Script

	witnesses map[string]*witness
	ruleIDs   []string       // the game's own rules, the common ones, then the scenarios
	idPattern *regexp.Regexp // of a rule, or of a range such as "HC-081 to HC-087"
}

// Section is a chapter of the rules and its first rule.
type Section struct{ First, Title string }

type witness struct{ scripts, tests []string }

// ComparePage compares the page with tree, the whole source tree. If write is not nil, it writes the page first,
// by a function such as os.WriteFile, which gets a name relative to Folder.
func (c *Coverage) ComparePage(t *testing.T, tree fs.FS, write func(string, []byte, fs.FileMode) error) {
	t.Helper()
	name := cmp.Or(c.Page, "COVERAGE.md")
	want := c.buildPage(t, tree)
	if write != nil {
		if err := write(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := fs.ReadFile(tree, path.Join(c.Folder, name))
	if err != nil {
		t.Fatal(err)
	}
	if fault := firstDifference(string(got), want); fault != "" {
		t.Errorf("%s is out of date: %s\nwrite it anew with: go test ./%s -run TestRuleCoverage -update", name, fault, c.Folder)
	}
}

// buildPage checks that each rule is shown, or that NoEffect says why it cannot be, and returns the page.
func (c *Coverage) buildPage(t *testing.T, tree fs.FS) string {
	t.Helper()
	id := `(` + c.Prefix + `-\d{3}|` + c.Prefix + `-S\d\d|GEN-\d{3}|GEN-E\d\d)\b`
	c.idPattern = regexp.MustCompile(`\b` + id + `(?: to ` + id + `)?`)
	c.loadRules(t, tree)
	c.addScenarios()
	c.addScripts(t)
	for _, folder := range c.Folders {
		files, err := fs.Glob(tree, path.Join(folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no tests there (%v)", folder, err)
		}
		for _, name := range files {
			c.addTests(t, tree, name)
		}
	}
	own := 0
	for _, id := range c.ruleIDs {
		if c.isOwnRule(id) && !c.isScenario(id) {
			own++
		}
		if c.isUnshown(id) && (c.isOwnRule(id) || c.Common) && c.NoEffect[id] == "" {
			t.Errorf("%s is shown by no script and no test; write one, or say in NoEffect why it cannot be shown", id)
		}
	}
	if own != c.Rules {
		t.Errorf("%d rules %s, want %d", own, c.Prefix, c.Rules)
	}
	for id := range maps.Keys(c.NoEffect) {
		c.requireRule(t, id)
	}
	for _, s := range c.Sections {
		c.requireRule(t, s.First)
	}
	return c.markdown()
}

func (c *Coverage) isOwnRule(id string) bool { return strings.HasPrefix(id, c.Prefix+"-") }

func (c *Coverage) isScenario(id string) bool { return strings.HasPrefix(id, c.Prefix+"-S") }

func (c *Coverage) isUnshown(id string) bool {
	w := c.witnesses[id]
	return len(w.scripts)+len(w.tests) == 0
}

func (c *Coverage) requireRule(t *testing.T, id string) {
	t.Helper()
	if c.witnesses[id] == nil {
		t.Errorf("%s is no rule of this game", id)
	}
}

// loadRules loads the ids of all rules: the product explains every one of them to the table.
func (c *Coverage) loadRules(t *testing.T, tree fs.FS) {
	t.Helper()
	data, err := fs.ReadFile(tree, "engine/words/rules.en.json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	c.witnesses = map[string]*witness{}
	for id := range texts {
		if c.idPattern.MatchString(id) {
			c.witnesses[id] = new(witness)
		}
	}
	c.ruleIDs = slices.SortedFunc(maps.Keys(c.witnesses), func(a, b string) int {
		if c.isOwnRule(a) != c.isOwnRule(b) {
			return map[bool]int{true: -1, false: 1}[c.isOwnRule(a)]
		}
		return strings.Compare(a, b)
	})
}

// addScenarios adds the scenarios of the game, and the scripts that are named after one.
func (c *Coverage) addScenarios() {
	for n := range c.Scenarios {
		c.ruleIDs = append(c.ruleIDs, fmt.Sprintf("%s-S%02d", c.Prefix, n+1))
		c.witnesses[c.ruleIDs[len(c.ruleIDs)-1]] = new(witness)
	}
	for _, s := range c.Scripts {
		if name := strings.TrimSuffix(s.Name, ".script"); c.witnesses[name] != nil {
			c.witnesses[name].scripts = append(c.witnesses[name].scripts, name)
		}
	}
}

func (c *Coverage) addScripts(t *testing.T) {
	t.Helper()
	for _, r := range script.CollectCoverage(c.Scripts...) {
		if c.witnesses[r.Rule] == nil {
			t.Errorf("%v cover %s, which is no rule of this game", r.Scripts, r.Rule)
			continue
		}
		for _, name := range r.Scripts {
			c.witnesses[r.Rule].scripts = append(c.witnesses[r.Rule].scripts, strings.TrimSuffix(name, ".script"))
		}
	}
}

// addTests finds the rule ids in the comment and body of each test of a file.
func (c *Coverage) addTests(t *testing.T, tree fs.FS, name string) {
	t.Helper()
	text, err := fs.ReadFile(tree, name)
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
		if strings.Contains(body, c.TestText) {
			c.addTest(strings.ReplaceAll(body, "\n// ", " "), path.Base(path.Dir(name))+"."+fn.Name.Name)
		}
	}
}

func (c *Coverage) addTest(text, test string) {
	for _, m := range c.idPattern.FindAllStringSubmatch(text, -1) {
		last := m[1]
		if m[2] != "" {
			last = m[2]
		}
		for _, id := range c.ruleIDs {
			if w := c.witnesses[id]; id >= m[1] && id <= last && !slices.Contains(w.tests, test) {
				w.tests = append(w.tests, test)
			}
		}
	}
}

func (c *Coverage) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Where each rule is shown\n\n%s", c.Intro)
	for _, id := range c.ruleIDs {
		for _, s := range c.Sections {
			if s.First == id {
				fmt.Fprintf(&b, "\n## %s\n\n| Rule | Scripts | Go tests |\n|---|---|---|\n", s.Title)
			}
		}
		w := c.witnesses[id]
		slices.Sort(w.tests)
		switch {
		case !c.isUnshown(id):
			fmt.Fprintf(&b, "| %s | %s | %s |\n", id, strings.Join(w.scripts, " "), strings.Join(w.tests, " "))
		case c.NoEffect[id] != "":
			fmt.Fprintf(&b, "| %s | — | %s |\n", id, c.NoEffect[id])
		}
	}
	return b.String()
}

// firstDifference describes the first line in which two pages differ; empty: there is none.
func firstDifference(got, want string) string {
	if got == want {
		return ""
	}
	one, two := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(one), len(two)) {
		if one[i] != two[i] {
			return fmt.Sprintf("line %d says %q, the tree says %q", i+1, one[i], two[i])
		}
	}
	return fmt.Sprintf("%d lines, the tree has %d", len(one), len(two))
}
