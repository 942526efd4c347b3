package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"majordome/engine/words"
)

// document is one page in one language, or the story, as it is and gzipped.
type document struct{ plain, packed []byte }

// page has the HTML of one page by language. Browsers must not cache it, because the next daemon may be a
// newer one. It contains the answer of /table.json, which saves a request.
type page map[words.Lang]document

func pageFile(name string, lang words.Lang) string {
	return fmt.Sprintf("pages/%s.%s.html", name, lang)
}

// tableSlot is the place in the HTML for the answer of /table.json. json.Marshal escapes <, > and &, so
// nothing in it can end the element.
var tableSlot = []byte(`id="site">`)

// newPage reads a page of the app in all languages and puts tableAnswer, the answer of /table.json, into each. Without
// the web app it is the page that says so.
func newPage(files fs.FS, name string, tableAnswer []byte) (page, error) {
	p := page{}
	for _, lang := range words.Langs {
		html, err := fs.ReadFile(files, pageFile(name, lang))
		if errors.Is(err, fs.ErrNotExist) {
			html = unbuiltPage
		} else if err != nil {
			return nil, err
		}
		p[lang] = newDocument(bytes.Replace(html, tableSlot, append(bytes.Clone(tableSlot), tableAnswer...), 1))
	}
	return p, nil
}

func newDocument(plain []byte) document {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // this level is valid
	_, _ = z.Write(plain)                                      // writing to a buffer never fails
	_ = z.Close()
	return document{plain, packed.Bytes()}
}

func (p page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept-Encoding, Accept-Language")
	p[requestLanguage(r)].writeResponse(w, r)
}

// requestLanguage returns the language of a request: ?lang= if it is given, for a browser that cannot be
// configured, else by Accept-Language.
func requestLanguage(r *http.Request) words.Lang {
	if lang := words.Lang(r.URL.Query().Get("lang")); slices.Contains(words.Langs, lang) {
		return lang
	}
	return preferredLanguage(r.Header.Get("Accept-Language"))
}

// writeResponse sends the document, gzipped if the browser accepts that.
func (s document) writeResponse(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	body := s.plain
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body = s.packed
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the browser may have gone
}

// preferredLanguage returns the language that a browser prefers (RFC 9110, 12.5.4), or French if it accepts
// none of ours. The page chooses in the same order (lib/language); if it remembers another choice, it only
// loads its words later.
func preferredLanguage(header string) words.Lang {
	best, weight := words.FR, 0.0
	for one := range strings.SplitSeq(header, ",") {
		tag, q, weighted := strings.Cut(one, ";")
		primary, _, _ := strings.Cut(strings.TrimSpace(tag), "-")
		lang := words.Lang(strings.ToLower(primary))
		if !slices.Contains(words.Langs, lang) {
			continue
		}
		asked := 1.0
		if weighted {
			asked, _ = strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64) // 0 if it is not a number
		}
		if asked > weight {
			best, weight = lang, asked
		}
	}
	return best
}
