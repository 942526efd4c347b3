package huisclos

import (
	"strings"
	"testing"

	"majordome/engine/chance"
	"majordome/engine/deck"
)

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

// TestTheCordeStartsInTheBlueSuite: HC-007, HC-A02, whatever the owner says of
// where each weapon kills, set-up lays the Corde on the start place, and no other
// weapon; a file that names no weapon means the one of that place.
func TestTheCordeStartsInTheBlueSuite(t *testing.T) {
	paired, r := deck.HuisClos().Paired("place-suite-bleue", "weapon-3")
	if r != nil {
		t.Fatal(r.Why)
	}
	text := strings.Replace(string(deck.HuisClosYAML()), "start-weapon: weapon-corde", "", 1)
	unnamed, err := deck.Parse("mine.yaml", []byte(strings.Replace(text, "{id: weapon-corde,", "{id: weapon-rope,", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for want, d := range map[string]*deck.Deck{"weapon-corde": paired, "weapon-rope": unnamed} {
		b, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		book := b.(*Book)
		for c, p := range book.shuffle(chance.New(1)) {
			if w := card(c); w.weapon() && (p == book.start) != (book.cardID[c] == want) {
				t.Errorf("%s lies in place %d, and %s starts", book.cardID[c], p, want)
			}
		}
	}
}
