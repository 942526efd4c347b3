package house

import (
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
)

// officeLeast repeats the least role of each row by hand, to catch slips in the rows.
var officeLeast = map[wire.Role][]string{
	"":                {"here", "people", "sign-in", "sign-out"},
	wire.RoleOperator: {"enrol", "enrol-do", "enrol-end", "enrol-list", "enrol-open", "enrol-pick", "figures", "minutes", "support"},
	wire.RoleHost:     {"own-pin", "readers", "readers-try", "tables", "walk", "walk-end", "walk-next"},
	wire.RoleOwner: {"clock", "clock-set", "enrol-read", "enrol-take", "home", "home-add", "home-drop", "names", "names-adopt", "names-clue", "names-pair",
		"names-reset", "names-set", "newer", "newer-install", "people-drop", "people-set"},
}

// everything has a house open with all that has rows.
func everything(o *Opts) {
	o.Newer = Newer{Dir: "/nowhere", Wish: "/nowhere"}
	o.Strips = []Strip{{Strip: newFilm(), Layout: light.Table(7)}}
	o.Config.Home = "127.0.0.1:0"
	o.ClockWish, o.Vitals = "/nowhere", &vitals.Machine{Root: fstest.MapFS{}}
}

func TestOfficeRights(t *testing.T) {
	t.Parallel()
	r := start(t, everything)
	rows := map[wire.Role][]string{}
	for _, row := range r.house.officeRows() {
		rows[row.Role] = append(rows[row.Role], row.Name)
	}
	for role := range rows {
		slices.Sort(rows[role])
	}
	if !maps.EqualFunc(rows, officeLeast, slices.Equal[[]string]) {
		t.Errorf("rows by role %v, known here %v", rows, officeLeast)
	}
}

// A locked device is refused every row that needs a role.
func TestOfficeOfALockedDevice(t *testing.T) {
	t.Parallel()
	r := start(t, everything)
	if a := r.asks("support", nil); a.Why != nil {
		t.Errorf("without accounts: %+v", a.Why)
	}
	r.office("people-set", engine.Args{"name": "Odile", "role": string(wire.RoleOwner), "pin": "2580"}, nil)
	r.office("sign-out", nil, nil)
	for _, row := range r.house.officeRows() {
		if a := r.asks(row.Name, nil); row.Role != "" && (a.Why == nil || a.Why.Key != "table.staff.locked") {
			t.Errorf("%s at a locked device: %+v", row.Name, a)
		}
	}
}
