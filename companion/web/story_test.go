package web

import (
	"compress/gzip"
	"strings"
	"testing"
)

// TestTheStoryIsServedToEveryClient checks that the story is served once it is available, the same to every client, and is never
// cached.
func TestTheStoryIsServedToEveryClient(t *testing.T) {
	var now []byte
	h, err := Handler(&Opts{Base: "majordome/1/maison/t7", Table: "t7", Files: builtFiles(t), Story: func() []byte { return now }})
	if err != nil {
		t.Fatal(err)
	}
	if got := get(h, "/story.json"); got.StatusCode != 404 {
		t.Errorf("before the end: %s", got.Status)
	}
	for _, told := range []string{`{"v":1,"game":"a"}`, `{"v":1,"game":"b"}`} {
		now = []byte(told)
		plain, again := get(h, "/story.json"), get(h, "/story.json", "User-Agent", "another", "Accept-Language", "en")
		packed := get(h, "/story.json", "Accept-Encoding", "gzip")
		z, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		packed.Body = z
		for _, r := range []string{readBody(t, plain), readBody(t, again), readBody(t, packed)} {
			if r != told {
				t.Errorf("served %s, not %s", r, told)
			}
		}
		kind, keep := plain.Header.Get("Content-Type"), plain.Header.Get("Cache-Control")
		if kind != "application/json" || keep != "no-store" || !strings.Contains(packed.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s, %s, %s", kind, keep, packed.Header.Get("Vary"))
		}
	}
	if got := get(newTestHandler(t, builtFiles(t)), "/story.json"); got.StatusCode != 404 {
		t.Errorf("where there never is one: %s", got.Status)
	}
}
