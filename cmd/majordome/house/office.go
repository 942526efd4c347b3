package house

import (
	"context"
	"log/slog"
	"slices"

	"majordome/cmd/majordome/config"
	"majordome/companion/office"
	"majordome/companion/seal"
)

// openOffice creates the office, whose requests the pages send. It runs before openServer.
func (h *House) openOffice(epoch uint64, ring *seal.Ring) {
	h.office = office.New(&office.Opts{Keys: ring, Epoch: epoch, Role: h.people.Role, Log: partLogger(h.opts.Log, config.PartTable)},
		h.wrapWithActivity(h.officeRows())...)
}

// officeRows lists every row of the office at this table.
func (h *House) officeRows() []office.Row {
	return slices.Concat(
		[]office.Row{h.health.Row()},
		h.records.Rows(),
		h.decks.Rows(h.Loop, h.steps.public.Load),
		h.updates.Rows(),
		h.settings.Rows(),
		h.readers.Rows(),
		h.enrolRows(),
		h.lights.Rows(),
		h.health.Monitor.Rows(),
		h.smartHome.OfficeRows(),
		h.people.Rows(),
	)
}

// enrolRows returns the rows of the enrolment; none without readers.
func (h *House) enrolRows() []office.Row {
	if len(h.opts.Readers) == 0 {
		return nil
	}
	return h.enrolment.Rows()
}

// wrapWithActivity makes each Do of the rows count as activity at the table (attract.Attract) and at the device
// (staff.Accounts).
func (h *House) wrapWithActivity(rows []office.Row) []office.Row {
	for i, r := range rows {
		if r.Do != nil {
			rows[i].Do = func(ctx context.Context, c office.Call) (any, error) {
				h.attract.NoteUse()
				h.people.RestartIdleTime(c.Device)
				return r.Do(ctx, c)
			}
		}
	}
	return rows
}

// partLogger returns the logger of a part.
func partLogger(log *slog.Logger, part string) *slog.Logger { return log.With("part", part) }
