package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// elided is a French word that has lost its end before a vowel, with the apostrophe of a typewriter.
var elided = regexp.MustCompile(`(?i)\b([cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|aujourd)'[\pL%«]`)

// TestApostrophes checks that no French text in the sources has the straight apostrophe: people read the typographic
// one, as in the catalogue (package words tests that one).
func TestApostrophes(t *testing.T) {
	texts := 0
	visitSources(t, func(files *token.FileSet, n ast.Node) {
		l, ok := n.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return
		}
		text, err := strconv.Unquote(l.Value)
		if err != nil {
			t.Error(err)
		}
		texts++
		if m := elided.FindString(text); m != "" {
			t.Errorf("%s: %q: write ’", files.Position(l.Pos()), m)
		}
	})
	if texts < 1000 {
		t.Fatalf("%d texts were read: are the sources still there?", texts)
	}
}

// TestTheLogSpeaksFrench checks that each line of the log, which is English, says in French under conseil (or quoi)
// what it is about or what to do.
func TestTheLogSpeaksFrench(t *testing.T) {
	lines := 0
	visitSources(t, func(files *token.FileSet, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Info", "Warn", "Error"}, method.Sel.Name) ||
			!strings.HasSuffix(strings.ToLower(types.ExprString(method.X)), "log") {
			return
		}
		lines++
		if said := types.ExprString(call); !strings.Contains(said, `"conseil"`) && !strings.Contains(said, `"quoi"`) {
			t.Errorf("%s: no French in %s", files.Position(call.Pos()), said)
		}
	})
	if lines < 20 {
		t.Fatalf("%d lines of the log were found", lines)
	}
}

// visitSources visits the syntax of all sources of the program.
func visitSources(t *testing.T, visit func(*token.FileSet, ast.Node)) {
	t.Helper()
	for _, top := range []string{"cmd", "companion", "devices", "engine"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && (e.Name() == "node_modules" || e.Name() == "testdata") {
				return filepath.SkipDir
			}
			if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, name, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				visit(files, n)
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
