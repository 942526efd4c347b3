package house

import (
	"context"
	"strconv"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/office"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// openPeople loads the accounts. It runs before openLoop and openOffice, which check the sign-ins.
func (h *House) openPeople() {
	h.people = staff.Open(&staff.Opts{Store: h.store, Devices: h.desk, Idle: time.Duration(h.opts.Config.Lock) * time.Minute,
		OnChange: h.publishHostViews, Log: partLogger(h.opts.Log, config.PartTable)})
}

// peopleRows are the office rows of the accounts of those who run the table: the accounts as a device may see them (people), sign-in
// with id= pin=, sign-out, and a sign that the device is in use (here); a new PIN for the account signed in (own-pin pin= new=); an
// account made or changed (people-set id= name= role= pin=), and one ended (people-drop id=).
func (h *House) peopleRows() []office.Row {
	does := func(name string, least wire.Role, do func(wire.Handset, engine.Args) error) office.Row {
		return office.Row{Name: name, Role: least, Do: func(_ context.Context, c office.Call) (any, error) {
			return nil, do(c.Device, c.Args)
		}}
	}
	number := func(id string) int { n, _ := strconv.Atoi(id); return n } // 0 is the id of no account
	return []office.Row{
		{Name: "people", Show: func(c office.Call) any { return h.people.BuildView(c.Device) }},
		does("sign-in", "", func(at wire.Handset, a engine.Args) error { return h.people.SignIn(at, number(a["id"]), a["pin"]) }),
		does("sign-out", "", func(at wire.Handset, _ engine.Args) error { h.people.SignOut(at); return nil }),
		does("here", "", func(wire.Handset, engine.Args) error { return nil }), // countActivity counts it as use
		does("own-pin", wire.RoleHost, func(at wire.Handset, a engine.Args) error { return h.people.SetOwnPIN(at, a["pin"], a["new"]) }),
		does("people-set", wire.RoleOwner, func(at wire.Handset, a engine.Args) error {
			id := number(a["id"])
			if id < 1 && a["id"] != "" {
				return staff.ErrNoAccount
			}
			return h.people.SetAccount(at, id, a["name"], wire.Role(a["role"]), a["pin"])
		}),
		does(
			"people-drop",
			wire.RoleOwner,
			func(at wire.Handset, a engine.Args) error { return h.people.RemoveAccount(at, number(a["id"])) },
		),
	}
}

// publishHostViews sends the last step again to the host's devices, each as the account signed in there may see it now. It sends
// nothing to seats and displays.
func (h *House) publishHostViews() {
	h.stepMu.Lock()
	if h.lastStep != nil {
		if err := h.relay.PublishHost(h.lastStep.HostUpdates(h.people)); err != nil {
			h.opts.Log.Error("a step was not shown", "error", err, "conseil", "un coup n’a pas été montré")
		}
	}
	h.stepMu.Unlock()
	h.loop.PeopleChanged()
	h.office.NotifyChanged()
}

// lockIdleDevices ends the sessions on devices that are not used.
func (h *House) lockIdleDevices(ctx context.Context) {
	runEvery(ctx, time.Second, func(time.Time) { h.people.ExpireSessions() })
}
