package house

import (
	"maps"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/update"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
	"majordome/engine/chance"
)

// leastRoles repeats by hand the least role that each row requires, to catch slips in the rows.
var leastRoles = map[wire.Role][]string{
	"":                {"here", "people", "sign-in", "sign-out"},
	wire.RoleOperator: {"enrol-do", "enrol-end", "enrol-list", "enrol-open", "enrol-pick", "figures", "minutes", "support"},
	wire.RoleHost:     {"enrol", "own-pin", "readers", "readers-try", "tables", "walk", "walk-end", "walk-next"},
	wire.RoleOwner: {"clock", "clock-set", "enrol-read", "enrol-take", "home", "home-add", "home-drop", "names", "names-adopt",
		"names-clue", "names-pair", "names-reset", "names-set", "newer", "newer-install", "people-drop", "people-set",
		"settings", "settings-add", "settings-apply", "settings-close", "settings-drop", "settings-give-back", "settings-keep",
		"settings-search", "settings-set"},
}

// openAllRows gives a house every part that adds rows to the office.
func openAllRows(o *Opts) {
	o.UpdateFiles = update.Files{Dir: "/nowhere", RequestFile: "/nowhere"}
	o.Strips = []config.Strip{{Strip: newFilm(), Layout: light.DefaultLayout(7)}}
	o.ClockRequest, o.Vitals = "/nowhere", &vitals.Machine{Root: fstest.MapFS{}}
	useConfigFile(o, "home: 127.0.0.2:0\n")
}

func TestOfficeRights(t *testing.T) {
	t.Parallel()
	r := startRig(t, openAllRows)
	rows := map[wire.Role][]string{}
	for _, row := range r.house.officeRows() {
		rows[row.Role] = append(rows[row.Role], row.Name)
	}
	for role := range rows {
		slices.Sort(rows[role])
	}
	if !maps.EqualFunc(rows, leastRoles, slices.Equal[[]string]) {
		t.Errorf("rows by role %v, known here %v", rows, leastRoles)
	}
}

// A locked device is refused every row that needs a role.
func TestOfficeOfALockedDevice(t *testing.T) {
	t.Parallel()
	r := startRig(t, openAllRows)
	if a := r.askOffice("support", nil); a.Why != nil {
		t.Errorf("without accounts: %+v", a.Why)
	}
	r.doRow("people-set", engine.Args{"name": "Odile", "role": string(wire.RoleOwner), "pin": "2580"}, nil)
	r.doRow("sign-out", nil, nil)
	for _, row := range r.house.officeRows() {
		if a := r.askOffice(row.Name, nil); row.Role != "" && (a.Why == nil || a.Why.Key != "table.staff.locked") {
			t.Errorf("%s at a locked device: %+v", row.Name, a)
		}
	}
}

// TestOfficeInTwoWorlds: two tables that differ only in their hidden cards give the same answer to each row, and
// nothing to watchers when a card is put down. Numbers are ignored, because some depend on the clock.
func TestOfficeInTwoWorlds(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`[0-9][0-9.]*`)
	var worlds [2]map[string]string
	var hidden [2]string
	for w := range worlds {
		r := startRig(t, func(o *Opts) {
			openAllRows(o)
			o.Dice = chance.New(uint64(1 + 6*w))
		})
		r.mustHostAct("begin", nil)
		r.mustHostAct("draw-roles", nil)
		r.doRow("enrol-open", engine.Args{"list": wire.EnrolSpare}, nil)
		said := map[string]string{}
		for _, row := range r.house.officeRows() {
			// The support file counts lines that come and go: TestNothingHiddenLeavesTheHouse searches it.
			if row.Show != nil || slices.Contains([]string{"minutes", "figures"}, row.Name) {
				said[row.Name] = number.ReplaceAllString(jsonText(t, r.askOffice(row.Name, engine.Args{"lang": "en"})), "#")
			}
		}
		worlds[w] = said
		for x := engine.Seat(1); x <= 4; x++ {
			hidden[w] += string(r.ownView(x).Role) + " "
		}
	}
	if hidden[0] == hidden[1] {
		t.Fatalf("both worlds have the roles %s", hidden[0])
	}
	for row, one := range worlds[0] {
		if other := worlds[1][row]; one != other {
			t.Errorf("%s differs between two worlds:\n%s\n%s", row, one, other)
		}
	}
	if len(worlds[0]) < 10 {
		t.Errorf("%d rows were compared", len(worlds[0]))
	}
}
