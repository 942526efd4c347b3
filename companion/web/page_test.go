package web

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"majordome/engine/words"
)

// TestThePageSaysWhichTableItIs checks that every page contains the content of /table.json, whatever characters the names in it
// have.
func TestThePageSaysWhichTableItIs(t *testing.T) {
	h, err := Handler(&Opts{Base: "majordome/1/maison/t7", Table: "</script><b>&", Files: builtFiles(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/display", "/host", "/bench"} {
		_, after, _ := strings.Cut(readBody(t, get(h, path)), `id="site">`)
		given, rest, _ := strings.Cut(after, "</script>")
		if want := readBody(t, get(h, "/table.json")); given != want || rest != "" {
			t.Errorf("GET %s: it says %q, then %q; /table.json says %q", path, given, rest, want)
		}
		var table tableJSON
		if err := json.Unmarshal([]byte(given), &table); err != nil || table.Table != "</script><b>&" {
			t.Errorf("GET %s: read as %+v (%v)", path, table, err)
		}
	}
}

func TestThePageIsInTheLanguageThatIsAskedFor(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	for header, want := range map[string]words.Lang{
		"": words.FR, "de": words.FR, "fr-CH": words.FR, "en": words.EN, "EN-gb, fr": words.EN, "fr, en": words.FR,
		"fr;q=0.5, en;q=0.9": words.EN, "de, en;q=0.3": words.EN, "en;q=0, fr;q=0.1": words.FR, "en;q=0": words.FR,
		"fr;q=0.5,en;q=x": words.FR, "english": words.FR, ",;q=1,,-": words.FR,
	} {
		r := get(h, "/", "Accept-Language", header)
		if said := readBody(t, r); !strings.Contains(said, "<title>phone "+string(want)+"</title>") {
			t.Errorf("asked for %q, want %s: %s", header, want, said)
		}
		if r.Header.Get("Vary") != "Accept-Encoding, Accept-Language" {
			t.Errorf("varies by %q", r.Header.Get("Vary"))
		}
	}
	for path, want := range map[string]words.Lang{
		"/?lang=fr": words.FR,
		"/?lang=en": words.EN,
		"/?lang=de": words.EN,
		"/?lang=":   words.EN,
	} {
		if said := readBody(t, get(h, path, "Accept-Language", "en")); !strings.Contains(said, "<title>phone "+string(want)+"</title>") {
			t.Errorf("%s: want %s: %s", path, want, said)
		}
	}
}

func TestThePageIsPacked(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	plain := get(h, "/display")
	r := get(h, "/display", "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(z)
	if want := readBody(t, plain); err != nil || string(unpacked) != want || plain.Header.Get("Content-Encoding") != "" {
		t.Errorf("unpacked to %q (%v), want %q", unpacked, err, want)
	}
}
