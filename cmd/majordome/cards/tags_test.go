package cards

import (
	"path/filepath"
	"slices"
	"testing"

	"majordome/cmd/majordome/library"
	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
)

// TestEnrolledTagsPublishNamesOfPawns: the names are published again when the first pawn gets a tag and when the last one loses it.
// For any other tag, phones get nothing: the names are the largest message of an evening's preparation.
func TestEnrolledTagsPublishNamesOfPawns(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "majordome.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	decks, err := library.Open(s, deck.Deck(huisclos.DefaultDeck()))
	if err != nil {
		t.Fatal(err)
	}
	var published []bool // whether the names published had those of pawns
	c, err := Open(Opts{Store: s, Decks: decks, Games: []engine.ID{"huis-clos"}, OnEnrolled: func([]engine.ID) {},
		OnNames: func(_ engine.ID, n engine.Names) {
			published = append(published, slices.ContainsFunc(n, func(n engine.Name) bool { return n.Kind == "pawn" }))
		}})
	if err != nil {
		t.Fatal(err)
	}
	c.SetCurrentGame("huis-clos", nil)
	tag := func(uid string, card engine.ID) []store.DeckTag {
		return []store.DeckTag{{Deck: "huis-clos", Tag: store.Tag{UID: uid, Card: card}}}
	}
	one, two := engine.PawnID("character-peely"), engine.PawnID("character-worms")
	for _, step := range []struct {
		what      string
		drop, put []store.DeckTag
		want      []bool
	}{
		{"a card", nil, tag("04000000000001", "weapon-corde"), nil},
		{"the first pawn", nil, tag("04000000000002", one), []bool{true}},
		{"a second pawn", nil, tag("04000000000003", two), nil},
		{"another card", nil, tag("04000000000004", "role-murderer"), nil},
		{"one pawn less", tag("04000000000002", one), nil, nil},
		{"no pawn", tag("04000000000003", two), nil, []bool{false}},
	} {
		published = nil
		if err := c.ChangeTags(step.drop, step.put); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(published, step.want) {
			t.Errorf("%s: names with pawns were published %v, want %v", step.what, published, step.want)
		}
	}
}
