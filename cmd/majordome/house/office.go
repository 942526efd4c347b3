package house

import (
	"context"
	"log/slog"
	"slices"

	"majordome/cmd/majordome/config"
	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// openOffice creates the office, whose requests the pages send. It runs before openServer.
func (h *House) openOffice(epoch uint64, ring *seal.Ring) {
	h.office = office.New(&office.Opts{Keys: ring, Epoch: epoch, Role: h.people.Role, Log: partLogger(h.opts.Log, config.PartTable)},
		h.countActivity(h.officeRows())...)
}

// officeRows lists every row of the office at this table.
func (h *House) officeRows() []office.Row {
	return slices.Concat(
		[]office.Row{h.health.Row()},
		h.records.Rows(),
		h.decks.Rows(h.loop, h.lastPublic.Load),
		h.updates.Rows(),
		h.settingRows(),
		h.readers.Rows(),
		h.enrolRows(),
		h.lights.Rows(),
		h.health.Monitor.Rows(),
		h.smartHome.OfficeRows(),
		h.peopleRows(),
	)
}

// enrolRows returns the rows of the enrolment; none without readers.
func (h *House) enrolRows() []office.Row {
	if len(h.opts.Readers) == 0 {
		return nil
	}
	return h.enrolment.Rows()
}

// countActivity makes each Do of the rows count as activity at the table (attract.Attract.Touch) and at the device (staff.Accounts.Touch).
func (h *House) countActivity(rows []office.Row) []office.Row {
	for i, r := range rows {
		if r.Do != nil {
			rows[i].Do = func(ctx context.Context, c office.Call) (any, error) {
				h.attract.NoteUse()
				h.people.Touch(c.Device)
				return r.Do(ctx, c)
			}
		}
	}
	return rows
}

// refusePaused returns the reason of a pause as a refusal; nil if the table is not paused. During a pause the store may keep
// nothing, so rows that write to it must refuse.
func (h *House) refusePaused() error {
	if u := h.lastPublic.Load(); u != nil && u.Paused != nil {
		return &wire.Refusal{Why: *u.Paused}
	}
	return nil
}

// hasNewPhase reports whether the game or its phase has changed since the step before; true for the first step.
func hasNewPhase(before, now *wire.Update) bool {
	return before == nil || before.View.Game != now.View.Game || before.View.Phase != now.View.Phase
}

// beginsPeriod reports whether a period begins with a step: another game, the change between lobby and game, or the begin of a
// check of the box; true for the first step.
func beginsPeriod(before, now *game.Step) bool {
	inLobby := func(s *game.Step) bool { return s.Public.View.Phase == engine.PhaseLobby }
	return before == nil || before.Public.View.Game != now.Public.View.Game || inLobby(before) != inLobby(now) ||
		now.Host.Box != nil && before.Host.Box == nil
}

// partLogger returns the logger of a part.
func partLogger(log *slog.Logger, part string) *slog.Logger { return log.With("part", part) }
