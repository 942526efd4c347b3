package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// checkProve checks that an exported evening has the codes that it prints, and that a changed one has not.
func checkProve(t *testing.T, file string) {
	t.Helper()
	out, errs, status := runCommand(t, "prove", file)
	code := regexp.MustCompile(`evening +([0-9a-f]{64})\n`).FindStringSubmatch(out)
	if status != 0 || code == nil {
		t.Fatalf("prove: %d %s%s", status, out, errs)
	}
	if _, errs, status := runCommand(t, "prove", file, code[1], code[1][:32]); status != 0 {
		t.Errorf("its own code: %s", errs)
	}
	if _, errs, status := runCommand(t, "prove", file, strings.Repeat("a", 32)); status != 1 || !strings.Contains(errs, "not the evening") {
		t.Errorf("a foreign code: %d %s", status, errs)
	}
	if _, errs, status := runCommand(t, "prove", file, code[1][:31]); status != 2 {
		t.Errorf("a short code: %d %s", status, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	salts := regexp.MustCompile("salt .*\n")
	for want, changed := range map[string]string{
		"not the evening":   strings.Replace(string(text), "Zoé 2", "Zoe 2", 1),
		"did not seal":      salts.ReplaceAllString(string(text), ""),
		"cannot have ended": strings.Replace(string(text), "does begin", "does deal", 1),
		"is no evening":     "game huis-clos\nhost does begin\nwait 5s\n",
	} {
		other := filepath.Join(t.TempDir(), "other.script")
		if err := os.WriteFile(other, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, errs, status := runCommand(t, "prove", other, code[1]); status != 1 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", want, status, errs)
		}
	}
}
