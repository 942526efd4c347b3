// Package mastertest has a master.Table for the tests of parts, without a loop, a store or a running clock:
//
//	t := mastertest.New(func(t master.Table) []master.Part { return []master.Part{hold.New(t)} })
//	r := t.DoAct(mastertest.Host, hold.ActPause)
//	t.PassTime(time.Minute)
//
// The parts read its fields, which a test may change at any time. It does for the parts what the loop does: it
// applies each event to all of them as a step, PassTime runs their timers, and they observe each step before it
// is published. It checks neither rights nor the rules of a game.
package mastertest

import (
	"encoding/json"
	"errors"
	"maps"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games/toy"
)

// Table is a master.Table with the parts under test.
type Table struct {
	State
	Devices
	Parts []master.Part

	Clock     engine.Millis     // of the game; stops in a pause
	Time      time.Time         // of day
	Holding   *wire.Hold        // the hold that pauses the game
	DiskFull  bool              // the disk is full: nothing can be read or written
	Stopped   bool              // the game is paused because the disk was full
	Settings  map[string]string // of the table
	Finished  []store.Result
	Positions map[int64]map[engine.ID]string // the last positions of cards in earlier games, which have all ended an hour ago

	Events  []store.Event // of parts, and undo
	Notices []string      // catalogue keys of the public notices
	Shown   int           // number of published steps

	make func(master.Table) []master.Part
}

// New returns a table in the middle of a game of two players, at seats 1 and 2. The function parts makes its
// parts.
func New(parts func(master.Table) []master.Part) *Table {
	d, err := toy.ParseDeck("toy", toy.TableEntry().Default)
	if err != nil {
		panic("mastertest: " + err.Error())
	}
	book, _ := d.NewRulebook()
	t := &Table{
		State: State{Number: 1, Rulebook: book, View: engine.View{
			Phase: "play", Seats: []engine.SeatView{{Seat: 1, Alive: true}, {Seat: 2, Alive: true}},
		}},
		Devices: Devices{Marks: map[wire.Handset]string{}, States: map[string]string{}},
		Time:    time.Time{}.Add(time.Hour), Settings: map[string]string{}, make: parts,
	}
	t.Restart()
	return t
}

// Restart replaces the parts by new ones, as a start of the daemon does. They apply the events so far and load
// the settings.
func (t *Table) Restart() {
	t.Parts = t.make(t)
	eachPart(t, func(p master.Recorder) { p.ResetEvents() })
	for _, e := range t.Events {
		eachPart(t, func(p master.Recorder) { p.ApplyEvent(e) })
	}
	eachPart(t, func(p master.Loader) { p.LoadSettings() })
}

// eachPart calls do with each part that implements T.
func eachPart[T any](t *Table, do func(T)) {
	for _, p := range t.Parts {
		if one, ok := p.(T); ok {
			do(one)
		}
	}
}

// DoAct does an act of a part, with names and values of arguments in turn, and publishes its notice. It panics
// if no part has that act.
func (t *Table) DoAct(by master.Actor, act string, args ...string) *engine.Reject {
	var all []master.Act
	for _, p := range t.Parts {
		all = append(all, p.Acts()...)
	}
	return t.doNamedAct(all, by, act, args)
}

// DoOrder does an order of a program of the house, as DoAct does an act.
func (t *Table) DoOrder(order string, args ...string) *engine.Reject {
	var all []master.Act
	eachPart(t, func(p master.OrderLister) { all = append(all, p.Orders()...) })
	return t.doNamedAct(all, Program, order, args)
}

// doNamedAct does the act with this name of a list, as DoAct does.
func (t *Table) doNamedAct(all []master.Act, by master.Actor, act string, args []string) *engine.Reject {
	with := engine.Args{}
	for i := 0; i+1 < len(args); i += 2 {
		with[args[i]] = args[i+1]
	}
	for _, a := range all {
		if a.Name == act {
			told, r := a.Do(by, with)
			t.Publish(told)
			return r
		}
	}
	panic("mastertest: no part has " + act)
}

// AdvanceGame makes a step of the game; change changes the public view. A step out of the lobby begins the
// game.
func (t *Table) AdvanceGame(change func(v *engine.View)) {
	before, lobby := t.View, t.InLobby()
	change(&t.View)
	t.step++
	t.played = t.Clock
	eachPart(t, func(p master.StepFollower) {
		if author, kind, data := p.EventForStep(&before, &t.View); kind != "" {
			t.RecordEvent(author, kind, data)
		}
	})
	if lobby && !t.InLobby() {
		eachPart(t, func(p master.BeginListener) { p.HandleGameBegun("host") })
	}
	t.Publish(nil)
}

// AddHappening makes a step of the game with one more happening.
func (t *Table) AddHappening(what string) {
	t.AdvanceGame(func(v *engine.View) {
		v.Happened = append(v.Happened[:len(v.Happened):len(v.Happened)], &engine.Happening{What: what, N: v.LastHappeningNumber() + 1})
	})
}

// PassTime lets time pass and runs the timers of the parts, each at its time; in a pause it runs none. It
// panics if timers at one moment never end.
func (t *Table) PassTime(d time.Duration) {
	inARow := 0
	for end := t.Time.Add(d); ; inARow++ {
		at, do := end, func() {}
		last := true
		eachPart(t, func(p master.Timer) {
			if t.IsPaused() {
				return
			}
			p.ListTimers(func(when time.Time, what func()) {
				if when.Before(at) || last && when.Equal(at) {
					at, do, last = when, what, false
				}
			})
		})
		if gone := at.Sub(t.Time); gone > 0 {
			t.Time, inARow = at, 0
			if !t.IsPaused() {
				t.Clock += engine.Millis(gone.Milliseconds())
			}
		}
		if do(); last {
			return
		}
		if inARow > maxInARow {
			panic("mastertest: something is due again and again")
		}
	}
}

