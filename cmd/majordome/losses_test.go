package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/storage"
	"majordome/companion/store"
)

// TestQuestionsAreAskedOnce checks that the command line asks its questions once, and not again after the host has restored a
// backup.
func TestQuestionsAreAskedOnce(t *testing.T) {
	cfg := config.Config{Data: t.TempDir()}
	s, err := store.Open(filepath.Join(cfg.Data, storage.File), nil)
	if err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "b.db")
	if err := errors.Join(s.SetSetting("a", "b"), s.WriteBackup(backup), s.Close()); err != nil {
		t.Fatal(err)
	}
	var asked []bool
	err = runAndReopen(cfg, nil, io.Discard, func(_ config.Config, first bool) error {
		if asked = append(asked, first); len(asked) == 3 {
			return nil
		}
		return &storage.RestoreError{File: backup}
	})
	if err != nil || !slices.Equal(asked, []bool{true, false, false}) {
		t.Errorf("asked %v, %v", asked, err)
	}
}

// TestLockedOut checks that settings saved on the page with which the table does not open are dropped at the next
// start, too, until one of the files is edited by hand.
func TestLockedOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "majordome.yaml")
	if err := os.WriteFile(file, []byte("site: before\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	page := config.NewEditor(file, config.EditorOpts{})
	if err := page.SetKey("site", "after"); err != nil {
		t.Fatal(err)
	}
	page.SaveDraft()
	begin := func() (sites []string) {
		cfg, err := config.ReadConfig(file)
		if err != nil {
			t.Fatal(err)
		}
		_ = runAndReopen(cfg, config.NewEditor(file, config.EditorOpts{}), io.Discard, func(cfg config.Config, _ bool) error {
			if sites = append(sites, cfg.Site); cfg.Site == "after" {
				return &openError{errors.New("it does not open")}
			}
			return nil
		})
		return sites
	}
	if got := begin(); !slices.Equal(got, []string{"after", "before"}) {
		t.Errorf("after the page: %v", got)
	}
	for _, name := range []string{file, config.PageFilePath(file)} {
		now, late := time.Now(), time.Now().Add(time.Hour)
		if err := os.Chtimes(name, late, late); err != nil {
			t.Fatal(err)
		}
		if got := begin(); !slices.Equal(got, []string{"after"}) {
			t.Errorf("after a hand in %s: %v", filepath.Base(name), got)
		}
		if err := os.Chtimes(name, now, now); err != nil {
			t.Fatal(err)
		}
	}
}
