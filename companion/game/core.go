package game

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// core is the state of the loop. Only the loop's goroutine uses it. These are always true:
//
//  1. game is exactly the fold of the events on disk.
//  2. A refused command changes neither game nor lastStep nor group. The one exception is the alarm in a
//     deal, which stops the game; its events are on disk before the alarm is published.
//  3. While the game is paused no command is decided, and the game clock stops.
//  4. The time stamps of the events never decrease.
type core struct {
	Opts
	journal     Journal
	books       []engine.Rulebook
	publishStep func(Step)

	gameState
	book   engine.Rulebook
	gameID int64

	gameClock
	display

	pauseState
	actRegistry

	rev uint64
	phones
	fields      readerFields
	deadlines   deadlines
	readers     map[string]string
	activeSince activeSeats

	shownNotices

	parts   *partList
	scratch []engine.Offer // reused for the offers of each step, which are then copied
	notes   noteSheets

	readerAnswers     readerLog
	lastWithdrawCheck withdrawCheck
}

// gameTime returns the time of the game clock. It is never before the last event.
func (c *core) gameTime() engine.Millis {
	if c.pauseMsg != nil {
		return c.base
	}
	return max(c.lastStamp, c.gameClock.gameTimeAt(c.Clock.Now()))
}

// hasEnded reports whether the game is over and the phones know it, which they do not during a scene.
func (c *core) hasEnded() bool { return c.game.currentViews().Public.Result != nil && c.scene == nil }

