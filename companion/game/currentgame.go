package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/engine"
)

// currentGame is the game on the table, with its clock, its pause and the parts that follow it. It reads and
// writes the journal and publishes nothing. These are always true:
//
//  1. game is exactly the fold of the events on disk.
//  2. A refused command changes neither game nor lastStep nor group. The one exception is the alarm in a
//     deal, which stops the game; its events are on disk before the alarm is published.
//  3. While the game is paused no command is decided, and the game clock stops.
//  4. The time stamps of the events never decrease.
type currentGame struct {
	Opts
	journal Journal
	books   []engine.Rulebook

	gameState
	book   engine.Rulebook
	gameID int64
	rev    uint64 // revision of the last update

	gameClock
	deadlines deadlines
	pauseState
	parts *partList

	notes             noteSheets
	activeSince       activeSeats
	readerAnswers     readerLog
	lastWithdrawCheck withdrawCheck
	openingNotices    notices // for the first update
}

// gameTime returns the time of the game clock. It is never before the last event.
func (c *currentGame) gameTime() engine.Millis {
	if c.pauseMsg != nil {
		return c.base
	}
	return max(c.lastStamp, c.gameClock.gameTimeAt(c.Clock.Now()))
}

// isInLobby reports whether the game has not begun.
func (c *currentGame) isInLobby() bool {
	return c.game.currentViews().Public.Phase == engine.PhaseLobby
}

// readerName returns the name by which the game knows a reader: for one in a place the id of the place. If the
// game has no such place it is the role itself, which the game never waits for.
func (c *currentGame) readerName(reader string) string {
	return engine.ReaderPlaceOrRole(reader, c.game.currentViews().Public.Places)
}

// windowTimeLeft returns for how long the public window of the case stays open, delays by scenes included; 0 if
// none is open.
func (c *currentGame) windowTimeLeft() engine.Millis {
	if k := c.game.currentViews().Public.Case; k != nil && k.Closes > 0 {
		for _, d := range c.game.Deadlines() {
			if d.At == k.Closes {
				return max(0, d.At+c.deadlines.delays[d]-c.gameTime())
			}
		}
	}
	return 0
}

// loadGame reads the current game from disk, or begins one if there is none.
func (c *currentGame) loadGame() error {
	g, ok, err := c.journal.CurrentGame()
	if err == nil && !ok {
		g, err = c.journal.BeginGame(c.books[0].ID(), nil)
	}
	if err != nil {
		return fmt.Errorf("game: open the game: %w", err)
	}
	at := slices.IndexFunc(c.books, func(b engine.Rulebook) bool { return b.ID() == g.Book })
	if at < 0 {
		return &OtherDeckError{Game: g, Cause: errors.New("no such rulebook")}
	}
	events, err := c.journal.Events(g.ID)
	if err != nil {
		return fmt.Errorf("game: open the game: %w", err)
	}
	p, err := replayGame(c.books[at], events)
	if err != nil {
		return &OtherDeckError{Game: g, Cause: err}
	}
	notes, err := c.journal.Notes(g.ID)
	if err != nil {
		return fmt.Errorf("game: open the game: %w", err)
	}
	c.pauseState.replayHold(events)
	c.setGame(c.books[at], g.ID, p)
	c.parts.foldEvents(events)
	c.notes = newNoteSheets(notes, c.rev+1)
	c.parts.loadSettings()
	return nil
}

// setGame makes a game the current one, and clears what belonged to another.
func (c *currentGame) setGame(book engine.Rulebook, id int64, p gameState) {
	if id != c.gameID {
		c.base, c.notes = 0, newNoteSheets(map[engine.Seat]string{}, c.rev+1)
		clear(c.activeSince)
		c.readerAnswers = readerLog{}
	}
	c.base = max(c.base, p.lastStamp)
	c.book, c.gameID, c.gameState = book, id, p
	c.anchor = c.Clock.Now()
	c.deadlines.reset()
	if c.hold == nil && c.isHeld { // the pause belonged to the game before
		c.pauseMsg, c.isHeld = nil, false
	}
	if c.hold != nil {
		c.pauseForHold()
	}
}

