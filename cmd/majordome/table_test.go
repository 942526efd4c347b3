package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/deck"
)

// aTable is a configuration whose store has been opened once.
func aTable(t *testing.T) (config string, s *store.Store) {
	t.Helper()
	data := t.TempDir()
	config = filepath.Join(data, "majordome.yaml")
	if err := os.WriteFile(config, []byte("data: "+data+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(filepath.Join(data, "majordome.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return config, s
}

// typed runs a command line.
func typed(t *testing.T, args ...string) (out, errs string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, &o, &e)
	return o.String(), e.String(), status
}

// The names that the owner has changed at the table come out as a file that
// check finds sound, beside a running daemon.
func TestCheckKept(t *testing.T) {
	config, s := aTable(t)
	d, r := deck.HuisClos().Renamed("place-5", engine.Text{FR: "Cave", EN: "Cellar"})
	if r != nil {
		t.Fatal(r)
	}
	text, err := d.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetDeck("huis-clos", text); err != nil {
		t.Fatal(err)
	}
	out, errs, status := typed(t, "check", "--kept", "--config", config)
	if status != 0 || !strings.Contains(out, "fr: Cave") || !strings.Contains(out, "en: Drawing room") {
		t.Fatalf("%d: %s\n%s", status, errs, out)
	}
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, status := typed(t, "check", file); status != 0 {
		t.Error(errs)
	}
	empty := filepath.Join(t.TempDir(), "empty.yaml")
	if err := os.WriteFile(empty, []byte("data: "+t.TempDir()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, status := typed(t, "check", "--kept", "--config", empty); status == 0 || !strings.Contains(errs, "n’a encore rien enregistré") || !strings.Contains(errs, "has recorded nothing yet") {
		t.Errorf("%d: %s", status, errs)
	}
}
