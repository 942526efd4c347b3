package main

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"majordome/cmd/majordome/house"
	"majordome/companion/store"
)

// What the command line asks for once is not asked for again when the host has
// restored a backup.
func TestAskedOnce(t *testing.T) {
	cfg := house.Config{Data: t.TempDir()}
	s, err := store.Open(filepath.Join(cfg.Data, storeFile), nil)
	if err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "b.db")
	if err := errors.Join(s.SetSetting("a", "b"), s.Backup(backup), s.Close()); err != nil {
		t.Fatal(err)
	}
	var asked []bool
	err = again(cfg, nil, io.Discard, func(_ house.Config, first bool) error {
		if asked = append(asked, first); len(asked) == 3 {
			return nil
		}
		return &house.RestoreError{File: backup}
	})
	if err != nil || !slices.Equal(asked, []bool{true, false, false}) {
		t.Errorf("asked %v, %v", asked, err)
	}
}
