package scenarios

import (
	"regexp"
	"strings"
	"testing"

	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/script"
	"majordome/engine/words"
)

func TestScenarios(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	book, err := cluedo.New(deck.Cluedo2008())
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
	name := regexp.MustCompile(`^(C8-S\d\d|E-[a-z-]+)\.script$`)
	for _, s := range all {
		if !name.MatchString(s.Name) || s.Title == "" || len(s.Covers) == 0 || s.Game != "cluedo-2008" {
			t.Errorf("%s: needs a name such as C8-S24.script or E-draw.script, a title, the rules it covers and game cluedo-2008", s.Name)
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
