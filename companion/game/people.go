package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// noAccounts implements People for a table without accounts.
type noAccounts struct{}

func (noAccounts) PersonAt(h wire.Handset) (who wire.Person) {
	if h.IsHost() {
		who.Role = wire.RoleOwner
	}
	return who
}
func (noAccounts) PeopleByDevice() ([]wire.Person, uint64) { return nil, 0 }
func (noAccounts) Touch(wire.Handset)                      {}

// authorOf returns the author of an act for the journal: a seat, a device of the host or, with accounts, the
// person signed in on it.
func authorOf(h wire.Handset, who wire.Person) string {
	switch {
	case !h.IsHost():
		return h.Viewer.String()
	case who.Name != "":
		return wire.ByStaff + string(who.Role) + "." + who.Name
	}
	return h.String()
}

// PeopleChanged handles a sign-in or sign-out at a device of the host. It publishes a step only if a part needs
// one. It never blocks.
func (l *Loop) PeopleChanged() {
	select {
	case l.inputs <- input{l.core.Clock.Now(), func(c *core) {
		changed := false
		eachPart(c.parts, func(p master.PhoneWatcher) { changed = p.PeopleChanged() || changed })
		if changed {
			c.publish(notices{})
		}
	}}:
	default: // the inputs in the full queue will publish the change
	}
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
		u := s.deviceUpdate(host, h, who[n])
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

// deviceUpdate removes from an update of the host what the person signed in on a device may not see.
func (s *Step) deviceUpdate(u wire.Update, h wire.Handset, who wire.Person) wire.Update {
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
