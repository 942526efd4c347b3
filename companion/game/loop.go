package game

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// Opts adjust a Loop. Epoch is required.
type Opts struct {
	// Epoch is the number of this start of the daemon (store.NextEpoch).
	Epoch uint64
	// UrnWindow is how long tags at the urn are gathered; default 500 ms.
	UrnWindow time.Duration
	// Demo marks every update as one of a demonstration table.
	Demo bool
	// NewGame, unless something is missing and the host has to decide first, opens a new game of the rulebook on the table; the one before stays
	// in the journal.
	NewGame bool
	// Readers are the roles of the readers at this table, all taken for well.
	Readers []string
	// Enrolled are the cards that have a tag, for the check of the box.
	Enrolled []engine.ID
	Desk     Desk          // required
	Keeper   Keeper        // nil: nothing is ever lost
	Lights   master.Lights // nil: there are none
	// Hints are those of a game that stand ready, at most wire.MaxStock. Nil: there are none.
	Hints func(game engine.ID) []wire.StockHint
	// Machine is what is not well with the computer of the table; Refresh shows what has changed. It must not block. Nil: nobody looks.
	Machine func() []wire.Finding
	// URL is where the pages are found now, for the display; empty: phones cannot come
	// yet. Nil: it is not said. Refresh shows another one.
	URL func() string
	// Name is the name of this machine that phones know, as wire.TableView.Name is. Nil: none.
	Name func() string
	// Host says who has the host's page, as wire.TableView.Host does. Nil: there is one.
	Host func() string
	// People knows the accounts signed in on the host's devices. Nil: there are no accounts.
	People People
	Dice   engine.Dice // default: seeded by the system
	Clock  Clock       // default: the system's
	Log    *slog.Logger
}

// Limits of what waits and what is taken in.
const (
	queueSize   = 64
	maxPending  = 8 // acts of one phone
	maxTags     = 16
	maxReaders  = 8
	maxSaid     = 16 // announcements
	maxInARow   = 64 // deadlines without an input between them
	retryFirst  = time.Second
	retryMax    = 30 * time.Second
	defaultWait = 500 * time.Millisecond
)

// Reader states of Loop.Reader.
const (
	ReaderOK   = master.ReaderOK
	ReaderLost = master.ReaderLost
)

// input is something that came in at a moment; what was due by then is done
// before it, what falls due later is done after it, however long it waited.
type input struct {
	at time.Time
	do func(*core)
}

// Loop owns one game. All methods but Run may be called from any goroutine.
type Loop struct {
	core core
	in   chan input
	poke chan struct{} // the machine's own state has changed
	done chan struct{}
	last atomic.Pointer[Step]

	mu      sync.Mutex
	pending map[wire.Handset]int // acts that wait; of the house's programs under the public's first
	readers map[string]string
	online  []wire.Handset
	watched bool
	said    []engine.Msg
}

