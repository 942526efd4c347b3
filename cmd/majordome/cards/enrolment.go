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
	Cards          *Cards
	Table          Table
	Public         func() *wire.Update          // the public update; nil before the first step
	Period         func() uint64                // returns another number for each lobby, game and box check
	CheckWritable  func() error                 // returns the reason why nothing can be saved now, or nil
	HasEnrolReader func() bool                  // reports whether a reader for enrolment is connected
	EndReaderTest  func()                       // ends the reader test
	ShowAnswer     func(reader string, ok bool) // shows by light whether a tag was accepted
	OnChange       func()                       // the host's page must be updated
	Log            *slog.Logger
}

// Table is the loop of the table.
type Table interface {
	EndBoxCheck()
	CanDecideCards() bool
	PublishReaderAnswer(*wire.Notice)
}

// NewEnrolment returns an Enrolment without a session.
func NewEnrolment(o EnrolmentOpts) *Enrolment { return &Enrolment{TagStore: o.Cards, opts: o} }

// MaxListFaults is the number of faults of a list of tags that are sent; one more entry counts the rest.
const MaxListFaults = 8

// Enrolment runs the host's enrolment of tags (GEN-E08). Before a game an open session receives
// every tag of every reader, and none reaches the table. In a game it receives only the next tag
// that belongs to no card, as a replacement for a lost one; all other tags go to the game.
//
// What may leak: the card of each tag, only to the host and only before a game. In a game all
// viewers learn that a tag was enrolled, but not for which card.
type Enrolment struct {
	TagStore enrol.TagStore // EnrolmentOpts.Cards, except in tests
	opts     EnrolmentOpts

	mu      sync.Mutex
	session *enrolSession // nil if none is open; read by currentSession, written by setSession
	// accepts mirrors what the open session accepts. It is read without mu, so that no reader waits for a
	// session that does not concern it.
	accepts atomic.Int32
}

// Values of Enrolment.accepts.
const (
	acceptsNothing int32 = iota
	acceptsSpares        // tags without a card
	acceptsEverything
)

// setSession replaces the open session; nil: none is open. mu is held.
func (e *Enrolment) setSession(s *enrolSession) {
	e.session = s
	switch {
	case s == nil:
		e.accepts.Store(acceptsNothing)
	case s.opts.Playing:
		e.accepts.Store(acceptsSpares)
	default:
		e.accepts.Store(acceptsEverything)
	}
}

// enrolSession is an open session and the options that it was opened with.
type enrolSession struct {
	*enrol.Session
	list       string
	opts       enrol.Opts
	period     uint64 // EnrolmentOpts.Period when it was opened
	saveFailed bool   // the last change could not be saved
}

// OfficeRows returns the requests of the host's page that open, show and end an enrolment and give tags to cards.
func (e *Enrolment) OfficeRows() []office.Row {
	within := func(name string, role wire.Role, do func(*enrolSession, engine.Args) (any, error)) office.Row {
		return office.Row{Name: name, Role: role,
			Do: func(_ context.Context, c office.Call) (any, error) { return e.runInSession(c.Args, do) }}
	}
	// ofList is for requests about the list of all tags, which exists only before a game.
	ofList := func(name string, role wire.Role, do func(*enrolSession, engine.Args) (any, error)) office.Row {
		return within(name, role, func(s *enrolSession, a engine.Args) (any, error) {
			if s.opts.Playing {
				return nil, enrol.ErrNotNow
			}
			return do(s, a)
		})
	}
	return []office.Row{
		{Name: "enrol", Role: wire.RoleHost, Show: func(office.Call) any { return e.buildView() }},
		{Name: "enrol-open", Role: wire.RoleOperator,
			Do: func(_ context.Context, c office.Call) (any, error) { return nil, e.beginSession(c.Args) }},
		{Name: "enrol-end", Role: wire.RoleOperator,
			Do: func(context.Context, office.Call) (any, error) { e.EndSession(); return nil, nil }},
		within("enrol-pick", wire.RoleOperator,
			func(s *enrolSession, a engine.Args) (any, error) { return nil, s.PickCard(engine.ID(a["card"])) }),
		within("enrol-do", wire.RoleOperator, func(s *enrolSession, a engine.Args) (any, error) { return nil, s.RunHostCommand(a["do"]) }),
		ofList("enrol-list", wire.RoleOperator, func(s *enrolSession, _ engine.Args) (any, error) {
			return wire.OfficeText{File: "majordome-" + s.list + ".txt", Text: s.ExportList()}, nil
		}),
		ofList("enrol-read", wire.RoleOwner, func(s *enrolSession, a engine.Args) (any, error) {
			return buildListView(s.ParseList(a["text"], parseUID)), nil
		}),
		ofList("enrol-take", wire.RoleOwner, func(s *enrolSession, a engine.Args) (any, error) {
			return nil, s.ApplyList(s.ParseList(a["text"], parseUID))
		}),
	}
}

