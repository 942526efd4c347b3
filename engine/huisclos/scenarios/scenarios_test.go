package scenarios

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

func open(t *testing.T) ([]*script.Script, engine.Rulebook) {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	book, err := huisclos.New(deck.HuisClos())
	if err != nil {
		t.Fatal(err)
	}
	return all, book
}

func TestScenarios(t *testing.T) {
	all, book := open(t)
	scripttest.Play(t, all, book)
}

func TestEachFileIsNamedAfterItsScenario(t *testing.T) {
	all, book := open(t)
	scripttest.Named(t, all, regexp.MustCompile(`^(HC-S\d\d|(HC-4[12]|GEN-\d{3}|GEN-E\d\d)-[a-z-]+)\.script$`), book)
}

func TestKeysOfTheScenariosAreInBothCatalogues(t *testing.T) {
	all, _ := open(t)
	scripttest.Keys(t, all)
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
	_, book := open(t)
	if report := script.Run(s, book); !report.OK() {
		t.Errorf("\n%s", report)
	}
}
