package web

import (
	"html"
	"net/http"
	"strconv"
	"strings"

	"majordome/companion/catalogue"
	"majordome/engine/words"
)

// TrustHandler lets a phone trust the table's own certificate authority (package cert):
//
//	GET /trust           a page that explains the steps on an iPhone and on an Android phone
//	GET /majordome.crt   the root certificate
//	GET /trusted         204; a page of plain http that gets this by https knows that its phone trusts us
//
// secure returns the address of the pages by https. What may leak: nothing; the root is public.
func TrustHandler(root []byte, secure func() string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /majordome.crt", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-x509-ca-cert")
		w.Header().Set("Content-Disposition", `attachment; filename="majordome.crt"`)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(root) // the browser may have gone
	})
	mux.HandleFunc("GET /trusted", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /trust", func(w http.ResponseWriter, r *http.Request) {
		writePage(w, renderTrustPage(preferredLanguage(r.Header.Get("Accept-Language")), secure()))
	})
	return mux
}

// trustStep is a step and the lines of the phone's settings that it passes; the last line has a switch or is
// tapped.
type trustStep struct {
	key       string // of the step's sentence
	lines     []string
	hasSwitch bool
}

// Settings are named as in iOS 18 and Android 15; some makers of Android phones use different ones.
var trustSteps = []struct {
	head  string
	steps []trustStep
}{
	{"trust.iphone", []trustStep{{key: "trust.iphone.load"},
		{"trust.iphone.install", []string{"trust.row.profile", "trust.row.install"}, false},
		{"trust.iphone.switch", []string{"trust.row.general", "trust.row.about", "trust.row.trust", "Majordome"}, true}}},
	{"trust.android", []trustStep{{key: "trust.android.load"},
		{"trust.android.install", []string{"trust.row.security", "trust.row.encryption", "trust.row.add", "trust.row.ca"}, false},
		{key: "trust.android.told"}}},
}

// writePage sends a page that needs no other file.
func writePage(w http.ResponseWriter, html string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Language")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	_, _ = w.Write([]byte(html)) // the browser, or its window, may have gone
}

const trustStyle = `body{margin:0;background:#120d10;color:#f3e9d2;font:18px/1.4 Georgia,serif}` +
	`main{max-width:34em;margin:0 auto;padding:24px}
h1{font-weight:400;font-size:26px}h2{font-weight:400;font-size:20px;color:#e0bd74;border-top:1px solid #57401f;padding-top:14px}
a.key{display:block;padding:14px;text-align:center;border-radius:10px;` +
	`background:#d2a85a;color:#2a1a0c;text-decoration:none;overflow-wrap:anywhere}
a{color:#e0bd74}.soft{color:#c9b48a}svg{display:block;width:100%;max-width:320px;margin:8px 0}li{margin:10px 0}`

func renderTrustPage(lang words.Lang, secure string) string {
	book, _ := catalogue.Lookup(lang) // never fails for words.Langs
	say := func(key string) string { return html.EscapeString(book.Sentence(key)) }
	b := &strings.Builder{}
	b.WriteString(`<!doctype html><html lang="` + string(lang) + `"><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="dark"><title>` +
		say("trust.title") + ` · Majordome</title><style>` + trustStyle + `</style><main><h1>` + say("trust.title") +
		`</h1><p>` + say("trust.why") + `</p><p class="soft">` + say("trust.bounds") +
		`</p><p><a class="key" href="/majordome.crt">` + say("trust.load") + `</a></p>`)
	for _, kind := range trustSteps {
		b.WriteString("<h2>" + say(kind.head) + "</h2><ol>")
		for _, s := range kind.steps {
			b.WriteString("<li>" + say(s.key))
			if len(s.lines) > 0 {
				b.WriteString(drawSettings(s, book))
			}
			b.WriteString("</li>")
		}
		b.WriteString("</ol>")
	}
	to := html.EscapeString(secure)
	b.WriteString("<h2>" + say("trust.then") + "</h2><p>" + say("trust.then.how") +
		`</p><p><a class="key" href="` + to + `/">` + to + `</a></p><p class="soft">` + say("trust.undo") + `</p></main></html>`)
	return b.String()
}

// drawSettings draws the lines of a step as a phone shows them, one below the other.
func drawSettings(s trustStep, book *words.Catalogue) string {
	const height = 40
	var b strings.Builder
	total := height*len(s.lines) + 2
	b.WriteString(`<svg viewBox="0 0 320 ` + strconv.Itoa(total) + `" aria-hidden="true" font-family="sans-serif" font-size="14">`)
	for i, key := range s.lines {
		text, y := key, i*height+1
		if book.HasKey(key) {
			text = book.Sentence(key)
		}
		b.WriteString(`<rect x="1" y="` + strconv.Itoa(y) + `" width="318" height="` + strconv.Itoa(height-4) +
			`" rx="8" fill="#2a2326" stroke="#57401f"/><text x="14" y="` + strconv.Itoa(y+23) + `" fill="#f3e9d2">` +
			html.EscapeString(text) + `</text>`)
		switch last := i == len(s.lines)-1; {
		case last && s.hasSwitch:
			b.WriteString(`<rect x="264" y="` + strconv.Itoa(y+7) + `" width="40" height="22" rx="11" fill="#3f8f54"/>` +
				`<circle cx="293" cy="` + strconv.Itoa(y+18) + `" r="9" fill="#fff"/>`)
		default:
			b.WriteString(`<path d="M296 ` + strconv.Itoa(y+11) + `l7 7l-7 7" fill="none" stroke="#c9b48a" stroke-width="2"/>`)
		}
	}
	b.WriteString("</svg>")
	return b.String()
}
