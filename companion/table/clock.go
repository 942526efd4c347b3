package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// SystemClock is the time of day of the computer. Its methods are called by the loop's goroutine and must not block; Refresh shows
// what has changed by itself.
type SystemClock interface {
	// Settable reports that nobody has set it since the start, and that it can be set here.
	Settable() bool
	// Set asks for a time, in milliseconds since 1970 as text; false: it is none, or cannot be asked for.
	Set(ms string) bool
}

// clockOffers adds the act that sets the clock to the time of the host's device.
func (c *core) clockOffers(all []engine.Offer) []engine.Offer {
	if c.SystemClock == nil || !c.SystemClock.Settable() {
		return all
	}
	const digits = 15
	return append(all, engine.Offer{Act: wire.ActClock, Rule: "GEN-001", Aside: true, Params: []engine.Param{{Name: "at", Kind: "text", Max: digits}}})
}

func (c *core) setClock(args engine.Args) (*wire.Notice, *engine.Reject) {
	if c.SystemClock == nil || !c.SystemClock.Settable() || !c.SystemClock.Set(args["at"]) {
		return nil, refuse(engine.NotNow, "GEN-001", "table.clock.set")
	}
	return nil, nil
}
