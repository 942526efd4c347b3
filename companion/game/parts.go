package game

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/box"
	"majordome/companion/master/corrections"
	"majordome/companion/master/countdown"
	"majordome/companion/master/hints"
	"majordome/companion/master/hold"
	"majordome/companion/master/lessons"
	"majordome/companion/master/oversight"
	"majordome/companion/master/room"
	"majordome/companion/master/seats"
	"majordome/companion/master/watch"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
)

// newParts returns the parts of the game master, in the order in which their offers and fields are added. stock
// returns the prepared hints of a game. With a nil table the parts can only apply events.
func newParts(t master.Table, desk func() seats.Desk, stock func(game engine.ID) []wire.StockHint) *parts {
	given := hints.New(t, stock)
	limit := countdown.New(t)
	given.Cost = limit.HintCost
	return listed(
		hold.New(t),
		limit,
		given,
		oversight.New(t),
		lessons.New(t),
		box.New(t),
		room.New(t),
		watch.New(t),
		seats.New(t, desk),
		corrections.New(t),
	)
}

// actRegistry lists the acts that exist in addition to those of the game.
type register struct {
	acts       map[string]master.Act
	rights     rights
	orders     map[string]master.Act // of programs of the house
	fixedGames []engine.Args         // for each book the fixed arguments of the offer to open it
}

// partList lists the parts, by the interfaces that they implement.
type parts struct {
	all []master.Part

	// These are called at each step, and are therefore listed once.
	observers []master.Observer
	showers   []master.PublicShower
	hosts     []master.HostShower
	hints     []master.HintShower
	offerers  []master.Offerer
	seaters   []master.SeatOfferer
	timers    []master.Timer
	takers    []master.CardTaker
	gates     []master.Gatekeeper
	greeters  []master.GuestLister
	overseers []master.SecretsShower
}

func listed(all ...master.Part) *parts {
	return &parts{
		all, having[master.Observer](all), having[master.PublicShower](all), having[master.HostShower](all), having[master.HintShower](all),
		having[master.Offerer](all), having[master.SeatOfferer](all), having[master.Timer](all),
		having[master.CardTaker](all), having[master.Gatekeeper](all), having[master.GuestLister](all), having[master.SecretsShower](all)}
}

// partsWith returns the parts that implement T.
func having[T any](all []master.Part) (some []T) {
	for _, p := range all {
		if one, ok := p.(T); ok {
			some = append(some, one)
		}
	}
	return some
}

// eachPart calls do with each part that implements T.
func eachPart[T any](all *parts, do func(T)) {
	for _, one := range having[T](all.all) {
		do(one)
	}
}

// nonStepKinds are the kinds of events of the loop and its parts that are not steps of a game, with their words
// for the minutes.
var ownKinds = func() map[string]master.Kind {
	all := map[string]master.Kind{}
	for _, k := range loopKinds {
		all[k.Name] = k
	}
	eachPart(newParts(nil, nil, nil), func(r master.Recorder) {
		for _, k := range r.Kinds() {
			all[k.Name] = k
		}
	})
	return all
}()

// overseerView returns the secrets for the one device of the host that sees them; nil if none does.
func (all *parts) overseen() *master.Overseen {
	for _, o := range all.overseers {
		if one := o.Overseen(); one != nil {
			return one
		}
	}
	return nil
}

// filterAct passes an act of the game to the parts before the game gets it (master.ActFilter).
func (all *parts) filter(by master.Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject) {
	eachPart(all, func(f master.ActFilter) {
		if !done {
			args, done, r = f.FilterAct(by, act, args)
		}
	})
	return args, done, r
}

// listGuests returns the guests of all parts.
func (all *parts) guests() (guests []wire.Guest) {
	for _, g := range all.greeters {
		guests = append(guests, g.Guests()...)
	}
	return guests
}

