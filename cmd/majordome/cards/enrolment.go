package cards

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"majordome/cmd/majordome/config"
	"majordome/companion/enrol"
	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
)

// EnrolmentOpts are the parameters of an Enrolment. No function may block.
type EnrolmentOpts struct {
	Cards    *Cards
	Table    Table
	Public   func() *wire.Update          // as everybody sees the table now; nil before the first step
	Period   func() uint64                // another number for each lobby, game and check of the box
	Writable func() error                 // why nothing can be kept now; nil: it can
	Apart    func() bool                  // a reader for enrolling answers
	EndTrial func()                       // of the readers
	Answer   func(reader string, ok bool) // lights what became of a tag
	Changed  func()                       // the office shows something else
	Log      *slog.Logger
}

// Table is the loop of the table.
type Table interface {
	EndBoxCheck()
	Judges() bool
	Answer(*wire.Notice)
}

// NewEnrolment makes an Enrolment without a session.
func NewEnrolment(o EnrolmentOpts) *Enrolment { return &Enrolment{Shelf: o.Cards, opts: o} }

// MaxListFaults is how many faults of a list of tags are sent; one more counts the rest.
const MaxListFaults = 8

// Enrolment runs the host's enrolment of tags (GEN-E08). Before a game an open session takes every tag of every reader, and nothing
// reaches the table. In a game it takes only the next tag of no card, for a card that was lost; everything else goes on.
//
// What may leak: which tag is which card, to the host, before a game. In a game all viewers hear that a tag has come, and none which
// card it is.
type Enrolment struct {
	Shelf enrol.Shelf // keeps the tags: EnrolmentOpts.Cards, but in tests
	opts  EnrolmentOpts

	mu   sync.Mutex
	open *enrolling // nil: none is; read by session, written by set
	// takes says what open takes, without mu: no reader waits for a session that does not concern it.
	takes atomic.Int32
}

// What a session takes.
const (
	takesNothing int32 = iota
	takesSpares        // tags of no card
	takesEverything
)

// set replaces the open session; nil: none is open. mu is held.
func (e *Enrolment) set(s *enrolling) {
	e.open = s
	switch {
	case s == nil:
		e.takes.Store(takesNothing)
	case s.opts.Playing:
		e.takes.Store(takesSpares)
	default:
		e.takes.Store(takesEverything)
	}
}

// enrolling is an open session and what it was opened for.
type enrolling struct {
	*enrol.Session
	list   string
	opts   enrol.Opts
	period uint64 // EnrolmentOpts.Period when it was opened
	failed bool   // the last change was not kept
}

// Rows list, open and run an enrolment.
func (e *Enrolment) Rows() []office.Row {
	within := func(name string, role wire.Role, do func(*enrolling, engine.Args) (any, error)) office.Row {
		return office.Row{Name: name, Role: role, Do: func(_ context.Context, c office.Call) (any, error) { return e.do(c.Args, do) }}
	}
	ofList := func(name string, role wire.Role, do func(*enrolling, engine.Args) (any, error)) office.Row { // the list of all tags, before a game
		return within(name, role, func(s *enrolling, a engine.Args) (any, error) {
			if s.opts.Playing {
				return nil, enrol.ErrNot
			}
			return do(s, a)
		})
	}
	return []office.Row{
		{Name: "enrol", Role: wire.RoleHost, See: func(office.Call) any { return e.shown() }},
		{Name: "enrol-open", Role: wire.RoleOperator, Do: func(_ context.Context, c office.Call) (any, error) { return nil, e.begin(c.Args) }},
		{Name: "enrol-end", Role: wire.RoleOperator, Do: func(context.Context, office.Call) (any, error) { e.End(); return nil, nil }},
		within("enrol-pick", wire.RoleOperator, func(s *enrolling, a engine.Args) (any, error) { return nil, s.Pick(engine.ID(a["card"])) }),
		within("enrol-do", wire.RoleOperator, func(s *enrolling, a engine.Args) (any, error) { return nil, s.Do(a["do"]) }),
		ofList("enrol-list", wire.RoleOperator, func(s *enrolling, _ engine.Args) (any, error) {
			return wire.OfficeText{File: "majordome-" + s.list + ".txt", Text: s.Export()}, nil
		}),
		ofList("enrol-read", wire.RoleOwner, func(s *enrolling, a engine.Args) (any, error) {
			return shownList(s.Read(a["text"], parseNumber)), nil
		}),
		ofList("enrol-take", wire.RoleOwner, func(s *enrolling, a engine.Args) (any, error) {
			return nil, s.Take(s.Read(a["text"], parseNumber))
		}),
	}
}

