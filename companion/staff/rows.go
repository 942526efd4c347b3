package staff

import (
	"context"
	"strconv"
	"time"

	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
)

// StaffRows are the office rows of the accounts: the accounts as a device may see them (people), sign-in with id= pin=, sign-out, and a
// sign that the device is in use (here); a new PIN for the account signed in (own-pin pin= new=); an account made or changed
// (people-set id= name= role= pin=), and one ended (people-drop id=).
func (a *Accounts) StaffRows() []office.Row {
	does := func(name string, least wire.Role, do func(wire.Handset, engine.Args) error) office.Row {
		return office.Row{Name: name, Role: least, Do: func(_ context.Context, c office.Call) (any, error) {
			return nil, do(c.Device, c.Args)
		}}
	}
	number := func(id string) int { n, _ := strconv.Atoi(id); return n } // 0 is the id of no account
	return []office.Row{
		{Name: "people", Show: func(c office.Call) any { return a.BuildView(c.Device) }},
		does("sign-in", "", func(at wire.Handset, args engine.Args) error { return a.SignIn(at, number(args["id"]), args["pin"]) }),
		does("sign-out", "", func(at wire.Handset, _ engine.Args) error { a.SignOut(at); return nil }),
		does("here", "", func(wire.Handset, engine.Args) error { return nil }), // the caller counts it as use, as each act
		does("own-pin", wire.RoleHost, func(at wire.Handset, args engine.Args) error { return a.SetOwnPIN(at, args["pin"], args["new"]) }),
		does("people-set", wire.RoleOwner, func(at wire.Handset, args engine.Args) error {
			id := number(args["id"])
			if id < 1 && args["id"] != "" {
				return ErrNoAccount
			}
			return a.SetAccount(at, id, args["name"], wire.Role(args["role"]), args["pin"])
		}),
		does("people-drop", wire.RoleOwner, func(at wire.Handset, args engine.Args) error {
			return a.RemoveAccount(at, number(args["id"]))
		}),
	}
}

// Run ends the sessions on devices that are not used, once a second until ctx ends.
func (a *Accounts) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			a.ExpireSessions()
		}
	}
}
