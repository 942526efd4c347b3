package smarthome

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"majordome/companion/store"
	"majordome/companion/wire"
)

// TestFormerNames: former names of the table are remembered across starts. The oldest is dropped first, and one is
// dropped once nothing of it is left at the broker.
func TestFormerNames(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "majordome.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	base := "majordome/1/house/table"
	names := func() *formerNames {
		t.Helper()
		f, err := loadFormerNames(s, "uplink", base)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	rename := func(name string) (bases []string) {
		t.Helper()
		tree, err := wire.NewTree("", "house", name)
		if err != nil {
			t.Fatal(err)
		}
		base = tree.Base()
		for _, x := range names().formerTrees() {
			bases = append(bases, x.Base())
		}
		return bases
	}
	if got := rename("a"); len(got) > 1 {
		t.Errorf("the first start has the former names %q", got)
	}
	first := base
	if got := rename("b"); !slices.Contains(got, first) {
		t.Errorf("the former names are %q", got)
	}
	names().removeBase(first)
	if got := rename("b"); slices.Contains(got, first) {
		t.Errorf("a name of which nothing is left is among %q", got)
	}
	for i := range 20 {
		rename(fmt.Sprint("n", i))
	}
	if got := rename("a"); len(got) != maxFormerNames-1 || slices.Contains(got, base) {
		t.Errorf("the former names are %q", got)
	}
	if err := s.SetSetting("told.uplink", "[null"); err != nil {
		t.Fatal(err)
	}
	if got := rename("a"); len(got) != 0 {
		t.Errorf("from a text that is no list the former names are %q", got)
	}
}
