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

// ruleNeutral is the rule in each public refusal, whatever the true rule is. The exception is engine.RuleAlarm,
// which gives no reason.
const ruleNeutral = "GEN-004"

// ruleIgnored is the rule of a card that was not awaited.
const ruleIgnored = "GEN-E11"

// notices are the notices of one step: one for all viewers, and for at most one seat a private one in its
// place. The host gets its own if there is no public one.
type notices struct {
	public  *wire.Notice
	seat    engine.Seat
	private *wire.Notice
	host    *wire.Notice
}

// scanNotices returns the notices of a presentation. The seat whose card is refused gets the same signal as all
// others.
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

// actNotices returns the notices of an act. The reply already gives the actor the reason.
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
		if r.Rule == engine.RuleAlarm { // the alarm is public with its own rule
			n.public.Rule = r.Rule
		}
	}
	if r.To.Valid() {
		n.seat, n.private = r.To, &wire.Notice{Msg: r.Why, Rule: r.Rule, Private: true}
	}
	return n
}

// rejectForActor returns a refusal as the actor may read it: only its public part if the reason is for another
// seat.
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

// publish builds the updates of all viewers and sends them as one step.
func (c *core) publish(n notices) {
	c.rev++
	now := c.Clock.Now()
	n.public = c.told.add(n, c.Epoch<<32|c.rev, now) // the number rises across restarts and is exact in JavaScript
	c.stageViews(c.game.look())
	for _, o := range c.parts.observers {
		o.Observe()
	}
	views, all := c.game.look(), c.update(n)
	s := Step{
		Epoch: c.Epoch, Rev: c.rev, Public: all, Host: all,
		Story:  c.game.tell(func() wire.Evening { return c.parts.evening(c.played - c.began) }),
		shared: all, own: make([]own, len(views.Seats)), hold: c.hold, rights: c.rights,
	}
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

// updateSceneAndDeadlines begins or ends a scene, and delays the deadlines by the time that the phones wait for
// it.
func (c *core) stageViews(views *engine.Views) {
	longer := c.stage(views, c.Clock.Now(), c.paused != nil)
	c.due.delay(c.game.Deadlines(), engine.Millis(longer.Milliseconds()))
}

// addOffers adds the acts of the loop and of the parts to a step. The offers of all seats share one slice.
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

// sharedUpdate returns the part of the update that all viewers have in common, with the public view.
func (c *core) update(n notices) wire.Update {
	u := wire.Update{
		V: wire.Version, Epoch: c.Epoch, Rev: c.rev, Demo: c.Demo, Paused: c.paused, Hold: c.shownHold(),
		Table: wire.TableView{Readers: c.shownReaders(), Online: c.seatsOnline()},
	}
	u.View = c.game.look().Public
	// The rules wait at each reader that they know. This table may not have all of them.
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

// shownReaders returns the state of each reader under the name that pages use: a reader in a place has the id
// of the place.
func (c *core) shownReaders() map[string]string {
	places := false
	for role := range c.readers {
		places = places || ofPlace(role)
	}
	if !places {
		return c.readers // it is read-only; a change replaces the map
	}
	shown := make(map[string]string, len(c.readers))
	for role, is := range c.readers {
		shown[c.place(role)] = is
	}
	return shown
}

// windowTimeLeft returns for how long the public window of the case stays open, delays by scenes included; 0 if
// none is open.
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

// completeUpdate completes an update for the public or the host.
func (c *core) to(u *wire.Update, v engine.Viewer) {
	u.Seq, u.Seqs = c.counted(v)
	if c.paused != nil { // during a pause no act is possible
		u.View.Offers = []engine.Offer{}
	}
	u.Hint = c.parts.hint(v)
	if c.URL != nil { // the phones of seats know it already
		u.Table.URL = c.URL()
	}
	if c.Name != nil {
		u.Table.Name = c.Name()
	}
	if v == engine.Public && c.Host != nil {
		u.Table.Host = c.Host()
	}
}

// buildPrivateUpdate returns the fields that only this seat gets, in addition to its part of the view.
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

// buildGuestUpdate returns the fields of a guest: the public view and its request.
func (c *core) toGuest(g wire.Guest, public *engine.View) own {
	part := public.Part()
	part.Viewer = engine.At(g.Seat).String()
	o := c.own(g.Seat, &part)
	o.notes, o.guest = "", &g
	return o
}
