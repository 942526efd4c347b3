package sheet_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"majordome/companion/sheet"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/words"
)

// TestSheets checks that every card of every game is on the sheets in both languages, with at most nine cards or sixty-five
// labels a sheet, and that a name with HTML in it is printed as text.
func TestSheets(t *testing.T) {
	titles := map[string]map[words.Lang]string{
		sheet.Cards:  {words.FR: "Cartes neutres", words.EN: "Neutral cards"},
		sheet.Labels: {words.FR: "Étiquettes des puces", words.EN: "Labels for the tags"},
	}
	for _, d := range games.KnownGames().DefaultDecks() {
		book, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		names := book.Names()
		cards := 0
		for i := range names {
			if names[i].IsCard() {
				cards++
				names[i].Text = engine.T(names[i].Text.FR+" <i>", names[i].Text.EN+" <i>")
			}
		}
		for _, lang := range words.Langs {
			for what, most := range map[string]int{sheet.Labels: 65, sheet.Cards: 9} {
				page, err := sheet.RenderPage(names, what, lang)
				if err != nil {
					t.Fatal(err)
				}
				if n := bytes.Count(page, []byte("&lt;i&gt;")); n < cards {
					t.Errorf("%s %s %s: %d of %d cards", d.ID(), what, lang, n, cards)
				}
				for i, s := range strings.Split(string(page), "<section")[1:] {
					if n := strings.Count(s, "<div>"); n == 0 || n > most {
						t.Errorf("%s %s: sheet %d has %d", d.ID(), what, i, n)
					}
				}
				if !bytes.Contains(page, []byte("<h1>"+titles[what][lang])) {
					t.Errorf("%s %s %s: another title", d.ID(), what, lang)
				}
				if bytes.Contains(page, []byte("host.")) || bytes.Contains(page, []byte("<span></span>")) {
					t.Errorf("%s %s %s: a kind has no word", d.ID(), what, lang)
				}
			}
		}
	}
	if _, err := sheet.RenderPage(nil, "walls", words.FR); err == nil {
		t.Error("walls are printed")
	}
}

// TestHandler checks that the page runs only its own style and script, and is not cached.
func TestHandler(t *testing.T) {
	h := sheet.Handler(func() engine.Names {
		return engine.Names{{ID: "weapon-x", Kind: "weapon", Text: engine.T("Corde", "Rope")}}
	})
	for url, want := range map[string]string{
		"/print?what=cards&lang=en":  "Rope",
		"/print?what=labels":         "Corde",
		"/print?what=labels&lang=xx": "Corde",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
		csp := w.Header().Get("Content-Security-Policy")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) || !strings.Contains(csp, "default-src 'none'") ||
			strings.Contains(csp, "unsafe") || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, %v", url, w.Code, w.Header())
		}
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/print", nil)); w.Code != http.StatusNotFound {
		t.Errorf("nothing asked for: %d", w.Code)
	}
}

// TestAPageIsCheap checks that a repeated request, as any stranger may send it, does not read a catalogue each time.
func TestAPageIsCheap(t *testing.T) {
	names := engine.Names{{ID: "weapon-x", Kind: "weapon", Text: engine.T("x", "x")}}
	for _, lang := range words.Langs {
		if n := testing.AllocsPerRun(10, func() { _, _ = sheet.RenderPage(names, sheet.Cards, lang) }); n > 200 {
			t.Errorf("%s: %v allocations", lang, n)
		}
	}
}
