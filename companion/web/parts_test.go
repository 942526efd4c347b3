package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// sliceRecorder records the slices that it is sent, to compare their addresses.
type sliceRecorder struct {
	header http.Header
	sent   [][]byte
}

func (m *sliceRecorder) Header() http.Header         { return m.header }
func (m *sliceRecorder) WriteHeader(int)             {}
func (m *sliceRecorder) Write(b []byte) (int, error) { m.sent = append(m.sent, b); return len(b), nil }

// TestPartsAreShared checks that all requests for a part are sent the same memory, in one piece.
func TestPartsAreShared(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	for _, accept := range []string{"", "gzip"} {
		var first []byte
		for i := range 3 {
			m := &sliceRecorder{header: http.Header{}}
			r := httptest.NewRequest("GET", "/assets/a-1f.js", nil)
			r.Header.Set("Accept-Encoding", accept)
			h.ServeHTTP(m, r)
			if len(m.sent) != 1 || len(m.sent[0]) == 0 {
				t.Fatalf("sent in %d pieces", len(m.sent))
			}
			if i == 0 {
				first = m.sent[0]
			} else if &first[0] != &m.sent[0][0] {
				t.Errorf("accepting %q: request %d was sent a copy", accept, i)
			}
		}
	}
}

func TestHeadAndETags(t *testing.T) {
	h := newTestHandler(t, builtFiles(t))
	r := httptest.NewRequest("HEAD", "/assets/a-1f.js", nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") == "" {
		t.Errorf("HEAD: %d, %d bytes, length %q", w.Code, w.Body.Len(), w.Header().Get("Content-Length"))
	}
	tag := w.Header().Get("ETag")
	for list, want := range map[string]int{tag: 304, `"x", W/` + tag: 304, "*": 304, `"x"`: 200, "": 200} {
		if got := get(h, "/assets/a-1f.js", "If-None-Match", list); got.StatusCode != want {
			t.Errorf("If-None-Match %s: %d, want %d", list, got.StatusCode, want)
		}
	}
}
