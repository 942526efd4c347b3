package catalogue

import (
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/words"
)

// TestEachLanguageIsReadOnce checks that each language is read only once, and that an unknown one is reported as missing.
func TestEachLanguageIsReadOnce(t *testing.T) {
	for _, lang := range words.Langs {
		first, ok := Lookup(lang)
		again, _ := Lookup(lang)
		if !ok || first.Sentence("ui.close") == "" || first != again {
			t.Errorf("%s: %v, %p and %p", lang, ok, first, again)
		}
	}
	if book, ok := Lookup("de"); ok || book != nil {
		t.Errorf("de: %v", book)
	}
}

// TestRenderPlainHasOrdinarySpaces checks that RenderPlain renders both languages, with ordinary spaces in the place of non-breaking ones.
func TestRenderPlainHasOrdinarySpaces(t *testing.T) {
	m := engine.NewMsg("gen.again", "seat", "Anne")
	if got := RenderPlain(m).FR; got != "Anne, présentez encore la carte, je vous prie." {
		t.Errorf("Plain: %q", got)
	}
	if got := RenderPlain(engine.NewMsg("no.such.key")); got != (engine.T("no.such.key", "no.such.key")) {
		t.Errorf("an unknown key is said as %q", got)
	}
	for _, key := range bookOnly(Lookup(words.FR)).Keys() {
		if said, plain := Render(engine.NewMsg(key)), RenderPlain(engine.NewMsg(key)); strings.ContainsAny(said.FR, "\u00a0\u202f") {
			if strings.ContainsAny(plain.FR, "\u00a0\u202f") || plain.FR == said.FR {
				t.Errorf("%s: %q", key, plain.FR)
			}
			return
		}
	}
	t.Error("no sentence has another space")
}

func bookOnly(b *words.Catalogue, _ bool) *words.Catalogue { return b }
