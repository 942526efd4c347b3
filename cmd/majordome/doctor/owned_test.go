package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// TestOwnedFiles checks that the table's user, not the one who runs the doctor, must be able to read the files that
// are sent, and that no finding quotes them.
func TestOwnedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it's an account")
	if err := os.WriteFile(path, []byte("canary\ncanary\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{
		"etc/passwd": {Data: []byte("majordome:x:4711:4712::/:/bin/false\n")},
		"etc/group":  {Data: []byte("majordome:x:4712:\n")},
	}
	for _, c := range []struct {
		user string
		want State
		run  string
	}{
		{"root", OK, ""},
		{"majordome", Fault, `sudo chgrp majordome '`},
	} {
		if c.user != "root" && os.Geteuid() != 0 {
			continue // for that user the file belongs to another
		}
		l := &examination{Machine: &Machine{Root: root, User: c.user}}
		l.cfg.Account = path
		l.checkOwnedFiles()
		if len(l.found) != 1 || l.found[0].State != c.want || strings.Contains(l.found[0].Said.FR+l.found[0].Said.EN, "canary") {
			t.Fatalf("as %s: %+v", c.user, l.found)
		}
		run := strings.Join(l.found[0].Run, "")
		if !strings.HasPrefix(run, c.run) || c.run != "" && !strings.Contains(run, `it'\''s an account`) {
			t.Errorf("as %s: %q", c.user, run)
		}
	}
}
