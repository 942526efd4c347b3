package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Home are the accounts of the devices of the house. Its methods are called by the loop's goroutine; Refresh shows what has
// changed by itself.
type Home interface {
	// Look begins or ends the host's look at them; the password that is shown is gone with it.
	Look(on bool)
	// Add makes an account, or gives one of that name, kind and topic another password. no is the key of a sentence that
	// says why not; "": it is made.
	Add(name, kind, topic string) (no string)
	// Drop ends one; false: there is none, or it is still on the disk.
	Drop(name string) bool
	// Shown is what the host sees.
	Shown() *wire.Home
}

// homeOffers are the host's at any time; the page makes the other acts from what it is shown.
func (c *core) homeOffers() []engine.Offer {
	if c.Home == nil {
		return nil
	}
	on := yes
	if c.Home.Shown().Open {
		on = no
	}
	return []engine.Offer{{Act: wire.ActHome, Rule: "GEN-001", Aside: true, Fixed: engine.Args{"on": on}}}
}

func (c *core) lookHome(args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.Home == nil {
		return nil, refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if c.Home.Look(args["on"] == yes); args["on"] == yes && c.Settings != nil {
		c.Settings.Look(false) // one sealed view has room for one of them
	}
	return nil, nil
}

func (c *core) addHome(args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.Home == nil {
		return nil, refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if key := c.Home.Add(args["name"], args["kind"], args["topic"]); key != "" {
		return nil, refuse(engine.Unknown, "GEN-001", key)
	}
	return nil, nil
}

func (c *core) dropHome(args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.Home == nil || !c.Home.Drop(args["name"]) {
		return nil, refuse(engine.Unknown, "GEN-001", "table.unknown")
	}
	return nil, nil
}

// shownHome is for the host alone.
func (c *core) shownHome() *wire.Home {
	if c.Home == nil {
		return nil
	}
	return c.Home.Shown()
}
