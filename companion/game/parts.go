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
func newParts(t master.Table, desk func() seats.Desk, stock func(game engine.ID) []wire.StockHint) *partList {
	given := hints.New(t, stock)
	limit := countdown.New(t)
	given.Cost = limit.HintCost
	return newPartList(
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
type actRegistry struct {
	acts       map[string]master.Act
	rights     rights
	orders     map[string]master.Act // of programs of the house
	fixedGames []engine.Args         // for each book the fixed arguments of the offer to open it
}

// partList lists the parts, by the interfaces that they implement.
type partList struct {
	all []master.Part

	// These are called at each step, and are therefore listed once.
	observers      []master.Observer
	publicShowers  []master.PublicShower
	hostShowers    []master.HostShower
	hintShowers    []master.HintShower
	offerers       []master.Offerer
	seatOfferers   []master.SeatOfferer
	timers         []master.Timer
	cardTakers     []master.CardTaker
	gatekeepers    []master.Gatekeeper
	guestListers   []master.GuestLister
	secretsShowers []master.SecretsShower
}

func newPartList(all ...master.Part) *partList {
	return &partList{
		all, partsWith[master.Observer](all), partsWith[master.PublicShower](all),
		partsWith[master.HostShower](all), partsWith[master.HintShower](all),
		partsWith[master.Offerer](all), partsWith[master.SeatOfferer](all), partsWith[master.Timer](all),
		partsWith[master.CardTaker](
			all,
		), partsWith[master.Gatekeeper](all), partsWith[master.GuestLister](all), partsWith[master.SecretsShower](all)}
}

// partsWith returns the parts that implement T.
func partsWith[T any](all []master.Part) (some []T) {
	for _, p := range all {
		if one, ok := p.(T); ok {
			some = append(some, one)
		}
	}
	return some
}

// eachPart calls do with each part that implements T.
func eachPart[T any](all *partList, do func(T)) {
	for _, one := range partsWith[T](all.all) {
		do(one)
	}
}

// nonStepKinds are the kinds of events of the loop and its parts that are not steps of a game, with their words
// for the minutes.
var nonStepKinds = func() map[string]master.EventKind {
	all := map[string]master.EventKind{}
	for _, k := range loopKinds {
		all[k.Name] = k
	}
	eachPart(newParts(nil, nil, nil), func(r master.Recorder) {
		for _, k := range r.EventKinds() {
			all[k.Name] = k
		}
	})
	return all
}()

// overseerView returns the secrets for the one device of the host that sees them; nil if none does.
func (all *partList) overseerView() *master.OverseerView {
	for _, o := range all.secretsShowers {
		if one := o.OverseerView(); one != nil {
			return one
		}
	}
	return nil
}

// filterAct passes an act of the game to the parts before the game gets it (master.ActFilter).
func (all *partList) filterAct(by master.Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject) {
	eachPart(all, func(f master.ActFilter) {
		if !done {
			args, done, r = f.FilterAct(by, act, args)
		}
	})
	return args, done, r
}

// listGuests returns the guests of all parts.
func (all *partList) listGuests() (guests []wire.Guest) {
	for _, g := range all.guestListers {
		guests = append(guests, g.Guests()...)
	}
	return guests
}

// cardTaker returns the part that takes the cards now in place of the game; nil if none does.
func (all *partList) cardTaker() master.CardTaker {
	for _, t := range all.cardTakers {
		if t.TakesCards() {
			return t
		}
	}
	return nil
}

// closedGate returns the part that keeps a game from beginning now; nil if none does.
func (all *partList) closedGate() master.Gatekeeper {
	for _, g := range all.gatekeepers {
		if g.GateClosed() {
			return g
		}
	}
	return nil
}

// markGatedBegin marks the offer to begin a game as one that needs force, if a gate is closed.
func (c *core) markGatedBegin(all []engine.Offer) []engine.Offer {
	if c.parts.closedGate() == nil {
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
func (all *partList) applyEvents(rows ...store.Event) {
	if len(rows) == 0 { // the usual case
		return
	}
	eachPart(all, func(r master.Recorder) {
		for _, e := range rows {
			if _, own := nonStepKinds[e.Kind]; own || e.Kind == master.KindUndo {
				r.ApplyEvent(e)
			}
		}
	})
}

// foldEvents resets the parts and applies all events of a game.
func (all *partList) foldEvents(rows []store.Event) {
	eachPart(all, func(r master.Recorder) { r.ResetEvents() })
	all.applyEvents(rows...)
}

func (all *partList) loadSettings() { eachPart(all, func(l master.Loader) { l.LoadSettings() }) }

// hintFor returns the hint that one viewer is shown; nil if there is none.
func (all *partList) hintFor(v engine.Viewer) *wire.Hint {
	for _, h := range all.hintShowers {
		if one := h.HintFor(v); one != nil {
			return one
		}
	}
	return nil
}

// setUpParts creates the parts and lists the acts of the loop and the parts.
func (c *core) setUpParts() {
	c.parts = newParts(partTable{c}, func() seats.Desk { return c.Desk }, func(game engine.ID) []wire.StockHint {
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
	c.rights, c.orders = rightsOf(all), c.listOrders()
	for _, b := range c.books {
		c.fixedGames = append(c.fixedGames, engine.Args{"game": string(b.ID())})
	}
}

// buildEvening returns the summary of a game that is over.
func (all *partList) buildEvening(played engine.Millis) wire.Evening {
	e := wire.Evening{Played: played}
	eachPart(all, func(t master.EveningAdder) { t.AddToEvening(&e) })
	return e
}

// appendPartOffers adds the offers of the parts. In a pause it adds only those that the pause allows.
func (c *core) appendPartOffers(all []engine.Offer) []engine.Offer {
	n := len(all)
	for _, o := range c.parts.offerers {
		all = o.AppendOffers(all)
	}
	if c.pauseMsg == nil {
		return all
	}
	rest := slices.DeleteFunc(all[n:], func(o engine.Offer) bool { return !c.allowsAct(c.acts[o.Act].Pause) })
	return all[:n+len(rest)]
}

// followStep returns the events that parts add to the step leading to p. They are written together with it.
func (c *core) followStep(p *gameState) (rows []store.Event) {
	eachPart(c.parts, func(f master.StepFollower) {
		author, kind, data := f.FollowStep(&c.game.currentViews().Public, &p.game.currentViews().Public)
		if kind == "" {
			return
		}
		p.lastStep++
		rows = append(rows, store.Event{Step: p.lastStep, Cause: author, Kind: kind, Data: mustJSON(data), At: p.lastStamp})
	})
	return rows
}

// partTable is the master.Table of the parts.
type partTable struct{ c *core }

func (p partTable) GameNumber() int64                     { return p.c.gameID }
func (p partTable) Book() engine.Rulebook                 { return p.c.book }
func (p partTable) PublicView() *engine.View              { return &p.c.game.currentViews().Public }
func (p partTable) LastStep() int64                       { return p.c.lastStep }
func (p partTable) PlayedUntil() engine.Millis            { return p.c.playedUntil }
func (p partTable) InLobby() bool                         { return p.c.isInLobby() }
func (p partTable) InScene() bool                         { return p.c.scene != nil }
func (p partTable) HasEnded() bool                        { return p.c.hasEnded() }
func (p partTable) GameTime() engine.Millis               { return p.c.gameTime() }
func (p partTable) WallTimeOf(at engine.Millis) time.Time { return p.c.wallTimeOf(at) }
func (p partTable) WallTime() time.Time                   { return p.c.Clock.Now() }
func (p partTable) IsPaused() bool                        { return p.c.pauseMsg != nil }
func (p partTable) Log() *slog.Logger                     { return p.c.Log }
func (p partTable) Lights() master.Lights                 { return p.c.Lights }
func (p partTable) ReaderStates() map[string]string       { return p.c.readers }
func (p partTable) ReaderName(role string) string         { return p.c.readerName(role) }
func (p partTable) SeatsOnline() []engine.Seat            { return p.c.seatsOnline() }
func (p partTable) Publish(n *wire.Notice)                { p.c.publish(notices{public: n}) }
func (p partTable) HostOffers() []engine.Offer            { return p.c.game.currentViews().Host.Offers }
func (p partTable) SeatPhones() []wire.SeatPhones         { return p.c.Desk.SeatPhones() }
func (p partTable) PhoneMark(h wire.Handset) string       { return p.c.Desk.Mark(h) }
func (p partTable) PersonAt(h wire.Handset) wire.Person   { return p.c.People.PersonAt(h) }
func (p partTable) Secrets() []engine.Holding             { return p.c.game.View(engine.Overseer).Secrets }
func (p partTable) PlayAct(author, act string, args engine.Args) *engine.Reject {
	return p.c.playCommand(engine.Command{At: p.c.gameTime(), By: engine.Host, Act: act, Args: args}, author)
}
func (p partTable) RoomSettings() map[string]string {
	all := map[string]string{}
	eachPart(p.c.parts, func(r master.RoomSettingsLister) { maps.Copy(all, r.RoomSettings()) })
	return all
}
func (p partTable) Enrolled() []engine.ID { return p.c.Enrolled }
func (p partTable) DiscardReadings()      { clear(p.c.fields.windows) }
func (p partTable) LastPositions(game int64) (map[engine.ID]string, time.Time) {
	return p.c.lastPositionsIn(game)
}
func (p partTable) IsOnline(h wire.Handset) bool                  { return slices.Contains(p.c.online, h) }
func (p partTable) ResetActCounts(gone func(wire.Handset) bool)   { p.c.resetActCounts(gone) }
func (p partTable) StartPhoneNotice(said engine.Msg) *wire.Notice { return p.c.startPhoneNotice(said) }
func (p partTable) TryAct(act string, args engine.Args) *engine.Reject {
	_, r := p.c.game.Decide(engine.Command{At: p.c.gameTime(), By: engine.Host, Act: act, Args: args}, chance.New(0))
	return r
}
func (p partTable) LastAct() master.LastAct {
	return master.LastAct{Step: p.c.group.step, Last: p.c.lastGameStep}
}
func (p partTable) UndoLastAct(author string) *engine.Reject { return p.c.undoLastAct(author) }
func (p partTable) CanWithdraw(seat engine.Seat) bool        { return p.c.canWithdraw(seat) }
func (p partTable) CurrentHold() *wire.Hold {
	if p.c.isHeld {
		return p.c.hold
	}
	return nil
}
func (p partTable) HoldGame(author string, h wire.Hold) *engine.Reject {
	return p.c.holdGame(author, h)
}
func (p partTable) ReleaseGame(author string) *engine.Reject { return p.c.releaseGame(author) }
func (p partTable) RecordEvent(author, kind string, data any) *engine.Reject {
	return p.c.recordEvent(author, kind, data)
}
func (p partTable) Setting(name string) (string, bool, error)    { return p.c.journal.Setting(name) }
func (p partTable) SetSetting(name, value string) *engine.Reject { return p.c.setSetting(name, value) }
func (p partTable) Results(limit int) ([]store.Result, error)    { return p.c.journal.Results(limit) }
func (p partTable) StartPassingNotice(said engine.Msg) *wire.Notice {
	return p.c.startPassingNotice(said)
}
