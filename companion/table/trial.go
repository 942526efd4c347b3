package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Meters are the readers of the table as the host tries them before a game, with a card in the hand.
type Meters interface {
	// Try begins or ends the trial. While it lasts no card reaches the game. It must not block.
	Try(on bool)
	// Trying reports a trial; it may end by itself.
	Trying() bool
	// Meters are what the readers see now. They name tags by their numbers and no card.
	Meters() []wire.Meter
}

// actTry begins a trial of the readers, or ends it: args {"on": "yes"} or "no".
const actTry = "try-readers"

// tryOffers are the host's in the lobby: no card of a game is ever measured.
func (c *core) tryOffers() []engine.Offer {
	if c.Meters == nil {
		return nil
	}
	on := yes
	if c.Meters.Trying() {
		on = no
	}
	return []engine.Offer{{Act: actTry, Rule: "GEN-001", Aside: true, Fixed: engine.Args{"on": on}}}
}

func (c *core) try(args engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.inLobby() || c.Meters == nil {
		return nil, refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if args["on"] == yes {
		c.endEnrol()
	}
	c.Meters.Try(args["on"] == yes)
	return nil, nil
}

// shownMeters are for the host alone. A game that begins ends the trial.
func (c *core) shownMeters() []wire.Meter {
	if c.Meters == nil || !c.Meters.Trying() {
		return nil
	}
	if !c.inLobby() {
		c.Meters.Try(false)
		return nil
	}
	shown := c.Meters.Meters()
	for i, m := range shown {
		shown[i].Role = c.place(m.Role)
	}
	return shown
}
