package cluedo_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"majordome/engine/cluedo/scenarios"
	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

// common are the sections of the common rules.
var common = []scripttest.Section{
	{First: "GEN-001", Title: "Common principles"}, {First: "GEN-020", Title: "Custody"}, {First: "GEN-E01", Title: "Physical errors"},
}

// pageIntro is the introduction of a coverage page; folder is the path of the game's scripts as a link.
func pageIntro(game, folder string) string {
	return fmt.Sprintf(`Every rule of %s and the common rules that its tests touch, the scripts of
[scenarios](%s) that name it in their covers line, and the Go tests that
carry its id. A test of this folder compares this page with the tree; after a
change write it anew:

    go test ./engine/cluedo -run TestRuleCoverage -update
`, game, folder)
}

// coverages are the pages of each edition.
var coverages = []struct {
	scripts func() ([]*script.Script, error)
	scripttest.Coverage
}{
	{scenarios.ParseCluedo2008, scripttest.Coverage{
		Prefix: "C8", Rules: 113, TestText: "C8-",
		Intro: pageIntro("Cluedo 2008", "scenarios"),
		Sections: append([]scripttest.Section{
			{First: "C8-001", Title: "Set-up"}, {First: "C8-020", Title: "Board"}, {First: "C8-030", Title: "Turn"},
			{First: "C8-040", Title: "Moving"},
			{First: "C8-060", Title: "The pool"}, {First: "C8-070", Title: "Hypothesis"}, {First: "C8-080", Title: "Answering"},
			{First: "C8-090", Title: "Displaced"}, {First: "C8-110", Title: "Accusation"}, {First: "C8-130", Title: "Intrigue cards"},
			{First: "C8-150", Title: "Butler cards"}, {First: "C8-160", Title: "Powers"}, {First: "C8-190", Title: "End of the game"},
		}, common...),
	}},
	{scenarios.ParseSuperCluedo, scripttest.Coverage{
		Page: "scenarios/super/COVERAGE.md", Prefix: "SC", Rules: 64, Scenarios: 36, TestText: "SC-",
		Intro: pageIntro("Super Cluedo", "."),
		Sections: append([]scripttest.Section{
			{First: "SC-001", Title: "Set-up"}, {First: "SC-020", Title: "Turn"}, {First: "SC-030", Title: "Moving"},
			{First: "SC-040", Title: "Rooms"},
			{First: "SC-050", Title: "Passages"}, {First: "SC-060", Title: "Spying"}, {First: "SC-070", Title: "Hypothesis and witnesses"},
			{First: "SC-090", Title: "Accusation"}, {First: "SC-S01", Title: "Acceptance scenarios"},
		}, common...),
	}},
	{scenarios.ParseClassicCluedo, scripttest.Coverage{
		Page: "scenarios/classic/COVERAGE.md", Prefix: "CC", Rules: 62, Scenarios: 38, TestText: "CC-",
		Intro: pageIntro("the current Cluedo", "."),
		Sections: append([]scripttest.Section{
			{First: "CC-001", Title: "Set-up"}, {First: "CC-020", Title: "Order of play"}, {First: "CC-030", Title: "Turn"},
			{First: "CC-040", Title: "Movement"}, {First: "CC-050", Title: "Hypothesis"}, {First: "CC-060", Title: "Answers"},
			{First: "CC-070", Title: "Accusation"}, {First: "CC-120", Title: "Traditional game"},
			{First: "CC-130", Title: "Two players and teams"},
			{First: "CC-S01", Title: "Acceptance scenarios"},
		}, common...),
		NoEffect: map[string]string{
			"CC-009": "Where the envelope lies is not sensed, and nothing hangs on it: it is in no room.",
			"CC-035": "Everybody ticks what they like on a sheet of their own; the game knows no sheets.",
		},
	}},
}

var update = flag.Bool("update", false, "write the pages again")

// TestRuleCoverage: each rule is shown by a script or a test, or it is said why it cannot be;
// and the page of each edition says so truly.
func TestRuleCoverage(t *testing.T) {
	var write func(string, []byte, fs.FileMode) error
	if *update {
		write = os.WriteFile
	}
	for _, c := range coverages {
		t.Run(c.Prefix, func(t *testing.T) {
			all, err := c.scripts()
			if err != nil {
				t.Fatal(err)
			}
			c.Folder, c.Scripts = "engine/cluedo", all
			c.Folders = []string{"engine/cluedo", "engine/board", "engine/play"}
			c.ComparePage(t, os.DirFS("../.."), write)
		})
	}
}