// New reads the open game from the journal, or begins one of the first book.
func New(journal Journal, publisher Publisher, books []engine.Rulebook, opts *Opts) (*Loop, error) {
	o := *cmp.Or(opts, &Opts{})
	if o.Epoch == 0 || o.Desk == nil || len(books) == 0 {
		return nil, errors.New("game: new: without an epoch, a desk or a rulebook")
	}
	o.UrnWindow = cmp.Or(o.UrnWindow, defaultWait)
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Dice == nil {
		var seed [8]byte
		_, _ = rand.Read(seed[:]) // never fails since Go 1.24
		o.Dice = chance.New(binary.BigEndian.Uint64(seed[:]))
	}
	if o.People == nil {
		o.People = noAccounts{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	l := &Loop{
		in: make(chan input, queueSize), poke: make(chan struct{}, 1), done: make(chan struct{}),
		pending: map[wire.Handset]int{}, readers: map[string]string{}, online: []wire.Handset{},
	}
	for _, r := range o.Readers {
		l.readers[r] = ReaderOK
	}
	l.core = core{
		Opts: o, journal: journal, books: books, pauses: pauses{backoff: retryFirst}, phones: newPhones(), told: newTold(), sensing: newSensing(),
		due: newDeadlines(), since: waits{}, scratch: make([]engine.Offer, 0, 96), readers: maps.Clone(l.readers),
	}
	l.core.enlist()
	l.core.show = func(s Step) {
		l.last.Store(&s)
		publisher.Publish(s)
	}
	if err := l.core.open(); err != nil {
		return nil, err
	}
	return l, nil
}

// Run is the loop itself; call it once. It publishes the state as it stands,
// and returns when ctx ends. What is still waiting then is not done.
func (l *Loop) Run(ctx context.Context) {
	defer close(l.done)
	c := &l.core
	c.publish(c.opened)
	for {
		select { // what waits is older than what falls due now
		case in := <-l.in:
			c.handle(in)
			continue
		case <-ctx.Done():
			return
		default:
		}
		c.tick(c.Clock.Now())
		var wake <-chan time.Time
		if at, ok := c.wake(); ok {
			wake = c.Clock.After(max(0, at.Sub(c.Clock.Now())))
		}
		select {
		case <-ctx.Done():
			return
		case in := <-l.in:
			c.handle(in)
		case <-l.poke:
			c.machine(l.machine())
			for _, said := range l.announcements() {
				c.announce(said)
			}
		case <-wake:
		}
	}
}

// Done is closed when Run returns: what has no answer by then gets none.
func (l *Loop) Done() <-chan struct{} { return l.done }

// Present tells that tags have come into the field of a reader. It waits for
// room in the queue: a card is never dropped.
func (l *Loop) Present(reader string, seen Seen) {
	at := l.core.Clock.Now()
	seen.Tags = slices.Clone(seen.Tags)
	l.tell(input{at, func(c *core) { c.onReading(at, reader, seen) }})
}

// Count tells of tags at a reader that is none of the game's: they count while the box is checked, and mean nothing otherwise.
// It waits as Present does.
func (l *Loop) Count(reader string, tags []Tag) {
	tags = slices.Clone(tags)
	l.tell(input{l.core.Clock.Now(), func(c *core) {
		if t := c.parts.taker(); t != nil {
			t.TakeCards(reader, tags[:min(len(tags), maxTags)])
		}
	}})
}

// Left tells that a tag lies no more in the field of a reader. It waits as Present does.
func (l *Loop) Left(reader, uid string) {
	l.tell(input{l.core.Clock.Now(), func(c *core) { c.onLeft(reader, uid) }})
}

// tell waits for room in the queue.
func (l *Loop) tell(in input) {
	select {
	case l.in <- in:
	case <-l.done:
	}
}

// Act does what a phone or the host's page asks for. It never waits: with too
// many acts waiting it answers at once that the table is busy. reply is called
// once, by the loop's goroutine or before Act returns, and must not block. The answer is
// for that phone: another one of its seat sees what has come of it, and no refusal.
func (l *Loop) Act(h wire.Handset, act wire.Act, reply func(wire.Reply)) {
	if !l.admit(h) {
		reply(wire.Reply{ID: act.ID, Reject: busy()})
		return
	}
	in := input{l.core.Clock.Now(), func(c *core) {
		l.dismiss(h)
		c.act(h, act, reply)
	}}
	select {
	case l.in <- in:
	default:
		l.dismiss(h)
		reply(wire.Reply{ID: act.ID, Reject: busy()})
	}
}

func busy() *engine.Reject {
	return &engine.Reject{Code: engine.NotNow, Why: engine.Say("table.busy")}
}

func (l *Loop) admit(h wire.Handset) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending[h] >= maxPending {
		return false
	}
	l.pending[h]++
	return true
}

func (l *Loop) dismiss(h wire.Handset) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending[h]--; l.pending[h] == 0 {
		delete(l.pending, h)
	}
}

// Reader tells whether a reader answers: ReaderOK or ReaderLost. It never waits.
func (l *Loop) Reader(role, state string) {
	if state != ReaderLost {
		state = ReaderOK
	}
	l.mu.Lock()
	if _, ok := l.readers[role]; ok || len(l.readers) < maxReaders {
		l.readers[role] = state
	}
	l.mu.Unlock()
	l.nudge()
}

// Online tells which phones are connected. It never waits.
func (l *Loop) Online(phones []wire.Handset) {
	seat := func(h wire.Handset) engine.Seat { s, _ := h.Seat(); return s }
	sorted := slices.DeleteFunc(slices.Clone(phones), func(h wire.Handset) bool { return !h.Valid() })
	slices.SortFunc(sorted, func(a, b wire.Handset) int { return cmp.Or(cmp.Compare(seat(a), seat(b)), cmp.Compare(a.N, b.N)) })
	l.mu.Lock()
	l.online = slices.Compact(sorted)
	l.mu.Unlock()
	l.nudge()
}

