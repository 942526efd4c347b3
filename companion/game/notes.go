package game

import (
	"maps"
	"strconv"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// noteEvery is the least time between two writes of one phone, so that one phone cannot keep all pages of the
// table busy.
const noteEvery = time.Second

// noteSheets holds the note sheets of the current game, as they are on disk.
type noteSheets struct {
	marks      map[engine.Seat]string
	shownRevs  map[engine.Seat]uint64 // the revision that first showed each seat's sheet
	sinceRev   uint64                 // the revision that first showed any sheet of this game
	lastWrites map[wire.Handset]time.Time
}

// newNoteSheets returns the sheets of a game; rev is the first revision that shows them.
func newNoteSheets(marks map[engine.Seat]string, rev uint64) noteSheets {
	return noteSheets{marks: marks, shownRevs: map[engine.Seat]uint64{}, sinceRev: rev, lastWrites: map[wire.Handset]time.Time{}}
}

// refuseWrite refuses a write of a phone that writes too often or has not seen the last write of another phone
// of its seat.
func (n *noteSheets) refuseWrite(h wire.Handset, seat engine.Seat, seenRev uint64, now time.Time) *engine.Reject {
	switch {
	case now.Before(n.lastWrites[h].Add(noteEvery)):
		return master.Refuse(engine.NotNow, "GEN-007", "table.note.wait")
	case seenRev < max(n.sinceRev, n.shownRevs[seat]):
		return master.Refuse(engine.NotNow, "GEN-007", "table.note.other")
	}
	return nil
}

// forgetWrites forgets the times of the last writes of phones that are gone.
func (n *noteSheets) forgetWrites(gone func(wire.Handset) bool) {
	maps.DeleteFunc(n.lastWrites, func(h wire.Handset, _ time.Time) bool { return gone(h) })
}

// writeNotes stores a seat's note sheet, for this game and only for that seat. It is not a step: the game does
// not change, undo does not reach it and no vote ends by it. All viewers get an update, as after any act.
//
// The phones of a seat share one sheet. A phone that has not seen the last write of another is refused and has
// to repeat its change on top of it, so that no marks are lost and the loop need not understand them.
func (c *currentGame) writeNotes(h wire.Handset, args engine.Args) *engine.Reject {
	seat, _ := h.Seat() // 0 for the host: it has no sheet
	marks := args["marks"]
	seen, err := strconv.ParseUint(args["rev"], 10, 64)
	now := c.Clock.Now()
	switch {
	case c.isInLobby() || !master.HasPlayer(&c.game.currentViews().Public, seat):
		return master.Refuse(engine.NotNow, "GEN-007", "table.note.later")
	case err != nil || !isPlainText(marks):
		return master.Refuse(engine.Unknown, "GEN-007", "table.unknown")
	}
	if r := c.notes.refuseWrite(h, seat, seen, now); r != nil {
		return r
	}
	if err := c.journal.SetNotes(c.gameID, seat, marks); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	c.notes.marks[seat], c.notes.shownRevs[seat], c.notes.lastWrites[h] = marks, c.rev+1, now
	return nil
}

// clearNotes deletes all sheets before a game returns to its lobby, where another player may take a seat
// (GEN-011). Call it before the step: a power cut between the two may lose marks but shows none.
func (c *currentGame) clearNotes() error {
	for seat := range c.notes.marks {
		if err := c.journal.SetNotes(c.gameID, seat, ""); err != nil {
			return err
		}
		delete(c.notes.marks, seat)
	}
	c.notes.sinceRev = c.rev + 1
	return nil
}

// isPlainText reports whether JSON encodes each byte of the text as itself. So a sheet of at most wire.MaxNotes
// bytes cannot make a view too long for its encryption.
func isPlainText(marks string) bool {
	for _, b := range []byte(marks) {
		switch {
		case b < ' ' || b > '~', b == '"', b == '\\', b == '<', b == '>', b == '&':
			return false
		}
	}
	return true
}
