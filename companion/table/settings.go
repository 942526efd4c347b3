package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Settings are the configuration of the table as the host changes it on their page. Its methods are called by the loop's
// goroutine; Refresh shows what has changed by itself.
type Settings interface {
	// Look begins or ends the host's look at them. What was not kept waits.
	Look(on bool)
	// Change gives a key another value, or none; Add puts one more into a list. Both are kept by Keep alone, and forgotten by Drop.
	// False: there is no such key.
	Change(path, value string) bool
	Add(list string, values engine.Args) bool
	Keep()
	Drop()
	// Apply lets what was kept hold now, though a game is on.
	Apply()
	// Search looks for devices, in the background.
	Search()
	// Shown is what the host sees.
	Shown() *wire.Settings
}

// The host's acts of the settings.
const (
	actSettings = "settings"        // look at them, or no more: args {"on": "yes"} or "no"
	actSet      = "settings-set"    // args path, value; an empty value takes it out
	actAdd      = "settings-add"    // args list, and each key with its value
	actKeep     = "settings-keep"   // write the file
	actDrop     = "settings-drop"   // forget what was not kept
	actApply    = "settings-apply"  // now, though a game is on
	actSearch   = "settings-search" // for devices; args port: ask what is at this one, which a search has found
)

// settingsOffers are the host's at any time: what a game cannot bear waits for its end.
func (c *core) settingsOffers() (all []engine.Offer) {
	if c.Settings == nil {
		return nil
	}
	aside := func(act string) { all = append(all, engine.Offer{Act: act, Rule: "GEN-001", Aside: true}) }
	s := c.Settings.Shown()
	on := yes
	if s.Open {
		on = no
	}
	all = append(all, engine.Offer{Act: actSettings, Rule: "GEN-001", Aside: true, Fixed: engine.Args{"on": on}})
	if s.Restart {
		all = append(all, engine.Offer{Act: actApply, Rule: "GEN-001", Aside: true, Grave: true})
	}
	if !s.Open {
		return all
	}
	if s.Changes > 0 {
		aside(actDrop)
		if len(s.Faults) == 0 || !broken(s.Faults) {
			aside(actKeep)
		}
	}
	if c.inLobby() && !s.Search {
		aside(actSearch)
	}
	return all
}

// broken reports a value that is wrong; a device that is missing may come.
func broken(all []wire.SettingFault) bool {
	for _, f := range all {
		if !f.Device {
			return true
		}
	}
	return false
}

// settings does an act of the host; the page makes those of actSet and actAdd from the table of keys.
func (c *core) settings(act string, args engine.Args) *engine.Reject {
	s := c.Settings
	if s == nil {
		return refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	known := true
	switch act {
	case actSettings:
		s.Look(args["on"] == yes)
	case actSet:
		known = s.Change(args["path"], args["value"])
	case actAdd:
		known = s.Add(args["list"], args)
	case actKeep:
		s.Keep()
	case actDrop:
		s.Drop()
	case actApply:
		s.Apply()
	case actSearch:
		if known = c.inLobby(); known {
			known = search(s, args["port"])
		}
	}
	if !known {
		return refuse(engine.Unknown, "GEN-001", "table.unknown")
	}
	return nil
}

// portAsker is a Settings that can ask one serial port, of those that its search has found. False: it is none of them.
type portAsker interface{ AskPort(port string) bool }

// search looks for devices, or asks what is at one port.
func search(s Settings, port string) bool {
	if port == "" {
		s.Search()
		return true
	}
	a, can := s.(portAsker)
	return can && a.AskPort(port)
}

// ofSettings is a host's act on the settings.
func ofSettings(act string) func(*core, engine.Args) (*wire.Notice, *engine.Reject) {
	return func(c *core, args engine.Args) (*wire.Notice, *engine.Reject) { return nil, c.settings(act, args) }
}

// shownSettings are for the host alone.
func (c *core) shownSettings() *wire.Settings {
	if c.Settings == nil {
		return nil
	}
	return c.Settings.Shown()
}
