// Package storage looks after the store of a table: it logs what is missing from it, watches it while the table runs, and puts a backup
// in its place.
//
//	s, err := storage.Open(data, log)
//	s.Run(ctx, pause)              watches the store until ctx ends
//	err := s.WaitRestore(ctx)      a RestoreError once the host restores a backup; the table then ends
//	kept, again, err := storage.RestoreBackup(data, ended)   restores it, once the store is closed
//
// What may leak: nothing of a game. The log has names of files.
package storage

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"majordome/companion/catalogue"
	"majordome/companion/store"
	"majordome/engine"
)

// File is the name of the store in the data folder of a table.
const File = "majordome.db"

// Storage is the store of a running table. It is the loop's game.Recovery.
type Storage struct {
	*store.Store
	log         *slog.Logger
	restoreFile chan string // a backup that the host restores
}

// Open opens the store in a data folder, and logs in both languages what is missing from it.
func Open(data string, log *slog.Logger) (*Storage, error) {
	opened, err := store.Open(filepath.Join(data, File), nil)
	if err != nil {
		return nil, err
	}
	s := &Storage{opened, log, make(chan string, 1)}
	for _, t := range s.LossTexts() {
		log.Error("something that was recorded is missing", "quoi", t.FR, "what", t.EN)
	}
	if kept := s.FormerStateFile(); kept != "" {
		log.Warn("the store was damaged or incomplete; as it was found it is kept under another name", "file", kept,
			"quoi", "le fichier de la table était abîmé ou incomplet ; tel qu’il a été trouvé, il est gardé sous un autre nom")
	}
	return s, nil
}

// LossTexts describes what was recorded and is missing, while the table waits for its host's decision.
func (s *Storage) LossTexts() (all []engine.Text) {
	for _, l := range s.Losses() {
		all = append(all, catalogue.RenderPlain(l.Msg()))
	}
	return all
}

// RequestRestore asks for a backup to be put in the place of the store.
func (s *Storage) RequestRestore(file string) {
	select {
	case s.restoreFile <- file:
	default: // one is waiting already
	}
}

// RestoreError ends a table because the host restores a backup: RestoreBackup puts it in the place of the store, and the table then
// opens again.
type RestoreError struct{ File string }

func (e *RestoreError) Error() string { return "the host restores " + e.File }

// WaitRestore returns a RestoreError once the host restores a backup, or nil when ctx ends.
func (s *Storage) WaitRestore(ctx context.Context) error {
	select {
	case file := <-s.restoreFile:
		return &RestoreError{file}
	case <-ctx.Done():
		return nil
	}
}

// RestoreRequestedBackup restores a backup in a data folder if ended is a RestoreError. again reports that it did, and the table can be
// opened again; else err is ended or the failure. kept is the file of the former state.
func RestoreRequestedBackup(data string, ended error) (kept string, again bool, err error) {
	var wish *RestoreError
	if !errors.As(ended, &wish) {
		return "", false, ended
	}
	kept, err = store.Restore(wish.File, filepath.Join(data, File))
	return kept, err == nil, err
}

// checkPeriod is the period at which the store's files are checked. A table whose file is gone shows that within a second.
const checkPeriod = 500 * time.Millisecond

// Run watches the store until ctx ends, and calls pause when it is gone. Other troubles do not stop a game yet: writing the next step
// will show whether the store works.
func (s *Storage) Run(ctx context.Context, pause func(error)) {
	s.WatchFile(ctx, checkPeriod, func(err error) {
		t := storeErrorText(err)
		s.log.Error("the store has a trouble", "quoi", t.FR, "what", t.EN, "error", err)
		var e *store.Error
		if errors.As(err, &e) && e.Trouble == store.FileGone {
			pause(err)
		}
	}, s.logBackup)
}

// logBackup logs the result of an automatic backup.
func (s *Storage) logBackup(file string, err error) {
	if err != nil {
		t := storeErrorText(err)
		s.log.Error("no backup was made", "quoi", "aucune sauvegarde n’a été faite : "+t.FR, "what", t.EN, "error", err)
		return
	}
	s.log.Info("a backup was made by itself", "file", file, "quoi", "une sauvegarde s’est faite d’elle-même")
}

// storeErrorText returns an error of the store in both languages.
func storeErrorText(err error) engine.Text {
	var e *store.Error
	if errors.As(err, &e) {
		return catalogue.RenderPlain(e.Msg())
	}
	return engine.T(err.Error(), err.Error())
}
