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

// build makes, in the folder work, the binary of the package's tests and, if the
// package has scripts, the one that plays them, both with all mutants in them.
func (t target) build(work string) ([]*mutant, error) {
	list, err := command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./"+t.dir)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	path := ""
	for line := range strings.Lines(list) {
		var export string
		path, export, _ = strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = export
	}
	info, err := command("go", "list", "-f", `{{.Name}}{{range .GoFiles}} {{.}}{{end}}`, "./"+t.dir)
	if err != nil {
		return nil, err
	}
	names := strings.Fields(info)
	name, names := names[0], names[1:]
	set := token.NewFileSet()
	var files []*ast.File
	var texts []string
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(t.dir, n))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(set, n, data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files, texts = append(files, f), append(texts, string(data))
	}
	known := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(set, "gc", func(p string) (io.ReadCloser, error) { return os.Open(exports[p]) })}
	pkg, err := conf.Check(path, set, files, known)
	if err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	put := func(name, text string) error {
		full, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		copied := filepath.Join(work, strconv.Itoa(len(overlay))+".go")
		overlay[full] = copied
		return os.WriteFile(copied, []byte(text), 0o600)
	}
	var all []*mutant
	for i, f := range files {
		m := &mutator{set: set, info: known, pkg: pkg, file: f, name: names[i], text: texts[i], next: len(all), twice: map[string]int{}}
		m.breakAll()
		all = append(all, m.found...)
		if err := put(filepath.Join(t.dir, names[i]), m.result()); err != nil {
			return nil, err
		}
	}
	if err := put(filepath.Join(t.dir, "zz_mutants.go"), strings.NewReplacer("PACKAGE", name, "NUMBER", strconv.Itoa(len(all))).Replace(hooks)); err != nil {
		return nil, err
	}
	if t.game != "" {
		text := strings.NewReplacer("PATH", path, "GAME", t.game, "DIR", t.dir).Replace(driver)
		if err := put(filepath.Join(t.dir, "zzmutants", "main.go"), text); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	if t.game != "" {
		if _, err := command("go", "build", "-overlay", file, "-o", filepath.Join(work, "play"), "./"+t.dir+"/zzmutants"); err != nil {
			return nil, err
		}
	}
	_, err = command("go", "test", "-c", "-vet=off", "-overlay", file, "-o", filepath.Join(work, "test"), "./"+t.dir)
	return all, err
}

// command runs a program and gives what it writes.
func command(name string, args ...string) (string, error) {
	var out, fault bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, fault.String())
	}
	return out.String(), nil
}