// enrolLists returns the lists of wire.Enrol that can be opened before or in a game.
func enrolLists(lobby bool) []string {
	if lobby {
		return []string{wire.EnrolCards, wire.EnrolPawns, wire.EnrolControls}
	}
	return []string{wire.EnrolSpare}
}

// begin opens a session: args list, need=1|2, all=yes|no. It ends a trial of the readers and a check of the box.
func (e *Enrolment) begin(args engine.Args) error {
	if err := e.opts.Writable(); err != nil {
		return err
	}
	s, u := &enrolling{list: args["list"], period: e.opts.Period()}, e.opts.Public()
	if u == nil || !slices.Contains(enrolLists(u.View.Phase == engine.PhaseLobby), s.list) {
		return wire.Refuse("table.unknown")
	}
	game := u.View.Game
	s.opts = enrolOpts(s.list, game, e.opts.Cards.opts.Decks.Book(game).Names(), e.opts.Cards.tags.decks())
	s.opts.Unfit = e.opts.Cards.unfitTag
	s.opts.All, s.opts.Playing, s.opts.Need = args["all"] == "yes", s.list == wire.EnrolSpare, 1
	if args["need"] == "2" {
		s.opts.Need = 2
	}
	if err := e.openSession(s); err != nil {
		return err
	}
	if !s.opts.Playing {
		e.opts.Table.EndBoxCheck()
	}
	return nil
}

// openSession opens a session in the place of the one before, and of a trial of the readers.
func (e *Enrolment) openSession(s *enrolling) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s.Session, err = enrol.Open(e.Shelf, s.opts); err != nil {
		return e.notKept(err)
	}
	if !s.opts.Playing { // within the lock: a trial that begins after it ends this session
		e.opts.EndTrial()
	}
	e.set(s)
	return nil
}

// End closes the session, if one is open.
func (e *Enrolment) End() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.set(nil)
}

// session returns the open session, nil for none. One ends with the lobby or the game in which it was opened, and with a check of the
// box. mu is held.
func (e *Enrolment) session() *enrolling {
	if e.open != nil && e.open.period != e.opts.Period() {
		e.set(nil)
	}
	return e.open
}

// do performs an act within the open session.
func (e *Enrolment) do(args engine.Args, act func(*enrolling, engine.Args) (any, error)) (any, error) {
	if err := e.opts.Writable(); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.session()
	if s == nil {
		return nil, wire.Refuse("table.unknown")
	}
	s.failed = false
	value, err := act(s, args)
	switch err {
	case nil:
		return value, nil
	case enrol.ErrNot:
		return nil, wire.Refuse("table.unknown")
	}
	return nil, e.notKept(err)
}

// notKept logs that a tag was not kept, and returns its refusal.
func (e *Enrolment) notKept(err error) error {
	e.opts.Log.Error("the tags are not kept", "cause", err, "conseil", "les puces n’ont pas été enregistrées : vérifiez la carte mémoire")
	return wire.Refuse("table.enrol.store")
}

