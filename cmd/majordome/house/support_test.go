package house

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// supported waits until the host is shown this of the text for who helps.
func (r *rig) supported(what string, ok func(wire.Support) bool) wire.Support {
	r.t.Helper()
	return r.shownText(func(u *wire.Update) *wire.Support { return u.Support }, what, ok)
}

// pathOf waits for the way to a text that is fetched as the one for who helps is.
func (r *rig) pathOf(of func(*wire.Update) *wire.Support) string {
	r.t.Helper()
	return r.shownText(of, "a text", func(s wire.Support) bool { return s.Path != "" }).Path
}

func (r *rig) shownText(of func(*wire.Update) *wire.Support, what string, ok func(wire.Support) bool) wire.Support {
	r.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		r.shown()
		u, _ := r.house.loop.Snapshot(engine.Host)
		var s wire.Support
		if text := of(&u); text != nil {
			s = *text
		}
		if ok(s) {
			return s
		}
	}
	r.t.Fatalf("waits in vain: %s", what)
	return wire.Support{}
}

// fetchSupport does what the host's page does at a tap.
func (r *rig) fetchSupport() string {
	r.t.Helper()
	r.host("support", nil)
	at := r.supported("a text", func(s wire.Support) bool { return s.Path != "" })
	code, body := fetch(r.t, r, at.Path)
	if code != http.StatusOK {
		r.t.Fatal(code, body)
	}
	return body
}

// TestSupportIsFetchedOnce: the text for who helps waits under a name that only the host is told, is served to the first who
// asks, and to nobody after its time; one is made at a time, and it holds neither comments nor numbers of tags.
func TestSupportIsFetchedOnce(t *testing.T) {
	t.Parallel()
	made := make(chan struct{})
	r := start(t, func(o *Opts) {
		o.Facts = func() []Part { <-made; return []Part{{"facts", "of the machine"}} }
		o.Config.Buttons = []ButtonConfig{{Role: "undo", Tag: "04A1B2C3D4E5F6"}}
	})
	r.host("support", nil)
	r.supported("it is being made", func(s wire.Support) bool { return s.Making && s.Path == "" })
	if r.house.support.Make() {
		t.Error("two are made at once")
	}
	close(made)
	first := r.supported("a text", func(s wire.Support) bool { return s.Path != "" && !s.Making })
	for _, v := range []engine.Viewer{engine.Public, engine.At(1)} {
		u, _ := r.house.loop.Snapshot(v)
		if text, _ := json.Marshal(u); strings.Contains(string(text), supportPath) {
			t.Errorf("%v is told where it is", v)
		}
	}
	for _, path := range []string{supportPath + "x", supportPath, supportPath + first.Path[len(supportPath):] + "x"} {
		if _, body := fetch(t, r, path); strings.Contains(body, "-- facts --") {
			t.Errorf("%s gives it", path)
		}
	}
	if res, err := http.Head(r.house.URL() + first.Path); err != nil || res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("HEAD: %v %v", res, err)
	}
	code, body := fetch(t, r, first.Path)
	if code != http.StatusOK || !strings.Contains(body, "-- facts --\nof the machine\n") || !strings.Contains(body, "-- log --") || strings.Contains(body, "04A1B2") || !strings.Contains(body, "role: undo") {
		t.Errorf("%d: %s", code, body)
	}
	if code, body := fetch(t, r, first.Path); code != http.StatusNotFound || strings.Contains(body, "facts") {
		t.Errorf("it is served twice: %d", code)
	}
	r.supported("nothing waits", func(s wire.Support) bool { return s == wire.Support{} })

	r.house.support.keep = time.Millisecond
	if !r.house.support.Make() {
		t.Fatal("no second one is made")
	}
	for end := time.Now().Add(patience); r.house.support.Shown() != (wire.Support{}); {
		if time.Now().After(end) {
			t.Fatal("it waits for ever")
		}
		r.shown()
	}
}

// TestTail: the log's end is kept, in whole lines and within its bounds.
func TestTail(t *testing.T) {
	var tail, none *Tail = &Tail{}, nil
	line := strings.Repeat("x", 99) + "\n"
	for range 3 * maxTail / len(line) {
		_, _ = tail.Write([]byte(line))
	}
	_, _ = tail.Write([]byte("the last\n"))
	got := tail.String()
	if len(got) > maxTail || len(got) < maxTail-2*len(line) || !strings.HasPrefix(got, line) || !strings.HasSuffix(got, "x\nthe last\n") {
		t.Errorf("%d bytes, from %q to %q", len(got), got[:10], got[len(got)-10:])
	}
	if cap(tail.text) > 3*maxTail || none.String() != "" {
		t.Error("a tail has no bounds")
	}
}
