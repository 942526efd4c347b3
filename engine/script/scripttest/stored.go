package scripttest

import (
	"strings"
	"testing"

	"majordome/engine"
)

// CheckStored decodes events that a store has kept, one a line, as kind and bytes. It expects every kind of
// the game, and the same bytes when the events are encoded again: so no field is lost, and a game stored by
// an older version can still be read. Lines are added, never changed.
func CheckStored(t *testing.T, book engine.Rulebook, text string, kinds []string) {
	t.Helper()
	missing := map[string]bool{}
	for _, k := range kinds {
		missing[k] = true
	}
	for n, r := range parseRows(text) {
		e, err := book.DecodeEvent(r.kind, r.data)
		if err != nil {
			t.Errorf("line %d: %v", n+1, err)
			continue
		}
		switch data, err := book.EncodeEvent(e); {
		case err != nil || string(data) != string(r.data):
			t.Errorf("line %d: %s\nis written again as %s (%v)", n+1, r.data, data, err)
		case e.Kind() != r.kind:
			t.Errorf("line %d: %s is read as %s", n+1, r.kind, e.Kind())
		}
		delete(missing, r.kind)
	}
	for k := range missing {
		t.Errorf("no line of the kind %s: add one", k)
	}
}

// ReplayStored returns the game after the events on such lines, from the lobby on.
func ReplayStored(t *testing.T, book engine.Rulebook, text string) engine.Game {
	t.Helper()
	g := book.NewGame()
	for n, r := range parseRows(text) {
		e, err := book.DecodeEvent(r.kind, r.data)
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		g = g.Apply(e)
	}
	return g
}

// CheckRefused expects an error that ends in want for data that no store should have.
func CheckRefused(t *testing.T, book engine.Rulebook, kind, data, want string) {
	t.Helper()
	if _, err := book.DecodeEvent(kind, []byte(data)); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%s %.80s: %v, want %q", kind, data, err, want)
	}
}

type row struct {
	kind string
	data []byte
}

func parseRows(text string) (all []row) {
	for line := range strings.Lines(text) {
		kind, data, _ := strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, row{kind, []byte(data)})
	}
	return all
}