// Watched tells whether a display is connected: then the phones wait for what it
// plays. It never waits.
func (l *Loop) Watched(yes bool) {
	l.mu.Lock()
	l.watched = yes
	l.mu.Unlock()
	l.nudge()
}

// Announce shows the state again because what the Desk says has changed, and tells
// everybody why; where there is nothing to tell, Refresh does. It never waits. Of more than 16 that wait the newest are dropped.
func (l *Loop) Announce(said engine.Msg) {
	l.mu.Lock()
	if len(l.said) < maxSaid {
		l.said = append(l.said, said)
	}
	l.mu.Unlock()
	l.nudge()
}

// Refresh shows the state again because what URL or the Desk says has changed. It never waits.
func (l *Loop) Refresh() {
	select {
	case l.in <- input{l.core.Clock.Now(), func(c *core) { c.publish(notices{}) }}:
	default: // the queue is full of inputs that will show it
	}
}

func (l *Loop) announcements() (all []engine.Msg) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, l.said = l.said, nil
	return all
}

func (l *Loop) nudge() {
	select {
	case l.poke <- struct{}{}:
	default: // already on its way
	}
}

func (l *Loop) machine() (readers map[string]string, online []wire.Handset, watched bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.readers), slices.Clone(l.online), l.watched
}

// ask runs look in the goroutine of the loop and waits for it; false if the loop has ended.
func (l *Loop) ask(look func(*core)) bool {
	done := make(chan struct{})
	l.tell(input{l.core.Clock.Now(), func(c *core) {
		defer close(done)
		look(c)
	}})
	select {
	case <-done:
		return true
	case <-l.done:
		return false
	}
}

// SetEnrolled sets the cards that have a tag, for the check of the box. It waits as Present does.
func (l *Loop) SetEnrolled(cards []engine.ID) {
	l.tell(input{l.core.Clock.Now(), func(c *core) { c.Opts.Enrolled = cards }})
}

// EndBoxCheck ends a check of the box, if one is open.
func (l *Loop) EndBoxCheck() {
	l.ask(func(c *core) {
		if t := c.parts.taker(); t != nil {
			t.StopTaking()
			c.publish(notices{})
		}
	})
}

// Judges reports whether a card presented now would be judged at once: no scene, no pause. It is false after the loop has ended.
func (l *Loop) Judges() (yes bool) {
	return l.ask(func(c *core) { yes = c.scene == nil && c.paused == nil }) && yes
}

// Answer publishes what a reader has answered to a tag of no card. It waits as Present does.
func (l *Loop) Answer(n *wire.Notice) {
	l.tell(input{l.core.Clock.Now(), func(c *core) { c.publish(notices{public: n}) }})
}

// InScene reports whether a scene is being played, so that its outcome must not be revealed; true after the loop has ended.
func (l *Loop) InScene() (is bool) {
	return !l.ask(func(c *core) { is = c.scene != nil }) || is
}

// ReaderMinutes returns the public answers of the readers in the current game, for the minutes; begun is false in the lobby.
func (l *Loop) ReaderMinutes() (saw []Minute, begun bool) {
	l.ask(func(c *core) { saw, begun = c.answers.minutes(), !c.inLobby() })
	return saw, begun
}

// Snapshot is the last update of one viewer; ok is false before the first step
// and for a seat where nobody sits.
func (l *Loop) Snapshot(v engine.Viewer) (u wire.Update, ok bool) {
	if s := l.last.Load(); s != nil {
		return s.Of(v)
	}
	return wire.Update{}, false
}

// Story is the story of the evening as JSON (wire.Story), for everybody; nil while no game is
// over. Nobody may change it.
func (l *Loop) Story() []byte {
	if s := l.last.Load(); s != nil {
		return s.Story
	}
	return nil
}

// Answers reports whether the loop takes an input within patience. It is for a
// watchdog: a loop that hangs does not answer.
func (l *Loop) Answers(ctx context.Context, patience time.Duration) bool {
	answered := make(chan struct{})
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case l.in <- input{l.core.Clock.Now(), func(*core) { close(answered) }}:
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
