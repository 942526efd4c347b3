package web

import (
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"majordome/engine/words"
)

var (
	linkPattern   = regexp.MustCompile(`(?:href|src)="([^"#]+)(?:#[^"]*)?"`)
	anchorPattern = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	cssURLPattern = regexp.MustCompile(`url\('([^']+)'\)`)
)

// TestManual checks that /help redirects to the first page in the language of the browser, that every page exists in both
// languages, and that everything that a page links to is served.
func TestManual(t *testing.T) {
	files, ok := Files()
	if !ok {
		t.Skip("the web app is not built: run make web")
	}
	h := newTestHandler(t, files)
	for header, want := range map[string]string{"de, en;q=0.5": "/help/en/start.html", "": "/help/fr/start.html"} {
		if r := get(h, "/help", "Accept-Language", header); r.StatusCode != http.StatusFound || r.Header.Get("Location") != want {
			t.Errorf("%q is led to %s %s, want %s", header, r.Status, r.Header.Get("Location"), want)
		}
	}
	if r := get(h, "/help?lang=en"); r.Header.Get("Location") != "/help/en/start.html" {
		t.Errorf("?lang=en leads to %s", r.Header.Get("Location"))
	}
	pages, err := fs.Glob(files, "help/"+string(words.FR)+"/*.html.gz")
	if err != nil || len(pages) == 0 {
		t.Fatalf("there is no page: %v", err)
	}
	seen := map[string]bool{}
	for _, lang := range words.Langs {
		for _, page := range pages {
			name := strings.TrimSuffix(path.Base(page), ".html.gz")
			at := "/help/" + string(lang) + "/" + name + ".html"
			r := get(h, at)
			text := readBody(t, r)
			if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
				!strings.Contains(text, `<html lang="`+string(lang)+`">`) {
				t.Errorf("%s: %s, %s", at, r.Status, r.Header.Get("Content-Type"))
			}
			if shown, ok := ManualPage(lang, name); !ok || !strings.HasPrefix(shown, "# ") || strings.Contains(shown, "</") {
				t.Errorf("%s %s is %.40q in a terminal", lang, name, shown)
			}
			for _, m := range anchorPattern.FindAllStringSubmatch(text, -1) {
				if shown, ok := ManualPage(lang, name+"#"+m[1]); !ok || strings.TrimSpace(shown) == "" || strings.Contains(shown, "</") {
					t.Errorf("%s %s#%s is %.40q in a terminal", lang, name, m[1], shown)
				}
			}
			for _, m := range linkPattern.FindAllStringSubmatch(text, -1) {
				to := m[1]
				if !strings.HasPrefix(to, "/") && !strings.Contains(to, ":") {
					to = path.Join(path.Dir(at), to)
				}
				seen[to] = true
			}
		}
	}
	for _, m := range cssURLPattern.FindAllStringSubmatch(readBody(t, get(h, "/help/help.css")), -1) {
		seen[m[1]] = true
	}
	for at := range seen {
		if strings.HasPrefix(at, "https:") { // the source of a figure
			continue
		}
		if r := get(h, at); r.StatusCode != http.StatusOK {
			t.Errorf("%s is linked: %s", at, r.Status)
		}
	}
	for _, no := range []string{"../../pages/phone.fr", "", ".", "start.html", "none", "trouble#none", "trouble#", "none#disk"} {
		if text, ok := ManualPage(words.FR, no); ok {
			t.Errorf("page %q is %.40q", no, text)
		}
	}
}

// TestPlaceIn checks that a terminal shows, of an anchor in a page, only its section with the sections below it, or its row
// under the head of its table.
func TestPlaceIn(t *testing.T) {
	const page = `<main><h1>A page</h1>
<h2>One <a id="one"></a></h2>
<p>first</p>
<h3>Below <a id="below"></a></h3>
<p>second</p>
<h2>Two <a id="two"></a></h2>
<div class="wide"><table>
<thead>
<tr>
<th>key</th><th>what</th>
</tr>
</thead>
<tbody>
<tr>
<td>a <a id="a"></a></td><td>letter</td>
</tr>
<tr>
<td>b <a id="b"></a></td><td>another</td>
</tr>
</tbody></table></div>
</main>
<p>not this <a id="out"></a></p>`
	for place, want := range map[string]string{
		"one":   "## One\nfirst\n\n\n### Below\nsecond\n",
		"below": "### Below\nsecond\n",
		"two":   "## Two\n  key  what\n  a   letter\n  b   another\n",
		"b":     "key  what\n  b   another\n",
	} {
		found, ok := sectionAtPlace(page, place)
		if got := renderText(found); !ok || got != want {
			t.Errorf("%s is %v\n%q, want\n%q", place, ok, got, want)
		}
	}
	if found, ok := sectionAtPlace(page, "none"); ok {
		t.Errorf("a place that is not there is %q", found)
	}
}

// TestPlainText checks that the text form of a page for a terminal keeps the lines of code and the rows of tables.
func TestPlainText(t *testing.T) {
	const page = `<main>
<h1>A table</h1>
<p>Lay it on the
<a href="cards.html#which">reader</a>, as
<em>said</em> <a href="#here">below</a>.</p>
<pre><code>readers:
  - role: urn &amp; show
</code></pre>
<div class="wide"><table><tr><th>key</th><th>what</th></tr><tr><td><code>a</code></td><td>b</td></tr></table></div>
<ul>
<li>one</li>
</ul>
</main><p>not this</p>`
	const want = "# A table\nLay it on the reader (cards#which), as said below.\n\n\n    readers:\n      - role: urn & show\n\n" +
		"  key  what\n  a  b\n\n- one\n"
	if got := renderText(page); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}
