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

// core is the state of the loop; only its goroutine touches it.
//
//  1. game is the fold of the events that are on disk, nothing more.
//  2. A refused command leaves game, step and group as they were, but for the alarm in a
//     deal: the game stands then, and that is on disk before anybody hears the alarm.
//  3. While paused nothing is decided, and the clock of the game stands.
//  4. A stamp is never below the last one.
type core struct {
	Opts
	journal Journal
	books   []engine.Rulebook
	show    func(Step)

	past
	book   engine.Rulebook
	gameID int64

	gameClock
	display

	pauses
	register

	rev uint64
	phones
	sensing sensing
	due     deadlines
	readers map[string]string
	since   waits

	told

	parts   *parts
	scratch []engine.Offer // room for the offers of a step, before they are copied
	notes   noteSheets

	answers readerLog
	verdict verdict
}

// now is the game's clock.
func (c *core) now() engine.Millis {
	if c.paused != nil {
		return c.base
	}
	return max(c.last, c.gameClock.at(c.Clock.Now()))
}

// ended reports a game that is over for all to see: during a scene the phones do not know yet.
func (c *core) ended() bool { return c.game.look().Public.Result != nil && c.scene == nil }

// load makes the game anew from what is on disk.
func (c *core) load() error {
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
	p, err := fold(c.books[at], events)
	if err != nil {
		return &OtherDeckError{Game: g, Cause: err}
	}
	notes, err := c.journal.Notes(g.ID)
	if err != nil {
		return fmt.Errorf("game: open the game: %w", err)
	}
	c.pauses.read(events)
	c.take(c.books[at], g.ID, p)
	c.parts.read(events)
	c.notes = newNoteSheets(notes, c.rev+1)
	c.parts.load()
	return nil
}

// take puts a game on the table.
func (c *core) take(book engine.Rulebook, id int64, p past) {
	if id != c.gameID {
		c.base, c.notes = 0, newNoteSheets(map[engine.Seat]string{}, c.rev+1)
		clear(c.since)
		c.answers = readerLog{}
		c.sensing.reset()
	}
	c.base = max(c.base, p.last)
	c.book, c.gameID, c.past = book, id, p
	c.anchor = c.Clock.Now()
	c.due.reset()
	if c.hold == nil && c.held { // that was of the game before
		c.paused, c.held = nil, false
	}
	if c.hold != nil {
		c.halt()
	}
}

// handle does one input.
func (c *core) handle(in input) {
	c.tick(in.at)
	in.do(c)
}

// tick does what is due by a moment, in the order in which it is due.
func (c *core) tick(by time.Time) {
	for range maxInARow {
		at, do := c.next()
		if do == nil || at.After(by) {
			return
		}
		do()
	}
}

// wake is when tick is needed next.
func (c *core) wake() (time.Time, bool) {
	at, do := c.next()
	return at, do != nil
}

// next is the earliest of open windows, deadlines and the retry of the journal.
func (c *core) next() (at time.Time, do func()) {
	due := func(when time.Time, what func()) {
		if do == nil || when.Before(at) {
			at, do = when, what
		}
	}
	if c.scene == nil { // no card is judged during a scene
		c.sensing.dueWindows(due, c.scan)
	}
	switch {
	case len(c.lost) > 0, c.held:
	case c.paused != nil:
		due(c.retryAt, c.retry)
	default:
		c.goesOn(due)
	}
	return at, do
}

// goesOn names what the clock brings to a game that goes on.
func (c *core) goesOn(due func(time.Time, func())) {
	show := func() { c.publish(notices{}) }
	if when, ok := c.Desk.Wake(); ok {
		due(when, show)
	}
	if c.scene != nil {
		due(c.endOfScene(), show)
	}
	for _, t := range c.parts.timers {
		t.Due(due)
	}
	for _, d := range c.game.Deadlines() {
		if !c.due.sent[d] {
			due(c.when(d.At+c.due.late[d]), func() { c.deadline(d) })
		}
	}
}

func (c *core) deadline(d engine.Deadline) {
	c.due.sent[d] = true
	cmd := engine.Command{At: max(c.now(), d.At), By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}
	if r := c.play(cmd, causeDeadline); r == nil || c.paused != nil {
		c.publish(notices{})
	}
}

