package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const riddle = `package p

// take is what a reader tells, for whoever waits.
func take() {}
`

func TestCheckFile(t *testing.T) {
	got, err := checkFile("a/b/x.go", []byte(riddle+"\n// "+strings.Repeat("é", 138)+"\n"), map[string]int{})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, p := range got {
		keys = append(keys, p.key+" "+p.at)
	}
	if s := strings.Join(keys, ", "); s != "a/b comment a/b/x.go:3, a/b line a/b/x.go:6, a/b name a/b/x.go:4" {
		t.Error(s)
	}
	plain := "package p\n\n// acceptCard stores a card that is on a reader. It returns a refusal of GEN-E13 for a copy.\n" +
		"func acceptCard() {}\n"
	if got, err := checkFile("a/x_test.go", []byte(plain), map[string]int{}); err != nil || len(got) > 0 {
		t.Error(got, err)
	}
}

// A type has at most so many methods, in whichever files, and a struct so many fields.
func TestCheckTypes(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"x.go", "y.go"} {
		var src strings.Builder
		src.WriteString("package a\n")
		for i := range maxMethods/2 + 1 {
			fmt.Fprintf(&src, "func (l *Box[T]) put%s%d() {}\n", name[:1], i)
		}
		fmt.Fprintf(&src, "type Plain%s struct { Box[int]; %s int }\n", name[:1], strings.Repeat("a, ", maxFields-2)+"b")
		if name == "y.go" {
			fmt.Fprintf(&src, "type Box[T any] struct { %s int }\n", strings.Repeat("a, ", maxFields)+"b")
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(src.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := checkTree(root)
	var all []string
	for _, p := range got {
		all = append(all, p.key+": "+p.text)
	}
	want := ". fields: Box has 26 fields, at most 25, . methods: Box has 62 methods, at most 60"
	if s := strings.Join(all, ", "); err != nil || s != want {
		t.Error(s, err)
	}
}

// The list of exceptions shrinks and never grows.
func TestAllowedOnlyShrinks(t *testing.T) {
	root := t.TempDir()
	list := filepath.Join(root, ".ci/plainwords/allowed.txt")
	write := func(file, s string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(list, "a comment 2\n")
	write(filepath.Join(root, "a/x.go"), riddle)
	if err := run(root, true); err == nil || !strings.Contains(err.Error(), "a name: 1, allowed are 0") {
		t.Error("a name that is not allowed:", err)
	}
	write(filepath.Join(root, "a/x.go"), strings.ReplaceAll(riddle, "take", "acceptCard"))
	if err := run(root, false); err == nil || !strings.Contains(err.Error(), "-update") {
		t.Error("fewer than allowed:", err)
	}
	if err := run(root, true); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(list); string(b) != "a comment 1\n" {
		t.Errorf("%q", b)
	}
}
