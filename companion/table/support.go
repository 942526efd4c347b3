package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Support makes one text about the table for somebody who helps from afar. Its methods are called by the loop's goroutine and
// must not block; Refresh shows what has changed by itself.
type Support interface {
	// Make begins to make one, in the place of any that waits; false: one is being made.
	Make() bool
	// Shown is what the host sees.
	Shown() wire.Support
}

// actSupport makes a text for who helps.
const actSupport = "support"

// supportOffers are the host's at any time.
func (c *core) supportOffers() []engine.Offer {
	if c.Support == nil || c.Support.Shown().Making {
		return nil
	}
	return []engine.Offer{{Act: actSupport, Rule: "GEN-001", Aside: true}}
}

func (c *core) support(engine.Args) (*wire.Notice, *engine.Reject) {
	if c.Support == nil || !c.Support.Make() {
		return nil, refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	return nil, nil
}

// shownText is for the host alone: a text that was made; nil while there is nothing to fetch or to wait for.
func shownText(of interface{ Shown() wire.Support }) *wire.Support {
	if of == nil {
		return nil
	}
	if s := of.Shown(); s != (wire.Support{}) {
		return &s
	}
	return nil
}
