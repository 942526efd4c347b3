package cluedo_test

import (
	"flag"
	"io/fs"
	"os"
	"testing"

	"majordome/engine/cluedo/scenarios"
	"majordome/engine/script/scripttest"
)

var coverage = scripttest.Coverage{
	Folder: "engine/cluedo", Prefix: "C8", Rules: 113, Only: "C8-",
	Intro: `Every rule of Cluedo 2008 and the common rules that its tests touch, the scripts of
[scenarios](scenarios) that name it in their covers line, and the Go tests that
carry its id. A test of this folder compares this page with the tree; after a
change write it anew:

    go test ./engine/cluedo -run TestRuleCoverage -update
`,
	Sections: []scripttest.Section{
		{First: "C8-001", Title: "Set-up"}, {First: "C8-020", Title: "Board"}, {First: "C8-030", Title: "Turn"}, {First: "C8-040", Title: "Moving"},
		{First: "C8-060", Title: "The pool"}, {First: "C8-070", Title: "Hypothesis"}, {First: "C8-080", Title: "Answering"},
		{First: "C8-090", Title: "Displaced"}, {First: "C8-110", Title: "Accusation"}, {First: "C8-130", Title: "Intrigue cards"},
		{First: "C8-150", Title: "Butler cards"}, {First: "C8-160", Title: "Powers"}, {First: "C8-190", Title: "End of the game"},
		{First: "GEN-001", Title: "Common principles"}, {First: "GEN-020", Title: "Custody"}, {First: "GEN-E01", Title: "Physical errors"},
	},
	Folders: []string{"engine/cluedo", "engine/board", "engine/play"},
}

var update = flag.Bool("update", false, "write COVERAGE.md anew")

// TestRuleCoverage: each rule is shown by a script or a test; and COVERAGE.md
// says so truly.
func TestRuleCoverage(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	coverage.Scripts = all
	var write func(string, []byte, fs.FileMode) error
	if *update {
		write = os.WriteFile
	}
	coverage.Check(t, os.DirFS("../.."), write)
}
