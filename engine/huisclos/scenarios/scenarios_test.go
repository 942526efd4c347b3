package scenarios

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/huisclos"
	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

func TestScenarios(t *testing.T) {
	all, err := ParseAll()
	if err != nil {
		t.Fatal(err)
	}
	scripttest.CheckSuite(t, all, rules(t), regexp.MustCompile(`^(HC-S\d\d|(HC-4[12]|HC-\d{3}|GEN-\d{3}|GEN-E\d\d)-[a-z-]+)\.script$`))
}

func rules(t *testing.T) engine.Rulebook {
	t.Helper()
	book, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// The example in the documentation of the language must play as it says.
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
	if report := script.Run(s, rules(t)); !report.OK() {
		t.Errorf("\n%s", report)
	}
}
