package room_test

import (
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/hints"
	"majordome/companion/master/mastertest"
	"majordome/companion/master/oversight"
	"majordome/companion/master/room"
	"majordome/companion/wire"
	"majordome/engine"
)

// tableWithSettings returns a table with two parts that have settings; each group is asked again for one of them.
func tableWithSettings() *mastertest.Table {
	m := mastertest.New(func(t master.Table) []master.Part {
		return []master.Part{hints.New(t, func(engine.ID) []wire.StockHint { return nil }), oversight.New(t), room.New(t)}
	})
	m.View.Phase = engine.PhaseLobby
	return m
}

// startNextGroup brings the next group and puts its game on the table.
func startNextGroup(t *testing.T, m *mastertest.Table) {
	t.Helper()
	if r := m.Parts[2].(master.GroupListener).PrepareNextGroup(); r != nil {
		t.Fatal(r)
	}
	m.Number++
	m.Restart()
	m.Parts[2].(master.LobbyListener).HandleLobbyOpened("host", nil)
}

func isSwitchedOn(m *mastertest.Table, act string) bool { // the lobby offers to change it back
	for _, o := range m.OfferedToHost() {
		if o == act+" on=no" {
			return true
		}
	}
	return false
}

// The next group gets the settings that were stored for each group, whatever the last group has chosen, and a blank
// sheet in the language of the room.
func TestTheNextGroupGetsWhatWasKept(t *testing.T) {
	m := tableWithSettings()
	m.DoAct(mastertest.Host, hints.ActMost, "most", hints.Off)
	m.DoAct(mastertest.Host, oversight.ActAllow, "on", "yes")
	m.DoAct(mastertest.Host, room.ActTeam, "name", "Les Loups", "lang", "en")
	if r := m.DoAct(mastertest.Host, room.ActKeep); r != nil {
		t.Fatal(r)
	}
	m.DoAct(mastertest.Host, hints.ActMost, "most", hints.Free)
	m.DoAct(mastertest.Host, oversight.ActAllow, "on", "no")
	startNextGroup(t, m)
	if m.ForHost().Desk.Hints.Most != hints.Off || !isSwitchedOn(m, oversight.ActAllow) {
		t.Errorf("the next group is offered %q", m.OfferedToHost())
	}
	if u := m.PublicUpdate(); u.Table.Team != "" || u.Table.Lang != "en" {
		t.Errorf("its sheet: %q in %q", u.Table.Team, u.Table.Lang)
	}
}

// Where nothing was stored, all remains as it was, except the permission for the secrets, which each group is asked
// for.
func TestWithoutStoredSettingsAllRemains(t *testing.T) {
	m := tableWithSettings()
	m.DoAct(mastertest.Host, hints.ActMost, "most", hints.Free)
	m.DoAct(mastertest.Host, oversight.ActAllow, "on", "yes")
	startNextGroup(t, m)
	if m.ForHost().Desk.Hints.Most != hints.Free || isSwitchedOn(m, oversight.ActAllow) {
		t.Errorf("the next group is offered %q", m.OfferedToHost())
	}
	m.DiskFull = true
	if m.Parts[2].(master.GroupListener).PrepareNextGroup() == nil {
		t.Error("a group comes though nothing can be written")
	}
}

// House rules are stored for each game. They are set again in the order in which the game offers them; one that it
// does not offer, or no longer offers after another, is left out.
func TestHouseRulesComeBack(t *testing.T) {
	m := tableWithSettings()
	m.View.Switches = map[string]string{"first": "on", "second": "on", "third": "on", "gone": "on"}
	m.DoAct(mastertest.Host, room.ActKeep)
	m.View.Switches = map[string]string{"first": "off"}
	rule := func(name string) engine.Offer {
		return engine.Offer{Act: "switch", Fixed: engine.Args{"name": name},
			Params: []engine.Param{{Name: "value", Domain: []string{"on", "off"}}}}
	}
	m.Offers = []engine.Offer{rule("first"), rule("third")}
	m.DecideAct = func(_ string, args engine.Args) *engine.Reject {
		m.View.Switches[args["name"]] = args["value"]
		m.Offers = []engine.Offer{rule("first"), rule("second")}
		return nil
	}
	startNextGroup(t, m)
	if len(m.PlayedActs) != 2 || m.PlayedActs[0] != "switch name=first value=on" || m.PlayedActs[1] != "switch name=second value=on" {
		t.Errorf("%q", m.PlayedActs)
	}
}

// The host sees the whole sheet of a group, all others its name and language. It survives a restart, and is recorded
// with the game without the notes.
func TestTheSheetOfAGroup(t *testing.T) {
	m := tableWithSettings()
	want := wire.Team{Name: "Les Loups", Guests: 4, Start: "20:30", Lang: "fr", Notes: "anniversaire"}
	m.DoAct(mastertest.Host, room.ActTeam, "name", " Les Loups ", "guests", "4", "start", "20:30", "lang", "fr", "notes", "anniversaire")
	if m.Restart(); *m.ForHost().Desk.Team != want || m.PublicUpdate().Table.Team != want.Name {
		t.Errorf("%+v", *m.ForHost().Desk.Team)
	}
	m.AdvanceGame(func(v *engine.View) { v.Phase = "play" })
	var kept wire.Team
	if len(m.Events) != 1 || !master.DecodeData(m.Events[0], &kept) || kept.Name != want.Name || kept.Notes != "" {
		t.Errorf("on record: %+v", m.Events)
	}
	for _, bad := range [][]string{
		{"guests", "31"},
		{"guests", "-1"},
		{"start", "25:00"},
		{"start", "8:30"},
		{"lang", "de"},
		{"name", "a\nb"},
	} {
		if m.DoAct(mastertest.Host, room.ActTeam, bad...) == nil {
			t.Errorf("a sheet with %q", bad)
		}
	}
	if m.DoAct(mastertest.Host, room.ActKeep) == nil {
		t.Error("the room is kept in the midst of a game")
	}
}
