package game

import (
	"strings"
	"testing"

	"majordome/companion/master/countdown"
	"majordome/companion/master/group"
	"majordome/companion/master/hints"
	"majordome/companion/master/room"
	"majordome/companion/wire"
	"majordome/engine"
)

// The sheet of a group belongs to its game and its story. Only the host sees the notes on it, all other viewers get
// only the name and the language, and the next group begins with a blank sheet.
func TestTeamSheet(t *testing.T) {
	m := newMemory()
	r := newRig(t, m)
	for _, bad := range [][]string{
		{"name", strings.Repeat("x", 41)}, {"name", "a\nb"}, {"guests", "-1"}, {"guests", "31"}, {"guests", "x"}, {"start", "24:00"},
		{"start", "8:30"}, {"lang", "de"}, {"notes", strings.Repeat("x", 121)},
	} {
		if r.act(engine.Host, room.ActTeam, bad...).OK {
			t.Errorf("taken: %q", bad)
		}
	}
	if r.act(engine.SeatViewer(1), room.ActTeam, "name", "x").OK {
		t.Error("a seat writes it")
	}
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, room.ActTeam, "name", " Les Corbeaux ", "guests", "5", "start", "20:30", "lang", "en", "notes", "CANARY")
	want := wire.Team{Name: "Les Corbeaux", Guests: 5, Start: "20:30", Lang: "en", Notes: "CANARY"}
	if s := r.last(); *s.Host.Desk.Team != want || s.Public.Table.Team != want.Name || s.Public.Table.Lang != "en" {
		t.Errorf("host %+v, public %q %q", s.Host.Desk.Team, s.Public.Table.Team, s.Public.Table.Lang)
	}
	r.start() // the daemon is killed
	if *r.last().Host.Desk.Team != want {
		t.Error("a restart forgets who plays")
	}
	r.mustAct(engine.Host, "begin")
	r.dropInUrn("card-x")
	r.mustAct(engine.Host, "open")
	s := r.last()
	for _, u := range append(s.SeatUpdates(), s.Public) {
		if strings.Contains(asJSON(t, u), "CANARY") {
			t.Errorf("%s reads the host's notes", u.View.Viewer)
		}
	}
	if f := builtFigures(t, r, m, 1); f.Team != want.Name {
		t.Errorf("figures of %q", f.Team)
	}
	r.mustAct(engine.Host, room.ActTeam)
	if f := builtFigures(t, r, m, 1); f.Team != "" {
		t.Errorf("a name that the host has taken out stays in the figures: %q", f.Team)
	}
	r.mustAct(engine.Host, room.ActTeam, "name", "Les Corbeaux", "notes", "CANARY")
	for _, e := range m.events[1] {
		if strings.Contains(string(e.Data), "CANARY") {
			t.Error("the host's notes stay in the journal")
		}
	}
	r.mustAct(engine.Host, group.ActNext, "sign", "Zo")
	if got := *r.last().Host.Desk.Team; got != (wire.Team{}) || strings.Contains(m.settings["team"], "Corbeaux") {
		t.Errorf("the next group begins as %+v, %s", got, m.settings["team"])
	}
}

// The settings of the room apply again to each group, whatever the last group has chosen; house rules too, in their
// own game.
func TestSettingsOfTheRoomApplyToEachGroup(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		m := newMemory()
		e := newEvening(t, g, m, 16)
		switched := func() bool { // changes a house rule other than the preset
			for _, o := range e.last().Host.View.Offers {
				if o.Act == "switch" && o.Fixed["name"] != "preset" {
					e.mustAct(engine.Host, "switch", "name", o.Fixed["name"], "value", o.Params[0].Domain[0])
					return true
				}
			}
			return false
		}
		if !switched() {
			t.Fatal("no house rule is offered")
		}
		e.mustAct(engine.Host, hints.ActMost, "most", "3")
		e.mustAct(engine.Host, countdown.ActSet, "minutes", "60")
		e.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "60")
		e.mustAct(engine.Host, room.ActTeam, "name", "first", "lang", "fr")
		e.mustAct(engine.Host, room.ActKeep)
		before := e.last()
		for n := range 3 {
			switched()
			e.mustAct(engine.Host, hints.ActMost, "most", hints.Off)
			e.mustAct(engine.Host, countdown.ActSet, "minutes", "90")
			e.mustAct(engine.Host, countdown.ActFines, "for", countdown.ForHint, "seconds", "300")
			e.mustAct(engine.Host, room.ActTeam, "name", "other", "lang", "en")
			e.mustAct(engine.Host, group.ActNext, "sign", "Zo")
			s := e.last()
			if asJSON(t, s.Public.View.Switches) != asJSON(t, before.Public.View.Switches) {
				t.Fatalf("group %d: house rules %v, the room has %v", n, s.Public.View.Switches, before.Public.View.Switches)
			}
			if asJSON(t, s.Host.Desk.Timing) != asJSON(t, before.Host.Desk.Timing) || s.Host.Desk.Hints.Most != "3" ||
				*s.Host.Desk.Team != (wire.Team{Lang: "fr"}) {
				t.Fatalf("group %d: %+v, hints %s, team %+v", n, s.Host.Desk.Timing, s.Host.Desk.Hints.Most, s.Host.Desk.Team)
			}
		}
	})
}
