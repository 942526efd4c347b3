package update

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOffer checks that the office shows the state file, and that newer-install writes a request with the sum.
func TestOffer(t *testing.T) {
	dir, wish := t.TempDir(), filepath.Join(t.TempDir(), "update")
	n := &Offer{files: Files{Dir: dir, RequestFile: wish}}
	tell := func(told Report) {
		t.Helper()
		if err := WriteReport(dir, told); err != nil {
			t.Fatal(err)
		}
	}
	n.reloadReport()
	if n.buildView() != nil || n.reloadReport() {
		t.Error("something is shown of nothing")
	}
	sum := strings.Repeat("ab", 32)
	offered := Report{State: Offered, Version: "2.0", From: "1.0", Sum: sum}
	for range MaxChanges {
		offered.Changes = append(offered.Changes, strings.Repeat("é", 160))
	}
	tell(offered)
	if !n.reloadReport() || n.reloadReport() {
		t.Error("a new report must count as changed once, and only once")
	}
	shown := n.buildView()
	if shown.Sum != sum || !slices.Equal(shown.Changes, offered.Changes) || shown.Said.FR == "" {
		t.Errorf("%+v", shown)
	}
	if n.requestInstall("x") {
		t.Error("any text is a sum")
	}
	if !n.requestInstall(sum) {
		t.Fatal("the wish is not left")
	}
	if got, err := TakeRequest(wish); got != sum || err != nil {
		t.Errorf("%q is wished for, %v", got, err)
	}
	if n.files.RequestFile = ""; n.buildView().Sum != "" || n.requestInstall(sum) {
		t.Error("it can be installed where nobody waits for the wish")
	}
	n.files.RequestFile = wish
	tell(Report{State: RolledBack, Reason: Interrupted, Version: "2.0", From: "1.0", Sum: sum})
	if n.reloadReport(); n.buildView().Sum != "" || n.buildView().Said.EN == "" {
		t.Errorf("%+v", n.buildView())
	}
	if err := os.WriteFile(filepath.Join(dir, "told.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n.reloadReport(); n.buildView() != nil {
		t.Error("half a file is shown")
	}
}
