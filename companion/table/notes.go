package table

import (
	"strconv"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// noteEvery is how often a phone may write its note sheet: one that writes
// without pause would keep every page of the table busy.
const noteEvery = time.Second

// writeNotes keeps what a seat has marked on its note sheet, for this game and for
// that seat alone. It is no step: nothing of the game changes, undo does not
// reach it and no vote ends by it. Everybody gets an update, as after any act.
//
// The phones of a seat share one sheet. Who has not seen what another wrote last is
// refused, and puts its marks on that: so none is lost, and the table reads none.
func (c *core) writeNotes(h wire.Handset, args engine.Args) *engine.Reject {
	seat, _ := h.Seat() // the host has no sheet: no seat is nobody's
	marks := args["marks"]
	seen, err := strconv.ParseUint(args["rev"], 10, 64)
	now := c.Clock.Now()
	switch {
	case c.inLobby() || !c.seated(seat):
		return refuse(engine.NotNow, "GEN-007", "table.note.later")
	case err != nil || !plain(marks):
		return refuse(engine.Unknown, "GEN-007", "table.unknown")
	case now.Before(c.notesAt[h].Add(noteEvery)):
		return refuse(engine.NotNow, "GEN-007", "table.note.wait")
	case seen < max(c.notesNew, c.notesRev[seat]):
		return refuse(engine.NotNow, "GEN-007", "table.note.other")
	}
	if err := c.journal.SetNotes(c.gameID, seat, marks); err != nil {
		c.pause(err)
		return c.standing()
	}
	c.notes[seat], c.notesRev[seat], c.notesAt[h] = marks, c.rev+1, now
	return nil
}

// blankNotes forgets all sheets before a game goes back to its lobby: somebody
// else may sit down there (GEN-011). It comes before the step, so that a power
// cut between the two loses marks and shows none.
func (c *core) blankNotes() error {
	for seat := range c.notes {
		if err := c.journal.SetNotes(c.gameID, seat, ""); err != nil {
			return err
		}
		delete(c.notes, seat)
	}
	c.notesNew = c.rev + 1
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