// openableLists returns the lists of wire.Enrol that can be opened before or in a game.
func openableLists(lobby bool) []string {
	if lobby {
		return []string{wire.EnrolCards, wire.EnrolPawns, wire.EnrolControls}
	}
	return []string{wire.EnrolSpare}
}

// beginSession opens a session: args list, need=1|2, all=yes|no. It ends a reader test and a box check.
func (e *Enrolment) beginSession(args engine.Args) error {
	if err := e.opts.CheckWritable(); err != nil {
		return err
	}
	s, u := &enrolSession{list: args["list"], period: e.opts.Period()}, e.opts.Public()
	if u == nil || !slices.Contains(openableLists(u.View.Phase == engine.PhaseLobby), s.list) {
		return wire.NewRefusal("table.unknown")
	}
	game := u.View.Game
	s.opts = enrolOpts(s.list, game, e.opts.Cards.opts.Decks.RulebookOf(game).Names(), e.opts.Cards.tags.deckIDs())
	s.opts.Unfit = e.opts.Cards.tagRefusalReason
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

// openSession replaces the present session, and ends a reader test.
func (e *Enrolment) openSession(s *enrolSession) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s.Session, err = enrol.Open(e.TagStore, s.opts); err != nil {
		return e.logSaveFailure(err)
	}
	if !s.opts.Playing { // with the lock held, so that a test that begins later ends this session
		e.opts.EndReaderTest()
	}
	e.setSession(s)
	return nil
}

// EndSession closes the session, if one is open.
func (e *Enrolment) EndSession() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.setSession(nil)
}

// currentSession returns the open session, nil for none. A session ends with the lobby or game in which it
// was opened, and with a box check. mu is held.
func (e *Enrolment) currentSession() *enrolSession {
	if e.session != nil && e.session.period != e.opts.Period() {
		e.setSession(nil)
	}
	return e.session
}

// runInSession runs act with the open session.
func (e *Enrolment) runInSession(args engine.Args, act func(*enrolSession, engine.Args) (any, error)) (any, error) {
	if err := e.opts.CheckWritable(); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.currentSession()
	if s == nil {
		return nil, wire.NewRefusal("table.unknown")
	}
	s.saveFailed = false
	value, err := act(s, args)
	switch err {
	case nil:
		return value, nil
	case enrol.ErrNotNow:
		return nil, wire.NewRefusal("table.unknown")
	}
	return nil, e.logSaveFailure(err)
}

// logSaveFailure logs that the tags could not be saved, and returns the refusal.
func (e *Enrolment) logSaveFailure(err error) error {
	e.opts.Log.Error("the tags are not kept", "cause", err, "conseil", "les puces n’ont pas été enregistrées : vérifiez la carte mémoire")
	return wire.NewRefusal("table.enrol.store")
}

