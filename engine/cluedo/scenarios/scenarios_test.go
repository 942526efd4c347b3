package scenarios

import (
	"regexp"
	"testing"

	"majordome/engine/cluedo"
	"majordome/engine/script/scripttest"
)

func TestScenarios(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	book, err := cluedo.New(cluedo.Deck2008())
	if err != nil {
		t.Fatal(err)
	}
	scripttest.Suite(t, all, book, regexp.MustCompile(`^(C8-S\d\d|(C8-\d{3}|E|GEN-E?\d\d)-[a-z-]+)\.script$`))
}