// TakesAll reports that all tags of all readers go to the enrolment, those of control cards too.
func (e *Enrolment) TakesAll() bool {
	if e.takes.Load() != takesEverything {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.session()
	return s != nil && !s.opts.Playing
}

// Take gives the enrolment what a reader has just read, and returns the tags that are left for the game. found: they lay there
// before anybody looked.
func (e *Enrolment) Take(reader string, tags []game.Tag, found bool) (left []game.Tag) {
	spare := func(t game.Tag) bool { return t.Card == "" }
	if takes := e.takes.Load(); takes == takesNothing || takes == takesSpares && !slices.ContainsFunc(tags, spare) {
		return tags
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.session()
	if s == nil {
		return tags
	}
	var uids []string
	for _, t := range tags {
		if s.opts.Playing && (!spare(t) || !s.Takes(t.UID)) { // a card goes to the game
			left = append(left, t)
			continue
		}
		uids = append(uids, t.UID)
	}
	switch {
	case len(uids) == 0:
		return tags
	case !s.opts.Playing && found:
		return nil
	case s.opts.Playing && (found || !e.replacesAt(reader)):
		return tags
	}
	if err := s.Lay(uids); err != nil {
		s.failed = true
		_ = e.notKept(err)
	} else {
		s.failed = false
	}
	e.answer(s, reader)
	e.opts.Changed()
	return left
}

// replacesAt reports whether a tag at this reader now replaces a lost one: not at a reader of a place, not at those of the table while
// there is one for enrolling, and not during a scene or a pause.
func (e *Enrolment) replacesAt(reader string) bool {
	return !strings.HasPrefix(reader, engine.ReaderPlace) && (reader == config.RoleEnrol || !e.opts.Apart()) && e.opts.Table.Judges()
}

// answer shows at a reader what became of a tag, which depends only on the tag. In a game all viewers are notified, so that no copy is
// made in silence.
func (e *Enrolment) answer(s *enrolling, reader string) {
	last := s.State().Last.What
	ok := !s.failed && slices.Contains([]string{enrol.Kept, enrol.Same, enrol.Known}, last)
	if !s.opts.Playing {
		e.opts.Answer(reader, ok)
		return
	}
	n := &wire.Notice{Msg: engine.Say("table.enrol.look"), Rule: "GEN-E08", Signal: wire.SignalAgain, Reader: reader}
	if ok {
		n.Msg, n.Signal = engine.Say("table.enrol.spare"), wire.SignalAccepted
	}
	e.opts.Table.Answer(n)
}

// Refuse shows in the open session why a tag that cannot name a card will not do. It reports that the session took it: the game
// hears nothing of it.
func (e *Enrolment) Refuse(uid string) bool {
	if e.takes.Load() == takesNothing {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.session()
	if s == nil || s.opts.Playing && !s.Takes(uid) {
		return false
	}
	s.Refuse(uid)
	e.opts.Changed()
	return !s.opts.Playing
}

// shown returns what the host's page shows of the enrolment.
func (e *Enrolment) shown() *wire.Enrol {
	e.mu.Lock()
	defer e.mu.Unlock()
	u := e.opts.Public()
	if u == nil {
		return nil
	}
	lobby := u.View.Phase == engine.PhaseLobby
	out := &wire.Enrol{Lists: enrolLists(lobby), Blank: lobby && e.opts.Cards.isBlank(u.View.Game)}
	if s := e.session(); s != nil {
		out.Open = s.shown()
		out.Open.Apart = e.opts.Apart()
	}
	return out
}

// shown returns the session as the host's page shows it.
func (s *enrolling) shown() *wire.Enrolling {
	st := s.State()
	u := &wire.Enrolling{List: s.list, Need: s.opts.Need, Cards: []engine.ID{}, May: append([]string{}, s.May()...), Asked: st.Asked, Next: st.Next,
		Picked: st.Picked, Of: len(st.Cards), Short: []engine.ID{}, Last: st.Last.What, Tag: st.Last.UID, Card: st.Last.Card, Unknown: st.Unknown,
		Conflict: st.Conflict.UID != ""}
	for _, n := range s.opts.Cards {
		u.Cards = append(u.Cards, n.ID)
	}
	if s.failed {
		u.Last = "failed"
	}
	if st.Last.Why != (engine.Text{}) {
		u.Why = &st.Last.Why
	}
	if s.opts.Playing { // how many tags a card has says nothing of the game, and is not shown in it
		return u
	}
	u.Tags = st.Tags
	for _, n := range st.Cards {
		if n.Tags > 0 {
			u.Tagged++
		}
		if n.Tags < s.opts.Need {
			u.Short = append(u.Short, n.Card)
		}
	}
	return u
}

// shownList returns what a list of tags would do.
func shownList(r *enrol.Reading) *wire.EnrolRead {
	out := &wire.EnrolRead{New: r.New, Same: r.Same, Moved: r.Moved}
	for _, f := range r.Faults.First(MaxListFaults) {
		out.Faults = append(out.Faults, wire.FileFault{Line: f.Line, Said: f.Said()})
	}
	return out
}

// isBlank reports that no card of a game has a tag.
func (c *Cards) isBlank(game engine.ID) bool {
	tagged := slices.Collect(maps.Values(c.tags.of(game)))
	return !slices.ContainsFunc(c.opts.Decks.Book(game).Names(), func(n engine.Name) bool { return n.IsCard() && slices.Contains(tagged, n.ID) })
}
