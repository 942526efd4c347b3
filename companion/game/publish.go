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

// scanNotices returns the notices of a presentation. The seat whose card is refused gets the same signal as all
// others.
func scanNotices(reader string, r *engine.Reject) notices {
	if r == nil {
		return notices{public: &wire.Notice{Msg: engine.NewMsg("table.accepted"), Signal: signalAccepted, Reader: reader}}
	}
	n := rejectNotices(r)
	if n.public != nil {
		n.public.Signal, n.public.Reader = signalAgain, reader
		if n.private != nil {
			n.private.Signal, n.private.Reader = signalAgain, reader
		}
	}
	return n
}

// noticesOfRejectedAct returns the notices of an act that was rejected with r; none if r is nil. Whom the reply has given the reason
// already is not notified again.
func noticesOfRejectedAct(v engine.Viewer, r *engine.Reject) notices {
	if r == nil {
		return notices{}
	}
	n := rejectNotices(r)
	if s, ok := v.Seat(); ok && s == r.To && n.public == nil {
		return notices{}
	}
	return n
}

func rejectNotices(r *engine.Reject) (n notices) {
	if !r.Public.IsEmpty() {
		n.public = &wire.Notice{Msg: r.Public, Rule: ruleNeutral}
		if r.Rule == engine.RuleAlarm { // the alarm is public with its own rule
			n.public.Rule = r.Rule
		}
	}
	if r.To.IsValid() {
		n.seat, n.private = r.To, &wire.Notice{Msg: r.Why, Rule: r.Rule, Private: true}
	}
	return n
}

// refusalForActor returns a refusal as the actor may read it: only its public part if the reason is for another
// seat.
func refusalForActor(v engine.Viewer, r *engine.Reject) *engine.Reject {
	if r == nil || !r.To.IsValid() {
		return r
	}
	if s, ok := v.Seat(); ok && s == r.To {
		return r
	}
	why := r.Public
	if why.IsEmpty() {
		why = engine.NewMsg("table.refused")
	}
	return &engine.Reject{Code: engine.Forbidden, Rule: ruleNeutral, Why: why}
}

// publish builds the updates of all viewers and sends them as one step.
func (c *core) publish(n notices) {
	c.rev++
	c.tagFields.resetForGame(c.gameID)
	now := c.Clock.Now()
	c.recordReplaced(c.rev-1, now)
	n.public = c.shownNotices.storeNotices(n, c.Epoch<<32|c.rev, now) // the number rises across restarts and is exact in JavaScript
	c.updateSceneAndDeadlines(c.game.currentViews())
	for _, o := range c.parts.observers {
		o.ObserveStep()
	}
	views, all := c.game.currentViews(), c.sharedUpdate(n)
	s := Step{
		Epoch: c.Epoch, Rev: c.rev, Public: all, Host: all,
		Story:  c.game.storyJSON(func() wire.Evening { return c.parts.collectEvening(c.playedUntil - c.beganAt) }, c.parts.listSuspicions),
		shared: all, private: make([]privateUpdate, len(views.Seats)), hold: c.hold, rights: c.rights,
	}
	c.completeUpdate(&s.Public, engine.Public)
	s.Host.View.SetViewerPart(&views.Host)
	c.completeUpdate(&s.Host, engine.Host)
	if w := c.privateNotice(hostSeat); w != nil && (s.Host.Notice == nil || s.Host.Notice.Passing) {
		s.Host.Notice = w
	}
	for i, at := range views.Public.Seats {
		s.private[i] = c.buildPrivateUpdate(at.Seat, &views.Seats[i])
	}
	if c.skipped == s.Public.View.LastHappeningNumber() {
		s.Public.Cut = c.skipped
	}
	s.Host.ForHost = &wire.ForHost{}
	if c.Machine != nil {
		s.Host.Machine = c.Machine()
	}
	s.Host.Desk = &wire.Desk{}
	for _, h := range c.parts.hostShowers {
		h.ShowHost(s.Host.ForHost)
	}
	for _, g := range c.parts.listGuests() {
		s.private = append(s.private, c.buildGuestUpdate(g, &all.View))
	}
	if c.scene != nil {
		s.hideSceneOutcome(c.scene.before, &c.commitment)
	}
	c.addTableOffers(&s)
	s.overseer = c.parts.overseerView()
	c.publishStep(s)
	if c.pauseMsg == nil {
		c.tagFields.promoteEarlyTags(c.Clock.Now(), s.Public.View.Readers, c.UrnWindow)
	}
}

// updateSceneAndDeadlines begins or ends a scene, and delays the deadlines by the time that the phones wait for
// it.
func (c *core) updateSceneAndDeadlines(views *engine.Views) {
	longer := c.beginOrEndScene(views, c.Clock.Now(), c.pauseMsg != nil)
	c.deadlines.delayListed(c.game.Deadlines(), engine.Millis(longer.Milliseconds()))
}

