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

// Files returns the built web app. All its text files except the pages are gzipped, as NAME.gz. ok is false
// if the binary was built without it; then files has no pages.
func Files() (files fs.FS, ok bool) {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for a malformed path
		panic("web: " + err.Error())
	}
	_, err = fs.Stat(files, pageFile("phone", words.FR))
	return files, err == nil
}

// Opts are the parameters of a Handler.
type Opts struct {
	// Base is the beginning of every MQTT topic of the table: wire.Tree.Base.
	Base string
	// Table is the table's name, one level of Base.
	Table string
	// Demo marks a demonstration on every page.
	Demo bool
	// HTTPS is the port of the same pages by https, 0 for none.
	HTTPS int
	// Story returns the JSON of wire.Story, nil while there is none. Nil: there never is one.
	Story func() []byte
	// Tables returns the JSON of wire.Tables. Nil: /tables.json does not exist.
	Tables func() []byte
	// Files replaces the embedded app, for tests and for work on the pages. Nil is the embedded one.
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

// pagePaths maps the paths of the app to the names of their pages.
var rooms = map[string]string{"/{$}": "phone", "/display": "display", "/host": "host",
	"/bench": "bench", "/tables": "tables", "/tour": "tour"}

// Handler serves the pages. Mount it at "/"; it answers 404 to unknown paths.
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
	if err != nil { // only for a type that JSON cannot encode
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

// serveJSON serves JSON that is made for each request and too short to be worth compression.
func now(of func() []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(of()) // the browser may have gone
	}
}

// asset is one file of the app in memory, ready to be sent. All requests share it.
type part struct {
	kind, cache string
	plain       func() []byte
	packed      []byte // gzipped; nil: only plain
	tag, zipTag string // ETags of both
}

// readAssets reads every file of the app once. A gzipped file is served under its name without .gz, and is
// unpacked once, for the first browser that does not accept gzip. It skips the pages, which have their own
// paths, and files whose names begin with a dot.
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

// gunzip unpacks an asset that npm run build has packed.
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

// serveAssets serves the assets. Each is sent directly from the shared memory, without a copy or a buffer per
// request. Ranges are not served (RFC 9110, 14.2, leaves that to the server), because the app requests none.
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

// hasETag reports whether a list of ETags contains tag (RFC 9110, 13.1.2).
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

// contentType returns the type for a file name. It does not use the system's tables, which differ between
// machines, except for unknown extensions.
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

// zeroWeight matches a weight of zero (RFC 9110, 12.4.2).
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
