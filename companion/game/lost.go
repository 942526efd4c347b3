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

// Keeper knows what the journal has lost and can put a backup in its place. It is
// called by the loop's goroutine.
type Keeper interface {
	// Losses are what was acknowledged and is missing; none: everything is there.
	Losses() []store.Loss
	// GoOn accepts them.
	GoOn() error
	// Backups are the files that can be restored, the newest first.
	Backups() ([]string, error)
	// Restore ends this start of the table and begins the next one with the backup;
	// it returns before either has happened.
	Restore(file string)
}

// maxChoices is how many backups the host can choose from.
const maxChoices = 10

// mourn pauses the table at its start because part of what was recorded is
// missing. Only the host ends that pause: trying again brings nothing back.
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

// ofLost are the host's ways out.
func (c *core) ofLost() []engine.Offer {
	all := []engine.Offer{{Act: actGoOn, Rule: "GEN-001", Grave: true}}
	if names := c.backups(); len(names) > 0 {
		all = append(all, engine.Offer{Act: actRestore, Rule: "GEN-001", Grave: true,
			Params: []engine.Param{{Name: "backup", Kind: "value", Domain: names}}})
	}
	return all
}

// backups are their names without the folder.
func (c *core) backups() (names []string) {
	files, err := c.Keeper.Backups()
	if err != nil {
		c.Log.Error("the backups cannot be listed", "cause", err, "conseil", "les sauvegardes ne peuvent pas être lues : vérifiez la carte mémoire")
	}
	for _, f := range files[:min(len(files), maxChoices)] {
		names = append(names, filepath.Base(f))
	}
	return names
}

// goOn plays on with what is left.
func (c *core) goOn(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	if len(c.lost) == 0 {
		return nil, master.Refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if err := c.Keeper.GoOn(); err != nil {
		c.Log.Error("the losses could not be accepted", "cause", err, "conseil", "continuer sans ce qui manque n’a pas pu être enregistré : vérifiez la carte mémoire")
		return nil, c.standing()
	}
	c.lost = nil
	if err := c.load(); err != nil {
		c.pause(err)
		return nil, c.standing()
	}
	if c.held { // it was stopped before
		c.settle()
		return nil, nil
	}
	c.paused = nil
	if c.settle(); c.paused != nil {
		return nil, c.standing()
	}
	return &wire.Notice{Msg: engine.Say("table.resumed")}, nil
}

// restore puts a backup in the place of what is left. The table starts anew with it.
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

// Fail pauses the game because the journal says of itself that it has failed,
// before anybody has written to it, and tells it anew when it has more to say. It waits for room in the queue.
func (l *Loop) Fail(err error) {
	l.tell(input{l.core.Clock.Now(), func(c *core) {
		if c.paused == nil || len(c.lost) == 0 && !reflect.DeepEqual(*c.paused, pausedBy(err)) {
			c.pause(err)
			c.publish(notices{})
		}
	}})
}

// pausedBy is what everybody is told about a journal that has failed.
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
