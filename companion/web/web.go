package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"majordome/companion/plain"
	"majordome/engine/words"
)

//go:embed all:dist
var dist embed.FS

//go:embed unbuilt.html
var unbuilt []byte

// Files is the built web app, its texts but for the pages packed: NAME.gz. ok is false when the binary was built without
// it, and then there are no pages in files.
func Files() (files fs.FS, ok bool) {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for a malformed path
		panic("web: " + err.Error())
	}
	_, err = fs.Stat(files, pageFile("phone", words.FR))
	return files, err == nil
}

// Opts says which table the pages belong to.
type Opts struct {
	// Base stands before every MQTT topic of the table: wire.Tree.Base.
	Base string
	// Table is the table's name, one level of Base.
	Table string
	// Demo marks a demonstration on every page.
	Demo bool
	// HTTPS is the port of the same pages by https, 0 for none.
	HTTPS int
	// Story is the JSON of wire.Story, nil while there is none. Nil: there never is one.
	Story func() []byte
	// Tables is the JSON of wire.Tables. Nil: there is none.
	Tables func() []byte
	// Files replace the embedded app; for tests and for work on the pages. Nil
	// is the embedded one.
	Files fs.FS
}

// tableJSON is the answer to GET /table.json.
type tableJSON struct {
	V     int    `json:"v"`
	Base  string `json:"base"`
	Table string `json:"table"`
	Demo  bool   `json:"demo"`
	HTTPS int    `json:"https,omitempty"`
}

// rooms are the paths that the app answers itself, and the names of their pages.
var rooms = map[string]string{"/{$}": "phone", "/display": "display", "/host": "host", "/bench": "bench", "/tables": "tables", "/tour": "tour"}

// Handler serves the pages. Mount it at "/"; it answers 404 to what it does not know.
func Handler(o *Opts) (http.Handler, error) {
	if o == nil || o.Base == "" || o.Table == "" {
		return nil, errors.New("web: Handler: which table? Base and Table are needed")
	}
	files := o.Files
	if files == nil {
		files, _ = Files()
	}
	app, err := parts(files)
	if err != nil {
		return nil, fmt.Errorf("web: Handler: %w", err)
	}
	table, err := json.Marshal(tableJSON{V: 1, Base: o.Base, Table: o.Table, Demo: o.Demo, HTTPS: o.HTTPS})
	if err != nil { // only for a type that JSON cannot hold
		panic("web: " + err.Error())
	}
	mux := http.NewServeMux()
	for path, room := range rooms {
		page, err := newPage(files, room, table)
		if err != nil {
			return nil, fmt.Errorf("web: Handler: %w", err)
		}
		mux.Handle("GET "+path, page)
	}
	mux.HandleFunc("GET /table.json", now(func() []byte { return table }))
	mux.Handle("GET /story.json", &story{of: o.Story})
	if o.Tables != nil {
		mux.HandleFunc("GET /tables.json", now(o.Tables))
	}
	mux.HandleFunc("GET /help", openManual)
	mux.HandleFunc("GET /", serveParts(app))
	return guard(mux, o.HTTPS), nil
}

// now answers with JSON that is made for each question, and too short to be worth packing.
func now(of func() []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(of()) // the browser may have gone
	}
}

// part is one file of the app in memory, ready to be sent: all requests share it.
type part struct {
	kind, cache string
	plain       func() []byte
	packed      []byte // gzipped; nil: only plain
	tag, zipTag string // ETags of both
}

// parts reads every file of the app once. What is packed has the name of what is in it, and is unpacked once, for the first
// who cannot. The pages have their own paths, and names that begin with a dot are no business of a browser.
func parts(files fs.FS) (map[string]*part, error) {
	all := map[string]*part{}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(name, "pages/") || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		held, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		p := &part{plain: func() []byte { return held }, tag: etag("", held), cache: "no-cache"}
		name, gzipped := strings.CutSuffix(name, ".gz")
		if gzipped {
			p.plain, p.packed, p.zipTag = sync.OnceValue(func() []byte { return unpacked(held) }), held, etag("gzip", held)
		}
		p.kind = contentType(name)
		if strings.HasPrefix(name, "assets/") { // the name changes with the content
			p.cache = "public, max-age=31536000, immutable"
		}
		all[name] = p
		return nil
	})
	return all, err
}

// unpacked is what a part of the app holds; npm run build has packed it.
func unpacked(packed []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("web: a part of the app: " + err.Error())
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic("web: a part of the app: " + err.Error())
	}
	return text
}

var nothing = plain.New([]string{"Il n’y a rien à cette adresse : revenez à la page d’accueil, /"},
	[]string{"There is nothing at this address: go back to the first page, /"})

// serveParts answers with a part. Each is sent straight from the memory that all
// requests share: no copy, no buffer for each. Ranges are not served (RFC 9110, 14.2,
// leaves that to the server): the app asks for none.
func serveParts(all map[string]*part) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p := all[strings.TrimPrefix(path.Clean(r.URL.Path), "/")]
		if p == nil {
			nothing.Answer(w, http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", p.kind)
		h.Set("Cache-Control", p.cache)
		zip := p.packed != nil && acceptsGzip(r.Header.Get("Accept-Encoding"))
		tag := p.tag
		if p.packed != nil {
			h.Add("Vary", "Accept-Encoding")
		}
		if zip {
			h.Set("Content-Encoding", "gzip")
			tag = p.zipTag
		}
		h.Set("ETag", tag)
		if matches(r.Header.Values("If-None-Match"), tag) {
			h.Del("Content-Type")
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		body := p.packed
		if !zip {
			body = p.plain()
		}
		h.Set("Content-Length", strconv.Itoa(len(body)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(body) // the browser may have gone
		}
	}
}

// matches reports whether a list of ETags holds tag (RFC 9110, 13.1.2).
func matches(lists []string, tag string) bool {
	for _, list := range lists {
		for one := range strings.SplitSeq(list, ",") {
			if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
				return true
			}
		}
	}
	return false
}

// contentType does not ask the system's tables, which differ between machines.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".webmanifest":
		return "application/manifest+json"
	case ".txt":
		return "text/plain; charset=utf-8"
	default:
		if kind := mime.TypeByExtension(ext); kind != "" {
			return kind
		}
		return "application/octet-stream"
	}
}

// refused is a weight of zero (RFC 9110, 12.4.2).
var refused = regexp.MustCompile(`^[ \t]*[qQ]=0(\.0*)?[ \t]*$`)

func acceptsGzip(header string) bool {
	for one := range strings.SplitSeq(header, ",") {
		coding, weight, weighted := strings.Cut(one, ";")
		if strings.TrimSpace(coding) != "gzip" {
			continue
		}
		return !weighted || !refused.MatchString(weight)
	}
	return false
}
