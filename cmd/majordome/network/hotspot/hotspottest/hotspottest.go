// Package hotspottest has a machine's own Wi-Fi for tests of packages that show or request it.
package hotspottest

import (
	"os"
	"path/filepath"
	"testing"

	"majordome/cmd/majordome/network/hotspot"
)

// New returns a hotspot whose script waits for a request.
func New(t testing.TB) hotspot.Hotspot {
	t.Helper()
	return hotspot.Hotspot{StatusFolder: t.TempDir(), RequestFile: filepath.Join(t.TempDir(), "hotspot")}
}

// WriteStatus writes a status file as root's script does.
func WriteStatus(t testing.TB, h hotspot.Hotspot, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(h.StatusFolder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
