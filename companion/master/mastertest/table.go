// Package mastertest has a master.Table for the tests of parts, without a loop, a store or a clock that runs:
//
//	t := mastertest.New(func(t master.Table) []master.Part { return []master.Part{hold.New(t)} })
//	r := t.Do(mastertest.Host, hold.ActPause)
//	t.Pass(time.Minute)
//
// Its fields are what the parts are told, and a test may change them at any time. It does for the parts what the loop does for them: an
// event is applied to all of them and is a step, Pass does what falls due, and they observe before anything is published. It judges no
// rights and no rules of a game.
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

	Clock    engine.Millis     // of the game; it stands in a pause
	Time     time.Time         // of day
	Holder   *wire.Hold        // by whom the game is paused
	Full     bool              // the disk: nothing can be written or read
	Stopped  bool              // the game is paused because the disk was full
	Settings map[string]string // of the table
	Finished []store.Result
	Lain     map[int64]map[engine.ID]string // where cards of earlier games lay at last; each has ended an hour ago

	Events  []store.Event // of parts, and undo
	Notices []string      // the keys of what everybody was told
	Shown   int           // how often something was published

	make func(master.Table) []master.Part
}

// New returns a table in the midst of a game of two people, at seats 1 and 2, with the parts that parts makes.
func New(parts func(master.Table) []master.Part) *Table {
	d, err := toy.ParseDeck("toy", toy.Entry().Default)
	if err != nil {
		panic("mastertest: " + err.Error())
	}
	book, _ := d.Book()
	t := &Table{
		State:   State{Number: 1, Box: book, View: engine.View{Phase: "play", Seats: []engine.SeatView{{Seat: 1, Alive: true}, {Seat: 2, Alive: true}}}},
		Devices: Devices{Marks: map[wire.Handset]string{}, States: map[string]string{}},
		Time:    time.Time{}.Add(time.Hour), Settings: map[string]string{}, make: parts,
	}
	t.Restart()
	return t
}

// Restart replaces the parts by new ones, as a start of the daemon does. They load the settings and apply the events so far.
func (t *Table) Restart() {
	t.Parts = t.make(t)
	each(t, func(p master.Recorder) { p.Reset() })
	for _, e := range t.Events {
		each(t, func(p master.Recorder) { p.Apply(e) })
	}
	each(t, func(p master.Loader) { p.Load() })
}

// each calls do with the parts that implement T.
func each[T any](t *Table, do func(T)) {
	for _, p := range t.Parts {
		if one, ok := p.(T); ok {
			do(one)
		}
	}
}

// Do calls an act of a part, with arguments as names and values in turn, and publishes its notice. It panics if no part has that act.
func (t *Table) Do(by master.Actor, act string, args ...string) *engine.Reject {
	var all []master.Act
	for _, p := range t.Parts {
		all = append(all, p.Acts()...)
	}
	return t.do(all, by, act, args)
}

// Order has a program of the house do what it may ask a part for.
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

// Advance does a step of the game, by which change changes the public view. A step out of the lobby begins the game.
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

// Happen is a step of the game by which something happens.
func (t *Table) Happen(what string) {
	t.Advance(func(v *engine.View) {
		v.Happened = append(v.Happened[:len(v.Happened):len(v.Happened)], &engine.Happening{What: what, N: v.Last() + 1})
	})
}

// Pass lets time go by, and has the parts do what falls due, each at its time; in a pause nothing is due. It panics where something is due
// at one moment again and again.
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

// Offered returns the acts that the host is offered, each with what is fixed of it: "hint-no seat=seat-1".
func (t *Table) Offered() (all []string) {
	var offers []engine.Offer
	each(t, func(p master.Offerer) { offers = p.Offers(offers) })
	return texts(offers)
}

// OfferedTo returns those that a seat, or a guest at a free one, is offered.
func (t *Table) OfferedTo(seat engine.Seat) []string {
	var offers []engine.Offer
	each(t, func(p master.SeatOfferer) { offers = p.SeatOffers(offers, seat) })
	return texts(offers)
}

// Everybody returns what all are shown.
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

// Now implements master.Table, as all below.
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

// writes refuses where the disk is full, and pauses the game.
func (t *Table) writes() *engine.Reject {
	if !t.Full {
		return nil
	}
	t.Stopped = true
	return master.Refuse(engine.NotNow, "GEN-001", "mastertest.full")
}

// maxInARow limits what may fall due at one moment.
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