// addTableOffers adds the acts of the loop and of the parts to a step. The offers of all seats share one slice.
func (c *core) addTableOffers(s *Step) {
	all, ends := c.scratch[:0], make([]int, len(s.private))
	for i := range s.private {
		all = append(all, s.private[i].offers...)
		if c.pauseMsg == nil {
			for _, p := range c.parts.seatOfferers {
				all = p.AppendSeatOffers(all, s.private[i].seat)
			}
		}
		ends[i] = len(all)
	}
	kept, from := slices.Clone(all), 0
	for i, to := range ends {
		s.private[i].offers, from = kept[from:to:to], to
	}
	v := &s.Host.View
	c.scratch = c.appendPartOffers(c.markBeginNeedsForce(append(all[:0], v.Offers...)))
	v.Offers = slices.Clone(c.scratch)
}

// sharedUpdate returns the part of the update that all viewers have in common, with the public view.
func (c *core) sharedUpdate(n notices) wire.Update {
	u := wire.Update{
		V: wire.Version, Epoch: c.Epoch, Rev: c.rev, Demo: c.Demo, Paused: c.pauseMsg, Hold: c.publicHold(),
		Table: wire.TableView{Readers: c.shownReaderStates(), Online: c.seatsOnline()},
	}
	u.View = c.game.currentViews().Public
	u.Game, u.Proof = c.gameID, c.commitment.publicProof(c.gameID)
	// The rules wait at each reader that they know. This table may not have all of them.
	u.View.Readers = slices.DeleteFunc(slices.Clone(u.View.Readers), func(r engine.ReaderView) bool {
		_, there := c.readerStates[r.Reader]
		return !there
	})
	if n.public != nil {
		one := *n.public
		u.Notice = &one
	}
	u.Left, u.Waited = c.windowTimeLeft(), c.activeSince.updateAndGetLongestWait(u.View.Active, c.gameTime())
	for _, s := range c.parts.publicShowers {
		s.ShowPublic(&u)
	}
	return u
}

// shownReaderStates returns the state of each reader under the name that pages use: a reader in a place has the id
// of the place.
func (c *core) shownReaderStates() map[string]string {
	places := false
	for role := range c.readerStates {
		places = places || isPlaceReader(role)
	}
	if !places {
		return c.readerStates // it is read-only; a change replaces the map
	}
	shown := make(map[string]string, len(c.readerStates))
	for role, is := range c.readerStates {
		shown[c.readerName(role)] = is
	}
	return shown
}

// completeUpdate completes an update for the public or the host.
func (c *core) completeUpdate(u *wire.Update, v engine.Viewer) {
	u.Seq, u.Seqs = c.lastSeqs(v)
	u.Opened = c.commitment.openingsFor(&u.View)
	if c.pauseMsg != nil { // during a pause no act is possible
		u.View.Offers = []engine.Offer{}
	}
	u.Hint = c.parts.hintFor(v)
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
func (c *core) buildPrivateUpdate(seat engine.Seat, part *engine.ViewerPart) privateUpdate {
	v := engine.SeatViewer(seat)
	o := privateUpdate{part: part, offers: part.Offers, seat: seat, hint: c.parts.hintFor(v), notes: c.notes.marks[seat]}
	o.seq, o.seqs = c.lastSeqs(v)
	view := c.game.currentViews().Public.WithViewerPart(part)
	o.opened = c.commitment.openingsFor(&view)
	if c.pauseMsg != nil {
		o.offers = []engine.Offer{}
	}
	o.notice = c.privateNotice(seat)
	return o
}

// buildGuestUpdate returns the fields of a guest: the public view and its request.
func (c *core) buildGuestUpdate(g wire.Guest, public *engine.View) privateUpdate {
	part := public.ViewerPart()
	part.Viewer = engine.SeatViewer(g.Seat).String()
	o := c.buildPrivateUpdate(g.Seat, &part)
	o.notes, o.guest = "", &g
	return o
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

// markBeginNeedsForce marks the offer to begin a game as one that needs force, if a gate is closed.
func (c *core) markBeginNeedsForce(all []engine.Offer) []engine.Offer {
	if c.parts.closedGatekeeper() == nil {
		return all
	}
	for i, o := range all {
		if o.Act == actBegin {
			all[i].Fixed, all[i].Grave = engine.Args{"force": yes}, true
		}
	}
	return all
}

// publishPhoneNotice publishes a notice about phones to all viewers.
func (c *core) publishPhoneNotice(msg engine.Msg) {
	c.publish(notices{public: c.startPhoneNotice(msg)})
}

// startPhoneNotice returns a notice about phones (GEN-011) that all updates then show for passingNoticeTime.
func (c *core) startPhoneNotice(msg engine.Msg) *wire.Notice {
	n := &wire.Notice{N: c.Epoch<<32 | (c.rev + 1), Msg: msg, Rule: "GEN-011", Passing: true}
	c.passingNotice = timedNotice{*n, c.Clock.Now().Add(passingNoticeTime)}
	return n
}

// startPassingNotice returns a notice that all updates then show for passingNoticeTime.
func (c *core) startPassingNotice(msg engine.Msg) *wire.Notice {
	n := c.startPhoneNotice(msg)
	n.Rule, c.passingNotice.Rule = "", ""
	return n
}
