// Package sheet makes the pages that are printed for a deck: labels for the tags, and neutral cards for owners who do not have the game.
//
//	page, err := sheet.RenderPage(names, sheet.Cards, words.FR)   HTML with its styles
//
// A browser prints the page or saves it as a PDF, so the daemon needs no PDF library. A label has the size of those sold as 65 a sheet
// (38.1 x 21.2 mm). A card has the size of a playing card (63 x 88 mm), and on its face a mark for the place of the tag, so that all tags
// are at the same place on the back.
//
// What may leak: nothing. The page contains the names of the deck, which are public, and no tag.
//
// Limits: the names of a deck (engine.MaxNames). It has no art and no texts of a published game except the names that its owner has
// entered.
package sheet

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"

	"majordome/companion/catalogue"
	"majordome/engine"
	"majordome/engine/words"
)

// The kinds of page.
const (
	Labels = "labels"
	Cards  = "cards"
)

//go:embed sheet.css
var style string

const script = `document.querySelector("button").addEventListener("click",()=>print())`

// policy allows the page its own style and script, and nothing else.
var policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"style-src 'sha256-" + sourceHash(style) + "'; script-src 'sha256-" + sourceHash(script) + "'"

// sourceHash returns the SHA-256 of text in Base64, as the Content-Security-Policy needs it.
func sourceHash(text string) string {
	s := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(s[:])
}

// perSheet is the number of labels or cards on a sheet of A4.
var perSheet = map[string]int{Labels: 65, Cards: 9}

// RenderPage returns the page as HTML; pageKind is Labels or Cards, and any other is an error.
func RenderPage(names engine.Names, pageKind string, lang words.Lang) ([]byte, error) {
	book, ok := catalogue.Lookup(lang)
	if !ok {
		return nil, fmt.Errorf("sheet: %q: fr or en", lang)
	}
	p := pageWriter{book: book, lang: lang, names: names}
	all := names
	switch pageKind {
	case Labels: // for everything with a tag
		all = slices.DeleteFunc(slices.Concat(names, engine.NamesOfPawns(names)), func(n engine.Name) bool {
			return !n.IsCard() && n.Kind != "pawn"
		})
	case Cards: // also for what has no tag
		all = slices.DeleteFunc(slices.Clone(names), func(n engine.Name) bool {
			return !n.IsCard() && n.Kind != "accusation-card" && n.Kind != "place" && n.Kind != "character"
		})
	default:
		return nil, fmt.Errorf("sheet: %q: labels or cards", pageKind)
	}
	title := p.pageTitle(pageKind)
	fmt.Fprintf(&p.b, "<!doctype html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\">"+
		"<meta name=\"viewport\" content=\"width=device-width\"><title>%s</title><style>%s</style></head><body>\n",
		lang, html.EscapeString(title), style)
	fmt.Fprintf(&p.b, "<header><h1>%s</h1><p>%s</p><button>%s</button></header><main>\n",
		html.EscapeString(title), p.htmlSentence("host.sheet."+pageKind+".how"), p.htmlSentence("host.sheet.now"))
	for some := range slices.Chunk(all, perSheet[pageKind]) {
		fmt.Fprintf(&p.b, "<section class=\"%s\">\n", pageKind)
		for _, n := range some {
			if pageKind == Labels {
				p.writeLabel(n)
			} else {
				p.writeCard(n)
			}
		}
		p.b.WriteString("</section>\n")
	}
	fmt.Fprintf(&p.b, "</main><script>%s</script></body></html>\n", script)
	return []byte(p.b.String()), nil
}

// Handler answers ?what=labels|cards&lang=fr|en with the page of the present names.
func Handler(names func() engine.Names) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		lang := words.Lang(q.Get("lang"))
		if !slices.Contains(words.Langs, lang) {
			lang = words.FR
		}
		page, err := RenderPage(names(), q.Get("what"), lang)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
		_, _ = w.Write(page) // the browser may have gone
	})
}

// pageWriter builds the page of one deck in one language.
type pageWriter struct {
	b     strings.Builder
	book  *words.Catalogue
	lang  words.Lang
	names engine.Names
}

// textOf returns t in the language of the page.
func (p *pageWriter) textOf(t engine.Text) string {
	if p.lang == words.EN {
		return t.EN
	}
	return frenchSpaces.Replace(t.FR)
}

// frenchSpaces puts non-breaking spaces where French typography needs them.
var frenchSpaces = strings.NewReplacer("n° ", "n°\u00a0", " :", "\u00a0:")

// htmlSentence returns the sentence of a key, escaped for HTML.
func (p *pageWriter) htmlSentence(key string) string { return html.EscapeString(p.book.Sentence(key)) }

func (p *pageWriter) pageTitle(pageKind string) string {
	title := p.book.Sentence("host.sheet." + pageKind)
	if i := slices.IndexFunc(p.names, func(n engine.Name) bool { return n.Kind == "game" }); i >= 0 {
		title += " · " + p.textOf(p.names[i].Text)
	}
	return title
}

// kindLine returns the kind of a card in one word, and what the card belongs to: the place of a weapon, the character of a clue.
func (p *pageWriter) kindLine(n engine.Name) string {
	kind := p.book.Sentence("host.sheet.kind." + string(n.Kind))
	if i := slices.IndexFunc(p.names, func(o engine.Name) bool {
		return n.Of != "" && o.ID == n.Of && (o.Kind == "place" || o.Kind == "character")
	}); i >= 0 {
		kind += " · " + p.textOf(p.names[i].Text)
	}
	return html.EscapeString(kind)
}

func (p *pageWriter) writeLabel(n engine.Name) {
	fmt.Fprintf(&p.b, "<div><b>%s</b><span>%s</span></div>\n", html.EscapeString(p.textOf(n.Text)), p.kindLine(n))
}

func (p *pageWriter) writeCard(n engine.Name) {
	tagMark := ""
	if n.IsCard() && !n.Untagged {
		tagMark = "<i>" + p.htmlSentence("host.sheet.tag") + "</i>"
	}
	fmt.Fprintf(&p.b, "<div><span>%s</span><b>%s</b>%s</div>\n", p.kindLine(n), html.EscapeString(p.textOf(n.Text)), tagMark)
}
