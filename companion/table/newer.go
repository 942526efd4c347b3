package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Newer is a newer package of the program, which a stick has brought. Its methods are called by the loop's goroutine and must not
// block; Refresh shows what has changed by itself.
type Newer interface {
	// Install wishes for what is offered under a sum; false: nothing is, or the wish could not be left.
	Install(sum string) bool
	// Shown is what the host sees; nil: there is nothing to say.
	Shown() *wire.Newer
}

// newerOffers are the host's in any phase. In a game it is forced: the game stands still meanwhile, and the host says yes to that.
func (c *core) newerOffers(all []engine.Offer, lobby bool) []engine.Offer {
	if s := c.shownNewer(); s != nil && s.Sum != "" {
		o := engine.Offer{Act: wire.ActNewer, Rule: "GEN-001", Aside: true, Grave: true, Fixed: engine.Args{"sum": s.Sum}}
		if !lobby {
			o.Fixed["force"] = yes
		}
		all = append(all, o)
	}
	return all
}

func (c *core) installNewer(args engine.Args) (*wire.Notice, *engine.Reject) {
	s := c.shownNewer()
	if s == nil || s.Sum == "" || args["sum"] != s.Sum {
		return nil, refuse(engine.NotNow, "GEN-001", "table.newer.gone")
	}
	if !c.inLobby() && args["force"] != yes { // a game has begun since it was offered
		return nil, refuse(engine.NotNow, "GEN-001", "table.newer.game")
	}
	if !c.Newer.Install(s.Sum) {
		return nil, refuse(engine.NotNow, "GEN-001", "table.newer.gone")
	}
	return nil, nil
}

// shownNewer is for the host alone.
func (c *core) shownNewer() *wire.Newer {
	if c.Newer == nil {
		return nil
	}
	return c.Newer.Shown()
}
