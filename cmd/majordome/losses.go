package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/storage"
	"majordome/engine"
)

// printLosses prints recorded data that is missing now, and reports whether there is any. The table then waits
// for its host.
func printLosses(out io.Writer, lost []engine.Text) (hasLosses bool) {
	if len(lost) == 0 {
		return false
	}
	for _, t := range lost {
		fmt.Fprintf(out, "%s\n%s\n", t.FR, t.EN)
	}
	fmt.Fprintln(out, "La table attend l’hôte, qui décide sur sa page · the table waits for the host, who decides on their page.")
	return true
}

// openError is an error that kept a table from being opened.
type openError struct{ cause error }

func (e *openError) Error() string { return e.cause.Error() }
func (e *openError) Unwrap() error { return e.cause }

// runAndReopen calls run, and again each time the host has restored a backup or the configuration has changed. first is true for the
// first call, which also does what the command line asks for once. If the table does not open with a changed configuration, it is run
// with the former one; at the start, too, if the page wrote the faulty one. editor may be nil if the configuration never changes.
func runAndReopen(cfg config.Config, editor *config.Editor, errs io.Writer, run func(cfg config.Config, first bool) error) error {
	log := slog.New(slog.NewTextHandler(errs, nil))
	var before *config.Config
	for first := true; ; first = false {
		ended := run(cfg, first)
		var not *openError
		switch {
		case errors.As(ended, new(*config.ChangedError)):
			old := cfg
			before, cfg = &old, editor.FileConfig()
			log.Info("the configuration has changed; the table opens anew",
				"quoi", "la configuration a changé ; la table s’ouvre de nouveau")
			continue
		case errors.As(ended, &not) && before != nil:
			printFaults(errs, ended)
			editor.RecordRejectedConfig(ended)
			cfg, before = *before, nil
			continue
		case errors.As(ended, &not) && first && editor != nil:
			if old, ok := editor.PreviousConfig(); ok {
				printFaults(errs, ended)
				editor.RecordRejectedConfig(ended)
				cfg = old
				continue
			}
		}
		kept, on, err := storage.RestoreRequestedBackup(cfg.Data, ended)
		if !on {
			return err
		}
		log.Warn("the host has restored a backup; the table starts anew",
			"kept", kept, "quoi", "l’hôte a remis une sauvegarde ; la table redémarre")
	}
}
