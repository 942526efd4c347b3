package house

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/cmd/majordome/update"
	"majordome/companion/wire"
)

// What root tells is shown within the room that a view has for it, and the wish for it is the file that root waits for, with its sum.
func TestNewerIsShownAndWishedFor(t *testing.T) {
	dir, wish := t.TempDir(), filepath.Join(t.TempDir(), "update")
	n := &newer{at: Newer{Dir: dir, Wish: wish}}
	tell := func(told update.Told) {
		t.Helper()
		text, err := json.Marshal(told)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "told.json"), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	n.look()
	if n.Shown() != nil || n.look() {
		t.Error("something is shown of nothing")
	}
	sum := strings.Repeat("ab", 32)
	offered := update.Told{State: update.Offered, Version: "2.0", From: "1.0", Sum: sum}
	for range update.MaxChanges {
		offered.Changes = append(offered.Changes, strings.Repeat("é", 160))
	}
	tell(offered)
	if !n.look() || n.look() {
		t.Error("it is shown when something else is told, and only then")
	}
	shown := n.Shown()
	if body, err := json.Marshal(shown); err != nil || len(body) > wire.MaxNewer || shown.Sum != sum || len(shown.Changes) == 0 || shown.Said.FR == "" {
		t.Errorf("%d bytes, %v: %+v", len(body), err, shown)
	}
	if n.Install("x") {
		t.Error("any text is a sum")
	}
	if !n.Install(sum) {
		t.Fatal("the wish is not left")
	}
	if got, err := update.Asked(wish); got != sum || err != nil {
		t.Errorf("%q is wished for, %v", got, err)
	}
	if n.at.Wish = ""; n.Shown().Sum != "" || n.Install(sum) {
		t.Error("it can be installed where nobody waits for the wish")
	}
	n.at.Wish = wish
	tell(update.Told{State: update.Returned, Why: update.Cut, Version: "2.0", From: "1.0", Sum: sum})
	if n.look(); n.Shown().Sum != "" || n.Shown().Said.EN == "" {
		t.Errorf("%+v", n.Shown())
	}
	if err := os.WriteFile(filepath.Join(dir, "told.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n.look(); n.Shown() != nil {
		t.Error("half a file is shown")
	}
}
