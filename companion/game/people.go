package game

import (
	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// noAccounts implements People for a table without PINs.
type noAccounts struct{}

func (noAccounts) Who(h wire.Handset) (who wire.Person) {
	if h.IsHost() {
		who.Role = wire.RoleOwner
	}
	return who
}
func (noAccounts) Drawn() ([]wire.Person, uint64) { return nil, 0 }
func (noAccounts) Touch(wire.Handset)             {}

// nameOf returns the author of an act as the journal names it: a seat, a device of the host or, with accounts, the one signed in on it.
func nameOf(h wire.Handset, who wire.Person) string {
	switch {
	case !h.IsHost():
		return h.Viewer.String()
	case who.Name != "":
		return wire.ByStaff + string(who.Role) + "." + who.Name
	}
	return h.String()
}

// PeopleChanged tells that an account has signed in or out at a device of the host. A step is shown only where that ends something. It never
// waits.
func (l *Loop) PeopleChanged() {
	select {
	case l.in <- input{l.core.Clock.Now(), func(c *core) {
		changed := false
		eachPart(c.parts, func(p master.PhoneWatcher) { changed = p.PeopleChanged() || changed })
		if changed {
			c.publish(notices{})
		}
	}}:
	default: // the queue is full of inputs that will show it
	}
}

// Hosts returns the updates of the host's devices, each as who is signed in on it now may see it; where there are no accounts (nil) one for
// all of them. One is that of the overseer, if there is one.
func (s Step) Hosts(people People) (all []wire.Update) {
	if people == nil {
		people = noAccounts{}
	}
	who, drawing := people.Drawn()
	host, rest := s.Host, *s.Host.ForHost
	rest.Drawing, host.ForHost = drawing, &rest
	if who == nil {
		all = append(all, host)
		if s.secret != nil {
			all = append(all, asOverseer(host, s.secret))
		}
		return all
	}
	for n := 1; n <= wire.MaxHosts; n++ {
		h := wire.Handset{Viewer: engine.Host, N: n}
		u := s.ofDevice(host, h, who[n])
		if s.secret != nil && s.secret.By == h && s.secret.May(who[n]) {
			u = asOverseer(u, s.secret)
		}
		all = append(all, u)
	}
	return all
}

// asOverseer makes the overseer's update of that of the host.
func asOverseer(u wire.Update, o *master.Overseen) wire.Update {
	u.View.Viewer, u.View.Secrets, u.Phone = engine.Overseer.String(), o.Secrets, o.By.N
	u.View.Custody = nil // the secrets say more
	return u
}

// ofDevice takes out of an update of the host what who is signed in on a device may not see.
func (s *Step) ofDevice(u wire.Update, h wire.Handset, who wire.Person) wire.Update {
	u.Phone, u.View.Offers = h.N, s.rights.permitted(u.View.Offers, h, who.Role)
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
