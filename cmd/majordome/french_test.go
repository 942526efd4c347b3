package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// elided is a French word that has lost its end before a vowel, with the apostrophe of a typewriter.
var elided = regexp.MustCompile(`(?i)\b([cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|aujourd)'[\pL%«]`)

// French that people read has the typographic apostrophe, as in the catalogue (package words tests that one):
// no text of the sources has the other.
func TestApostrophes(t *testing.T) {
	texts := 0
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
				l, ok := n.(*ast.BasicLit)
				if !ok || l.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(l.Value)
				if err != nil {
					t.Error(err)
				}
				texts++
				if m := elided.FindString(text); m != "" {
					t.Errorf("%s: %q: write ’", files.Position(l.Pos()), m)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if texts < 1000 {
		t.Fatalf("%d texts were read: are the sources still there?", texts)
	}
}
