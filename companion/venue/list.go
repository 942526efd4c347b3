package venue

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"time"

	"majordome/companion/natural"
	"majordome/companion/wire"
)

// List returns the tables for the operators' page, in the order of package venue.
func (v *Venue) List() wire.Venue {
	v.mu.Lock()
	defer v.mu.Unlock()
	var shown []*table
	for _, t := range v.tables {
		if t.isUnderstood {
			shown = append(shown, t)
		}
	}
	slices.SortFunc(shown, compareNeed)
	out := wire.Venue{Online: v.online, All: make([]wire.VenueTable, len(shown)), More: len(v.beyond)}
	for i, t := range shown {
		row := wire.VenueTable{HouseTable: t.row, Groups: v.groupsOf(t.row.Name), Needs: t.listNeeds(), Commands: t.commands}
		if since, is := t.waitsSince(); is {
			row.Since = since.UnixMilli()
		}
		if n := len(t.acts); n > 0 {
			last := t.acts[n-1].VenueAct
			row.Act = &last
		}
		out.All[i] = row
	}
	return out
}

// compareNeed orders tables as package venue says.
func compareNeed(a, b *table) int {
	na, nb := a.listNeeds(), b.listNeeds()
	switch {
	case len(na) == 0 && len(nb) == 0:
		return natural.Compare(a.row.Name, b.row.Name)
	case len(na) == 0:
		return 1
	case len(nb) == 0:
		return -1
	}
	return cmp.Or(cmp.Compare(slices.Index(wire.VenueNeeds, na[0]), slices.Index(wire.VenueNeeds, nb[0])),
		a.needs[na[0]].Compare(b.needs[nb[0]]), natural.Compare(a.row.Name, b.row.Name))
}

// waitsSince returns when the most urgent need of the table began, or since when it is away.
func (t *table) waitsSince() (time.Time, bool) {
	if all := t.listNeeds(); len(all) > 0 {
		return t.needs[all[0]], true
	}
	return t.seenAt, !t.row.Online
}

// groupsOf returns the names of the groups of a table, sorted.
func (v *Venue) groupsOf(name string) (all []string) {
	for _, group := range slices.Sorted(maps.Keys(v.opts.Groups)) {
		if slices.ContainsFunc(v.opts.Groups[group], func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
			all = append(all, group)
		}
	}
	return all
}
