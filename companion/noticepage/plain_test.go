package noticepage

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestAnswer checks that a notice fits the width of a phone, marks both languages and names nothing that a browser would have
// to fetch.
func TestAnswer(t *testing.T) {
	w := httptest.NewRecorder()
	New([]string{"Voilà :", "<b>"}, []string{"There:"}).WriteResponse(w, 421)
	said := w.Body.String()
	if w.Code != 421 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
	for _, want := range []string{"width=device-width", "<p>Voilà :</p>", "<p>&lt;b&gt;</p>", `<p lang="en"`, ">There:</p>"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	for _, fetched := range []string{"src=", "href=", "url(", "<style"} {
		if strings.Contains(said, fetched) {
			t.Errorf("%q is in\n%s", fetched, said)
		}
	}
}
