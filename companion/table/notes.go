package table

import (
	"time"

	"majordome/engine"
)

// noteEvery is how often a seat may write its note sheet: one that writes
// without pause would keep every page of the table busy.
const noteEvery = time.Second

// writeNotes keeps what a seat has marked on its note sheet, for this game and for
// that seat alone. It is no step: nothing of the game changes, undo does not
// reach it and no vote ends by it. Everybody gets an update, as after any act.
func (c *core) writeNotes(seat engine.Seat, args engine.Args) *engine.Reject {
	marks := args["marks"]
	now := c.Clock.Now()
	switch {
	case c.inLobby() || !c.seated(seat):
		return refuse(engine.NotNow, "GEN-007", "table.note.later")
	case !plain(marks):
		return refuse(engine.Unknown, "GEN-007", "table.unknown")
	case now.Before(c.notesAt[seat].Add(noteEvery)):
		return refuse(engine.NotNow, "GEN-007", "table.note.wait")
	}
	if err := c.journal.SetNotes(c.gameID, seat, marks); err != nil {
		c.pause(err)
		return c.standing()
	}
	c.notes[seat], c.notesAt[seat] = marks, now
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
