package table

import (
	"errors"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// settingLessons is what the host has chosen; nothing while there is no choice.
const settingLessons = "lessons"

// readLessons learns whether phones explain the game: as the host has chosen, and on a
// table where no game but this one has been finished, they do. A store that cannot tell stops no
// game: then they do not.
func (c *core) readLessons() {
	c.lessons = false
	chosen, ok, err := c.journal.Setting(settingLessons)
	if err == nil && ok {
		c.lessons = chosen == yes
		return
	}
	finished, failed := c.journal.Results(2)
	if err != nil || failed != nil {
		c.Log.Error("nothing tells whether this is a first evening", "cause", errors.Join(err, failed), "conseil", "choisissez-le sur la page de l’hôte")
		return
	}
	c.lessons = !slices.ContainsFunc(finished, func(r store.Result) bool { return r.Game != c.gameID })
}

// setLessons is the host's switch of the lobby. What a phone shows is no part of the
// game: nothing is stored in it, and undo does not reach it.
func (c *core) setLessons(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	on := args["on"]
	switch {
	case !c.inLobby():
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.first.lobby")
	case on != yes && on != no:
		return nil, master.Refuse(engine.Unknown, "GEN-010", "table.unknown")
	}
	if r := c.set(settingLessons, on); r != nil {
		return nil, r
	}
	c.lessons = on == yes
	return nil, nil
}
