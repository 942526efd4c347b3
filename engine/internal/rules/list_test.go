package rules

import (
	"slices"
	"testing"
)

func TestList(t *testing.T) {
	deck := make([]string, 64)
	for i := range deck {
		deck[i] = string(rune('A' + i))
	}
	for _, set := range []uint64{0, 1, 1 << 63, 6, 7 << 61, 5, 1<<63 | 1, 1<<64 - 1, 0b1101} {
		want := []string{}
		for i, id := range deck {
			if set>>i&1 == 1 {
				want = append(want, id)
			}
		}
		got := ListIDs(deck, set)
		if !slices.Equal(got, want) || got == nil {
			t.Errorf("%b: %q, want %q", set, got, want)
		}
		_ = append(got, "?") // not into the deck
	}
	if slices.Contains(deck, "?") {
		t.Errorf("the deck is now %q", deck)
	}
	if got := ListIDs(deck[:3:3], 0); len(got) != 0 {
		t.Errorf("no cards of a small deck: %q", got)
	}
	if got := ListIDs(deck, 6); &got[0] != &deck[1] {
		t.Error("cards that follow each other have a list of their own")
	}
}
