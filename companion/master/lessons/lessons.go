// Package lessons is the part by which phones explain the game on a first evening.
package lessons

import (
	"errors"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Act is the act of the host, in the lobby: args {"on": "yes" or "no"}.
const Act = "first-evening"

const (
	setting = "lessons" // what the host has chosen; nothing while there is no choice
	yes     = "yes"
	no      = "no"
)

// Lessons says whether phones explain the game.
type Lessons struct {
	table master.Table
	on    bool
}

// New returns the part.
func New(t master.Table) *Lessons { return &Lessons{table: t} }

// Load implements master.Loader: phones explain as the host has chosen, and where no game but this one has been finished. A store that
// cannot tell stops no game: then they do not.
func (l *Lessons) Load() {
	l.on = false
	chosen, ok, err := l.table.Setting(setting)
	if err == nil && ok {
		l.on = chosen == yes
		return
	}
	finished, failed := l.table.Results(2)
	if err != nil || failed != nil {
		l.table.Log().Error("nothing tells whether this is a first evening", "cause", errors.Join(err, failed), "conseil", "choisissez-le sur la page de l’hôte")
		return
	}
	l.on = !slices.ContainsFunc(finished, func(r store.Result) bool { return r.Game != l.table.Game() })
}

// Acts implements master.Part.
func (l *Lessons) Acts() []master.Act {
	return []master.Act{{Name: Act, Role: wire.RoleHost, Do: l.choose}}
}

// Offers implements master.Offerer.
func (l *Lessons) Offers(all []engine.Offer) []engine.Offer {
	if !l.table.InLobby() {
		return all
	}
	return append(all, master.Switch(Act, "GEN-010", l.on))
}

func (l *Lessons) choose(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	on := args["on"]
	switch {
	case !l.table.InLobby():
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.first.lobby")
	case on != yes && on != no:
		return nil, master.Refuse(engine.Unknown, "GEN-010", "table.unknown")
	}
	if r := l.table.Set(setting, on); r != nil {
		return nil, r
	}
	l.on = on == yes
	return nil, nil
}

// ShowPublic implements master.PublicShower.
func (l *Lessons) ShowPublic(u *wire.Update) { u.Table.Lessons = l.on }

// RoomSettings implements master.RoomSettingsLister.
func (l *Lessons) RoomSettings() map[string]string { return map[string]string{setting: ""} }
