package super

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
	book, err := cluedo.New(cluedo.DefaultDeck("super-cluedo"))
	if err != nil {
		t.Fatal(err)
	}
	scripttest.Suite(t, all, book, regexp.MustCompile(`^(SC-S\d\d|(SC-\d{3}|E|GEN-E?\d\d)-[a-z-]+)\.script$`))
}
