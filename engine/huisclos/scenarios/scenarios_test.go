package scenarios

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/script"
	"majordome/engine/words"
)

func TestScenarios(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	book, err := huisclos.New(deck.HuisClos())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		t.Run(strings.TrimSuffix(s.Name, ".script"), func(t *testing.T) {
			if report := script.Run(s, book); !report.OK() {
				t.Errorf("\n%s", report)
			}
		})
	}
}

func TestEachFileIsNamedAfterItsScenario(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`^(HC-S\d\d|(HC-4[12]|GEN-\d{3}|GEN-E\d\d)-[a-z-]+)\.script$`)
	for _, s := range all {
		if !name.MatchString(s.Name) || s.Title == "" || len(s.Covers) == 0 || s.Game != "huis-clos" {
			t.Errorf("%s: needs a name such as HC-S24.script or HC-42-too-many.script, a title, the rules it covers and game huis-clos", s.Name)
		}
	}
}

// A misspelt key below "no" would always hold.
func TestKeysOfTheScenariosAreInBothCatalogues(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range words.Langs {
		book, err := words.Open(lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			for _, key := range s.Keys() {
				if !book.Has(key) {
					t.Errorf("%s names %s, which the catalogue %s.json lacks", s.Name, key, lang)
				}
			}
		}
	}
}

// Whoever learns the language learns it from this example.
func TestTheExampleOfTheDocumentationHolds(t *testing.T) {
	doc, err := os.ReadFile("../../script/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "// A whole script:\n")
	text, _, found := strings.Cut(text, "// # Head")
	if !found {
		t.Fatal("engine/script/doc.go has no example")
	}
	s, err := script.Parse("doc.go", []byte(strings.ReplaceAll(text, "//", "")))
	if err != nil {
		t.Fatal(err)
	}
	book, err := huisclos.New(deck.HuisClos())
	if err != nil {
		t.Fatal(err)
	}
	if report := script.Run(s, book); !report.OK() {
		t.Errorf("\n%s", report)
	}
}

func TestCoverage(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	covered := script.Coverage(all...)
	for _, c := range covered {
		t.Logf("%-8s %s", c.Rule, strings.Join(c.Scripts, " "))
	}
	t.Logf("%d rules covered by %d scenarios", len(covered), len(all))
}
