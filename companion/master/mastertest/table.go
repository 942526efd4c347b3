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

	Clock    engine.Millis     // of the game; stops in a pause
	Time     time.Time         // of day
	Holder   *wire.Hold        // the hold that pauses the game
	Full     bool              // the disk is full: nothing can be read or written
	Stopped  bool              // the game is paused because the disk was full
	Settings map[string]string // of the table
	Finished []store.Result
	Lain     map[int64]map[engine.ID]string // the last positions of cards in earlier games, which have all ended an hour ago

	Events  []store.Event // of parts, and undo
	Notices []string      // catalogue keys of the public notices
	Shown   int           // number of published steps

	make func(master.Table) []master.Part
}

// New returns a table in the middle of a game of two players, at seats 1 and 2. The function parts makes its
// parts.
func New(parts func(master.Table) []master.Part) *Table {
	d, err := toy.ParseDeck("toy", toy.Entry().Default)
	if err != nil {
		panic("mastertest: " + err.Error())
	}
	book, _ := d.Book()
	t := &Table{
		State: State{Number: 1, Box: book, View: engine.View{
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
	each(t, func(p master.Recorder) { p.Reset() })
	for _, e := range t.Events {
		each(t, func(p master.Recorder) { p.Apply(e) })
	}
	each(t, func(p master.Loader) { p.Load() })
}

// eachPart calls do with each part that implements T.
func each[T any](t *Table, do func(T)) {
	for _, p := range t.Parts {
		if one, ok := p.(T); ok {
			do(one)
		}
	}
}

// DoAct does an act of a part, with names and values of arguments in turn, and publishes its notice. It panics
// if no part has that act.
func (t *Table) Do(by master.Actor, act string, args ...string) *engine.Reject {
	var all []master.Act
	for _, p := range t.Parts {
		all = append(all, p.Acts()...)
	}
	return t.do(all, by, act, args)
}

// DoOrder does an order of a program of the house, as DoAct does an act.
func (t *Table) Order(order string, args ...string) *engine.Reject {
	var all []master.Act
	each(t, func(p master.OrderLister) { all = append(all, p.Orders()...) })
	return t.do(all, Program, order, args)
}

func (t *Table) do(all []master.Act, by master.Actor, act string, args []string) *engine.Reject {
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
func (t *Table) Advance(change func(v *engine.View)) {
	before, lobby := t.View, t.InLobby()
	change(&t.View)
	t.step++
	t.played = t.Clock
	each(t, func(p master.StepFollower) {
		if author, kind, data := p.FollowStep(&before, &t.View); kind != "" {
			t.Record(author, kind, data)
		}
	})
	if lobby && !t.InLobby() {
		each(t, func(p master.BeginListener) { p.GameBegun("host") })
	}
	t.Publish(nil)
}

// AddHappening makes a step of the game with one more happening.
func (t *Table) Happen(what string) {
	t.Advance(func(v *engine.View) {
		v.Happened = append(v.Happened[:len(v.Happened):len(v.Happened)], &engine.Happening{What: what, N: v.Last() + 1})
	})
}

// PassTime lets time pass and runs the timers of the parts, each at its time; in a pause it runs none. It
// panics if timers at one moment never end.
func (t *Table) Pass(d time.Duration) {
	inARow := 0
	for end := t.Time.Add(d); ; inARow++ {
		at, do := end, func() {}
		last := true
		each(t, func(p master.Timer) {
			if t.Paused() {
				return
			}
			p.Due(func(when time.Time, what func()) {
				if when.Before(at) || last && when.Equal(at) {
					at, do, last = when, what, false
				}
			})
		})
		if gone := at.Sub(t.Time); gone > 0 {
			t.Time, inARow = at, 0
			if !t.Paused() {
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
func (t *Table) Offered() (all []string) {
	var offers []engine.Offer
	each(t, func(p master.Offerer) { offers = p.Offers(offers) })
	return texts(offers)
}

// OfferedTo returns the acts offered to a seat, or to a guest at a free one.
func (t *Table) OfferedTo(seat engine.Seat) []string {
	var offers []engine.Offer
	each(t, func(p master.SeatOfferer) { offers = p.SeatOffers(offers, seat) })
	return texts(offers)
}

// PublicUpdate returns the fields that all viewers get.
func (t *Table) Everybody() *wire.Update {
	u := &wire.Update{}
	each(t, func(p master.PublicShower) { p.ShowPublic(u) })
	return u
}

// ForHost returns the fields that only the host gets.
func (t *Table) ForHost() *wire.ForHost {
	to := &wire.ForHost{Desk: &wire.Desk{}}
	each(t, func(p master.HostShower) { p.ShowHost(to) })
	return to
}

// GameTime implements master.Table, as the methods below do.
func (t *Table) Now() engine.Millis { return t.Clock }
func (t *Table) When(at engine.Millis) time.Time {
	return t.Time.Add(time.Duration(at-t.Clock) * time.Millisecond)
}
func (t *Table) Wall() time.Time  { return t.Time }
func (t *Table) Paused() bool     { return t.Stopped || t.Holder != nil }
func (t *Table) Held() *wire.Hold { return t.Holder }

func (t *Table) Hold(author string, h wire.Hold) *engine.Reject {
	if r := t.Record(author, master.KindPause, h); r != nil {
		return r
	}
	h.By = author
	t.Holder = &h
	return nil
}

func (t *Table) Release(author string) *engine.Reject {
	if r := t.Record(author, master.KindResume, struct{}{}); r != nil {
		return r
	}
	t.Holder = nil
	return nil
}

func (t *Table) Record(author, kind string, data any) *engine.Reject {
	if r := t.writes(); r != nil {
		return r
	}
	text, err := json.Marshal(data)
	if err != nil {
		panic("mastertest: " + err.Error())
	}
	t.step++
	e := store.Event{Step: t.step, Cause: author, Kind: kind, Data: text, At: t.Clock}
	t.Events = append(t.Events, e)
	each(t, func(p master.Recorder) { p.Apply(e) })
	return nil
}

// checkDisk returns a refusal and pauses the game if the disk is full.
func (t *Table) writes() *engine.Reject {
	if !t.Full {
		return nil
	}
	t.Stopped = true
	return master.Refuse(engine.NotNow, "GEN-001", "mastertest.full")
}

// maxInARow limits the timers that run at one moment.
const maxInARow = 100

var errFull = errors.New("mastertest: the disk is full")

func (t *Table) Lying(game int64) (map[engine.ID]string, time.Time) {
	return t.Lain[game], t.Time.Add(-time.Hour)
}

func (t *Table) Setting(name string) (string, bool, error) {
	if t.Full {
		return "", false, errFull
	}
	value, ok := t.Settings[name]
	return value, ok, nil
}

func (t *Table) Set(name, value string) *engine.Reject {
	if r := t.writes(); r != nil {
		return r
	}
	t.Settings[name] = value
	return nil
}

func (t *Table) RoomSettings() map[string]string {
	all := map[string]string{}
	each(t, func(p master.RoomSettingsLister) { maps.Copy(all, p.RoomSettings()) })
	return all
}

func (t *Table) Results(limit int) ([]store.Result, error) {
	if t.Full {
		return nil, errFull
	}
	return t.Finished[:min(limit, len(t.Finished))], nil
}

func (t *Table) Publish(n *wire.Notice) {
	each(t, func(p master.Observer) { p.Observe() })
	t.Shown++
	if n == nil {
		return
	}
	t.Notices = append(t.Notices, n.Msg.Key)
	if n.Reader != "" {
		each(t, func(p master.Observer) { p.Answered(n.Reader, n) })
	}
}

func (t *Table) Passing(said engine.Msg) *wire.Notice { return &wire.Notice{Msg: said, Passing: true} }
func (t *Table) News(said engine.Msg) *wire.Notice {
	return &wire.Notice{Msg: said, Rule: "GEN-011", Passing: true}
}
