package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// Step holds the updates of all viewers after one input. Those of the host's devices depend on the people
// signed in, too (HostUpdates).
type Step struct {
	Epoch, Rev uint64
	Public     wire.Update
	Host       wire.Update
	// Story is the JSON of a wire.Story, the same for all viewers, once the phones know that the game is over;
	// nil before.
	Story []byte

	rights   rights
	hold     *wire.Hold           // with the name of the author, which only some devices may see
	overseer *master.OverseerView // what one device of the host sees as overseer; nil if none does
	shared   wire.Update          // what the updates of seats and guests have in common
	private  []privateUpdate      // seats in table order, then guests
}

// privateUpdate holds the parts of an update that differ from one seat or guest to the next.
type privateUpdate struct {
	part   *engine.ViewerPart // without the offers; shared, read-only
	opened []wire.Opening
	offers []engine.Offer // of the game, the loop and the parts
	seat   engine.Seat
	seq    uint64
	seqs   []uint64
	notice *wire.Notice // nil: the notice for all viewers
	hint   *wire.Hint
	notes  string
	guest  *wire.Guest
}

// mergeInto completes the common update u for this seat or guest.
func (o *privateUpdate) mergeInto(u wire.Update) wire.Update {
	u.View.SetViewerPart(o.part)
	u.View.Offers, u.Opened = o.offers, o.opened
	u.Seq, u.Seqs, u.Hint, u.Notes, u.Guest = o.seq, o.seqs, o.hint, o.notes, o.guest
	if o.notice != nil {
		u.Notice = o.notice
	}
	return u
}

// SeatUpdates returns the updates of the seats in table order, then those of guests. Each names its viewer.
func (s Step) SeatUpdates() []wire.Update {
	all := make([]wire.Update, 0, len(s.private)+wire.MaxHosts+1) // with room for those of the host and of the public
	for i := range s.private {
		all = append(all, s.private[i].mergeInto(s.shared))
	}
	return all
}

// UpdatesToSeal returns the updates that must be encrypted: SeatUpdates and HostUpdates.
func (s Step) UpdatesToSeal(people People) []wire.Update {
	return append(s.SeatUpdates(), s.HostUpdates(people)...)
}

// UpdateFor returns the update of one viewer; ok is false for a seat without a player or guest.
func (s Step) UpdateFor(v engine.Viewer) (u wire.Update, ok bool) {
	switch {
	case v == engine.Public:
		return s.Public, true
	case v.IsHost():
		return s.Host, true
	}
	for i := range s.private {
		if engine.SeatViewer(s.private[i].seat) == v {
			return s.private[i].mergeInto(s.shared), true
		}
	}
	return wire.Update{}, false
}

// hideSceneOutcome gives the host and the seats the views of the step before the scene, with nothing to do in
// the game. The rest of the update stays current. publish then adds the acts of the loop.
func (s *Step) hideSceneOutcome(before *engine.Views, k *commitment) {
	then := before.Public
	then.Active, then.Readers = []engine.Seat{}, []engine.ReaderView{}
	for _, u := range []*wire.Update{&s.Host, &s.shared} {
		u.View, u.Left, u.Waited = then, 0, 0
	}
	still := func(p engine.ViewerPart) *engine.ViewerPart {
		p.Prompt, p.Rule, p.Offers = engine.NewMsg("table.scene"), "", []engine.Offer{}
		return &p
	}
	s.Host.View.SetViewerPart(still(before.Host))
	s.Host.Opened = k.openingsFor(&s.Host.View)
	for i := range s.private {
		o := &s.private[i]
		if was, ok := before.ViewOf(engine.SeatViewer(o.seat)); ok {
			o.part = still(was.ViewerPart())
			o.offers = o.part.Offers
			o.opened = k.openingsFor(&was)
		}
	}
	s.Story = nil
}

// HostUpdates returns the updates of the host's devices, each for the person signed in on it now. Without
// accounts (people is nil) there is one update for all devices. If a device is the overseer, its update is
// among them.
func (s Step) HostUpdates(people People) (all []wire.Update) {
	if people == nil {
		people = noAccounts{}
	}
	who, drawing := people.PeopleByDevice()
	host, rest := s.Host, *s.Host.ForHost
	rest.Drawing, host.ForHost = drawing, &rest
	if who == nil {
		all = append(all, host)
		if s.overseer != nil {
			all = append(all, overseerUpdate(host, s.overseer))
		}
		return all
	}
	for n := 1; n <= wire.MaxHosts; n++ {
		h := wire.Handset{Viewer: engine.Host, N: n}
		u := s.updateForDevice(host, h, who[n])
		if s.overseer != nil && s.overseer.By == h && s.overseer.CanSee(who[n]) {
			u = overseerUpdate(u, s.overseer)
		}
		all = append(all, u)
	}
	return all
}

// overseerUpdate turns an update of the host into that of the overseer.
func overseerUpdate(u wire.Update, o *master.OverseerView) wire.Update {
	u.View.Viewer, u.View.Secrets, u.Phone = engine.Overseer.String(), o.Secrets, o.By.N
	u.View.Custody = nil // the secrets contain more
	return u
}

// updateForDevice removes from an update of the host what the person signed in on a device may not see.
func (s *Step) updateForDevice(u wire.Update, h wire.Handset, who wire.Person) wire.Update {
	u.Phone, u.View.Offers = h.N, s.rights.permittedOffers(u.View.Offers, h, who.Role)
	if who.Role == master.Anyone {
		u.ForHost = &wire.ForHost{Drawing: u.Drawing}
		return u
	}
	if u.Hold != nil {
		u.Hold = s.hold
	}
	if who.Role != wire.RoleHost {
		return u
	}
	part, desk := *u.ForHost, *u.Desk
	desk.ForOperator = wire.ForOperator{}
	part.Desk = &desk
	u.ForHost = &part
	return u
}
