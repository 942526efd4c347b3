package catalogue

import (
	"strings"
	"testing"

	"majordome/engine"
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

// TestPlain: both languages, and spaces that a log writes as they are.
func TestPlain(t *testing.T) {
	m := engine.Say("gen.again", "seat", "Anne")
	if got := Plain(m).FR; got != "Anne, présentez encore la carte, je vous prie." {
		t.Errorf("Plain: %q", got)
	}
	if got := Plain(engine.Say("no.such.key")); got != (engine.T("no.such.key", "no.such.key")) {
		t.Errorf("an unknown key is said as %q", got)
	}
	for _, key := range must(Of(words.FR)).Keys() {
		if said, plain := Say(engine.Say(key)), Plain(engine.Say(key)); strings.ContainsAny(said.FR, "\u00a0\u202f") {
			if strings.ContainsAny(plain.FR, "\u00a0\u202f") || plain.FR == said.FR {
				t.Errorf("%s: %q", key, plain.FR)
			}
			return
		}
	}
	t.Error("no sentence has another space")
}

func must(b *words.Book, _ bool) *words.Book { return b }
