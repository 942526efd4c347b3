package game

import (
	"slices"

	"majordome/companion/wire"
	"majordome/engine"
)

// Signals of a Notice.
const (
	signalAgain    = wire.SignalAgain
	signalAccepted = wire.SignalAccepted
)

// ruleNeutral stands in every public refusal, whatever the true rule is; but for
// engine.RuleAlarm, which names no reason.
const ruleNeutral = "GEN-004"

// ruleIgnored is the rule of a card that nobody was to lay.
const ruleIgnored = "GEN-E11"

// notices are what one step tells: one line for everybody, and at most one seat
// that hears another one instead. The host hears its own where there is none for everybody.
type notices struct {
	public  *wire.Notice
	seat    engine.Seat
	private *wire.Notice
	host    *wire.Notice
}

// ofScan is what a presentation tells. The seat that is refused sees the same
// signal as everybody.
func ofScan(reader string, r *engine.Reject) notices {
	if r == nil {
		return notices{public: &wire.Notice{Msg: engine.Say("table.accepted"), Signal: signalAccepted, Reader: reader}}
	}
	n := ofReject(r)
	if n.public != nil {
		n.public.Signal, n.public.Reader = signalAgain, reader
		if n.private != nil {
			n.private.Signal, n.private.Reader = signalAgain, reader
		}
	}
	return n
}

// ofAct is what a declared act tells. Whoever acted has the reason in the reply.
func ofAct(v engine.Viewer, r *engine.Reject) notices {
	if r == nil {
		return notices{}
	}
	n := ofReject(r)
	if s, ok := v.Seat(); ok && s == r.To && n.public == nil {
		return notices{}
	}
	return n
}

func ofReject(r *engine.Reject) (n notices) {
	if !r.Public.None() {
		n.public = &wire.Notice{Msg: r.Public, Rule: ruleNeutral}
		if r.Rule == engine.RuleAlarm { // told to all as what it is
			n.public.Rule = r.Rule
		}
	}
	if r.To.Valid() {
		n.seat, n.private = r.To, &wire.Notice{Msg: r.Why, Rule: r.Rule, Private: true}
	}
	return n
}

// forActor is the refusal as whoever acted may read it: the reason is for
// another seat if the reject says so.
func forActor(v engine.Viewer, r *engine.Reject) *engine.Reject {
	if r == nil || !r.To.Valid() {
		return r
	}
	if s, ok := v.Seat(); ok && s == r.To {
		return r
	}
	why := r.Public
	if why.None() {
		why = engine.Say("table.refused")
	}
	return &engine.Reject{Code: engine.Forbidden, Rule: ruleNeutral, Why: why}
}

// publish sends one update to every viewer.
func (c *core) publish(n notices) {
	c.rev++
	now := c.Clock.Now()
	n.public = c.told.add(n, c.Epoch<<32|c.rev, now) // the number rises over restarts too, and JavaScript can count it
	c.stageViews(c.game.look())
	for _, o := range c.parts.observers {
		o.Observe()
	}
	views, all := c.game.look(), c.update(n)
	s := Step{Epoch: c.Epoch, Rev: c.rev, Public: all, Host: all, Story: c.game.tell(func() wire.Evening { return c.parts.evening(c.played - c.began) }), shared: all, own: make([]own, len(views.Seats)), hold: c.hold, rights: c.rights}
	c.to(&s.Public, engine.Public)
	s.Host.View.Become(&views.Host)
	c.to(&s.Host, engine.Host)
	if w := c.whisper(toHost); w != nil && (s.Host.Notice == nil || s.Host.Notice.Passing) {
		s.Host.Notice = w
	}
	for i, at := range views.Public.Seats {
		s.own[i] = c.own(at.Seat, &views.Seats[i])
	}
	if c.cut == s.Public.View.Last() {
		s.Public.Cut = c.cut
	}
	s.Host.ForHost = &wire.ForHost{}
	s.Host.Lost = c.lost
	if c.Machine != nil {
		s.Host.Machine = c.Machine()
	}
	s.Host.Desk = &wire.Desk{Undo: c.undoneMsg()}
	for _, h := range c.parts.hosts {
		h.ShowHost(s.Host.ForHost)
	}
	for _, g := range c.parts.guests() {
		s.own = append(s.own, c.toGuest(g, &all.View))
	}
	if c.scene != nil {
		s.behind(c.scene.before)
	}
	c.offered(&s)
	s.secret = c.parts.overseen()
	c.show(s)
	if c.paused == nil {
		c.sensing.recall(c.Clock.Now(), s.Public.View.Readers, c.UrnWindow)
	}
}