// loadGame reads the current game from disk, or begins one if there is none.
func (c *core) loadGame() error {
	g, ok, err := c.journal.Current()
	if err == nil && !ok {
		g, err = c.journal.Begin(c.books[0].ID(), nil)
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
	p, err := foldGame(c.books[at], events)
	if err != nil {
		return &OtherDeckError{Game: g, Cause: err}
	}
	notes, err := c.journal.Notes(g.ID)
	if err != nil {
		return fmt.Errorf("game: open the game: %w", err)
	}
	c.pauseState.foldEvents(events)
	c.setGame(c.books[at], g.ID, p)
	c.parts.foldEvents(events)
	c.notes = newNoteSheets(notes, c.rev+1)
	c.parts.loadSettings()
	return nil
}

// setGame makes a game the current one, and clears what belonged to another.
func (c *core) setGame(book engine.Rulebook, id int64, p gameState) {
	if id != c.gameID {
		c.base, c.notes = 0, newNoteSheets(map[engine.Seat]string{}, c.rev+1)
		clear(c.activeSince)
		c.readerAnswers = readerLog{}
		c.fields.reset()
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

// handleInput does what was due before an input, then the input itself.
func (c *core) handleInput(in input) {
	c.runDue(in.at)
	in.do(c)
}

// runDue does what is due at a moment, the earliest first, at most maxDueInARow things.
func (c *core) runDue(by time.Time) {
	for range maxDueInARow {
		at, do := c.nextDue()
		if do == nil || at.After(by) {
			return
		}
		do()
	}
}

// nextWake returns when runDue has to be called next; false for never.
func (c *core) nextWake() (time.Time, bool) {
	at, do := c.nextDue()
	return at, do != nil
}

// nextDue returns the earliest timer of the loop and what to do then. do is nil if there is none, as after a
// loss that the host has not answered yet.
func (c *core) nextDue() (at time.Time, do func()) {
	due := func(when time.Time, what func()) {
		if do == nil || when.Before(at) {
			at, do = when, what
		}
	}
	if c.scene == nil { // during a scene no card is decided
		c.fields.scheduleWindows(due, c.playPresentation)
	}
	switch {
	case len(c.losses) > 0, c.isHeld:
	case c.pauseMsg != nil:
		due(c.retryAt, c.retryJournal)
	default:
		c.listRunningTimers(due)
	}
	return at, do
}

// listRunningTimers passes to due the timers of a game that is not paused.
func (c *core) listRunningTimers(due func(time.Time, func())) {
	show := func() { c.publish(notices{}) }
	if when, ok := c.Desk.NextChange(); ok {
		due(when, show)
	}
	if c.scene != nil {
		due(c.sceneEnd(), show)
	}
	for _, t := range c.parts.timers {
		t.ListTimers(due)
	}
	for _, d := range c.game.Deadlines() {
		if !c.deadlines.sent[d] {
			due(c.wallTimeOf(d.At+c.deadlines.delays[d]), func() { c.expireDeadline(d) })
		}
	}
}

func (c *core) expireDeadline(d engine.Deadline) {
	c.deadlines.sent[d] = true
	cmd := engine.Command{At: max(c.gameTime(), d.At), By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}
	if r := c.playCommand(cmd, causeDeadline); r == nil || c.pauseMsg != nil {
		c.publish(notices{})
	}
}

// presentTags handles the tags of one reading. At the urn they wait until the window ends. So does a card that
// another reader still reports: it may just have been moved. In a place a tag waits for pawnRest. During a
// scene all wait until it ends, because an answer would show who is next, and so who is alive; an unreadable
// tag at a reader other than the urn is dropped then, because the player can put it down again.
func (c *core) presentTags(at time.Time, reader string, tags []Tag) {
	if t := c.parts.cardTaker(); t != nil {
		t.TakeCards(reader, tags[:min(len(tags), maxTags)])
		return
	}
	wait := c.UrnWindow
	if reader != engine.ReaderUrn {
		switch {
		case c.scene != nil && len(tags) == 0:
			return
		case isPlaceReader(reader):
			wait = pawnRest
		case c.scene == nil && !c.fields.isGathering(reader) && !c.fields.isDoubled(reader, tags, c.readers):
			c.playPresentation(reader, tags)
			return
		}
	}
	c.fields.gatherTags(reader, at.Add(wait), tags...)
}

// playPresentation plays the tags of one presentation as one command, and publishes one step. It does not show
// that a card was accepted before the card takes effect.
func (c *core) playPresentation(reader string, tags []Tag) {
	c.dropReaderNotices(reader)
	var cards []engine.ID
	foreign := 0
	for _, t := range tags[:min(len(tags), maxTags)] {
		switch {
		case t.Card == "":
			foreign++
		case !slices.Contains(cards, t.Card):
			cards = append(cards, t.Card)
		}
	}
	cmd := engine.ScanCommand(c.gameTime(), c.readerName(reader), cards, foreign)
	if c.fields.isDoubled(reader, tags, c.readers) {
		cmd.Args[engine.ArgDoubled] = "1"
	}
	before, due := c.game.currentViews().Public, c.game.Deadlines()
	r := c.playCommand(cmd, master.ByScan)
	c.fields.noteDecision(c.Clock.Now(), reader, tags, r)
	toPublish := scanNotices(reader, r)
	if r == nil && !slices.Equal(due, c.game.Deadlines()) && reflect.DeepEqual(before, c.game.currentViews().Public) {
		// The card takes effect later, as an answer to a hypothesis does. Until then only its seat, whose view
		// has changed, may know that a card was placed (C8-158). A dealt card takes effect at once, and the
		// dealer has to see that it was accepted.
		toPublish = notices{}
	}
	c.noteReaderAnswer(reader, toPublish.public)
	c.publish(toPublish)
}

// playCommand decides a command, writes its events and changes the game. It returns nil if the command was
// accepted. The alarm in a deal is refused and yet has events (engine.RuleAlarm).
func (c *core) playCommand(cmd engine.Command, cause string) *engine.Reject {
	if c.pauseMsg != nil {
		return c.refusePaused()
	}
	seed := newSeed(c.Dice)
	game, events, r := engine.DecideAndApply(c.game.Game, cmd, chance.New(seed))
	if len(events) == 0 {
		return r
	}
	step := gameStep{events, cause, cmd.At, storedCommand{By: cmd.By.String(), Act: cmd.Act, Args: cmd.Args, Seed: seed}}
	rows, err := encodeStep(c.book, step, c.lastStep+1)
	if err != nil {
		panic("game: " + err.Error()) // the game has made events that it cannot encode
	}
	lobby := c.isInLobby()
	p := c.withStep(step, game)
	following := c.followStep(&p)
	rows = append(rows, following...)
	if err := c.journal.Append(c.gameID, rows, resultOf(p.game)); err != nil {
		c.pauseForFailure(err)
		return c.refusePaused()
	}
	c.gameState = p
	c.parts.applyEvents(following...)
	if lobby && !c.isInLobby() {
		c.Desk.EndSeatLinks()
		eachPart(c.parts, func(b master.BeginListener) { b.GameBegun(cause) })
	}
	c.backoff = retryFirst
	c.deadlines.removeUnlisted(c.game.Deadlines())
	return r
}

// newSeed draws the seed of the dice of one step, by which that step can be replayed.
func newSeed(dice engine.Dice) (seed uint64) {
	for range 4 {
		seed = seed<<16 | uint64(dice.Intn(1<<16))
	}
	return seed
}

// resultOf returns the entry of a game in the table of results; nil while it has no result.
func resultOf(g *cachedGame) *store.Result {
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

// setMachineState stores the state of readers, phones and display, and publishes a step if it has changed.
func (c *core) setMachineState(readers map[string]string, online []wire.Handset, displayOnline bool) {
	c.setDisplayOnline(displayOnline, c.Clock.Now())
	ended := false
	eachPart(c.parts, func(p master.PhoneWatcher) { ended = p.OnlineChanged(online) || ended })
	if maps.Equal(readers, c.readers) && slices.Equal(online, c.online) && !ended {
		return
	}
	c.readers, c.online = readers, online
	c.publish(notices{})
}
