package house

import (
	"context"

	"majordome/cmd/majordome/clock"
	"majordome/companion/office"
	"majordome/companion/wire"
)

// clockRows are the office rows that show whether this computer's clock is unset, and set it: args at, in milliseconds since
// 1970 (UTC). Root sets it (package clock); where it does not, there are no rows.
func (h *House) clockRows() []office.Row {
	if h.opts.ClockRequest == "" || h.opts.Vitals == nil {
		return nil
	}
	return []office.Row{
		{Name: "clock", Role: wire.RoleOwner, Show: func(office.Call) any { return h.isClockUnset() }},
		{Name: "clock-set", Role: wire.RoleOwner, Do: h.requestClock},
	}
}

func (h *House) isClockUnset() bool { return h.monitor.IsClockUnset() }

// requestClock writes the time for root into a small file in memory, and has the monitor check the clock soon.
func (h *House) requestClock(_ context.Context, c office.Call) (any, error) {
	t, err := clock.Parse(c.Args["at"])
	if err != nil || !h.isClockUnset() || clock.WriteRequest(h.opts.ClockRequest, t) != nil {
		return nil, wire.Refuse("table.clock.set")
	}
	h.monitor.CheckSoon()
	return nil, nil
}
