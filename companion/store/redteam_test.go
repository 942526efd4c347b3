package store

import (
	"os"
	"path/filepath"
	"testing"
)

// A store that came back by cp, or was created by touch, may be readable by all users of the machine, and it contains
// every secret. Opening makes it private, its log included.
func TestAReadableFileIsMadePrivate(t *testing.T) {
	path := newFile(t)
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o664); err != nil { // so that the umask does not matter
		t.Fatal(err)
	}
	s := open(t, path)
	if _, err := s.BeginGame("g", nil); err != nil {
		t.Fatal(err)
	}
	for _, tail := range []string{"", "-wal", "-shm"} {
		st, err := os.Stat(path + tail)
		if err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(path)+tail, st.Mode(), err)
		}
	}
}
