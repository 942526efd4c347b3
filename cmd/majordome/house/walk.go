package house

import (
	"context"

	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
)

// walkRows walk along the lights before a game: walk-next lights the next part of a strip alone, and after the last all as the game has it,
// as walk-end does at once; walk shows what the host is asked about the part. There are no rows where nothing is lit.
//
// What may leak: nothing, for a walk ends before a step of a game is shown. Everybody in the room sees the lights.
func (h *House) walkRows() []office.Row {
	if len(h.lights.walk) == 0 {
		return nil
	}
	return []office.Row{
		{Name: "walk", Role: wire.RoleHost, See: func(office.Call) any { return h.shownWalk() }},
		{Name: "walk-next", Role: wire.RoleHost, Do: func(context.Context, office.Call) (any, error) {
			if !h.lights.walkOn() {
				return nil, wire.Refuse("table.unknown")
			}
			return h.shownWalk(), nil
		}},
		{Name: "walk-end", Role: wire.RoleHost, Do: func(context.Context, office.Call) (any, error) {
			h.lights.endWalk()
			return h.shownWalk(), nil
		}},
	}
}

// shownWalk returns the question about the only part that is lit; a place has its name of this game.
func (h *House) shownWalk() wire.Walk {
	asks, ok := h.lights.askWalk()
	if !ok {
		return wire.Walk{}
	}
	if part, ok := asks.Args.Lookup("part"); ok {
		asks = engine.Say(asks.Key, "strip", asks.Args.Get("strip"), "part", h.placed(part))
	}
	return wire.Walk{Asks: &asks, Strips: h.lights.states()}
}