// OfferedToHost returns the acts offered to the host, each with its fixed arguments: "hint-no seat=seat-1".
func (t *Table) OfferedToHost() (all []string) {
	var offers []engine.Offer
	eachPart(t, func(p master.Offerer) { offers = p.AppendOffers(offers) })
	return formatOffers(offers)
}

// OfferedTo returns the acts offered to a seat, or to a guest at a free one.
func (t *Table) OfferedTo(seat engine.Seat) []string {
	var offers []engine.Offer
	eachPart(t, func(p master.SeatOfferer) { offers = p.AppendSeatOffers(offers, seat) })
	return formatOffers(offers)
}

// PublicUpdate returns the fields that all viewers get.
func (t *Table) PublicUpdate() *wire.Update {
	u := &wire.Update{}
	eachPart(t, func(p master.PublicShower) { p.ShowPublic(u) })
	return u
}

// ForHost returns the fields that only the host gets.
func (t *Table) ForHost() *wire.ForHost {
	to := &wire.ForHost{Desk: &wire.Desk{}}
	eachPart(t, func(p master.HostShower) { p.ShowHost(to) })
	return to
}

// GameTime implements master.Table, as the methods below do.
func (t *Table) GameTime() engine.Millis { return t.Clock }
func (t *Table) WallTimeOf(at engine.Millis) time.Time {
	return t.Time.Add(time.Duration(at-t.Clock) * time.Millisecond)
}
func (t *Table) WallTime() time.Time     { return t.Time }
func (t *Table) IsPaused() bool          { return t.Stopped || t.Holding != nil }
func (t *Table) CurrentHold() *wire.Hold { return t.Holding }

func (t *Table) HoldGame(author string, h wire.Hold) *engine.Reject {
	if r := t.RecordEvent(author, master.KindPause, h); r != nil {
		return r
	}
	h.By = author
	t.Holding = &h
	return nil
}

func (t *Table) ReleaseGame(author string) *engine.Reject {
	if r := t.RecordEvent(author, master.KindResume, struct{}{}); r != nil {
		return r
	}
	t.Holding = nil
	return nil
}

func (t *Table) ResumeAfterLosses() *engine.Reject {
	if r := t.checkDisk(); r != nil {
		return r
	}
	t.Stopped = false
	return nil
}

func (t *Table) OpenNextGroup(string) (r *engine.Reject) {
	eachPart(t, func(g master.GroupListener) {
		if r == nil {
			r = g.PrepareNextGroup()
		}
	})
	if r == nil {
		r = t.checkDisk()
	}
	if r == nil {
		t.Number++
		t.View.Phase, t.View.Seats = engine.PhaseLobby, nil
	}
	return r
}

func (t *Table) RecordEvent(author, kind string, data any) *engine.Reject {
	if r := t.checkDisk(); r != nil {
		return r
	}
	text, err := json.Marshal(data)
	if err != nil {
		panic("mastertest: " + err.Error())
	}
	t.step++
	e := store.Event{Step: t.step, Cause: author, Kind: kind, Data: text, At: t.Clock}
	t.Events = append(t.Events, e)
	eachPart(t, func(p master.Recorder) { p.ApplyEvent(e) })
	return nil
}

// checkDisk returns a refusal and pauses the game if the disk is full.
func (t *Table) checkDisk() *engine.Reject {
	if !t.DiskFull {
		return nil
	}
	t.Stopped = true
	return master.Refuse(engine.NotNow, "GEN-001", "mastertest.full")
}

// maxInARow limits the timers that run at one moment.
const maxInARow = 100

var errFull = errors.New("mastertest: the disk is full")

func (t *Table) LastPositions(game int64) (map[engine.ID]string, time.Time) {
	return t.Positions[game], t.Time.Add(-time.Hour)
}

func (t *Table) Setting(name string) (string, bool, error) {
	if t.DiskFull {
		return "", false, errFull
	}
	value, ok := t.Settings[name]
	return value, ok, nil
}

func (t *Table) SetSetting(name, value string) *engine.Reject {
	if r := t.checkDisk(); r != nil {
		return r
	}
	t.Settings[name] = value
	return nil
}

func (t *Table) RoomSettings() map[string]string {
	all := map[string]string{}
	eachPart(t, func(p master.RoomSettingsLister) { maps.Copy(all, p.RoomSettings()) })
	return all
}

func (t *Table) Results(limit int) ([]store.Result, error) {
	if t.DiskFull {
		return nil, errFull
	}
	return t.Finished[:min(limit, len(t.Finished))], nil
}

func (t *Table) Publish(n *wire.Notice) {
	eachPart(t, func(p master.Observer) { p.ObserveStep() })
	t.Shown++
	if n == nil {
		return
	}
	t.Notices = append(t.Notices, n.Msg.Key)
	if n.Reader != "" {
		eachPart(t, func(p master.Observer) { p.ObserveAnswer(n.Reader, n) })
	}
}

func (t *Table) StartPassingNotice(said engine.Msg) *wire.Notice {
	return &wire.Notice{Msg: said, Passing: true}
}
func (t *Table) StartPhoneNotice(said engine.Msg) *wire.Notice {
	return &wire.Notice{Msg: said, Rule: "GEN-011", Passing: true}
}
