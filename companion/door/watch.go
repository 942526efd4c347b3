package door

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// watchInterval is the time between two looks of WatchPressure.
const watchInterval = time.Minute

// WatchPressure logs the state of the door once a minute while it is under pressure: in the last minute connections were refused or cut, or
// less than a quarter of the places of strangers, returning or public was left. It ends with ctx.
func (d *Door) WatchPressure(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	last, underPressure := d.State(), false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			wasUnderPressure := underPressure
			if last, underPressure = d.logPressure(last, log); wasUnderPressure && !underPressure && d.opts.OnCalm != nil {
				d.opts.OnCalm()
			}
		}
	}
}

// logPressure logs what has happened since last, if the door is under pressure.
func (d *Door) logPressure(last State, log *slog.Logger) (now State, underPressure bool) {
	now = d.State()
	refused, cut := formatGrowth(last.Refused, now.Refused), formatGrowth(last.Cut, now.Cut)
	underPressure = refused != "" || cut != ""
	var left []any
	for _, k := range Kinds() {
		c := now.Places[k]
		left = append(left, k.String(), c.Places-c.Peak)
		underPressure = underPressure || k < Seat && 4*(c.Places-c.Peak) < c.Places
	}
	d.mu.Lock()
	d.peak = d.taken
	d.mu.Unlock()
	if underPressure {
		log.Warn("door under pressure: fewest places left, and refused and cut in the last minute",
			"conseil", "on se presse à la porte : places restantes au plus bas (left), "+
				"refus et coupures de la dernière minute (refused, cut)",
			slog.Group("left", left...), "refused", refused, "cut", cut)
	}
	return now, underPressure
}

// formatGrowth lists by how much each count has grown.
func formatGrowth(was, is map[string]uint64) string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(is)) {
		if n := is[k] - was[k]; n > 0 {
			all = append(all, k+" "+strconv.FormatUint(n, 10))
		}
	}
	return strings.Join(all, ", ")
}