// playCommand decides a command, writes its events and changes the game. It returns nil if the command was
// accepted. The alarm in a deal is refused and yet has events (engine.RuleAlarm).
func (c *currentGame) playCommand(cmd engine.Command, cause string) *engine.Reject {
	if c.pauseMsg != nil {
		return c.refusePaused()
	}
	joint := c.joint
	if cmd.Act == actBegin && c.isInLobby() {
		wait := false
		if joint, wait = c.jointSeedFor(cmd, cause); wait {
			return nil
		}
	}
	seed := c.seedOfNextDraw(joint, cmd.Act)
	game, events, r := engine.DecideAndApply(c.game.Game, cmd, seed.dice)
	if len(events) == 0 {
		return r
	}
	command := storedCommand{By: cmd.By.String(), Act: cmd.Act, Args: cmd.Args, Seed: seed.value, Salt: c.Salt().Text()}
	command.Draw = seed.usedDraw()
	if cmd.Act == actBegin && joint != nil {
		command.Joint = joint.Text()
	}
	step := gameStep{events: events, cause: cause, at: cmd.At, command: command}
	rows, err := encodeStep(c.book, &step, c.lastStep+1)
	if err != nil {
		panic("game: " + err.Error()) // the game has made events that it cannot encode
	}
	lobby := c.isInLobby()
	p := c.withStep(step, game)
	following := c.addPartEvents(&p)
	rows = append(rows, following...)
	if err := c.journal.AppendSteps(c.gameID, rows, resultEntryOf(p.game)); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	c.gameState = p
	c.parts.applyEvents(following...)
	if lobby && !c.isInLobby() {
		c.Desk.EndSeatLinks()
		eachPart(c.parts, func(b master.BeginListener) { b.HandleGameBegun(cause) })
	}
	c.backoff = retryFirst
	c.deadlines.removeUnlisted(c.game.Deadlines())
	return r
}

// resultEntryOf returns the entry of a game in the table of results; nil while it has no result.
func resultEntryOf(g *cachedGame) *store.Result {
	v := g.currentViews().Public
	if v.Result == nil {
		return nil
	}
	r := &store.Result{Rule: v.Result.Rule, Winners: v.Result.Winners, Players: []string{}}
	for _, s := range v.Seats {
		r.Players = append(r.Players, s.Name)
	}
	return r
}

// addPartEvents returns the events that parts add to the step leading to p. They are written together with it.
func (c *currentGame) addPartEvents(p *gameState) (rows []store.Event) {
	eachPart(c.parts, func(f master.StepFollower) {
		author, kind, data := f.EventForStep(&c.game.currentViews().Public, &p.game.currentViews().Public)
		if kind == "" {
			return
		}
		p.lastStep++
		rows = append(rows, store.Event{Step: p.lastStep, Cause: author, Kind: kind, Data: mustJSON(data), At: p.lastStamp})
	})
	return rows
}

// recordEvent writes an event of the loop or of a part that is not a step of the game. The author is its cause.
func (c *currentGame) recordEvent(author, kind string, data any) *engine.Reject {
	row := store.Event{Step: c.lastStep + 1, Cause: author, Kind: kind, Data: mustJSON(data), At: c.gameTime()}
	if err := c.journal.AppendSteps(c.gameID, []store.Event{row}, resultEntryOf(c.game)); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	c.gameState.lastStep, c.gameState.lastStamp = c.lastStep+1, max(c.lastStamp, row.At)
	c.pauseState.applyHoldEvent(row)
	c.parts.applyEvents(row)
	return nil
}

// setSetting stores a setting of the table. A failure of the store pauses the game.
func (c *currentGame) setSetting(name, value string) *engine.Reject {
	if err := c.journal.SetSetting(name, value); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	return nil
}

// undoLastAct makes the last group of steps void, and stores that as an event. The caller checks that there is
// one.
func (c *currentGame) undoLastAct(cause string) *engine.Reject {
	rows, err := c.journal.Events(c.gameID)
	if err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	data, _ := json.Marshal(master.Undone{Step: c.group.step, Insisted: c.group.barrier && cause != master.ByVote}) // it cannot fail
	event := store.Event{N: int64(len(rows) + 1), Step: c.lastStep + 1, Cause: cause, Kind: master.KindUndo, Data: data, At: c.gameTime()}
	p, err := replayGame(c.book, append(rows, event))
	if err != nil {
		panic("game: undo: " + err.Error()) // the journal does not hold what this loop wrote
	}
	if p.game.currentViews().Public.Phase == engine.PhaseLobby {
		if err := c.clearNotes(); err != nil {
			c.pauseForFailure(err)
			return c.refusePaused()
		}
	}
	if err := c.journal.AppendSteps(c.gameID, []store.Event{event}, resultEntryOf(p.game)); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	late := c.gameTime() - c.group.at
	c.gameState = p
	c.parts.applyEvents(event)
	c.deadlines.reset()
	c.deadlines.delayListed(c.game.Deadlines(), late) // each deadline keeps the time that it had left at the undone step
	return nil
}
