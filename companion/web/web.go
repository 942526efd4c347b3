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

	"majordome/companion/noticepage"
	"majordome/engine/words"
)

//go:embed all:dist
var dist embed.FS

//go:embed unbuilt.html
var unbuiltPage []byte

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
	// Venue: the pages are those of a console of many tables, not those of a table.
	Venue bool
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
var pagePaths = map[string]string{"/{$}": "phone", "/display": "display", "/host": "host",
	"/bench": "bench", "/tables": "tables", "/tour": "tour"}

// venuePaths are pagePaths of a console.
var venuePaths = map[string]string{"/venue": "venue"}

// Handler serves the pages. Mount it at "/"; it answers 404 to unknown paths.
func Handler(o *Opts) (http.Handler, error) {
	if o == nil || o.Base == "" || o.Table == "" {
		return nil, errors.New("web: Handler: which table? Base and Table are needed")
	}
	files := o.Files
	if files == nil {
		files, _ = Files()
	}
	app, err := readAssets(files)
	if err != nil {
		return nil, fmt.Errorf("web: Handler: %w", err)
	}
	table, err := json.Marshal(tableJSON{V: 1, Base: o.Base, Table: o.Table, Demo: o.Demo, HTTPS: o.HTTPS})
	if err != nil { // only for a type that JSON cannot encode
		panic("web: " + err.Error())
	}
	mux := http.NewServeMux()
	paths := pagePaths
	if o.Venue {
		paths = venuePaths
		mux.Handle("GET /{$}", http.RedirectHandler("/venue", http.StatusFound))
	}
	for path, name := range paths {
		page, err := newPage(files, name, table)
		if err != nil {
			return nil, fmt.Errorf("web: Handler: %w", err)
		}
		mux.Handle("GET "+path, page)
	}
	mux.HandleFunc("GET /table.json", serveJSON(func() []byte { return table }))
	mux.Handle("GET /story.json", &storyHandler{read: o.Story})
	if o.Tables != nil {
		mux.HandleFunc("GET /tables.json", serveJSON(o.Tables))
	}
	mux.HandleFunc("GET /help", redirectToManual)
	mux.HandleFunc("GET /", serveAssets(app))
	return addHeaders(mux, o.HTTPS), nil
}

// serveJSON serves JSON that is made for each request and too short to be worth compression.
func serveJSON(read func() []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(read()) // the browser may have gone
	}
}

// asset is one file of the app in memory, ready to be sent. All requests share it.
type asset struct {
	contentType, cacheControl string
	plain                     func() []byte
	packed                    []byte // gzipped; nil: only plain
	plainTag, packedTag       string // ETags of both
}

// readAssets reads every file of the app once. A gzipped file is served under its name without .gz, and is
// unpacked once, for the first browser that does not accept gzip. It skips the pages, which have their own
// paths, and files whose names begin with a dot.
func readAssets(files fs.FS) (map[string]*asset, error) {
	all := map[string]*asset{}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(name, "pages/") || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		held, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		p := &asset{plain: func() []byte { return held }, plainTag: etagOf("", held), cacheControl: "no-cache"}
		name, gzipped := strings.CutSuffix(name, ".gz")
		if gzipped {
			p.plain, p.packed, p.packedTag = sync.OnceValue(func() []byte { return mustGunzip(held) }), held, etagOf("gzip", held)
		}
		p.contentType = contentType(name)
		if strings.HasPrefix(name, "assets/") { // the name changes with the content
			p.cacheControl = "public, max-age=31536000, immutable"
		}
		all[name] = p
		return nil
	})
	return all, err
}

// mustGunzip unpacks an asset that npm run build has packed. It panics if the asset is damaged.
func mustGunzip(packed []byte) []byte {
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

var notFound = noticepage.New([]string{"Il n’y a rien à cette adresse : revenez à la page d’accueil, /"},
	[]string{"There is nothing at this address: go back to the first page, /"})

// serveAssets serves the assets. Each is sent directly from the shared memory, without a copy or a buffer per
// request. Ranges are not served (RFC 9110, 14.2, leaves that to the server), because the app requests none.
func serveAssets(all map[string]*asset) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p := all[strings.TrimPrefix(path.Clean(r.URL.Path), "/")]
		if p == nil {
			notFound.WriteResponse(w, http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", p.contentType)
		h.Set("Cache-Control", p.cacheControl)
		zip := p.packed != nil && acceptsGzip(r.Header.Get("Accept-Encoding"))
		tag := p.plainTag
		if p.packed != nil {
			h.Add("Vary", "Accept-Encoding")
		}
		if zip {
			h.Set("Content-Encoding", "gzip")
			tag = p.packedTag
		}
		h.Set("ETag", tag)
		if listsETag(r.Header.Values("If-None-Match"), tag) {
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

// listsETag reports whether a list of ETags contains tag (RFC 9110, 13.1.2).
func listsETag(lists []string, tag string) bool {
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
var zeroWeight = regexp.MustCompile(`^[ \t]*[qQ]=0(\.0*)?[ \t]*$`)

func acceptsGzip(header string) bool {
	for one := range strings.SplitSeq(header, ",") {
		coding, weight, weighted := strings.Cut(one, ";")
		if strings.TrimSpace(coding) != "gzip" {
			continue
		}
		return !weighted || !zeroWeight.MatchString(weight)
	}
	return false
}
