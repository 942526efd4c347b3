// Package losses is the part by which the host decides what to do after a start that found recorded events
// missing: play on with the rest, or start again with a backup. Until then the table is paused; another try of
// the journal would not bring them back. The host's update lists each loss; the others only show that there is
// one.
package losses

import (
	"path/filepath"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the host.
const (
	ActGoOn    = "go-on"   // plays on with what is left
	ActRestore = "restore" // args {"backup": name}: starts again with a backup of this table
)

const (
	rule       = "GEN-001"
	maxChoices = 10 // backups that the host can choose from
)

// Recovery knows what the journal has lost and can restore a backup. The loop's goroutine calls it.
type Recovery interface {
	// Losses returns what was written and is missing; none if the journal is complete.
	Losses() []store.Loss
	// AcceptLosses accepts them, so that the game can go on.
	AcceptLosses() error
	// Backups returns the files that can be restored, the newest first.
	Backups() ([]string, error)
	// RequestRestore ends this start of the table and begins the next one with the backup. It returns before either
	// has happened.
	RequestRestore(file string)
}

// Losses is the part.
type Losses struct {
	table    master.Table
	recovery Recovery
	missing  []engine.Msg // until the host has decided
}

// New returns the part. With a nil Recovery the journal never loses events.
func New(t master.Table, r Recovery) *Losses {
	l := &Losses{table: t, recovery: r}
	if r != nil {
		for _, one := range r.Losses() {
			l.missing = append(l.missing, one.Msg())
		}
	}
	return l
}

// StartPause implements master.StartBlocker.
func (l *Losses) StartPause() *engine.Msg {
	if len(l.missing) == 0 {
		return nil
	}
	why := engine.NewMsg("table.paused.lost")
	return &why
}

// Acts implements master.Part.
func (l *Losses) Acts() []master.Act {
	return []master.Act{
		{Name: ActGoOn, Role: wire.RoleOperator, Pause: master.WhenLost, Do: l.continueWithoutLost},
		{Name: ActRestore, Role: wire.RoleOperator, Pause: master.WhenLost, Do: l.restoreChosenBackup},
	}
}

// AppendOffers implements master.Offerer.
func (l *Losses) AppendOffers(all []engine.Offer) []engine.Offer {
	if len(l.missing) == 0 {
		return all
	}
	all = append(all, engine.Offer{Act: ActGoOn, Rule: rule, Grave: true})
	if names := l.backupNames(); len(names) > 0 {
		all = append(all, engine.Offer{Act: ActRestore, Rule: rule, Grave: true,
			Params: []engine.Param{{Name: "backup", Kind: "value", Domain: names}}})
	}
	return all
}

// backupNames returns the names of the backups, without the folder.
func (l *Losses) backupNames() (names []string) {
	files, err := l.recovery.Backups()
	if err != nil {
		l.table.Log().Error("the backups cannot be listed", "cause", err,
			"conseil", "les sauvegardes ne peuvent pas être lues : vérifiez la carte mémoire")
	}
	for _, f := range files[:min(len(files), maxChoices)] {
		names = append(names, filepath.Base(f))
	}
	return names
}

// ShowHost implements master.HostShower.
func (l *Losses) ShowHost(to *wire.ForHost) { to.Lost = l.missing }

func (l *Losses) continueWithoutLost(master.Actor, engine.Args) (*wire.Notice, *engine.Reject) {
	if len(l.missing) == 0 {
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if err := l.recovery.AcceptLosses(); err != nil {
		l.table.Log().Error("the losses could not be accepted", "cause", err,
			"conseil", "continuer sans ce qui manque n’a pas pu être enregistré : vérifiez la carte mémoire")
		why := *l.StartPause()
		return nil, &engine.Reject{Code: engine.NotNow, Rule: rule, Why: why, Public: why}
	}
	l.missing = nil
	if r := l.table.ResumeAfterLosses(); r != nil || l.table.IsPaused() { // the game was already on hold before the loss
		return nil, r
	}
	return &wire.Notice{Msg: engine.NewMsg("table.resumed")}, nil
}

func (l *Losses) restoreChosenBackup(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if len(l.missing) == 0 {
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	files, err := l.recovery.Backups()
	at := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == args["backup"] })
	if err != nil || at < 0 {
		return nil, master.Refuse(engine.Unknown, rule, "table.restore.failed")
	}
	l.recovery.RequestRestore(files[at])
	return &wire.Notice{Msg: engine.NewMsg("table.restoring")}, nil
}
