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

// openStore opens the store, and says in both languages what is missing from it.
func (h *House) openStore() (err error) {
	if h.store, err = store.Open(filepath.Join(h.opts.Config.Data, "majordome.db"), nil); err != nil {
		return err
	}
	for _, t := range h.Lost() {
		h.opts.Log.Error("something that was recorded is missing", "quoi", t.FR, "what", t.EN)
	}
	if kept := h.store.Kept(); kept != "" {
		h.opts.Log.Warn("the store was damaged or incomplete; as it was found it is kept under another name", "file", kept,
			"quoi", "le fichier de la table était abîmé ou incomplet ; tel qu’il a été trouvé, il est gardé sous un autre nom")
	}
	return nil
}

// Lost says what was recorded and is missing, while the table waits for its host.
func (h *House) Lost() (all []engine.Text) {
	for _, l := range h.store.Losses() {
		all = append(all, catalogue.Plain(l.Msg()))
	}
	return all
}

// RestoreError ends Run because the host wants a backup back: the table starts
// anew when it stands in the place of the store.
type RestoreError struct{ File string }

func (e *RestoreError) Error() string { return "the host restores " + e.File }

// Restored does what ended a Run, if that was the host's wish: then again is true,
// and the table can be opened anew.
func Restored(cfg config.Config, ended error) (kept string, again bool, err error) {
	var wish *RestoreError
	if !errors.As(ended, &wish) {
		return "", false, ended
	}
	kept, err = store.Restore(wish.File, filepath.Join(cfg.Data, "majordome.db"))
	return kept, err == nil, err
}

// keeper gives the loop what it may know of the store beyond its games.
type keeper struct{ h *House }

func (k keeper) Losses() []store.Loss       { return k.h.store.Losses() }
func (k keeper) GoOn() error                { return k.h.store.GoOn() }
func (k keeper) Backups() ([]string, error) { return k.h.store.Backups() }

func (k keeper) Restore(file string) {
	select {
	case k.h.back <- file:
	default: // one is on its way
	}
}

// look is how often the store's files are looked at: a table whose file is gone
// says so within a second.
const look = 500 * time.Millisecond

// watch looks after the store while the table runs.
func (h *House) watch(ctx context.Context) { h.store.Watch(ctx, look, h.storeTrouble, h.backedUp) }

// storeTrouble pauses the game when the store is gone. Any other trouble stops no
// game yet: the next step says whether it can be written.
func (h *House) storeTrouble(err error) {
	t := inWords(err)
	h.opts.Log.Error("the store has a trouble", "quoi", t.FR, "what", t.EN, "error", err)
	var e *store.Error
	if errors.As(err, &e) && e.Trouble == store.Gone {
		h.loop.Fail(err)
	}
}

// backedUp says what became of a backup that was to be made by itself.
func (h *House) backedUp(file string, err error) {
	if err != nil {
		t := inWords(err)
		h.opts.Log.Error("no backup was made", "quoi", "aucune sauvegarde n’a été faite : "+t.FR, "what", t.EN, "error", err)
		return
	}
	h.opts.Log.Info("a backup was made by itself", "file", file, "quoi", "une sauvegarde s’est faite d’elle-même")
}

// inWords is an error of the store as people read it.
func inWords(err error) engine.Text {
	var e *store.Error
	if errors.As(err, &e) {
		return catalogue.Plain(e.Msg())
	}
	return engine.T(err.Error(), err.Error())
}
