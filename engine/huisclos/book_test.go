package huisclos

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/deck"
)

// TestDefaultNamed: of the values of each house rule exactly one is named as
// the default, and a new game starts with it.
func TestDefaultNamed(t *testing.T) {
	b := newBook(t)
	s := b.NewGame().(*state)
	for i, sw := range switches {
		var named []string
		for _, n := range b.Names() {
			if n.Kind == "value" && string(n.Of) == sw.ID && n.Default {
				named = append(named, string(n.ID))
			}
		}
		if len(named) != 1 || named[0] != s.ruleValue(i) {
			t.Errorf("%s: defaults %v, a new game has %s", sw.ID, named, s.ruleValue(i))
		}
		if !slices.ContainsFunc(b.Names(), func(n engine.Name) bool { return string(n.ID) == sw.ID && string(n.Of) == sw.Rule }) {
			t.Errorf("%s does not say that it changes %s", sw.ID, sw.Rule)
		}
	}
}

// TestTheCordeStartsInTheBlueSuite: HC-007, HC-A02, set-up puts the Corde, and no other weapon, in the start place, wherever the owner says
// that each weapon kills. A file that names no weapon means the Corde.
func TestTheCordeStartsInTheBlueSuite(t *testing.T) {
	paired, r := DefaultDeck().WithSwappedWeapon("place-suite-bleue", "weapon-3")
	if r != nil {
		t.Fatal(r.Why)
	}
	text := strings.Replace(string(DefaultYAML()), "start-weapon: weapon-corde", "", 1)
	unnamed, err := ParseDeck("mine.yaml", []byte(strings.Replace(text, "{id: weapon-corde,", "{id: weapon-rope,", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for want, d := range map[string]*Deck{"weapon-corde": paired.(*Deck), "weapon-rope": unnamed} {
		b, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		book := b.(*Book)
		for c, p := range book.shuffleDeal(chance.New(1)) {
			if w := card(c); isWeapon(w) && (p == book.startPlace) != (book.cardID[c] == want) {
				t.Errorf("%s lies in place %d, and %s starts", book.cardID[c], p, want)
			}
		}
	}
}

// TestOnlyADeckOfThisGame: another game's deck, none, or one without the house rules that
// the engine asks for makes no rulebook.
func TestOnlyADeckOfThisGame(t *testing.T) {
	broken := func(change func(*Deck)) *Deck {
		d := DefaultDeck()
		change(d)
		return d
	}
	for _, d := range []*Deck{
		nil, broken(func(d *Deck) { d.Game = "cluedo-2008" }),
		broken(func(d *Deck) { d.Switches = d.Switches[1:] }), broken(func(d *Deck) { d.Switches[0].Default = "cats" }),
	} {
		if _, err := New(d); err == nil {
			t.Errorf("%+v makes a rulebook", d)
		}
	}
	b, err := New(broken(func(d *Deck) { d.Switches[0].Default = d.Switches[0].Values[1].ID }))
	if err != nil {
		t.Fatal(err)
	}
	if at := switchOf(string(b.(*Book).deck.Switches[0].ID)); b.NewGame().(*state).rules[at] != 1 {
		t.Error("a new game does not begin with the house rules of its deck")
	}
}

// TestReadersTellAllCardsOfTheDeckApart: a reader distinguishes each card of the deck from every other (GEN-E04).
func TestReadersTellAllCardsOfTheDeckApart(t *testing.T) {
	b := newBook(t)
	seen := map[readerCard]string{0: "no card"}
	for _, ids := range [][]string{b.cardID[1:], slices.Collect(maps.Keys(b.roleByCardID))} {
		for _, id := range ids {
			if other, twice := seen[b.readerCardByID(id)]; twice {
				t.Errorf("%s is read as %s", id, other)
			}
			seen[b.readerCardByID(id)] = id
		}
	}
	if n := b.readerCardByID("role-nobody"); n != 0 {
		t.Errorf("a card of no deck has the number %d", n)
	}
}

func switchOf(id string) int {
	for i, sw := range switches {
		if sw.ID == id {
			return i
		}
	}
	return -1
}

// TestNames: everything in the box has one label in both languages, and what belongs to
// something else says so.
func TestNames(t *testing.T) {
	d := DefaultDeck()
	d.Places[2].Weapon.Tag = deck.NoTag
	b, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	counts, of, seen := map[engine.ID]int{}, map[engine.ID]engine.ID{}, map[engine.ID]bool{}
	for _, n := range b.Names() {
		if counts[n.Kind]++; n.Kind == "value" {
			continue // "nobody" is a value of two house rules
		}
		if of[n.ID] = n.Of; n.Text.FR == "" || n.Text.EN == "" || seen[n.ID] {
			t.Errorf("%s is called %+v, and before: %v", n.ID, n.Text, seen[n.ID])
		}
		if seen[n.ID] = true; n.Untagged != (n.ID == "weapon-3") {
			t.Errorf("%s is without a tag: %v", n.ID, n.Untagged)
		}
	}
	if want := (map[engine.ID]int{
		"game": 1, "character": 8, "role-card": 8, "role": 1, "place": 7, "weapon": 7, "clue": 32, "accusation-card": 8,
		"switch": 7, "value": 16}); !maps.Equal(counts, want) {
		t.Errorf("names: %v, want %v", counts, want)
	}
	for id, want := range map[engine.ID]engine.ID{
		"weapon-corde":  "place-suite-bleue",
		"clue-worms-1":  "character-worms",
		"role-murderer": "",
		"role-innocent": "",
	} {
		if got, ok := of[id]; !ok || got != want {
			t.Errorf("%s is of %q (%v), want %q", id, got, ok, want)
		}
	}
}
