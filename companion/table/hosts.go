package table

import (
	"slices"
	"strconv"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts about the devices with the host's page.
const (
	actAdmit   = "host-admit"
	actDeny    = "host-deny"
	actEndHost = "host-end"
)

// byFirst lets the first of the host's devices alone do an act.
func byFirst(do master.Do) master.Do {
	return func(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
		if by.N != 1 {
			return nil, master.Refuse(engine.NotYou, "GEN-011", "table.host.first")
		}
		return do(by, args)
	}
}

// shownHosts are the devices with the host's page, and which of them are connected.
func (c *core) shownHosts() []wire.HostDevice {
	all := []wire.HostDevice{}
	for _, d := range c.Desk.Hosts() {
		d.Online = slices.Contains(c.online, wire.Handset{Viewer: engine.Host, N: d.N})
		all = append(all, d)
	}
	return all
}

// hostOffers are what the host may do about its devices and those that ask to be one, in a pause too.
func (c *core) hostOffers(all []engine.Offer) []engine.Offer {
	for _, p := range c.Desk.Pleas() {
		code := engine.Args{"code": p.Code}
		all = append(all, engine.Offer{Act: actAdmit, Rule: "GEN-011", Aside: true, Fixed: code},
			engine.Offer{Act: actDeny, Rule: "GEN-011", Aside: true, Fixed: code})
	}
	for _, d := range c.Desk.Hosts() {
		if d.N > 1 {
			all = append(all, engine.Offer{Act: actEndHost, Rule: "GEN-011", Aside: true, Grave: true, Fixed: engine.Args{"device": strconv.Itoa(d.N)}})
		}
	}
	return all
}

// plea is whether a device that shows this code waits for an answer.
func (c *core) plea(code string) bool {
	return slices.ContainsFunc(c.Desk.Pleas(), func(p wire.Plea) bool { return p.Code == code })
}

// admitHost lets a device have the host's page, too. Everybody is told as soon as it has come.
func (c *core) admitHost(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	switch {
	case !c.plea(args["code"]):
		return nil, master.Refuse(engine.NotNow, "GEN-011", "table.host.nobody")
	case len(c.Desk.Hosts()) >= wire.MaxHosts:
		return nil, master.Refuse(engine.NotNow, "GEN-011", "table.host.full")
	}
	if err := c.Desk.Admit(args["code"]); err != nil {
		c.Log.Error("a device does not get the host's page", "cause", err, "conseil", "un appareil n’a pas reçu la page de l’hôte")
		return nil, master.Refuse(engine.NotNow, "GEN-011", "table.phone.failed")
	}
	return nil, nil
}

// denyHost turns such a device away.
func (c *core) denyHost(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.plea(args["code"]) || c.Desk.Deny(args["code"]) != nil {
		return nil, master.Refuse(engine.NotNow, "GEN-011", "table.host.nobody")
	}
	return nil, nil
}

// endHost cuts a further device of the host off, and everybody is told. The first may end each; a further one gives its own page up: a
// table that has had a host always has one.
func (c *core) endHost(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	n, err := strconv.Atoi(args["device"])
	if by.N != 1 && args["device"] != strconv.Itoa(by.N) {
		return nil, master.Refuse(engine.NotYou, "GEN-011", "table.host.first")
	}
	there := c.Desk.Hosts()
	if err != nil || n < 2 || !slices.ContainsFunc(there, func(d wire.HostDevice) bool { return d.N == n }) {
		return nil, master.Refuse(engine.NotNow, "GEN-011", "table.host.none")
	}
	h := wire.Handset{Viewer: engine.Host, N: n}
	if err := c.Desk.End(h); err != nil {
		c.Log.Error("a device keeps the host's page", "phone", h, "cause", err, "conseil", "la page de l’hôte n’a pas pu être retirée à un appareil")
		return nil, master.Refuse(engine.NotNow, "GEN-011", "table.phone.failed")
	}
	c.afresh(func(o wire.Handset) bool { return o == h })
	return c.tell(engine.Say("table.host.ended", "n", strconv.Itoa(len(there)-1))), nil
}
