package house

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/catalogue"
	"majordome/companion/store"
	"majordome/engine"
)

// openStore opens the store, and logs in both languages what is missing from it.
func (h *House) openStore() (err error) {
	if h.store, err = store.Open(filepath.Join(h.opts.Config.Data, "majordome.db"), nil); err != nil {
		return err
	}
	for _, t := range h.LossTexts() {
		h.opts.Log.Error("something that was recorded is missing", "quoi", t.FR, "what", t.EN)
	}
	if kept := h.store.FormerFile(); kept != "" {
		h.opts.Log.Warn("the store was damaged or incomplete; as it was found it is kept under another name", "file", kept,
			"quoi", "le fichier de la table était abîmé ou incomplet ; tel qu’il a été trouvé, il est gardé sous un autre nom")
	}
	return nil
}

// LossTexts describes what was recorded and is missing, while the table waits for its host's decision.
func (h *House) LossTexts() (all []engine.Text) {
	for _, l := range h.store.Losses() {
		all = append(all, catalogue.RenderPlain(l.Msg()))
	}
	return all
}

// RestoreError ends Run because the host restores a backup: RestoreBackup puts it in the place of the store, and the table
// then opens again.
type RestoreError struct{ File string }

func (e *RestoreError) Error() string { return "the host restores " + e.File }

// RestoreBackup restores a backup if ended is a RestoreError. again reports that it did, and the table
// can be opened again; else err is ended or the failure. kept is the file of the former state.
func RestoreBackup(cfg config.Config, ended error) (kept string, again bool, err error) {
	var wish *RestoreError
	if !errors.As(ended, &wish) {
		return "", false, ended
	}
	kept, err = store.Restore(wish.File, filepath.Join(cfg.Data, "majordome.db"))
	return kept, err == nil, err
}

// storeKeeper implements game.Keeper: what the loop needs of the store beyond its games.
type storeKeeper struct{ h *House }

func (k storeKeeper) Losses() []store.Loss       { return k.h.store.Losses() }
func (k storeKeeper) AcceptLosses() error        { return k.h.store.GoOn() }
func (k storeKeeper) Backups() ([]string, error) { return k.h.store.Backups() }

func (k storeKeeper) Restore(file string) {
	select {
	case k.h.restoreFile <- file:
	default: // one is waiting already
	}
}

// storeCheckPeriod is the period at which the store's files are checked. A table whose file is gone
// shows that within a second.
const storeCheckPeriod = 500 * time.Millisecond

// watchStore watches the store while the table runs.
func (h *House) watchStore(ctx context.Context) {
	h.store.Watch(ctx, storeCheckPeriod, h.handleStoreTrouble, h.logBackup)
}

// handleStoreTrouble pauses the game when the store is gone. Other troubles do not stop a
// game yet: writing the next step will show whether the store works.
func (h *House) handleStoreTrouble(err error) {
	t := storeErrorText(err)
	h.opts.Log.Error("the store has a trouble", "quoi", t.FR, "what", t.EN, "error", err)
	var e *store.Error
	if errors.As(err, &e) && e.Trouble == store.FileGone {
		h.loop.PauseForFailure(err)
	}
}

// logBackup logs the result of an automatic backup.
func (h *House) logBackup(file string, err error) {
	if err != nil {
		t := storeErrorText(err)
		h.opts.Log.Error("no backup was made", "quoi", "aucune sauvegarde n’a été faite : "+t.FR, "what", t.EN, "error", err)
		return
	}
	h.opts.Log.Info("a backup was made by itself", "file", file, "quoi", "une sauvegarde s’est faite d’elle-même")
}

// storeErrorText returns an error of the store in both languages.
func storeErrorText(err error) engine.Text {
	var e *store.Error
	if errors.As(err, &e) {
		return catalogue.RenderPlain(e.Msg())
	}
	return engine.T(err.Error(), err.Error())
}
