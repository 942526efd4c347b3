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
type Keeper interface {
	// Losses returns what was written and is missing; none if the journal is complete.
	Losses() []store.Loss
	// AcceptLosses accepts them, so that the game can go on.
	GoOn() error
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
func (c *core) mourn() {
	if c.Keeper == nil {
		return
	}
	for _, l := range c.Keeper.Losses() {
		c.lost = append(c.lost, l.Msg())
	}
	if len(c.lost) > 0 {
		m := engine.Say("table.paused.lost")
		c.paused, c.held = &m, false
	}
}

// lossOffers returns the offers to the host to end that pause.
func (c *core) ofLost() []engine.Offer {
	all := []engine.Offer{{Act: actGoOn, Rule: "GEN-001", Grave: true}}
	if names := c.backups(); len(names) > 0 {
		all = append(all, engine.Offer{Act: actRestore, Rule: "GEN-001", Grave: true,
			Params: []engine.Param{{Name: "backup", Kind: "value", Domain: names}}})
	}
	return all
}

// backupNames returns the names of the backups, without the folder.
func (c *core) backups() (names []string) {
	files, err := c.Keeper.Backups()
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
func (c *core) goOn(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if len(c.lost) == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if err := c.Keeper.GoOn(); err != nil {
		c.Log.Error("the losses could not be accepted", "cause", err,
			"conseil", "continuer sans ce qui manque n’a pas pu être enregistré : vérifiez la carte mémoire")
		return nil, c.standing()
	}
	c.lost = nil
	if err := c.load(); err != nil {
		c.pause(err)
		return nil, c.standing()
	}
	if c.held { // the game was already on hold before the loss
		c.settle()
		return nil, nil
	}
	c.paused = nil
	if c.settle(); c.paused != nil {
		return nil, c.standing()
	}
	return &wire.Notice{Msg: engine.Say("table.resumed")}, nil
}

// restoreBackup restores a backup, with which the table then starts again.
func (c *core) restore(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if len(c.lost) == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	files, err := c.Keeper.Backups()
	at := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == args["backup"] })
	if err != nil || at < 0 {
		return nil, master.Refuse(engine.Unknown, "GEN-001", "table.restore.failed")
	}
	c.Keeper.Restore(files[at])
	return &wire.Notice{Msg: engine.Say("table.restoring")}, nil
}

// PauseForFailure pauses the game when the journal reports that it has failed before any write to it, and again
// when the reason changes. It blocks as HandleReading does.
func (l *Loop) Fail(err error) {
	l.tell(input{l.core.Clock.Now(), func(c *core) {
		if c.paused == nil || len(c.lost) == 0 && !reflect.DeepEqual(*c.paused, pausedBy(err)) {
			c.pause(err)
			c.publish(notices{})
		}
	}})
}

// pauseMessage returns the public message about a journal that has failed.
func pausedBy(err error) engine.Msg {
	var e *store.Error
	if errors.As(err, &e) {
		switch e.Trouble {
		case store.Full:
			return engine.Say("table.paused.full")
		case store.Gone:
			if e.Backup != "" {
				return engine.Say("table.paused.saved", "file", e.Backup)
			}
			return engine.Say("table.paused.gone")
		}
	}
	return engine.Say("table.paused.store")
}
