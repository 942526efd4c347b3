package hotspot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aHotspot is one whose script waits for a wish.
func aHotspot(t *testing.T) Hotspot {
	t.Helper()
	return Hotspot{Told: t.TempDir(), Wish: filepath.Join(t.TempDir(), "hotspot")}
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What the configuration says is wished for where a script waits for it, for the daemon's own eyes, and once: root begins anew at each.
func TestHotspotIsWishedFor(t *testing.T) {
	w := Wish{"always", "Chez nous", "12345678", "FR"}
	h := aHotspot(t)
	if err := h.WriteWish(w); err != nil {
		t.Fatal(err)
	}
	const want = "always\nChez nous\n12345678\nFR\n"
	first, err := os.Stat(h.Wish)
	if got := content(t, h.Wish); err != nil || got != want || first.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", got, first.Mode(), err)
	}
	if err := h.WriteWish(w); err != nil {
		t.Fatal(err)
	}
	if again, err := os.Stat(h.Wish); err != nil || !os.SameFile(first, again) {
		t.Errorf("the same is wished for again: %v", err)
	}
	w.When = "off"
	if err := h.WriteWish(w); err != nil || content(t, h.Wish) != "off"+strings.TrimPrefix(want, "always") {
		t.Errorf("%v: %q", err, content(t, h.Wish))
	}
	for name, none := range map[string]Hotspot{"no script": {Told: filepath.Join(h.Told, "none"), Wish: h.Wish + "2"}, "no unit": {Told: h.Told}, "nothing": {}} {
		if err := none.WriteWish(w); err != nil || none.Available() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(h.Wish + "2"); err == nil {
		t.Error("nobody waits, and it is wished for")
	}
}
