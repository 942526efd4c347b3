package house

import (
	"context"
	"slices"

	"majordome/companion/office"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// openOffice is after the table loop, which knows who stands at the host's devices, and before the pages.
func (h *House) openOffice(epoch uint64, ring *seal.Ring) {
	h.office = office.New(&office.Opts{Keys: ring, Epoch: epoch, Role: h.loop.Role, Log: of(h.opts.Log, partTable)}, h.touching(h.officeRows())...)
}

// officeRows are what the host administers at this table.
func (h *House) officeRows() []office.Row {
	return slices.Concat(
		[]office.Row{h.supportRow(), h.minutesRow(), h.figuresRow(h.hints)},
		h.namingRows(),
		h.newerRows(),
		h.trialRows(),
	)
}

// touching has all that is done in the office count as something that happens at the table.
func (h *House) touching(rows []office.Row) []office.Row {
	for i, r := range rows {
		if r.Do != nil {
			rows[i].Do = func(ctx context.Context, c office.Call) (any, error) {
				h.attract.touch()
				return r.Do(ctx, c)
			}
		}
	}
	return rows
}

// turned reports that another game is on the table, or that one has begun or ended, since a step; nil: there was none.
func turned(before, now *wire.Update) bool {
	return before == nil || before.View.Game != now.View.Game || before.View.Phase != now.View.Phase
}

// newRoles reports that somebody else stands at a device of the host than at the last step. It is of the loop's goroutine.
func (h *House) newRoles() bool {
	before := h.roles
	for n := range h.roles {
		h.roles[n] = h.loop.Role(wire.Handset{Viewer: engine.Host, N: n + 1})
	}
	return h.roles != before
}
