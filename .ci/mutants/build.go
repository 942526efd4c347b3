package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed hooks.go.txt
var hooks string

//go:embed driver.go.txt
var driver string

// source is a package of the tree, with its types.
type source struct {
	path, name string
	names      []string // file names
	texts      []string
	files      []*ast.File
	set        *token.FileSet
	info       *types.Info
	pkg        *types.Package
}

// loadSource reads a package and checks its types.
func (t target) loadSource() (*source, error) {
	list, err := runCommand("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./"+t.dir)
	if err != nil {
		return nil, err
	}
	src := &source{set: token.NewFileSet(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
		Defs:  map[*ast.Ident]types.Object{},
	}}
	exports := map[string]string{}
	for line := range strings.Lines(list) { // the package itself is the last
		var export string
		src.path, export, _ = strings.Cut(strings.TrimSpace(line), " ")
		exports[src.path] = export
	}
	info, err := runCommand("go", "list", "-f", `{{.Name}}{{range .GoFiles}} {{.}}{{end}}`, "./"+t.dir)
	if err != nil {
		return nil, err
	}
	src.names = strings.Fields(info)
	src.name, src.names = src.names[0], src.names[1:]
	for _, n := range src.names {
		data, err := os.ReadFile(filepath.Join(t.dir, n))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(src.set, n, data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		src.files, src.texts = append(src.files, f), append(src.texts, string(data))
	}
	conf := types.Config{Importer: importer.ForCompiler(src.set, "gc",
		func(p string) (io.ReadCloser, error) { return os.Open(exports[p]) })}
	src.pkg, err = conf.Check(src.path, src.set, src.files, src.info)
	return src, err
}

// listMutants returns all mutants of a package, and the text of each file with its mutants in it.
func (s *source) listMutants() (all []*mutant, texts []string) {
	for i, f := range s.files {
		m := &mutator{set: s.set, info: s.info, pkg: s.pkg, file: f,
			name: s.names[i], text: s.texts[i], next: len(all), twice: map[string]int{}}
		m.mutateFile()
		all, texts = append(all, m.found...), append(texts, m.mutatedText())
	}
	return all, texts
}

// overlay has files that the compiler reads in place of files of the tree, or in addition to them. Its JSON
// form is the file for go build -overlay.
type overlay struct {
	work    string
	Replace map[string]string
}

func (o *overlay) addFile(name, text string) error {
	full, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	copied := filepath.Join(o.work, strconv.Itoa(len(o.Replace))+".go")
	o.Replace[full] = copied
	return os.WriteFile(copied, []byte(text), 0o600)
}

// buildBinaries makes, in the folder work, the binary of the package's tests and, if the package has scripts,
// the one that plays them, both with all mutants in them.
func (t target) buildBinaries(work string) ([]*mutant, error) {
	src, err := t.loadSource()
	if err != nil {
		return nil, err
	}
	over := &overlay{work: work, Replace: map[string]string{}}
	all, texts := src.listMutants()
	for i, text := range texts {
		if err := over.addFile(filepath.Join(t.dir, src.names[i]), text); err != nil {
			return nil, err
		}
	}
	text := strings.NewReplacer("PACKAGE", src.name, "NUMBER", strconv.Itoa(len(all))).Replace(hooks)
	if err := over.addFile(filepath.Join(t.dir, "zz_mutants.go"), text); err != nil {
		return nil, err
	}
	if len(t.games) > 0 {
		var games strings.Builder
		for _, book := range t.games {
			fmt.Fprintf(&games, "\tadd(%s)\n", book)
		}
		text := strings.NewReplacer("PATH", src.path, "GAMES", games.String(), "DIR", t.dir).Replace(driver)
		if err := over.addFile(filepath.Join(t.dir, "zzmutants", "main.go"), text); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(over)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	if len(t.games) > 0 {
		if _, err := runCommand("go", "build", "-overlay", file, "-o", filepath.Join(work, "play"), "./"+t.dir+"/zzmutants"); err != nil {
			return nil, err
		}
	}
	_, err = runCommand("go", "test", "-c", "-vet=off", "-overlay", file, "-o", filepath.Join(work, "test"), "./"+t.dir)
	return all, err
}

func runCommand(name string, args ...string) (string, error) {
	var out, fault bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, fault.String())
	}
	return out.String(), nil
}
