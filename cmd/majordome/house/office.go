package house

import (
	"context"
	"log/slog"
	"slices"

	"majordome/cmd/majordome/config"
	"majordome/companion/office"
	"majordome/companion/seal"
)

// createOffice creates the office, whose requests the pages send. It runs before openServer.
func (h *House) createOffice(epoch uint64, ring *seal.Ring) {
	h.office = office.New(&office.Opts{Keys: ring, Epoch: epoch, Role: h.people.Role, Log: partLogger(h.opts.Log, config.PartTable)},
		h.countActivityOnDo(h.officeRows())...)
}

// officeRows lists every row of the office at this table.
func (h *House) officeRows() []office.Row {
	return slices.Concat(
		[]office.Row{h.health.BundleRow()},
		h.records.OfficeRows(),
		h.decks.NamingRows(h.Loop, h.steps.public.Load),
		h.updates.OfficeRows(),
		h.settings.OfficeRows(),
		h.readers.TestRows(),
		h.enrolRows(),
		h.lights.WalkRows(),
		h.health.Monitor.ClockRows(),
		h.smartHome.OfficeRows(),
		h.people.StaffRows(),
	)
}

// enrolRows returns the rows of the enrolment; none without readers.
func (h *House) enrolRows() []office.Row {
	if len(h.opts.Readers) == 0 {
		return nil
	}
	return h.enrolment.OfficeRows()
}

// countActivityOnDo makes each Do of the rows count as activity at the table (attract.Attract) and at the device
// (staff.Accounts).
func (h *House) countActivityOnDo(rows []office.Row) []office.Row {
	for i, r := range rows {
		if r.Do != nil {
			rows[i].Do = func(ctx context.Context, c office.Call) (any, error) {
				h.attract.RecordUse()
				h.people.RestartIdleTime(c.Device)
				return r.Do(ctx, c)
			}
		}
	}
	return rows
}

// partLogger returns the logger of a part.
func partLogger(log *slog.Logger, part string) *slog.Logger { return log.With("part", part) }
