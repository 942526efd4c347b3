package update

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tells writes a state file as the update service does.
func tells(t *testing.T, dir string, told Told) {
	t.Helper()
	text, err := json.Marshal(told)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "told.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The office shows the state file, and newer-install writes a request with the sum.
func TestOffer(t *testing.T) {
	dir, wish := t.TempDir(), filepath.Join(t.TempDir(), "update")
	n := &Offer{files: Files{Dir: dir, Wish: wish}}
	tell := func(told Told) { t.Helper(); tells(t, dir, told) }
	n.look()
	if n.shown() != nil || n.look() {
		t.Error("something is shown of nothing")
	}
	sum := strings.Repeat("ab", 32)
	offered := Told{State: Offered, Version: "2.0", From: "1.0", Sum: sum}
	for range MaxChanges {
		offered.Changes = append(offered.Changes, strings.Repeat("é", 160))
	}
	tell(offered)
	if !n.look() || n.look() {
		t.Error("it is shown when something else is told, and only then")
	}
	shown := n.shown()
	if shown.Sum != sum || !slices.Equal(shown.Changes, offered.Changes) || shown.Said.FR == "" {
		t.Errorf("%+v", shown)
	}
	if n.ask("x") {
		t.Error("any text is a sum")
	}
	if !n.ask(sum) {
		t.Fatal("the wish is not left")
	}
	if got, err := Asked(wish); got != sum || err != nil {
		t.Errorf("%q is wished for, %v", got, err)
	}
	if n.files.Wish = ""; n.shown().Sum != "" || n.ask(sum) {
		t.Error("it can be installed where nobody waits for the wish")
	}
	n.files.Wish = wish
	tell(Told{State: Returned, Why: Cut, Version: "2.0", From: "1.0", Sum: sum})
	if n.look(); n.shown().Sum != "" || n.shown().Said.EN == "" {
		t.Errorf("%+v", n.shown())
	}
	if err := os.WriteFile(filepath.Join(dir, "told.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n.look(); n.shown() != nil {
		t.Error("half a file is shown")
	}
}