// present takes a reading. Urn readings wait for the end of their window, and so does
// a card that another reader still sees: it may just have been moved, and its leaving
// be told a moment later. During a scene all wait for its end: an answer would tell who
// is next, and so who lives. What cannot be read and does not fall is laid again then.
// What lies in a place has to rest there.
func (c *core) present(at time.Time, reader string, tags []Tag) {
	if t := c.parts.taker(); t != nil {
		t.TakeCards(reader, tags[:min(len(tags), maxTags)])
		return
	}
	wait := c.UrnWindow
	if reader != engine.ReaderUrn {
		switch {
		case c.scene != nil && len(tags) == 0:
			return
		case ofPlace(reader):
			wait = rests
		case c.scene == nil && !c.sensing.gathers(reader) && !c.sensing.doubled(reader, tags, c.readers):
			c.scan(reader, tags)
			return
		}
	}
	c.sensing.gather(reader, at.Add(wait), tags...)
}

// scan is one presentation. It always sends one update to everybody, which does not
// say that a card is accepted before the moment at which it takes effect.
func (c *core) scan(reader string, tags []Tag) {
	c.hush(reader)
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
	cmd := engine.Scan(c.now(), c.place(reader), cards, foreign)
	if c.sensing.doubled(reader, tags, c.readers) {
		cmd.Args[engine.ArgDoubled] = "1"
	}
	before, due := c.game.look().Public, c.game.Deadlines()
	r := c.play(cmd, master.ByScan)
	c.sensing.judged(c.Clock.Now(), reader, tags, r)
	told := ofScan(reader, r)
	if r == nil && !slices.Equal(due, c.game.Deadlines()) && reflect.DeepEqual(before, c.game.look().Public) {
		// A card that takes effect later, as an answer to a hypothesis does: until then
		// nobody but its seat, whose view has changed, knows that one was laid (C8-158).
		// A card that is dealt has its effect, and who deals it has to be told.
		told = notices{}
	}
	c.heard(reader, told.public)
	c.publish(told)
}

// play decides a command, records its events and changes the game; nil means
// that it has happened. The alarm in a deal has events, too (engine.RuleAlarm).
func (c *core) play(cmd engine.Command, cause string) *engine.Reject {
	if c.paused != nil {
		return c.standing()
	}
	seed := newSeed(c.Dice)
	game, events, r := engine.Play(c.game.Game, cmd, chance.New(seed))
	if len(events) == 0 {
		return r
	}
	step := chapter{events, cause, cmd.At, command{By: cmd.By.String(), Act: cmd.Act, Args: cmd.Args, Seed: seed}}
	rows, err := encode(c.book, step, c.step+1)
	if err != nil {
		panic("game: " + err.Error()) // a game that cannot write what it decided
	}
	lobby := c.inLobby()
	p := c.after(step, game)
	following := c.follow(&p)
	rows = append(rows, following...)
	if err := c.journal.Append(c.gameID, rows, resultOf(p.game)); err != nil {
		c.pause(err)
		return c.standing()
	}
	c.past = p
	c.parts.apply(following...)
	if lobby && !c.inLobby() {
		c.Desk.Dealt()
		eachPart(c.parts, func(b master.BeginListener) { b.GameBegun(cause) })
	}
	c.backoff = retryFirst
	c.due.prune(c.game.Deadlines())
	return r
}

// newSeed draws the dice of one step: with it the step can be played again by itself.
func newSeed(dice engine.Dice) (seed uint64) {
	for range 4 {
		seed = seed<<16 | uint64(dice.Intn(1<<16))
	}
	return seed
}

// resultOf is what the results table keeps of a game that has ended.
func resultOf(g *moment) *store.Result {
	v := g.look().Public
	if v.Result == nil {
		return nil
	}
	r := &store.Result{Rule: v.Result.Rule, Winners: v.Result.Winners, Players: []string{}}
	for _, s := range v.Seats {
		r.Players = append(r.Players, s.Name)
	}
	return r
}

// machine takes over what the machine knows of itself.
func (c *core) machine(readers map[string]string, online []wire.Handset, watched bool) {
	c.setWatched(watched, c.Clock.Now())
	ended := false
	eachPart(c.parts, func(p master.PhoneWatcher) { ended = p.OnlineChanged(online) || ended })
	if maps.Equal(readers, c.readers) && slices.Equal(online, c.online) && !ended {
		return
	}
	c.readers, c.online = readers, online
	c.publish(notices{})
}
