package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/companion/master/box"
	"majordome/companion/master/corrections"
	"majordome/companion/master/hints"
	"majordome/companion/master/lessons"
	"majordome/companion/master/losses"
	"majordome/companion/master/oversight"
	"majordome/companion/master/seed"
	"majordome/companion/proof"
	"majordome/companion/staff"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// fakeClock does not move until a test sets it.
type fakeClock struct{ at time.Time }

func (c *fakeClock) Now() time.Time                       { return c.at }
func (c *fakeClock) After(time.Duration) <-chan time.Time { return nil }

// memory is a journal in memory that can fail, before or after it has written.
type memory struct {
	games     []store.Game
	events    map[int64][]store.Event
	result    map[int64]*store.Result
	notes     map[int64]map[engine.Seat]string
	settings  map[string]string
	fail      string // "": works; "before", "after": how the next writes fail
	failError error  // the error that they return
	writes    int
}

var errDisk = &store.Error{Op: "append", Path: "x", Trouble: store.Full}

func newMemory() *memory {
	return &memory{events: map[int64][]store.Event{}, result: map[int64]*store.Result{},
		notes: map[int64]map[engine.Seat]string{}, failError: errDisk}
}

func (m *memory) CurrentGame() (store.Game, bool, error) {
	if len(m.games) == 0 {
		return store.Game{}, false, nil
	}
	g := m.games[len(m.games)-1]
	g.Over = m.result[g.ID] != nil
	return g, true, nil
}

func (m *memory) Events(id int64) ([]store.Event, error) { return slices.Clone(m.events[id]), nil }

func (m *memory) BeginGame(book engine.ID, first []store.Event) (store.Game, error) {
	g := store.Game{ID: int64(len(m.games) + 1), Book: book}
	return g, m.write(func() {
		m.games = append(m.games, g)
		m.events[g.ID] = numberEvents(nil, first)
	})
}

func (m *memory) AppendSteps(id int64, events []store.Event, r *store.Result) error {
	had := m.events[id]
	if len(had) > 0 && events[0].Step != had[len(had)-1].Step+1 || len(had) == 0 && events[0].Step != 1 {
		return &store.Error{Op: "append", Trouble: store.Conflict}
	}
	return m.write(func() { m.events[id], m.result[id] = numberEvents(had, events), r })
}

func (m *memory) Notes(id int64) (map[engine.Seat]string, error) {
	all := map[engine.Seat]string{}
	maps.Copy(all, m.notes[id])
	return all, nil
}

func (m *memory) SetNotes(id int64, seat engine.Seat, marks string) error {
	return m.write(func() {
		if m.notes[id] == nil {
			m.notes[id] = map[engine.Seat]string{}
		}
		m.notes[id][seat] = marks
	})
}

func (m *memory) Setting(name string) (string, bool, error) {
	value, ok := m.settings[name]
	return value, ok, nil
}

func (m *memory) SetSetting(name, value string) error {
	return m.write(func() {
		if m.settings == nil {
			m.settings = map[string]string{}
		}
		m.settings[name] = value
	})
}

func (m *memory) Results(limit int) (all []store.Result, _ error) {
	for _, r := range m.result {
		if r != nil && len(all) < limit {
			all = append(all, *r)
		}
	}
	return all, nil
}

func numberEvents(had, events []store.Event) []store.Event {
	all := slices.Clone(had)
	for _, e := range events {
		e.N = int64(len(all) + 1)
		all = append(all, e)
	}
	return all
}

func (m *memory) write(do func()) error {
	if m.fail == "before" {
		return m.failError
	}
	m.writes++
	do()
	if m.fail == "after" {
		return m.failError
	}
	return nil
}

func (m *memory) CheckWritable() error {
	if m.fail != "" {
		return m.failError
	}
	return nil
}

