package seats

import (
	"slices"
	"strconv"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// onlyFirstDevice returns an act that only the first of the host's devices may do.
func onlyFirstDevice(do master.ActFunc) master.ActFunc {
	return func(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
		if by.N != 1 {
			return nil, master.Refuse(engine.NotYou, ruleHost, "table.host.first")
		}
		return do(by, args)
	}
}

// hostDevices returns the devices with the host's page, and whether each is connected.
func (s *Seats) hostDevices() []wire.HostDevice {
	all := []wire.HostDevice{}
	for _, d := range s.desk().HostDevices() {
		d.Online = s.table.IsOnline(wire.Handset{Viewer: engine.Host, N: d.N})
		all = append(all, d)
	}
	return all
}

// appendDeviceOffers appends the host's offers about its devices and about access requests, even in a pause.
func (s *Seats) appendDeviceOffers(all []engine.Offer) []engine.Offer {
	for _, p := range s.desk().AccessRequests() {
		code := engine.Args{"code": p.Code}
		all = append(all, engine.Offer{Act: ActAdmit, Rule: ruleHost, Aside: true, Fixed: code},
			engine.Offer{Act: ActDeny, Rule: ruleHost, Aside: true, Fixed: code})
	}
	for _, d := range s.desk().HostDevices() {
		if d.N > 1 {
			all = append(all, engine.Offer{
				Act: ActEndHost, Rule: ruleHost, Aside: true, Grave: true, Fixed: engine.Args{"device": strconv.Itoa(d.N)},
			})
		}
	}
	return all
}

// hasAccessRequest reports whether a device with this code waits for an answer.
func (s *Seats) hasAccessRequest(code string) bool {
	return slices.ContainsFunc(s.desk().AccessRequests(), func(p wire.Plea) bool { return p.Code == code })
}

// admitDevice gives a device the host's page. All viewers get a notice as soon as it has joined.
func (s *Seats) admitDevice(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	switch {
	case !s.hasAccessRequest(args["code"]):
		return nil, master.Refuse(engine.NotNow, ruleHost, "table.host.nobody")
	case len(s.desk().HostDevices()) >= wire.MaxHosts:
		return nil, master.Refuse(engine.NotNow, ruleHost, "table.host.full")
	}
	if err := s.desk().AdmitDevice(args["code"]); err != nil {
		s.table.Log().Error("a device does not get the host's page", "cause", err,
			"conseil", "un appareil n’a pas reçu la page de l’hôte")
		return nil, master.Refuse(engine.NotNow, ruleHost, "table.phone.failed")
	}
	return nil, nil
}

// denyDevice refuses the access request of a device.
func (s *Seats) denyDevice(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	if !s.hasAccessRequest(args["code"]) || s.desk().DenyDevice(args["code"]) != nil {
		return nil, master.Refuse(engine.NotNow, ruleHost, "table.host.nobody")
	}
	return nil, nil
}

// endHostDevice cuts off a further device of the host, with a public notice. The first device may end any of them, a
// further one only itself, so that a table with a host always keeps one.
func (s *Seats) endHostDevice(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	n, err := strconv.Atoi(args["device"])
	if by.N != 1 && args["device"] != strconv.Itoa(by.N) {
		return nil, master.Refuse(engine.NotYou, ruleHost, "table.host.first")
	}
	there := s.desk().HostDevices()
	if err != nil || n < 2 || !slices.ContainsFunc(there, func(d wire.HostDevice) bool { return d.N == n }) {
		return nil, master.Refuse(engine.NotNow, ruleHost, "table.host.none")
	}
	h := wire.Handset{Viewer: engine.Host, N: n}
	if err := s.desk().EndPhone(h); err != nil {
		s.table.Log().Error("a device keeps the host's page", "phone", h, "cause", err,
			"conseil", "la page de l’hôte n’a pas pu être retirée à un appareil")
		return nil, master.Refuse(engine.NotNow, ruleHost, "table.phone.failed")
	}
	s.table.ResetActCounts(func(o wire.Handset) bool { return o == h })
	return s.table.StartPhoneNotice(engine.NewMsg("table.host.ended", "n", strconv.Itoa(len(there)-1))), nil
}
