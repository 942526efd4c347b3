package game

import (
	"maps"
	"strconv"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// noteEvery is the least time between two writes of one phone: one that writes without pause would keep every page of the table busy.
const noteEvery = time.Second

// noteSheets holds the note sheets of the game on the table, as they are on disk.
type noteSheets struct {
	marks map[engine.Seat]string
	shown map[engine.Seat]uint64 // the revision that first showed each
	since uint64                 // the revision that first showed the sheets of this game
	wrote map[wire.Handset]time.Time
}

// newNoteSheets returns the sheets of a game that the revision rev is the first to show.
func newNoteSheets(marks map[engine.Seat]string, rev uint64) noteSheets {
	return noteSheets{marks: marks, shown: map[engine.Seat]uint64{}, since: rev, wrote: map[wire.Handset]time.Time{}}
}

// check refuses marks of a phone that writes too often, or has not seen what another phone of its seat wrote last.
func (n *noteSheets) check(h wire.Handset, seat engine.Seat, seen uint64, now time.Time) *engine.Reject {
	switch {
	case now.Before(n.wrote[h].Add(noteEvery)):
		return master.Refuse(engine.NotNow, "GEN-007", "table.note.wait")
	case seen < max(n.since, n.shown[seat]):
		return master.Refuse(engine.NotNow, "GEN-007", "table.note.other")
	}
	return nil
}

// forget drops when phones wrote that are gone.
func (n *noteSheets) forget(gone func(wire.Handset) bool) {
	maps.DeleteFunc(n.wrote, func(h wire.Handset, _ time.Time) bool { return gone(h) })
}

// writeNotes keeps what a seat has marked on its note sheet, for this game and for that seat alone. It is no step: nothing of the game
// changes, undo does not reach it and no vote ends by it. Every viewer gets an update, as after any act.
//
// The phones of a seat share one sheet. A phone that has not seen what another wrote last is refused, and puts its marks on that: so none
// is lost, and the table reads none.
func (c *core) writeNotes(h wire.Handset, args engine.Args) *engine.Reject {
	seat, _ := h.Seat() // the host has no sheet, and no seat
	marks := args["marks"]
	seen, err := strconv.ParseUint(args["rev"], 10, 64)
	now := c.Clock.Now()
	switch {
	case c.inLobby() || !master.Seated(&c.game.look().Public, seat):
		return master.Refuse(engine.NotNow, "GEN-007", "table.note.later")
	case err != nil || !plain(marks):
		return master.Refuse(engine.Unknown, "GEN-007", "table.unknown")
	}
	if r := c.notes.check(h, seat, seen, now); r != nil {
		return r
	}
	if err := c.journal.SetNotes(c.gameID, seat, marks); err != nil {
		c.pause(err)
		return c.standing()
	}
	c.notes.marks[seat], c.notes.shown[seat], c.notes.wrote[h] = marks, c.rev+1, now
	return nil
}

// blankNotes forgets all sheets before a game goes back to its lobby: another player may sit down there (GEN-011). It comes before the
// step, so that a power cut between the two loses marks and shows none.
func (c *core) blankNotes() error {
	for seat := range c.notes.marks {
		if err := c.journal.SetNotes(c.gameID, seat, ""); err != nil {
			return err
		}
		delete(c.notes.marks, seat)
	}
	c.notes.since = c.rev + 1
	return nil
}

// plain reports a text that JSON carries byte for byte, so that no sheet, at most
// wire.MaxNotes as every act is checked, can make a view outgrow its seal.
func plain(marks string) bool {
	for _, b := range []byte(marks) {
		switch {
		case b < ' ' || b > '~', b == '"', b == '\\', b == '<', b == '>', b == '&':
			return false
		}
	}
	return true
}
