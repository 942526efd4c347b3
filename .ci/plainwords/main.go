// Command plainwords checks that the Go code of this tree reads plainly: comments without indirect speech, function
// names that say something without their comment, lines that fit a screen, types that fit a head.
//
//	go run ./.ci/plainwords           prints what is new, with its place; exits with 1 if there is anything
//	go run ./.ci/plainwords -update   lowers the numbers of allowed.txt to today's; it never raises one
//
// allowed.txt lists how many places each folder still has. A folder that is not listed may have none.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is the length of a line in characters; a tab counts as four. maxMethods and maxFields are for one type.
const maxLine, maxMethods, maxFields = 140, 60, 25

// indirect matches comments that describe something by a clause instead of naming it. The page "The words of the code" of
// the manual has the words to use.
var indirect = regexp.MustCompile(`\b(is|are) (what|where|who|whoever|how|when|those who)\b` +
	`|\b(to|for|of|by|with) who(ever)?\b|\bwhoever\b|(^|[.;:] )Who [a-z]+s\b` +
	`|\banew\b|\b(what|that|which) (then )?holds?\b|\bholds at once\b|\b(of|by) itself\b|\bmend(s|ed)?\b`)

// vague lists the words that say nothing as the only word of a function's name.
var vague = wordSet(`at of by in on do see saw seen say said says tell told tells hear heard look looked looks left leave late early
	more most less none no yes one all any own other others again anew once here there then after before since until now next past
	gone come came go goes lie lain lay put take takes taken give gives given got has have holds held keep kept keeps let make makes
	made mend ends end is was way what which who whose where when why with without under over above below beside between out up down
	apart alike such like near far old few many much sets may must can could would should waits wait asks ask asked shown shows
	opens closed turn turns cut cuts counts counted named call called things thing spot place part parts word sum sums`)

// wordSet returns the set of the words of a text.
func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// finding is one place that is against a rule: the folder and rule it counts for, file and line, and a message.
type finding struct{ key, at, text string }

func main() {
	update := flag.Bool("update", false, "lower the numbers of allowed.txt")
	flag.Parse()
	if err := run(".", *update); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run compares the findings below root with root/.ci/plainwords/allowed.txt, and returns an error if any folder has
// more, or has fewer and update is not set.
func run(root string, update bool) error {
	list := filepath.Join(root, ".ci/plainwords/allowed.txt")
	allowed, err := readAllowed(list)
	if err != nil {
		return err
	}
	places, err := checkTree(root)
	if err != nil {
		return err
	}
	found := map[string][]finding{}
	for _, p := range places {
		found[p.key] = append(found[p.key], p)
	}
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if all := found[key]; len(all) > allowed[key] {
			wrong = append(wrong, fmt.Sprintf("%s: %d, allowed are %d:", key, len(all), allowed[key]))
			for _, p := range all {
				wrong = append(wrong, fmt.Sprintf("  %s: %s", p.at, p.text))
			}
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s\nSay it plainly; the manual has the words: companion/web/manual/en/code-words.md", strings.Join(wrong, "\n"))
	}
	fewer := false
	for key, n := range allowed {
		if len(found[key]) < n {
			fewer = true
			allowed[key] = len(found[key])
		}
	}
	switch {
	case fewer && update:
		return writeAllowed(list, allowed)
	case fewer:
		return fmt.Errorf("there are fewer places than allowed.txt says, run: go run ./.ci/plainwords -update")
	}
	return nil
}

// readAllowed returns the allowed numbers of findings, by folder and rule.
func readAllowed(file string) (map[string]int, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	allowed := map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(string(b)))
	for lines.Scan() {
		var folder, rule string
		var n int
		if _, err := fmt.Sscan(lines.Text(), &folder, &rule, &n); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, lines.Text(), err)
		}
		allowed[folder+" "+rule] = n
	}
	return allowed, lines.Err()
}

func writeAllowed(file string, allowed map[string]int) error {
	var out strings.Builder
	for _, key := range slices.Sorted(maps.Keys(allowed)) {
		if n := allowed[key]; n > 0 {
			fmt.Fprintf(&out, "%s %d\n", key, n)
		}
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}

// checkTree returns the findings in all Go files below root, in the order of the files.
func checkTree(root string) ([]finding, error) {
	var all []finding
	methods := map[string]int{} // by folder and type
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name := d.Name(); name == "node_modules" || name == "testdata" || name == ".git" || name == "bin" {
				return filepath.SkipDir
			}
			return nil
		case filepath.Ext(path) != ".go":
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found, err := checkFile(name, src, methods)
		all = append(all, found...)
		return err
	})
	for _, key := range slices.Sorted(maps.Keys(methods)) {
		if n := methods[key]; n > maxMethods {
			folder, typeName, _ := strings.Cut(key, " ")
			all = append(all, finding{folder + " methods", folder, fmt.Sprintf("%s has %d methods, at most %d", typeName, n, maxMethods)})
		}
	}
	return all, err
}

// checkFile returns the findings in one file, sorted by rule, and counts the methods of each type. Tests are counted separately.
func checkFile(name string, src []byte, methods map[string]int) ([]finding, error) {
	folder := filepath.Dir(name)
	if strings.HasSuffix(name, "_test.go") {
		folder += "/test"
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var all []finding
	add := func(rule string, line int, text string) {
		all = append(all, finding{folder + " " + rule, fmt.Sprintf("%s:%d", name, line), text})
	}
	for _, c := range f.Comments {
		if m := indirect.FindString(strings.Join(strings.Fields(c.Text()), " ")); m != "" {
			add("comment", files.Position(c.Pos()).Line, fmt.Sprintf("the comment says %q", strings.TrimSpace(m)))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if vague[lowerFirst(n.Name.Name)] {
				add("name", files.Position(n.Name.Pos()).Line, fmt.Sprintf("the name %s says too little", n.Name.Name))
			}
			if n.Recv != nil {
				methods[folder+" "+receiverType(n.Recv.List[0].Type)]++
			}
		case *ast.TypeSpec:
			if t, ok := n.Type.(*ast.StructType); ok && countFields(t) > maxFields {
				add("fields", files.Position(n.Pos()).Line, fmt.Sprintf("%s has %d fields, at most %d", n.Name, countFields(t), maxFields))
			}
		}
		return true
	})
	for i, line := range strings.Split(string(src), "\n") {
		if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > maxLine {
			add("line", i+1, fmt.Sprintf("%d characters, at most %d", n, maxLine))
		}
	}
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(a.key, b.key) })
	return all, nil
}

// receiverType returns the name of a receiver's type, without pointer and type parameters.
func receiverType(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// countFields counts the fields of a struct, embedded ones included.
func countFields(t *ast.StructType) (n int) {
	for _, f := range t.Fields.List {
		n += max(1, len(f.Names))
	}
	return n
}

func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}