// stageViews begins and ends scenes, and makes deadlines so much later as the phones wait.
func (c *core) stageViews(views *engine.Views) {
	longer := c.stage(views, c.Clock.Now(), c.paused != nil)
	c.due.delay(c.game.Deadlines(), engine.Millis(longer.Milliseconds()))
}

// offered adds the acts of the loop to a step as it is shown. Those of the seats lie in one list.
func (c *core) offered(s *Step) {
	all, ends := c.scratch[:0], make([]int, len(s.own))
	for i := range s.own {
		all = append(all, s.own[i].offers...)
		if c.paused == nil {
			for _, p := range c.parts.seaters {
				all = p.SeatOffers(all, s.own[i].seat)
			}
		}
		ends[i] = len(all)
	}
	kept, from := slices.Clone(all), 0
	for i, to := range ends {
		s.own[i].offers, from = kept[from:to:to], to
	}
	v := &s.Host.View
	c.scratch = c.offers(c.gateOffers(append(all[:0], v.Offers...)), v.Result != nil)
	v.Offers = slices.Clone(c.scratch)
}

// update is what the updates of a step have in common, with the public view.
func (c *core) update(n notices) wire.Update {
	u := wire.Update{
		V: wire.Version, Epoch: c.Epoch, Rev: c.rev, Demo: c.Demo, Paused: c.paused, Hold: c.shownHold(),
		Table: wire.TableView{Readers: c.shownReaders(), Online: c.seatsOnline()},
	}
	u.View = c.game.look().Public
	// The rules wait at every reader that they know; this table may have none.
	u.View.Readers = slices.DeleteFunc(slices.Clone(u.View.Readers), func(r engine.ReaderView) bool {
		_, there := c.readers[r.Reader]
		return !there
	})
	if n.public != nil {
		one := *n.public
		u.Notice = &one
	}
	u.Left, u.Waited = c.remaining(), c.since.longest(u.View.Active, c.now())
	for _, s := range c.parts.showers {
		s.ShowPublic(&u)
	}
	return u
}

// shownReaders are the readers as pages name them: those of places by the place.
func (c *core) shownReaders() map[string]string {
	places := false
	for role := range c.readers {
		places = places || ofPlace(role)
	}
	if !places {
		return c.readers // nobody writes to it: what changes is another
	}
	shown := make(map[string]string, len(c.readers))
	for role, is := range c.readers {
		shown[c.place(role)] = is
	}
	return shown
}

// remaining is for how long the window is open that everybody sees, with what a reveal on the
// display has added.
func (c *core) remaining() engine.Millis {
	if k := c.game.look().Public.Case; k != nil && k.Closes > 0 {
		for _, d := range c.game.Deadlines() {
			if d.At == k.Closes {
				return max(0, d.At+c.due.late[d]-c.now())
			}
		}
	}
	return 0
}

// to completes an update for the public or the host.
func (c *core) to(u *wire.Update, v engine.Viewer) {
	u.Seq, u.Seqs = c.counted(v)
	if c.paused != nil { // nothing can be done now, and nothing is offered
		u.View.Offers = []engine.Offer{}
	}
	u.Hint = c.parts.hint(v)
	if c.URL != nil { // a phone has come already
		u.Table.URL = c.URL()
	}
	if c.Name != nil {
		u.Table.Name = c.Name()
	}
	if v == engine.Public && c.Host != nil {
		u.Table.Host = c.Host()
	}
}

// own is what a seat has of its own, besides its part of the view.
func (c *core) own(seat engine.Seat, part *engine.Part) own {
	v := engine.At(seat)
	o := own{part: part, offers: part.Offers, seat: seat, hint: c.parts.hint(v), notes: c.notes.marks[seat]}
	o.seq, o.seqs = c.counted(v)
	if c.paused != nil {
		o.offers = []engine.Offer{}
	}
	o.notice = c.whisper(seat)
	return o
}

// toGuest is what a guest has of its own: what everybody sees, and what it has asked for.
func (c *core) toGuest(g wire.Guest, public *engine.View) own {
	part := public.Part()
	part.Viewer = engine.At(g.Seat).String()
	o := c.own(g.Seat, &part)
	o.notes, o.guest = "", &g
	return o
}
