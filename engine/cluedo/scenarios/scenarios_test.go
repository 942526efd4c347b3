package scenarios

import (
	"regexp"
	"testing"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

func open(t *testing.T) ([]*script.Script, engine.Rulebook) {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	book, err := cluedo.New(deck.Cluedo2008())
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
	scripttest.Named(t, all, regexp.MustCompile(`^(C8-S\d\d|E-[a-z-]+)\.script$`), book)
}

func TestKeysOfTheScenariosAreInBothCatalogues(t *testing.T) {
	all, _ := open(t)
	scripttest.Keys(t, all)
}
