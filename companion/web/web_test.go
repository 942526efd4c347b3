package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"majordome/engine/words"
)

func gzipText(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func builtFiles(t *testing.T) fs.FS {
	const script = "console.log('a script, long enough to be worth packing')"
	files := fstest.MapFS{
		"assets/a-1f.js.gz":  {Data: gzipText(t, script)},
		"assets/f-2b.woff2":  {Data: []byte("wOF2")},
		"icon.svg":           {Data: []byte("<svg/>")},
		".keep":              {},
		"assets/.hidden.txt": {Data: []byte("x")},
	}
	for _, room := range []string{"phone", "display", "host", "bench"} {
		for _, lang := range []string{"fr", "en"} {
			files["pages/"+room+"."+lang+".html"] = &fstest.MapFile{Data: []byte(`<!doctype html><title>` + room + " " + lang +
				`</title><script type="application/json" id="site"></script>`)}
		}
	}
	return files
}

func newTestHandler(t *testing.T, files fs.FS) http.Handler {
	t.Helper()
	h, err := Handler(&Opts{Base: "majordome/1/maison/t7", Table: "t7", Demo: true, Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(h http.Handler, path string, header ...string) *http.Response {
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func readBody(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEachRoomIsAPageThatNobodyKeeps(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	for path, room := range map[string]string{"/": "phone", "/display": "display", "/host": "host", "/bench": "bench"} {
		r := get(h, path)
		if said := readBody(t, r); r.StatusCode != 200 || !strings.Contains(said, "<title>"+room+" fr</title>") {
			t.Errorf("GET %s: %s: %s", path, r.Status, said)
		}
		if got := r.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("GET %s: Cache-Control %q", path, got)
		}
		if got := r.Header.Get("Content-Type"); got != "text/html; charset=utf-8" {
			t.Errorf("GET %s: Content-Type %q", path, got)
		}
	}
}

func TestUnknownPathsAreNotFound(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	for _, path := range []string{
		"/index.html", "/pages/phone.fr.html", "/.keep", "/assets/.hidden.txt", "/assets/a-1f.js.gz", "/assets", "/nothing", "/display/x",
		"/assets/../../web.go",
	} {
		if r := get(h, path); r.StatusCode != 404 && r.StatusCode != 301 && r.StatusCode != 307 {
			t.Errorf("GET %s: %s", path, r.Status)
		} else if text := readBody(t, r); strings.Contains(text, "package web") {
			t.Errorf("GET %s: serves the source", path)
		} else if r.StatusCode == 404 && !regexp.MustCompile(`(?s)Il n’y a rien.*There is nothing`).MatchString(text) {
			t.Errorf("GET %s: not French, then English: %q", path, text)
		}
	}
	r := httptest.NewRequest("POST", "/table.json", nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST /table.json: %d", w.Code)
	}
}

func TestPartsAreKeptForEverAndPacked(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	for _, c := range []struct{ path, accept, encoding, kind, cache string }{
		{"/assets/a-1f.js", "gzip, deflate", "gzip", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/a-1f.js", "", "", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/a-1f.js", "br, gzip;q=0", "", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/a-1f.js", "gzip;\tQ=0.0", "", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/a-1f.js", "br, gzip;q=0.5", "gzip", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/f-2b.woff2", "gzip", "", "font/woff2", "public, max-age=31536000, immutable"},
		{"/icon.svg", "gzip", "", "image/svg+xml", "no-cache"},
	} {
		r := get(h, c.path, "Accept-Encoding", c.accept)
		if r.StatusCode != 200 {
			t.Errorf("GET %s: %s", c.path, r.Status)
			continue
		}
		if got := r.Header.Get("Content-Encoding"); got != c.encoding {
			t.Errorf("GET %s accepting %q: encoding %q, want %q", c.path, c.accept, got, c.encoding)
		}
		if got := r.Header.Get("Content-Type"); got != c.kind {
			t.Errorf("GET %s: type %q, want %q", c.path, got, c.kind)
		}
		if got := r.Header.Get("Cache-Control"); got != c.cache {
			t.Errorf("GET %s: cache %q, want %q", c.path, got, c.cache)
		}
		again := get(h, c.path, "Accept-Encoding", c.accept, "If-None-Match", r.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("GET %s with its ETag: %s", c.path, again.Status)
		}
	}
}

func TestPackedAndPlainAreTheSame(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	plain := readBody(t, get(h, "/assets/a-1f.js"))
	r := get(h, "/assets/a-1f.js", "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(z)
	if err != nil || string(unpacked) != plain {
		t.Errorf("unpacked to %q (%v), want %q", unpacked, err, plain)
	}
	if p := get(h, "/assets/a-1f.js").Header.Get("ETag"); p == r.Header.Get("ETag") {
		t.Errorf("packed and plain share the ETag %s", p)
	}
}

func TestTableJSON(t *testing.T) {
	r := get(newTestHandler(t, builtFiles(t)), "/table.json")
	var got map[string]any
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"v": 1.0, "base": "majordome/1/maison/t7", "table": "t7", "demo": true}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s is %v, want %v", k, got[k], v)
		}
	}
	if len(got) != len(want) || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %v, %q", got, r.Header.Get("Cache-Control"))
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	for _, path := range []string{"/", "/table.json", "/assets/a-1f.js", "/nothing"} {
		r := get(h, path)
		csp := r.Header.Get("Content-Security-Policy")
		for _, part := range []string{
			"default-src 'none'", "script-src 'self';", "frame-src 'self';", "frame-ancestors 'self';",
			"connect-src 'self' ws://example.com",
		} {
			if !strings.Contains(csp, part) {
				t.Errorf("GET %s: policy lacks %q: %s", path, part, csp)
			}
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy":        "no-referrer",
			"X-Frame-Options":        "SAMEORIGIN",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("GET %s: %s is %q", path, name, got)
			}
		}
	}
}

func TestAForgedHostIsNotRepeated(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	for host, trusted := range map[string]bool{
		"10.42.0.1:8080": true, "majordome.local": true, "[fe80::1]:8080": true,
		"evil; script-src *": false, "a b": false, "": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := strings.Contains(w.Header().Get("Content-Security-Policy"), "ws://"+host)
		if got != trusted {
			t.Errorf("Host %q repeated: %v, want %v", host, got, trusted)
		}
		if strings.Contains(w.Header().Get("Content-Security-Policy"), "script-src *") {
			t.Errorf("Host %q opens the policy", host)
		}
	}
}

func TestWithoutTheAppAPageSaysWhatToDo(t *testing.T) {
	h := newTestHandler(t, fstest.MapFS{".keep": {}})
	for _, path := range []string{"/", "/display", "/host", "/bench"} {
		got := readBody(t, get(h, path))
		for _, part := range []string{"make run", "L’application web n’est pas construite", "The web app is not built"} {
			if !strings.Contains(got, part) {
				t.Errorf("GET %s lacks %q", path, part)
			}
		}
	}
	if r := get(h, "/table.json"); r.StatusCode != 200 {
		t.Errorf("GET /table.json: %s", r.Status)
	}
}

func TestHandlerNeedsATable(t *testing.T) {
	for _, o := range []*Opts{nil, {}, {Base: "b"}, {Table: "t"}} {
		if _, err := Handler(o); err == nil {
			t.Errorf("Handler(%+v) accepts no table", o)
		}
	}
}

// TestTheBuiltPageKeepsThePolicy checks that the built pages have no inline script or style, which the policy forbids.
func TestTheBuiltPageKeepsThePolicy(t *testing.T) {
	files, ok := Files()
	if !ok && os.Getenv("CI") != "" {
		t.Fatal("the web app is not built: run make web")
	}
	if !ok {
		t.Skip("the web app is not built: run make web")
	}
	for _, room := range pagePaths {
		for _, lang := range words.Langs {
			page, err := fs.ReadFile(files, pageFile(room, lang))
			if err != nil {
				t.Fatal(err)
			}
			for one := range strings.SplitSeq(string(page), "<script") {
				tag, _, _ := strings.Cut(one, ">")
				if strings.HasPrefix(one, " ") && !strings.Contains(tag, "src=") && !strings.Contains(tag, `type="application/json"`) {
					t.Errorf("%s, %s: inline script: <script%s>", room, lang, tag)
				}
			}
			for _, bad := range []string{"<style", " style=", "javascript:", "http://", "https://"} {
				if strings.Contains(string(page), bad) {
					t.Errorf("the page of %s, %s, holds %q", room, lang, bad)
				}
			}
			if !strings.Contains(string(page), string(tableSlot)) {
				t.Errorf("the page of %s, %s, has no place for what the table is", room, lang)
			}
		}
	}
	if _, err := fs.Stat(files, "THIRD-PARTY.txt.gz"); err != nil {
		t.Errorf("no licence notice: %v", err)
	}
}