// desk records the calls of the loop.
type desk struct {
	invited    []engine.Viewer
	fail       bool
	hadPhone   bool // the invited seat had a phone before
	asking     []engine.Viewer
	answers    []string
	phones     []wire.SeatPhones
	hosts      []wire.HostDevice
	pleas      []wire.Plea
	forSeats   []wire.Guest
	markSuffix string // a suffix to all marks: all phones have joined again
	unmarked   []wire.Handset
	linksEnded int
	wake       time.Time // the next change; zero: none
}

func (d *desk) NextInviteChange() (time.Time, bool) { return d.wake, !d.wake.IsZero() }
func (d *desk) EndSeatLinks()                       { d.linksEnded++ }
func (d *desk) ContestedViewers() []engine.Viewer   { return d.asking }

func (d *desk) RefuseSecondPhone(v engine.Viewer) error { return d.answerViewer("cut", v) }

func (d *desk) SeatPhones() []wire.SeatPhones            { return slices.Clone(d.phones) }
func (d *desk) InviteFurtherPhone(v engine.Viewer) error { return d.answerViewer("more", v) }

func (d *desk) HostDevices() []wire.HostDevice { return slices.Clone(d.hosts) }
func (d *desk) PhoneIdentity(h wire.Handset) string {
	if slices.Contains(d.unmarked, h) {
		return ""
	}
	return "mark of " + h.String() + d.markSuffix
}
func (d *desk) AccessRequests() []wire.Plea   { return slices.Clone(d.pleas) }
func (d *desk) WaitingRequests() int          { return 7 }
func (d *desk) AdmitDevice(code string) error { return d.answerCode("admit", code) }
func (d *desk) DenyDevice(code string) error  { return d.answerCode("deny", code) }

func (d *desk) SyncLobby(open bool, _ int, _, _ []engine.ID) string {
	if !open {
		return ""
	}
	return "WALLCODE"
}
func (d *desk) EndSeatRequests()                  {}
func (d *desk) SeatRequests() ([]wire.Guest, int) { return slices.Clone(d.forSeats), 0 }
func (d *desk) AdmitToSeat(code string, at engine.Seat) error {
	d.forSeats = slices.DeleteFunc(slices.Clone(d.forSeats), func(g wire.Guest) bool { return g.Ask == code })
	return d.answerViewer("seat "+code+" at", engine.SeatViewer(at))
}
func (d *desk) RefuseSeat(code string) error   { return d.answerCode("refuse", code) }
func (d *desk) ExplainSeat(string, engine.Msg) {}
func (d *desk) RefuseClaim(string, engine.Msg) {}
func (d *desk) CardClaims() (open []wire.CardClaim, confirmed []wire.Guest) {
	return nil, nil
}

func (d *desk) answerCode(how, code string) error {
	if d.fail {
		return errors.New("no")
	}
	d.pleas = slices.DeleteFunc(slices.Clone(d.pleas), func(p wire.Plea) bool { return p.Code == code })
	d.answers = append(d.answers, how+" "+code)
	return nil
}

func (d *desk) EndPhone(h wire.Handset) error {
	if h.IsHost() && !d.fail {
		d.hosts = slices.DeleteFunc(slices.Clone(d.hosts), func(o wire.HostDevice) bool { return o.N == h.N })
	}
	for i := range d.phones {
		if engine.SeatViewer(d.phones[i].Seat) == h.Viewer && !d.fail {
			d.phones[i].Phones = slices.DeleteFunc(slices.Clone(d.phones[i].Phones), func(n int) bool { return n == h.N })
		}
	}
	return d.answerViewer(fmt.Sprint("end ", h.N, " of"), h.Viewer)
}

func (d *desk) answerViewer(how string, v engine.Viewer) error {
	if d.fail {
		return errors.New("no")
	}
	d.asking = slices.DeleteFunc(slices.Clone(d.asking), func(a engine.Viewer) bool { return a == v })
	d.answers = append(d.answers, how+" "+v.String())
	return nil
}

