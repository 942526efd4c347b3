package huisclos

import "testing"

// TestDefaultNamed: of the values of each house rule exactly one is named as
// the default, and a new game starts with it.
func TestDefaultNamed(t *testing.T) {
	b := newBook(t)
	s := b.New().(*state)
	for i, sw := range switchValues {
		var named []string
		for _, n := range b.Names() {
			if n.Kind == "value" && string(n.Of) == sw.id && n.Default {
				named = append(named, string(n.ID))
			}
		}
		if len(named) != 1 || named[0] != s.rule(i) {
			t.Errorf("%s: defaults %v, a new game has %s", sw.id, named, s.rule(i))
		}
	}
}