// cardTaker returns the part that takes the cards now in place of the game; nil if none does.
func (all *parts) taker() master.CardTaker {
	for _, t := range all.takers {
		if t.TakesCards() {
			return t
		}
	}
	return nil
}

// closedGate returns the part that keeps a game from beginning now; nil if none does.
func (all *parts) gate() master.Gatekeeper {
	for _, g := range all.gates {
		if g.GateClosed() {
			return g
		}
	}
	return nil
}

// markGatedBegin marks the offer to begin a game as one that needs force, if a gate is closed.
func (c *core) gateOffers(all []engine.Offer) []engine.Offer {
	if c.parts.gate() == nil {
		return all
	}
	for i, o := range all {
		if o.Act == actBegin {
			all[i].Fixed, all[i].Grave = engine.Args{"force": yes}, true
		}
	}
	return all
}

// applyEvents applies events of a game to the parts.
func (all *parts) apply(rows ...store.Event) {
	if len(rows) == 0 { // the usual case
		return
	}
	eachPart(all, func(r master.Recorder) {
		for _, e := range rows {
			if _, own := ownKinds[e.Kind]; own || e.Kind == master.KindUndo {
				r.Apply(e)
			}
		}
	})
}

// foldEvents resets the parts and applies all events of a game.
func (all *parts) read(rows []store.Event) {
	eachPart(all, func(r master.Recorder) { r.Reset() })
	all.apply(rows...)
}

func (all *parts) load() { eachPart(all, func(l master.Loader) { l.Load() }) }

// hintFor returns the hint that one viewer is shown; nil if there is none.
func (all *parts) hint(v engine.Viewer) *wire.Hint {
	for _, h := range all.hints {
		if one := h.HintFor(v); one != nil {
			return one
		}
	}
	return nil
}

// setUpParts creates the parts and lists the acts of the loop and the parts.
func (c *core) enlist() {
	c.parts = newParts(port{c}, func() seats.Desk { return c.Desk }, func(game engine.ID) []wire.StockHint {
		if c.Hints == nil {
			return nil
		}
		return c.Hints(game)
	})
	c.acts = map[string]master.Act{}
	all := c.hostActs()
	for _, p := range c.parts.all {
		all = append(all, p.Acts()...)
	}
	for _, a := range all {
		c.acts[a.Name] = a
	}
	c.rights, c.orders = rightsOf(all), c.ordersOf()
	for _, b := range c.books {
		c.fixedGames = append(c.fixedGames, engine.Args{"game": string(b.ID())})
	}
}

// buildEvening returns the summary of a game that is over.
func (all *parts) evening(played engine.Millis) wire.Evening {
	e := wire.Evening{Played: played}
	eachPart(all, func(t master.EveningAdder) { t.AddToEvening(&e) })
	return e
}

// appendPartOffers adds the offers of the parts. In a pause it adds only those that the pause allows.
func (c *core) partOffers(all []engine.Offer) []engine.Offer {
	n := len(all)
	for _, o := range c.parts.offerers {
		all = o.Offers(all)
	}
	if c.paused == nil {
		return all
	}
	rest := slices.DeleteFunc(all[n:], func(o engine.Offer) bool { return !c.allows(c.acts[o.Act].Pause) })
	return all[:n+len(rest)]
}

// followStep returns the events that parts add to the step leading to p. They are written together with it.
func (c *core) follow(p *past) (rows []store.Event) {
	eachPart(c.parts, func(f master.StepFollower) {
		author, kind, data := f.FollowStep(&c.game.look().Public, &p.game.look().Public)
		if kind == "" {
			return
		}
		p.step++
		rows = append(rows, store.Event{Step: p.step, Cause: author, Kind: kind, Data: mustJSON(data), At: p.last})
	})
	return rows
}

// partTable is the master.Table of the parts.
type port struct{ c *core }

