package wire

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The types of the pages are generated from the Go types: tygo's output contains the whole view, and compiles as
// strict TypeScript where a compiler is installed.
func TestTypeScript(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile("tygo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const gen = "companion/web/app/src/gen"
	if strings.Count(string(config), gen) != 2 {
		t.Fatalf("tygo.yaml does not write to %s", gen)
	}
	file := filepath.Join(dir, "tygo.yaml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(config), gen, dir)), 0o600); err != nil {
		t.Fatal(err)
	}
	tygo := exec.Command("go", "tool", "tygo", "generate", "--config", file)
	tygo.Dir = root
	if out, err := tygo.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, lines := range map[string][]string{
		"engine.ts": {"export interface View {", "active: Seat[];", "me?: Own;", "export type Seat = number", "why: Msg;",
			"export type Names = Name[];"},
		"wire.ts": {"export interface Update extends Binding, Partial<ForHost> {", "view: engine.View;", "paused?: engine.Msg;",
			"online: engine.Seat[];", "reject?: engine.Reject;", "args?: engine.Args;"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if !strings.Contains(string(text), l) {
				t.Errorf("%s has no %q", name, l)
			}
		}
		if strings.Contains(string(text), ": any") {
			t.Errorf("%s has a type that tygo does not know", name)
		}
	}
	tsc := filepath.Join(root, "companion/web/app/node_modules/.bin/tsc")
	if _, err := os.Stat(tsc); err != nil {
		t.Log("no TypeScript compiler here: the pages' own build checks the types")
		return
	}
	check := exec.Command(tsc, "--strict", "--noEmit", "--skipLibCheck", "--lib", "es2022", "--target", "es2022", "--module", "esnext",
		"--moduleResolution", "bundler",
		"--exactOptionalPropertyTypes", "--isolatedModules", "--verbatimModuleSyntax", filepath.Join(dir, "wire.ts"),
		filepath.Join(dir, "engine.ts"))
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("tsc: %v: %s", err, out)
	}
}
