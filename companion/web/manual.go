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

// Page returns a page of the manual as plain text for a terminal, or of trouble#disk the part of the page trouble at that place. ok is false
// where there is no such page or place, and in a binary that was built without the web app.
func Page(lang words.Lang, name string) (text string, ok bool) {
	name, place, inside := strings.Cut(name, "#")
	files, _ := Files()
	packed, err := fs.ReadFile(files, path.Join("help", string(lang), path.Base(name)+".html.gz"))
	if err != nil {
		return "", false
	}
	page := string(unpacked(packed))
	if inside {
		if page, ok = placeIn(page, place); !ok {
			return "", false
		}
	}
	return plainText(page), true
}

// block is what a place of the manual can be at: a heading, or a row of a table.
var block = regexp.MustCompile(`<h[1-6]>|<tr>`)

// placeIn returns of a page what stands at a place: a section with those below it, or a row under the head of its table.
func placeIn(page, place string) (section string, ok bool) {
	before, _, found := strings.Cut(page, `<a id="`+place+`"></a>`)
	blocks := block.FindAllStringIndex(before, -1)
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

var trailing = regexp.MustCompile(` +\n`)

// before is what a terminal shows before what stands in such an element.
var before = map[atom.Atom]string{atom.H1: "\n# ", atom.H2: "\n\n## ", atom.H3: "\n\n### ", atom.P: "\n", atom.Li: "\n- ", atom.Pre: "\n\n", atom.Tr: "\n", atom.Td: "  ", atom.Th: "  "}

// plainText is what stands in the main element of a page: a line for each row of a table, four blanks before each line of code,
// and behind a link to another page what Page takes for it.
func plainText(page string) string {
	_, page, _ = strings.Cut(page, "<main>")
	page, _, _ = strings.Cut(page, "</main>")
	var out strings.Builder
	link, code := "", false
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		kind := z.Next()
		t := z.Token()
		switch {
		case kind == html.ErrorToken:
			return trailing.ReplaceAllString(strings.TrimSpace(out.String())+"\n", "\n")
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
			out.WriteString(before[t.DataAtom])
			code = code || t.DataAtom == atom.Pre
		case kind == html.EndTagToken && t.DataAtom == atom.Pre:
			code = false
			out.WriteString("\n")
		case kind == html.EndTagToken && (t.DataAtom == atom.P || t.DataAtom == atom.Ul || t.DataAtom == atom.Ol || t.DataAtom == atom.Table):
			out.WriteString("\n")
		}
	}
}

// hrefOf is the page and place, as Page takes them, or the address that a link leads to; "" for a place on the same page.
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

// openManual leads to the first page of the manual, in the language of the browser.
func openManual(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Add("Vary", "Accept-Language")
	http.Redirect(w, r, "/help/"+string(languageOf(r))+"/start.html", http.StatusFound)
}
