// Package noticepage makes the page that a browser gets when it is not admitted to the pages: a few sentences in French and English, large
// enough for a phone. It loads nothing.
//
// What may leak: nothing. The sentences are constants and name neither the table nor the page that was asked for.
package noticepage

import (
	"html"
	"net/http"
	"strings"
)

// Page is a page of text. It is made once and shared by all requests.
type Page struct{ body []byte }

// The styles are attributes, because the content security policy of the pages forbids <style> elements.
const head = `<!doctype html>
<html lang="fr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>Majordome</title>
<main style="max-width: 32em; margin: 12vh auto; padding: 0 24px; font: 20px/1.4 Georgia, serif">
<h1>Majordome</h1>
`

// New makes a page of these paragraphs: first the French ones, then the English ones.
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

// WriteResponse writes the page with this status. No cache may store it: the next request may be admitted.
func (p *Page) WriteResponse(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(p.body) // the browser may have gone
}
