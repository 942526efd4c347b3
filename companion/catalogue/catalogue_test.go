package catalogue

import (
	"testing"

	"majordome/engine/words"
)

// TestOf: each language is read once, and there is no other.
func TestOf(t *testing.T) {
	for _, lang := range words.Langs {
		first, ok := Of(lang)
		again, _ := Of(lang)
		if !ok || first.Sentence("ui.close") == "" || first != again {
			t.Errorf("%s: %v, %p and %p", lang, ok, first, again)
		}
	}
	if book, ok := Of("de"); ok || book != nil {
		t.Errorf("de: %v", book)
	}
}
