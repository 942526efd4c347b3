package house

import (
	"context"

	"majordome/cmd/majordome/clock"
	"majordome/companion/office"
	"majordome/companion/wire"
)

// clockRows show whether the clock of this computer is still unset, and set it: args at, in milliseconds since 1970 (UTC).
// Root does it (package clock); there are no rows where it does not.
func (h *House) clockRows() []office.Row {
	if h.opts.ClockWish == "" || h.opts.Vitals == nil {
		return nil
	}
	return []office.Row{
		{Name: "clock", Role: wire.RoleOwner, See: func(office.Call) any { return h.clockUnset() }},
		{Name: "clock-set", Role: wire.RoleOwner, Do: h.setClock},
	}
}

func (h *House) clockUnset() bool { return h.monitor.Undated() }

// setClock writes a few bytes into the memory of the system, and has the computer looked at soon.
func (h *House) setClock(_ context.Context, c office.Call) (any, error) {
	t, err := clock.Parse(c.Args["at"])
	if err != nil || !h.clockUnset() || clock.Ask(h.opts.ClockWish, t) != nil {
		return nil, wire.Refuse("table.clock.set")
	}
	h.monitor.LookSoon()
	return nil, nil
}