func (p port) Game() int64                     { return p.c.gameID }
func (p port) Book() engine.Rulebook           { return p.c.book }
func (p port) Public() *engine.View            { return &p.c.game.look().Public }
func (p port) Step() int64                     { return p.c.step }
func (p port) Played() engine.Millis           { return p.c.played }
func (p port) InLobby() bool                   { return p.c.inLobby() }
func (p port) InScene() bool                   { return p.c.scene != nil }
func (p port) Ended() bool                     { return p.c.ended() }
func (p port) Now() engine.Millis              { return p.c.now() }
func (p port) When(at engine.Millis) time.Time { return p.c.when(at) }
func (p port) Wall() time.Time                 { return p.c.Clock.Now() }
func (p port) Paused() bool                    { return p.c.paused != nil }
func (p port) Log() *slog.Logger               { return p.c.Log }
func (p port) Lights() master.Lights           { return p.c.Lights }
func (p port) Readers() map[string]string      { return p.c.readers }
func (p port) ReaderName(role string) string   { return p.c.place(role) }
func (p port) SeatsOnline() []engine.Seat      { return p.c.seatsOnline() }
func (p port) Publish(n *wire.Notice)          { p.c.publish(notices{public: n}) }
func (p port) HostOffers() []engine.Offer      { return p.c.game.look().Host.Offers }
func (p port) Phones() []wire.SeatPhones       { return p.c.Desk.Phones() }
func (p port) Mark(h wire.Handset) string      { return p.c.Desk.Mark(h) }
func (p port) Who(h wire.Handset) wire.Person  { return p.c.People.Who(h) }
func (p port) Secrets() []engine.Holding       { return p.c.game.View(engine.Overseer).Secrets }
func (p port) Play(author, act string, args engine.Args) *engine.Reject {
	return p.c.play(engine.Command{At: p.c.now(), By: engine.Host, Act: act, Args: args}, author)
}
func (p port) RoomSettings() map[string]string {
	all := map[string]string{}
	eachPart(p.c.parts, func(r master.RoomSettingsLister) { maps.Copy(all, r.RoomSettings()) })
	return all
}
func (p port) Enrolled() []engine.ID                              { return p.c.Enrolled }
func (p port) ForgetReadings()                                    { clear(p.c.sensing.windows) }
func (p port) Lying(game int64) (map[engine.ID]string, time.Time) { return p.c.lyingIn(game) }
func (p port) IsOnline(h wire.Handset) bool                       { return slices.Contains(p.c.online, h) }
func (p port) Afresh(gone func(wire.Handset) bool)                { p.c.afresh(gone) }
func (p port) News(said engine.Msg) *wire.Notice                  { return p.c.tell(said) }
func (p port) Try(act string, args engine.Args) *engine.Reject {
	_, r := p.c.game.Decide(engine.Command{At: p.c.now(), By: engine.Host, Act: act, Args: args}, chance.New(0))
	return r
}
func (p port) LastAct() master.LastAct               { return master.LastAct{Step: p.c.group.step, Last: p.c.moved} }
func (p port) TakeBack(author string) *engine.Reject { return p.c.takeBack(author) }
func (p port) Withdrawable(seat engine.Seat) bool    { return p.c.withdrawable(seat) }
func (p port) Held() *wire.Hold {
	if p.c.held {
		return p.c.hold
	}
	return nil
}
func (p port) Hold(author string, h wire.Hold) *engine.Reject { return p.c.holdGame(author, h) }
func (p port) Release(author string) *engine.Reject           { return p.c.release(author) }
func (p port) Record(author, kind string, data any) *engine.Reject {
	return p.c.record(author, kind, data)
}
func (p port) Setting(name string) (string, bool, error) { return p.c.journal.Setting(name) }
func (p port) Set(name, value string) *engine.Reject     { return p.c.set(name, value) }
func (p port) Results(limit int) ([]store.Result, error) { return p.c.journal.Results(limit) }
func (p port) Passing(said engine.Msg) *wire.Notice      { return p.c.passing(said) }