func (d *desk) RefreshInvites(seats []engine.Seat) []wire.Invite {
	all := []wire.Invite{}
	d.phones = slices.DeleteFunc(slices.Clone(d.phones), func(at wire.SeatPhones) bool { return !slices.Contains(seats, at.Seat) })
	for _, s := range seats {
		all = append(all, wire.Invite{Seat: s, URL: fmt.Sprintf("/#j=%d", len(d.invited))})
	}
	return all
}

func (d *desk) CutAndInvite(v engine.Viewer) (bool, error) {
	if d.fail {
		return false, errors.New("no")
	}
	d.invited = append(d.invited, v)
	return d.hadPhone, nil
}

type publisher func(Step)

func (p publisher) Publish(s Step) { p(s) }

// no is the value of an argument "on" that turns something off, as yes turns it on.
const no = "no"

// rig is a table without the loop's goroutine: inputs are handled one by one, and time passes only when the test says
// so.
type rig struct {
	t           testing.TB
	clock       *fakeClock
	journal     Journal
	books       []engine.Rulebook
	desk        *desk
	recovery    losses.Recovery
	epoch       uint64
	seq         map[wire.Handset]uint64
	steps       []Step
	loop        *Loop
	hasAccounts bool // accounts are in use
	people      *staff.Accounts
	addsToSeed  bool // each seat has a phone that adds to the seed of the dice
}

func newRig(t testing.TB, journal Journal, books ...engine.Rulebook) *rig {
	t.Helper()
	if len(books) == 0 {
		books = []engine.Rulebook{toyBook{"toy"}}
	}
	r := &rig{t: t, clock: &fakeClock{time.Unix(1_700_000_000, 0)}, journal: journal, books: books, desk: &desk{hadPhone: true}}
	r.start()
	return r
}

// start starts the daemon, also again after a kill.
func (r *rig) start() { r.t.Helper(); r.startWith(false) }

