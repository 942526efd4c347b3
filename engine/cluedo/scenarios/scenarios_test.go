package scenarios

import (
	"regexp"
	"testing"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

func TestScenarios(t *testing.T) {
	for _, c := range []struct {
		game    engine.ID
		scripts func() ([]*script.Script, error)
		names   string
	}{
		{"cluedo-2008", ParseCluedo2008, `^(C8-S\d\d|(C8-\d{3}|E|GEN-(E\d\d|\d{3}))-[a-z-]+)\.script$`},
		{"cluedo-classic", ParseClassicCluedo, `^(CC-S\d\d|(CC-\d{3}|E|GEN-(E\d\d|\d{3}))-[a-z-]+)\.script$`},
		{"super-cluedo", ParseSuperCluedo, `^(SC-S\d\d|(SC-\d{3}|E|GEN-(E\d\d|\d{3}))-[a-z-]+)\.script$`},
	} {
		t.Run(string(c.game), func(t *testing.T) {
			all, err := c.scripts()
			if err != nil {
				t.Fatal(err)
			}
			book, err := cluedo.New(cluedo.DefaultDeck(c.game))
			if err != nil {
				t.Fatal(err)
			}
			scripttest.CheckSuite(t, all, book, regexp.MustCompile(c.names))
		})
	}
}
