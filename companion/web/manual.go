package web

import (
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"majordome/engine/words"
)

// ManualPage returns a page of the manual as plain text for a terminal. A name such as trouble#disk selects
// the part of the page trouble at that place. ok is false if there is no such page or place, or if the binary
// was built without the web app.
func ManualPage(lang words.Lang, name string) (text string, ok bool) {
	name, place, inside := strings.Cut(name, "#")
	files, _ := Files()
	packed, err := fs.ReadFile(files, path.Join("help", string(lang), path.Base(name)+".html.gz"))
	if err != nil {
		return "", false
	}
	page := string(mustGunzip(packed))
	if inside {
		if page, ok = sectionAtPlace(page, place); !ok {
			return "", false
		}
	}
	return renderText(page), true
}

// blockStart matches the start of an element that a place of the manual can be in: a heading or a row of a
// table.
var blockStart = regexp.MustCompile(`<h[1-6]>|<tr>`)

// sectionAtPlace returns the part of a page at a place: a section with its subsections, or a row below the head of
// its table.
func sectionAtPlace(page, place string) (section string, ok bool) {
	before, _, found := strings.Cut(page, `<a id="`+place+`"></a>`)
	blocks := blockStart.FindAllStringIndex(before, -1)
	if !found || len(blocks) == 0 {
		return "", false
	}
	begin := blocks[len(blocks)-1]
	tag, rest := page[begin[0]:begin[1]], page[begin[1]:]
	if tag == "<tr>" {
		head := before[max(0, strings.LastIndex(before, "<thead>")):]
		head, _, _ = strings.Cut(head, "</thead>")
		row, _, _ := strings.Cut(rest, "</tr>")
		return "<main>" + head + tag + row + "</main>", true
	}
	end := len(rest)
	if next := regexp.MustCompile(`<h[1-` + tag[2:3] + `]>|</main>`).FindStringIndex(rest); next != nil {
		end = next[0]
	}
	return "<main>" + tag + rest[:end] + "</main>", true
}

var trailingBlanks = regexp.MustCompile(` +\n`)

// prefixes are written to a terminal before the text of an element.
var prefixes = map[atom.Atom]string{atom.H1: "\n# ", atom.H2: "\n\n## ", atom.H3: "\n\n### ",
	atom.P: "\n", atom.Li: "\n- ", atom.Pre: "\n\n", atom.Tr: "\n", atom.Td: "  ", atom.Th: "  "}

// renderText renders the main element of a page as text. Each row of a table is a line, each line of code is
// indented by four blanks, and a link to another page is followed by its name as ManualPage accepts it.
func renderText(page string) string {
	_, page, _ = strings.Cut(page, "<main>")
	page, _, _ = strings.Cut(page, "</main>")
	var out strings.Builder
	link, code := "", false
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		kind := z.Next()
		t := z.Token()
		switch {
		case kind == html.ErrorToken:
			return trailingBlanks.ReplaceAllString(strings.TrimSpace(out.String())+"\n", "\n")
		case kind == html.TextToken && code:
			out.WriteString("    " + strings.ReplaceAll(strings.TrimSuffix(t.Data, "\n"), "\n", "\n    "))
		case kind == html.TextToken:
			said := strings.ReplaceAll(t.Data, "\n", " ")
			if strings.HasSuffix(out.String(), "\n") {
				said = strings.TrimLeft(said, " ")
			}
			out.WriteString(said)
		case kind == html.StartTagToken && t.DataAtom == atom.A:
			link = hrefOf(t)
		case kind == html.EndTagToken && t.DataAtom == atom.A && link != "":
			out.WriteString(" (" + link + ")")
			link = ""
		case kind == html.StartTagToken:
			out.WriteString(prefixes[t.DataAtom])
			code = code || t.DataAtom == atom.Pre
		case kind == html.EndTagToken && t.DataAtom == atom.Pre:
			code = false
			out.WriteString("\n")
		case kind == html.EndTagToken &&
			(t.DataAtom == atom.P || t.DataAtom == atom.Ul || t.DataAtom == atom.Ol || t.DataAtom == atom.Table):
			out.WriteString("\n")
		}
	}
}

// hrefOf returns the target of a link: page and place as ManualPage accepts them, or an address; "" for a
// place on the same page.
func hrefOf(t html.Token) string {
	for _, a := range t.Attr {
		switch {
		case a.Key != "href", strings.HasPrefix(a.Val, "#"):
		case strings.Contains(a.Val, "://"):
			return a.Val
		default:
			return strings.Replace(a.Val, ".html", "", 1)
		}
	}
	return ""
}

// redirectToManual redirects to the first page of the manual, in the language of the browser.
func redirectToManual(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Add("Vary", "Accept-Language")
	http.Redirect(w, r, "/help/"+string(requestLanguage(r))+"/start.html", http.StatusFound)
}