func (r *rig) startWith(newGame bool) {
	r.t.Helper()
	r.epoch++
	r.seq = map[wire.Handset]uint64{}
	var people People
	if r.hasAccounts {
		r.openAccounts()
		people = r.people
	}
	steps := 0
	salt := func() proof.Salt { steps++; return testSalt(r.epoch, steps) }
	var err error
	r.loop, err = New(r.journal, publisher(func(s Step) { r.steps = append(r.steps, s) }), r.books, &Opts{
		Epoch: r.epoch, Clock: r.clock, Dice: chance.New(r.epoch), Desk: r.desk, Recovery: r.recovery,
		Readers: []string{engine.ReaderUrn, engine.ReaderShow}, NewGame: newGame, People: people, Salt: salt,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.loop.core.publish(r.loop.core.openingNotices) // as Run does
}

// testSalt returns a salt that is the same in every run.
func testSalt(epoch uint64, step int) proof.Salt {
	return proof.Salt{0: byte(epoch), 1: byte(epoch >> 8)}.SaltFor(strconv.Itoa(step))
}

func (r *rig) core() *core { return &r.loop.core }

// passTime lets time pass and handles each deadline at its own moment.
func (r *rig) passTime(d time.Duration) {
	end := r.clock.at.Add(d)
	for range 1000 {
		at, ok := r.core().nextWakeTime()
		if !ok || at.After(end) {
			break
		}
		r.clock.at = at
		r.core().runDueTimers(r.clock.at)
	}
	r.clock.at = end
	r.core().runDueTimers(r.clock.at)
}

func (r *rig) act(v engine.Viewer, act string, pairs ...string) wire.Reply {
	r.t.Helper()
	return r.actFrom(wire.FirstPhoneOf(v), act, pairs...)
}

// actFrom sends an act of one phone.
func (r *rig) actFrom(h wire.Handset, act string, pairs ...string) wire.Reply {
	args := engine.Args{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	r.seq[h]++
	return r.send(h, wire.Act{ID: "x", Seq: r.seq[h], Act: act, Args: args})
}

// submitNotes sends a note sheet, based on the revision that is shown.
func (r *rig) submitNotes(v engine.Viewer, marks string) wire.Reply {
	r.t.Helper()
	return r.act(v, wire.ActNote, "marks", marks, "rev", fmt.Sprint(r.core().rev))
}

func (r *rig) send(h wire.Handset, a wire.Act) (out wire.Reply) {
	r.t.Helper()
	n := 0
	r.core().runDueTimers(r.clock.at)
	r.core().handleAct(h, a, func(reply wire.Reply) { out = reply; n++ })
	if n != 1 {
		r.t.Fatalf("%d replies to one act", n)
	}
	if r.addsToSeed && a.Act != seed.ActCommit && a.Act != seed.ActOpen {
		r.answerForPhones()
	}
	return out
}

func (r *rig) mustAct(v engine.Viewer, act string, pairs ...string) {
	r.t.Helper()
	if out := r.act(v, act, pairs...); !out.OK {
		r.t.Fatalf("%v %s %v: %v %+v", v, act, pairs, out.Reject, out.Reject.Why)
	}
}

func tags(cards ...string) (all []Tag) {
	for _, c := range cards {
		card := engine.ID(c)
		if strings.HasPrefix(c, "?") { // a foreign tag
			card = ""
		}
		all = append(all, Tag{UID: "uid-" + c, Card: card})
	}
	return all
}

// dropInUrn presents tags at the urn and waits for the window to close.
func (r *rig) dropInUrn(cards ...string) {
	r.core().presentTags(r.clock.at, engine.ReaderUrn, tags(cards...))
	r.passTime(defaultUrnWindow)
}

func (r *rig) last() Step { return r.steps[len(r.steps)-1] }

// playing returns a rig with n seats whose game has begun.
func playing(t *testing.T, journal Journal, n int) *rig {
	t.Helper()
	r := newRig(t, journal)
	for range n {
		r.mustAct(engine.Host, "sit")
	}
	r.mustAct(engine.Host, "begin")
	return r
}

// comparableUpdate returns an update as JSON without what may differ between two updates of one state. It also leaves
// out what a restart ends (a countdown, a bell, a vote, an inventory, the view of the overseer) and the offer of the
// lesson, which ends with a game.
func comparableUpdate(t testing.TB, u wire.Update) string {
	t.Helper()
	u.Epoch, u.Rev, u.Game, u.Seq, u.Seqs, u.Left, u.Waited = 0, 0, 0, 0, nil, 0, 0
	u.Notice, u.Vote, u.Count, u.Overseen = nil, nil, nil, nil
	if u.ForHost != nil {
		rest := *u.ForHost
		rest.Desk, rest.Box = nil, nil
		u.ForHost = &rest
	}
	u.View.Offers = slices.DeleteFunc(slices.Clone(u.View.Offers), func(o engine.Offer) bool {
		return o.Act == hints.ActAsk && o.Fixed["on"] == yes ||
			slices.Contains([]string{corrections.ActPropose, corrections.ActAgree, corrections.ActRefuse, box.ActCheck, lessons.Act,
				oversight.ActUnlock, oversight.ActCover}, o.Act)
	})
	return asJSON(t, u)
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// comparableState returns all that a step shows, as comparableUpdate does.
func comparableState(t testing.TB, s Step) string {
	t.Helper()
	all := []string{comparableUpdate(t, s.Public)}
	for _, u := range s.UpdatesToSeal(nil) {
		if u.View.Viewer != engine.Overseer.String() {
			all = append(all, comparableUpdate(t, u))
		}
	}
	return strings.Join(all, "\n")
}

// setSecrets allows or forbids the view of the overseer, at any time and without a step.
func (r *rig) setSecrets(on string) {
	r.t.Helper()
	if err := r.journal.SetSetting("secrets", on); err != nil {
		r.t.Fatal(err)
	}
	r.core().parts.loadSettings()
}

// needsFullBox reports whether the box must be full before the game can begin.
func (r *rig) needsFullBox() bool { return r.core().parts.closedGatekeeper() != nil }

// isOwn reports whether an event is no step of the game.
func isOwn(e store.Event) bool { _, own := nonStepKinds[e.Kind]; return own }
