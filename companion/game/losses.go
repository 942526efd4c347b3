package game

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Recovery knows what the journal has lost and can restore a backup. The loop's goroutine calls it.
type Recovery interface {
	// Losses returns what was written and is missing; none if the journal is complete.
	Losses() []store.Loss
	// AcceptLosses accepts them, so that the game can go on.
	AcceptLosses() error
	// Backups returns the files that can be restored, the newest first.
	Backups() ([]string, error)
	// Restore ends this start of the table and begins the next one with the backup. It returns before either
	// has happened.
	Restore(file string)
}

// maxChoices is the number of backups that the host can choose from.
const maxChoices = 10

// pauseForLosses pauses the table at its start if recorded events are missing. Only the host can end this
// pause: another try would not bring them back.
func (c *core) pauseForLosses() {
	if c.Recovery == nil {
		return
	}
	for _, l := range c.Recovery.Losses() {
		c.losses = append(c.losses, l.Msg())
	}
	if len(c.losses) > 0 {
		m := engine.NewMsg("table.paused.lost")
		c.pauseMsg, c.isHeld = &m, false
	}
}

// lossOffers returns the offers to the host to end that pause.
func (c *core) lossOffers() []engine.Offer {
	all := []engine.Offer{{Act: actGoOn, Rule: "GEN-001", Grave: true}}
	if names := c.backupNames(); len(names) > 0 {
		all = append(all, engine.Offer{Act: actRestore, Rule: "GEN-001", Grave: true,
			Params: []engine.Param{{Name: "backup", Kind: "value", Domain: names}}})
	}
	return all
}

// backupNames returns the names of the backups, without the folder.
func (c *core) backupNames() (names []string) {
	files, err := c.Recovery.Backups()
	if err != nil {
		c.Log.Error("the backups cannot be listed", "cause", err,
			"conseil", "les sauvegardes ne peuvent pas être lues : vérifiez la carte mémoire")
	}
	for _, f := range files[:min(len(files), maxChoices)] {
		names = append(names, filepath.Base(f))
	}
	return names
}

// continueWithLosses goes on with what is left.
func (c *core) continueWithLosses(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if len(c.losses) == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if err := c.Recovery.AcceptLosses(); err != nil {
		c.Log.Error("the losses could not be accepted", "cause", err,
			"conseil", "continuer sans ce qui manque n’a pas pu être enregistré : vérifiez la carte mémoire")
		return nil, c.refusePaused()
	}
	c.losses = nil
	if err := c.loadGame(); err != nil {
		c.pauseForFailure(err)
		return nil, c.refusePaused()
	}
	if c.isHeld { // the game was already on hold before the loss
		c.recordInterruptions()
		return nil, nil
	}
	c.pauseMsg = nil
	if c.recordInterruptions(); c.pauseMsg != nil {
		return nil, c.refusePaused()
	}
	return &wire.Notice{Msg: engine.NewMsg("table.resumed")}, nil
}

// restoreBackup restores a backup, with which the table then starts again.
func (c *core) restoreBackup(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if len(c.losses) == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	files, err := c.Recovery.Backups()
	at := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == args["backup"] })
	if err != nil || at < 0 {
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.restore.failed")
	}
	c.Recovery.Restore(files[at])
	return &wire.Notice{Msg: engine.NewMsg("table.restoring")}, nil
}

// PauseForFailure pauses the game when the journal reports that it has failed before any write to it, and again
// when the reason changes. It blocks as HandleReading does.
func (l *Loop) PauseForFailure(err error) {
	l.enqueue(input{l.core.Clock.Now(), func(c *core) {
		if c.pauseMsg == nil || len(c.losses) == 0 && !reflect.DeepEqual(*c.pauseMsg, pauseMessage(err)) {
			c.pauseForFailure(err)
			c.publish(notices{})
		}
	}})
}

// pauseMessage returns the public message about a journal that has failed.
func pauseMessage(err error) engine.Msg {
	var e *store.Error
	if errors.As(err, &e) {
		switch e.Trouble {
		case store.Full:
			return engine.NewMsg("table.paused.full")
		case store.FileGone:
			if e.Backup != "" {
				return engine.NewMsg("table.paused.saved", "file", e.Backup)
			}
			return engine.NewMsg("table.paused.gone")
		}
	}
	return engine.NewMsg("table.paused.store")
}
