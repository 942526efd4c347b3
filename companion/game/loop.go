package game

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// Limits of queues and inputs.
const (
	queueSize        = 64
	maxPending       = 8 // acts of one phone that wait
	maxReaders       = 8
	maxAnnouncements = 16 // announcements that wait
	defaultUrnWindow = 500 * time.Millisecond
)

// Loop runs one game. All methods except Run may be called from any goroutine.
type Loop struct {
	core     core
	inputs   chan input
	wakeUp   chan struct{} // wakes Run after a change of the fields below mu
	done     chan struct{}
	lastStep atomic.Pointer[Step]

	mu            sync.Mutex
	pending       map[wire.Handset]int // acts that wait, by phone; orders of programs are counted under wire.First(engine.Public)
	readerStates  map[string]string
	online        []wire.Handset
	displayOnline bool
	announced     []engine.Msg
}

// New returns a loop with the open game of the journal, or with a new game of the first book if there is none.
func New(journal Journal, publisher Publisher, books []engine.Rulebook, opts *Opts) (*Loop, error) {
	o := *cmp.Or(opts, &Opts{})
	if o.Epoch == 0 || o.Desk == nil || len(books) == 0 {
		return nil, errors.New("game: new: without an epoch, a desk or a rulebook")
	}
	o.UrnWindow = cmp.Or(o.UrnWindow, defaultUrnWindow)
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Dice == nil {
		var seed [8]byte
		_, _ = rand.Read(seed[:]) // it cannot fail since Go 1.24
		o.Dice = chance.New(binary.BigEndian.Uint64(seed[:]))
	}
	if o.Salt == nil {
		o.Salt = randomSalt
	}
	if o.People == nil {
		o.People = noAccounts{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	l := &Loop{
		inputs: make(chan input, queueSize), wakeUp: make(chan struct{}, 1), done: make(chan struct{}),
		pending: map[wire.Handset]int{}, readerStates: map[string]string{}, online: []wire.Handset{},
	}
	for _, r := range o.Readers {
		l.readerStates[r] = ReaderOK
	}
	l.core = core{
		currentGame: currentGame{
			Opts: o, journal: journal, books: books,
			pauseState: pauseState{backoff: retryFirst}, deadlines: newDeadlines(), activeSince: activeSeats{},
		},
		phones: newPhones(), shownNotices: newShownNotices(), tagFields: newReaderFields(),
		scratch: make([]engine.Offer, 0, 96), readerStates: maps.Clone(l.readerStates),
	}
	l.core.createParts()
	l.core.publishStep = func(s Step) {
		l.lastStep.Store(&s)
		publisher.Publish(s)
	}
	if err := l.core.openGameAtStart(); err != nil {
		return nil, err
	}
	return l, nil
}

// Run publishes the state, then handles inputs and timers until ctx ends. Call it once. Inputs that still wait
// at the end are dropped.
func (l *Loop) Run(ctx context.Context) {
	defer close(l.done)
	c := &l.core
	c.publish(c.openingNotices)
	for {
		select { // inputs that wait are older than timers that are due now
		case in := <-l.inputs:
			c.handleInput(in)
			continue
		case <-ctx.Done():
			return
		default:
		}
		c.runDueTimers(c.Clock.Now())
		var wake <-chan time.Time
		if at, ok := c.nextWakeTime(); ok {
			wake = c.Clock.After(max(0, at.Sub(c.Clock.Now())))
		}
		select {
		case <-ctx.Done():
			return
		case in := <-l.inputs:
			c.handleInput(in)
		case <-l.wakeUp:
			c.setMachineState(l.machineState())
			for _, said := range l.takeAnnouncements() {
				c.publishPhoneNotice(said)
			}
		case <-wake:
		}
	}
}

// Done returns a channel that is closed when Run returns. A caller without an answer by then gets none.
func (l *Loop) Done() <-chan struct{} { return l.done }

// HandleReading handles tags that have come into the field of a reader. It blocks while the queue is full, so
// that no card is lost.
func (l *Loop) HandleReading(reader string, reading Reading) {
	at := l.core.Clock.Now()
	reading.Tags = slices.Clone(reading.Tags)
	l.enqueue(func(c *core) { c.handleReading(at, reader, reading) })
}

// CountTagsInBoxCheck handles tags at a reader outside the game, which only count while the box is checked. It blocks as
// HandleReading does.
func (l *Loop) CountTagsInBoxCheck(reader string, tags []Tag) {
	tags = slices.Clone(tags)
	l.enqueue(func(c *core) {
		if t := c.parts.activeCardTaker(); t != nil {
			t.TakeCards(reader, tags[:min(len(tags), maxTags)])
		}
	})
}

// RemoveTag handles a tag that has left the field of a reader. It blocks as HandleReading does.
func (l *Loop) RemoveTag(reader, uid string) {
	l.enqueue(func(c *core) { c.removeLeftTag(reader, uid) })
}

// enqueue adds an input to the queue. It blocks while the queue is full and the loop runs.
func (l *Loop) enqueue(do func(*core)) {
	select {
	case l.inputs <- input{l.core.Clock.Now(), do}:
	case <-l.done:
	}
}

// tryEnqueue adds an input to the queue, or returns false if the queue is full.
func (l *Loop) tryEnqueue(do func(*core)) (queued bool) {
	select {
	case l.inputs <- input{l.core.Clock.Now(), do}:
		return true
	default:
		return false
	}
}

// Act does an act of a phone or of the host's page. It never blocks; if too many acts wait it is refused as
// "busy". reply is called once, by the loop's goroutine or before Act returns, and must not block. Only the
// phone that acted gets the answer; the others of its seat see the result, but no refusal.
func (l *Loop) Act(h wire.Handset, act wire.Act, reply func(wire.Reply)) {
	if !l.tryEnqueueAct(h, func(c *core) { c.handleAct(h, act, reply) }) {
		reply(wire.Reply{ID: act.ID, Reject: refuseBusy()})
	}
}

// tryEnqueueAct adds an act of a phone to the queue, or returns false if too many wait.
func (l *Loop) tryEnqueueAct(h wire.Handset, do func(*core)) (queued bool) {
	if !l.reserveQueuePlace(h) {
		return false
	}
	ok := l.tryEnqueue(func(c *core) {
		l.releaseQueuePlace(h)
		do(c)
	})
	if !ok {
		l.releaseQueuePlace(h)
	}
	return ok
}

func refuseBusy() *engine.Reject {
	return &engine.Reject{Code: engine.NotNow, Why: engine.NewMsg("table.busy")}
}

func (l *Loop) reserveQueuePlace(h wire.Handset) (reserved bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending[h] >= maxPending {
		return false
	}
	l.pending[h]++
	return true
}

func (l *Loop) releaseQueuePlace(h wire.Handset) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending[h]--; l.pending[h] == 0 {
		delete(l.pending, h)
	}
}

// SetReaderState sets whether a reader answers: ReaderOK or ReaderLost. It never blocks.
func (l *Loop) SetReaderState(role, state string) {
	if state != ReaderLost {
		state = ReaderOK
	}
	l.mu.Lock()
	if _, ok := l.readerStates[role]; ok || len(l.readerStates) < maxReaders {
		l.readerStates[role] = state
	}
	l.mu.Unlock()
	l.wakeLoop()
}

// SetOnline sets which phones are connected. It never blocks.
func (l *Loop) SetOnline(phones []wire.Handset) {
	seat := func(h wire.Handset) engine.Seat { s, _ := h.Seat(); return s }
	sorted := slices.DeleteFunc(slices.Clone(phones), func(h wire.Handset) bool { return !h.IsValid() })
	slices.SortFunc(sorted, func(a, b wire.Handset) int { return cmp.Or(cmp.Compare(seat(a), seat(b)), cmp.Compare(a.N, b.N)) })
	l.mu.Lock()
	l.online = slices.Compact(sorted)
	l.mu.Unlock()
	l.wakeLoop()
}

// SetDisplayOnline sets whether a display is connected. The phones then wait for the scenes that it plays. It
// never blocks.
func (l *Loop) SetDisplayOnline(online bool) {
	l.mu.Lock()
	l.displayOnline = online
	l.mu.Unlock()
	l.wakeLoop()
}

// PublishNotice publishes the state with a public notice, after a change at the Desk (without a notice: PublishAgain). It
// never blocks; while 16 announcements wait, further ones are dropped.
func (l *Loop) PublishNotice(msg engine.Msg) {
	l.mu.Lock()
	if len(l.announced) < maxAnnouncements {
		l.announced = append(l.announced, msg)
	}
	l.mu.Unlock()
	l.wakeLoop()
}

// PublishAgain publishes the state again after a change of URL, Name, Host, Machine or the Desk. It never blocks.
func (l *Loop) PublishAgain() {
	l.tryEnqueue(func(c *core) { c.publish(notices{}) }) // else the inputs in the full queue will publish the change
}

func (l *Loop) takeAnnouncements() (all []engine.Msg) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, l.announced = l.announced, nil
	return all
}

