package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"majordome/engine"
)

// TestHappenings: each code has one row in happenings.json, each row a code, and every value in it is known.
func TestHappenings(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "happening.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(v.Names[0].Name, "Hap") && len(v.Values) == 1 {
			if lit, ok := v.Values[0].(*ast.BasicLit); ok {
				code, _ := strconv.Unquote(lit.Value)
				codes = append(codes, code)
			}
		}
		return true
	})
	var rows []string
	for _, k := range engine.AllHappenings {
		rows = append(rows, k.What)
		if !slices.Contains([]string{engine.StorySilent, engine.StoryFrame, engine.StoryDeed, engine.StoryFate, engine.StorySequel},
			k.Story) {
			t.Errorf("%s: story %q", k.What, k.Story)
		}
	}
	slices.Sort(codes)
	slices.Sort(rows)
	if len(codes) < 40 || !slices.Equal(codes, rows) {
		t.Errorf("codes\n%v\nrows\n%v", codes, rows)
	}
}
