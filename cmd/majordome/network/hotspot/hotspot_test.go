package hotspot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newHotspot returns a hotspot whose script waits for a request.
func newHotspot(t *testing.T) Hotspot {
	t.Helper()
	return Hotspot{StatusFolder: t.TempDir(), RequestFile: filepath.Join(t.TempDir(), "hotspot")}
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The configuration is written as a request where a script waits for it, readable for the daemon only. The same request
// is not written twice, because root's script restarts the hotspot at each one.
func TestHotspotIsWishedFor(t *testing.T) {
	w := Request{"always", "Chez nous", "12345678", "FR"}
	h := newHotspot(t)
	if err := h.WriteRequest(w); err != nil {
		t.Fatal(err)
	}
	const want = "always\nChez nous\n12345678\nFR\n"
	first, err := os.Stat(h.RequestFile)
	if got := content(t, h.RequestFile); err != nil || got != want || first.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", got, first.Mode(), err)
	}
	if err := h.WriteRequest(w); err != nil {
		t.Fatal(err)
	}
	if again, err := os.Stat(h.RequestFile); err != nil || !os.SameFile(first, again) {
		t.Errorf("the same is wished for again: %v", err)
	}
	w.When = "off"
	if err := h.WriteRequest(w); err != nil || content(t, h.RequestFile) != "off"+strings.TrimPrefix(want, "always") {
		t.Errorf("%v: %q", err, content(t, h.RequestFile))
	}
	for name, none := range map[string]Hotspot{
		"no script": {StatusFolder: filepath.Join(h.StatusFolder, "none"), RequestFile: h.RequestFile + "2"},
		"no unit":   {StatusFolder: h.StatusFolder},
		"nothing":   {},
	} {
		if err := none.WriteRequest(w); err != nil || none.IsAvailable() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(h.RequestFile + "2"); err == nil {
		t.Error("nobody waits, and it is wished for")
	}
}