func (l *Loop) wakeLoop() {
	select {
	case l.wakeUp <- struct{}{}:
	default: // Run is about to wake already
	}
}

func (l *Loop) machineState() (readers map[string]string, online []wire.Handset, displayOnline bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.readerStates), slices.Clone(l.online), l.displayOnline
}

// runInLoop calls do in the goroutine of the loop and waits until it returns; false if the loop has ended.
func (l *Loop) runInLoop(do func(*core)) (ran bool) {
	done := make(chan struct{})
	l.enqueue(func(c *core) {
		defer close(done)
		do(c)
	})
	select {
	case <-done:
		return true
	case <-l.done:
		return false
	}
}

// SetEnrolled sets the cards that have a tag, for the check of the box. It blocks as HandleReading does.
func (l *Loop) SetEnrolled(cards []engine.ID) {
	l.enqueue(func(c *core) { c.Opts.Enrolled = cards })
}

// EndBoxCheck ends the check of the box, if there is one.
func (l *Loop) EndBoxCheck() {
	l.runInLoop(func(c *core) {
		if t := c.parts.activeCardTaker(); t != nil {
			t.StopTakingCards()
			c.publish(notices{})
		}
	})
}

// CanDecideCards reports whether the loop would decide a card now: there is no scene and no pause. It is false after
// the loop has ended.
func (l *Loop) CanDecideCards() (yes bool) {
	return l.runInLoop(func(c *core) { yes = c.scene == nil && c.pauseMsg == nil }) && yes
}

