// Package plain is what somebody reads who is not let in to the pages: a few sentences,
// French and English, large enough for a phone, and nothing that is fetched.
//
// What may leak: nothing. The sentences are constants, and name neither the table nor
// what was asked for.
package plain

import (
	"html"
	"net/http"
	"strings"
)

// Page is made once and shared by all who ask.
type Page struct{ body []byte }

// The styles are attributes, because the policy of the pages forbids an element of them.
const head = `<!doctype html>
<html lang="fr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>Majordome</title>
<main style="max-width: 32em; margin: 12vh auto; padding: 0 24px; font: 20px/1.4 Georgia, serif">
<h1>Majordome</h1>
`

// New is a page of paragraphs in both languages.
func New(fr, en []string) *Page {
	var b strings.Builder
	b.WriteString(head)
	for _, p := range fr {
		b.WriteString("<p>" + html.EscapeString(p) + "</p>\n")
	}
	for _, p := range en {
		b.WriteString(`<p lang="en" style="opacity: .8">` + html.EscapeString(p) + "</p>\n")
	}
	b.WriteString("</main>\n</html>\n")
	return &Page{[]byte(b.String())}
}

// Answer writes the page. Nobody keeps it: the next request may be let in.
func (p *Page) Answer(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(p.body) // the browser may have gone
}
