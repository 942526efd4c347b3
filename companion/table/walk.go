package table

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// Lights are the lights of the table as the host walks along them, where one part after the other is lit alone, or switches them over.
type Lights interface {
	// Parts are what is lit, in order, each as the host is asked about it; none: there are no lights.
	Parts() []engine.Msg
	// Alone lights part i alone, from 0 on; -1: all as the game has it. It must not block.
	Alone(i int)
	// SetOver lights the room in the place of the game: wire.LightWhite, LightDark, or LightGame again; Over is what does now, which
	// somebody else may have changed. They must not block.
	SetOver(to string)
	Over() string
	// Strips are how each strip does.
	Strips() []wire.Strip
}

// The host's acts of a walk.
const (
	actWalk    = "walk"     // the next light
	actWalkEnd = "walk-end" // no more
)

// walkOffers are the host's in the lobby: a game is not disturbed by it.
func (c *core) walkOffers() (all []engine.Offer) {
	if c.Lights == nil || len(c.Lights.Parts()) == 0 {
		return nil
	}
	all = append(all, engine.Offer{Act: actWalk, Rule: "GEN-001", Aside: true})
	if c.walked > 0 {
		all = append(all, engine.Offer{Act: actWalkEnd, Rule: "GEN-001", Aside: true})
	}
	return all
}

// walk lights the next part; after the last all is as before.
func (c *core) walk(engine.Args) (*wire.Notice, *engine.Reject) {
	if !c.inLobby() || c.Lights == nil {
		return nil, refuse(engine.NotNow, "GEN-001", "table.unknown")
	}
	if c.walked++; c.walked > len(c.Lights.Parts()) {
		c.walked = 0
	}
	c.Lights.Alone(c.walked - 1)
	return nil, nil
}

func (c *core) walkEnd(engine.Args) (*wire.Notice, *engine.Reject) {
	c.endWalk()
	return nil, nil
}

// endWalk gives the lights back, also when a game begins.
func (c *core) endWalk() {
	if c.walked > 0 {
		c.walked = 0
		c.Lights.Alone(-1)
	}
}

// shownStrips returns the state of the strips during a walk along the lights.
func (c *core) shownStrips() []wire.Strip {
	if c.Lights == nil || !c.inLobby() || c.walked == 0 {
		return nil
	}
	return c.Lights.Strips()
}

// shownWalk asks the host, and nobody else, about what is lit.
func (c *core) shownWalk(host *wire.Update, number uint64) {
	if c.walked == 0 {
		return
	}
	if !c.inLobby() {
		c.endWalk()
		return
	}
	m := c.Lights.Parts()[c.walked-1]
	if part, ok := m.Args.Lookup("part"); ok { // place-3 by the name that it has in this game
		m = engine.Say(m.Key, "strip", m.Args.Get("strip"), "part", c.place(part))
	}
	host.Notice = &wire.Notice{N: number, Msg: m, Passing: true}
}
