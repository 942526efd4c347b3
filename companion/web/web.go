package web

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
)

//go:embed all:dist
var dist embed.FS

//go:embed unbuilt.html
var unbuilt []byte

// Files is the built web app. ok is false when the binary was built without
// it, and then there is no index.html in files.
func Files() (files fs.FS, ok bool) {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for a malformed path
		panic("web: " + err.Error())
	}
	_, err = fs.Stat(files, "index.html")
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
}

// rooms are the paths that the app answers itself.
var rooms = []string{"/", "/display", "/host", "/bench"}

// Handler serves the pages. Mount it at "/"; it answers 404 to what it does not know.
func Handler(o *Opts) (http.Handler, error) {
	if o == nil || o.Base == "" || o.Table == "" {
		return nil, errors.New("web: Handler: which table? Base and Table are needed")
	}
	files := o.Files
	if files == nil {
		files, _ = Files()
	}
	page, err := fs.ReadFile(files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		page = unbuilt
	} else if err != nil {
		return nil, fmt.Errorf("web: Handler: %w", err)
	}
	table, err := json.Marshal(tableJSON{V: 1, Base: o.Base, Table: o.Table, Demo: o.Demo})
	if err != nil { // only for a type that JSON cannot hold
		panic("web: " + err.Error())
	}
	mux := http.NewServeMux()
	for _, room := range rooms {
		if room == "/" {
			room = "/{$}"
		}
		mux.HandleFunc("GET "+room, serveBytes("text/html; charset=utf-8", page))
	}
	mux.HandleFunc("GET /table.json", serveBytes("application/json", table))
	mux.Handle("GET /", part{files})
	return guard(mux), nil
}

// serveBytes answers with a page that no browser may keep: the next daemon may
// be another one.
func serveBytes(kind string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(body) // the browser may have gone
	}
}

// part serves the files of the app, gzipped when there is a .gz beside them.
type part struct{ files fs.FS }

func (p part) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	// index.html has its own paths, .gz files are not addressed by themselves,
	// and names that begin with a dot are no business of a browser.
	hidden := name == "index.html" || strings.HasSuffix(name, ".gz") || strings.HasPrefix(path.Base(name), ".")
	body, err := fs.ReadFile(p.files, name)
	if err != nil || hidden {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", contentType(name))
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") { // the name changes with the content
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if packed, err := fs.ReadFile(p.files, name+".gz"); err == nil {
		h.Add("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Get("Accept-Encoding")) && r.Header.Get("Range") == "" {
			h.Set("Content-Encoding", "gzip")
			body = packed
		}
	}
	h.Set("ETag", etag(h.Get("Content-Encoding"), body))
	http.ServeContent(w, r, name, noTime, bytes.NewReader(body))
}

// contentType does not ask the system's tables, which differ between machines.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
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
var refused = regexp.MustCompile(`^ *q=0(\.0*)? *$`)

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
