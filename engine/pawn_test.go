package engine_test

import (
	"testing"

	"majordome/engine"
)

// TestCharacterOfCard: the card of a character, the clues against it and its pawn are its own; other cards are nobody's.
func TestCharacterOfCard(t *testing.T) {
	names := engine.Names{{ID: "green", Kind: "suspect"}, {ID: "borrow", Kind: "character"}, {ID: "clue-1", Kind: "clue", Of: "borrow"},
		{ID: "rope", Kind: "weapon", Of: "salon"}, {ID: "salon", Kind: "place"}}
	for card, who := range map[engine.ID]engine.ID{
		"green": "green", "borrow": "borrow", "clue-1": "borrow", "pawn-green": "green", "rope": "", "salon": "", "pawn-salon": "", "": "",
	} {
		if got := engine.CharacterOfCard(names, card); got != who {
			t.Errorf("the character of %q is %q", card, got)
		}
	}
}