// PublishReaderAnswer publishes the answer of a reader to a tag that belongs to no card. It blocks as HandleReading does.
func (l *Loop) PublishReaderAnswer(n *wire.Notice) {
	l.enqueue(func(c *core) { c.publish(notices{public: n}) })
}

// IsInScene reports whether the display plays a scene, so that its outcome must not be shown yet. It is true
// after the loop has ended.
func (l *Loop) IsInScene() (is bool) {
	return !l.runInLoop(func(c *core) { is = c.scene != nil }) || is
}

// ReaderMinutes returns the public answers of the readers in the current game, for its minutes; begun is false
// in the lobby.
func (l *Loop) ReaderMinutes() (saw []MinutesLine, begun bool) {
	l.runInLoop(func(c *core) { saw, begun = c.readerAnswers.listAnswers(), !c.isInLobby() })
	return saw, begun
}

// Snapshot returns the last update of one viewer; ok is false before the first step and for a seat without a
// player.
func (l *Loop) Snapshot(v engine.Viewer) (u wire.Update, ok bool) {
	if s := l.lastStep.Load(); s != nil {
		return s.UpdateFor(v)
	}
	return wire.Update{}, false
}

// LastPlayerActs returns the number of the last act that a player has done on each phone of a seat, 0 for none. What phones
// send unasked does not count.
func (l *Loop) LastPlayerActs(s engine.Seat) (numbers [wire.MaxPhones]uint64) {
	l.runInLoop(func(c *core) { numbers = c.phones.playerSeqs[engine.SeatViewer(s)] })
	return numbers
}

// StoryJSON returns the story of the evening as JSON (wire.Story), the same for all viewers; nil until the game is
// over. The caller must not change it.
func (l *Loop) StoryJSON() []byte {
	if s := l.lastStep.Load(); s != nil {
		return s.Story
	}
	return nil
}

// IsResponsive reports whether the loop handles an input within patience, for a watchdog.
func (l *Loop) IsResponsive(ctx context.Context, patience time.Duration) bool {
	answered := make(chan struct{})
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case l.inputs <- input{l.core.Clock.Now(), func(*core) { close(answered) }}:
	case <-timeout.C:
		return false
	case <-ctx.Done():
		return false
	}
	select {
	case <-answered:
		return true
	case <-timeout.C:
		return false
	case <-ctx.Done():
		return false
	}
}

// HandlePeopleChange handles a sign-in or sign-out at a device of the host. It publishes a step only if a part needs
// one. It never blocks.
func (l *Loop) HandlePeopleChange() {
	l.tryEnqueue(func(c *core) { // else the inputs in the full queue will publish the change
		changed := false
		eachPart(c.parts, func(p master.PhoneWatcher) { changed = p.HandlePeopleChange() || changed })
		if changed {
			c.publish(notices{})
		}
	})
}

// PauseForFailure pauses the game when the journal reports that it has failed before any write to it, and again
// when the reason changes. It blocks as HandleReading does.
func (l *Loop) PauseForFailure(err error) {
	l.enqueue(func(c *core) {
		if c.pauseMsg == nil || !c.isLost && !reflect.DeepEqual(*c.pauseMsg, pauseMessage(err)) {
			c.pauseForFailure(err)
			c.publish(notices{})
		}
	})
}