// AcceptsAllTags reports whether all tags of all readers go to the enrolment, including those of control cards.
func (e *Enrolment) AcceptsAllTags() bool {
	if e.accepts.Load() != acceptsEverything {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.currentSession()
	return s != nil && !s.opts.Playing
}

// AcceptTags passes the tags that a reader has just read to the enrolment, and returns those that are left
// for the game. wasThere: the tags were on the reader before it was watched.
func (e *Enrolment) AcceptTags(reader string, tags []game.Tag, wasThere bool) (left []game.Tag) {
	spare := func(t game.Tag) bool { return t.Card == "" }
	if takes := e.accepts.Load(); takes == acceptsNothing || takes == acceptsSpares && !slices.ContainsFunc(tags, spare) {
		return tags
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.currentSession()
	if s == nil {
		return tags
	}
	var uids []string
	for _, t := range tags {
		if s.opts.Playing && (!spare(t) || !s.CanAccept(t.UID)) { // a card belongs to the game
			left = append(left, t)
			continue
		}
		uids = append(uids, t.UID)
	}
	switch {
	case len(uids) == 0:
		return tags
	case !s.opts.Playing && wasThere:
		return nil
	case s.opts.Playing && (wasThere || !e.canReplaceTagAt(reader)):
		return tags
	}
	if err := s.AcceptTags(uids); err != nil {
		s.saveFailed = true
		_ = e.logSaveFailure(err)
	} else {
		s.saveFailed = false
	}
	e.publishTagAnswer(s, reader)
	e.opts.OnChange()
	return left
}

// canReplaceTagAt reports whether a tag at this reader can replace a lost one now. It cannot at a reader of a
// room, at a reader of the table if there is one for enrolment, or during a scene or a pause.
func (e *Enrolment) canReplaceTagAt(reader string) bool {
	return !strings.HasPrefix(reader, engine.ReaderPlace) &&
		(reader == config.RoleEnrol || !e.opts.HasEnrolReader()) && e.opts.Table.CanDecideCards()
}

// publishTagAnswer shows at a reader whether a tag was accepted, which depends only on the tag. In a game it
// notifies all viewers, so that no copy of a card is made secretly.
func (e *Enrolment) publishTagAnswer(s *enrolSession, reader string) {
	last := s.State().Last.Outcome
	ok := !s.saveFailed && slices.Contains([]string{enrol.TagAssigned, enrol.TagUnchanged, enrol.TagKnown}, last)
	if !s.opts.Playing {
		e.opts.ShowAnswer(reader, ok)
		return
	}
	n := &wire.Notice{Msg: engine.NewMsg("table.enrol.look"), Rule: "GEN-E08", Signal: wire.SignalAgain, Reader: reader}
	if ok {
		n.Msg, n.Signal = engine.NewMsg("table.enrol.spare"), wire.SignalAccepted
	}
	e.opts.Table.PublishReaderAnswer(n)
}

// RefuseUnfitTag shows in the open session why a tag that cannot identify a card is refused. It reports whether the
// session has handled the tag, so that the game must not.
func (e *Enrolment) RefuseUnfitTag(uid string) (handled bool) {
	if e.accepts.Load() == acceptsNothing {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.currentSession()
	if s == nil || s.opts.Playing && !s.CanAccept(uid) {
		return false
	}
	s.ShowUnfitTag(uid)
	e.opts.OnChange()
	return !s.opts.Playing
}

// buildView returns the state of the enrolment for the host's page.
func (e *Enrolment) buildView() *wire.Enrol {
	e.mu.Lock()
	defer e.mu.Unlock()
	u := e.opts.Public()
	if u == nil {
		return nil
	}
	lobby := u.View.Phase == engine.PhaseLobby
	out := &wire.Enrol{Lists: openableLists(lobby), Blank: lobby && e.opts.Cards.hasNoTags(u.View.Game)}
	if s := e.currentSession(); s != nil {
		out.Open = s.buildView()
		out.Open.Apart = e.opts.HasEnrolReader()
	}
	return out
}

// buildView returns the state of the session for the host's page.
func (s *enrolSession) buildView() *wire.Enrolling {
	st := s.State()
	u := &wire.Enrolling{List: s.list, Need: s.opts.Need, Cards: []engine.ID{}, May: append([]string{}, s.AllowedCommands()...),
		Asked: st.Asked, Next: st.Next,
		Picked: st.Picked, Of: len(st.Cards), Short: []engine.ID{}, Last: st.Last.Outcome,
		Tag: st.Last.UID, Card: st.Last.Card, Unknown: st.Unknown,
		Conflict: st.Conflict.UID != ""}
	for _, n := range s.opts.Cards {
		u.Cards = append(u.Cards, n.ID)
	}
	if s.saveFailed {
		u.Last = "failed"
	}
	if st.Last.Why != (engine.Text{}) {
		u.Why = &st.Last.Why
	}
	if s.opts.Playing { // the numbers of tags are irrelevant to the game and are not shown in it
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

// buildListView returns the changes that a list of tags would make.
func buildListView(r *enrol.ParsedList) *wire.EnrolRead {
	out := &wire.EnrolRead{New: r.New, Same: r.Same, Moved: r.Moved}
	for _, f := range r.Faults.Limit(MaxListFaults) {
		out.Faults = append(out.Faults, wire.FileFault{Line: f.Line, Said: f.TextWithoutPlace()})
	}
	return out
}

// hasNoTags reports whether no card of a game has a tag.
func (c *Cards) hasNoTags(game engine.ID) bool {
	tagged := slices.Collect(maps.Values(c.tags.tagsOf(game)))
	return !slices.ContainsFunc(c.opts.Decks.RulebookOf(game).Names(),
		func(n engine.Name) bool { return n.IsCard() && slices.Contains(tagged, n.ID) })
}
