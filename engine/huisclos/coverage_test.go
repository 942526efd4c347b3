package huisclos_test

import (
	"flag"
	"io/fs"
	"os"
	"testing"

	"majordome/engine/huisclos/scenarios"
	"majordome/engine/script/scripttest"
)

var coverage = scripttest.Coverage{
	Folder: "engine/huisclos", Prefix: "HC", Rules: 143, Common: true,
	Intro: `Every rule of Huis Clos and every common rule that touches it, the scripts of
[scenarios](scenarios) that name it in their covers line, and the Go tests that
carry its id. A test of this folder compares this page with the tree; after a
change write it anew:

    go test ./engine/huisclos -run TestRuleCoverage -update
`,
	Sections: []scripttest.Section{
		{First: "HC-001", Title: "Set-up"}, {First: "HC-020", Title: "First-round set-up"}, {First: "HC-030", Title: "Rounds"},
		{First: "HC-040", Title: "Hands"}, {First: "HC-050", Title: "Move"}, {First: "HC-060", Title: "Search"},
		{First: "HC-070", Title: "Destroy"}, {First: "HC-081", Title: "Forced exchange"}, {First: "HC-090", Title: "Accuse"},
		{First: "HC-110", Title: "Observe"}, {First: "HC-120", Title: "Murder resolution"}, {First: "HC-150", Title: "End of the game"},
		{First: "HC-180", Title: "Innocent with two or more weapons"}, {First: "HC-200", Title: "Confrontation"},
		{First: "GEN-001", Title: "Common principles"}, {First: "GEN-020", Title: "Custody"}, {First: "GEN-E01", Title: "Physical errors"},
	},
	NoEffect: map[string]string{
		"HC-036": "Talk is not sensed: no act, card or reader carries a statement, so there is nothing that could have an effect.",
		"HC-046": "Showing a card across the table is not sensed. The machine's part is that it offers no act for it, which every list " +
			"of offers in the scenarios shows.",
		"GEN-023": "Speaks of the Cluedos alone: Huis Clos has no solution that would follow from the hands.",
	},
	Folders: []string{"engine/huisclos", "engine/huisclos/scenarios", "engine/play", "engine/script", "engine/words",
		"engine/internal/hidden", "engine/internal/presentation", "companion/pair", "companion/relay", "companion/seal", "companion/store",
		"companion/game", "companion/wire", "cmd/majordome", "cmd/majordome/health", "cmd/majordome/house", "cmd/majordome/lamps",
		"cmd/majordome/e2e"},
}

var update = flag.Bool("update", false, "write COVERAGE.md again")

// TestRuleCoverage: each rule is shown by a script or a test, or it is said why it
// cannot be; and COVERAGE.md
// says so truly.
func TestRuleCoverage(t *testing.T) {
	all, err := scenarios.ParseAll()
	if err != nil {
		t.Fatal(err)
	}
	coverage.Scripts = all
	var write func(string, []byte, fs.FileMode) error
	if *update {
		write = os.WriteFile
	}
	coverage.ComparePage(t, os.DirFS("../.."), write)
}
