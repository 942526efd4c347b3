package oversight_test

import (
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/mastertest"
	"majordome/companion/master/oversight"
	"majordome/companion/wire"
	"majordome/engine"
)

var (
	tablet = mastertest.Tablet.Handset
	hands  = []engine.Holding{{Of: "seat-1", Cards: []engine.ID{"clue-1"}}}
)

// allowingTable returns a table that allows the view, with two devices of the host and a phone at seat 1, all
// connected.
func allowingTable() *mastertest.Table {
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{oversight.New(t)} })
	m.Hands, m.Marks = hands, map[wire.Handset]string{mastertest.Host.Handset: "h", tablet: "t",
		wire.FirstPhoneOf(engine.SeatViewer(1)): "p"}
	m.Online = []wire.Handset{mastertest.Host.Handset, tablet, wire.FirstPhoneOf(engine.SeatViewer(1))}
	m.View.Phase = engine.PhaseLobby
	m.DoAct(mastertest.Host, oversight.ActAllow, "on", "yes")
	m.View.Phase = "play"
	return m
}

func unlock(m *mastertest.Table) *engine.Reject {
	return m.DoAct(mastertest.Tablet, oversight.ActUnlock, "phones", "x")
}

// overseerView returns the view if a device sees the secrets, and checks that all viewers are shown that one does.
func overseerView(m *mastertest.Table) *master.OverseerView {
	is := m.Parts[0].(master.SecretsShower).OverseerView()
	if told := m.PublicUpdate().Overseen; (is == nil) != (told == nil) {
		panic("the secrets are shown and nobody is notified, or the other way round")
	}
	return is
}

// isViewRecorded reports whether the journal has the view as open.
func isViewRecorded(m *mastertest.Table) bool {
	return len(m.Events) > 0 && m.Events[len(m.Events)-1].Kind == "table.unlock"
}

// One device that has asked sees the secrets; during a scene it sees those from before the scene.
func TestOneDeviceSeesTheSecrets(t *testing.T) {
	m := allowingTable()
	if overseerView(m) != nil {
		t.Error("they are seen before anybody has asked")
	}
	if r := unlock(m); r != nil || !isViewRecorded(m) {
		t.Fatalf("refused: %v; on record: %v", r, isViewRecorded(m))
	}
	if is := overseerView(m); is.By != tablet || len(is.Secrets) != 1 || !is.CanSee(wire.Person{Role: wire.RoleOperator}) ||
		is.CanSee(wire.Person{ID: 1, Role: wire.RoleOwner}) {
		t.Errorf("%+v", is)
	}
	m.Scene, m.Hands = true, nil
	if len(overseerView(m).Secrets) != 1 {
		t.Error("during a scene it sees what the phones do not know yet")
	}
	m.Scene = false
	if len(overseerView(m).Secrets) != 0 {
		t.Error("after the scene it sees what was before")
	}
	if r := m.DoAct(mastertest.Host, oversight.ActUnlock); r == nil || r.Why.Key != "table.secrets.taken" {
		t.Errorf("a second device: %v", r)
	}
}

// Each of these ends the view and is recorded at once; after a failure of the disk, as soon as something can be
// written.
func TestActsThatEndTheView(t *testing.T) {
	account := wire.Person{ID: 1, Role: wire.RoleOperator}
	for name, end := range map[string]func(*mastertest.Table){
		"a tap at another device":    func(m *mastertest.Table) { m.DoAct(mastertest.Host, oversight.ActCover) },
		"its device is gone":         func(m *mastertest.Table) { m.Parts[0].(master.PhoneWatcher).HandleOnlineChange(m.Online[:1]) },
		"its device has another key": func(m *mastertest.Table) { m.Marks[tablet] = "other"; m.Publish(nil) },
		"somebody else stands there": func(m *mastertest.Table) {
			m.People = map[wire.Handset]wire.Person{tablet: {ID: 2, Role: wire.RoleOwner}}
			m.Publish(nil)
		},
		"who stood there has signed out": func(m *mastertest.Table) { m.People = map[wire.Handset]wire.Person{}; m.Publish(nil) },
		"who stands there may no more": func(m *mastertest.Table) {
			m.People = map[wire.Handset]wire.Person{tablet: {ID: account.ID, Role: wire.RoleHost}}
			m.Publish(nil)
		},
		"the game is over":    func(m *mastertest.Table) { m.AdvanceGame(func(v *engine.View) { v.Result = &engine.Result{} }) },
		"the game is left":    func(m *mastertest.Table) { m.Parts[0].(master.GameCloser).HandleGameClosing("host") },
		"undone to the lobby": func(m *mastertest.Table) { m.AdvanceGame(func(v *engine.View) { v.Phase = engine.PhaseLobby }) },
		"the time is up":      func(m *mastertest.Table) { m.HoldGame(master.ByClock, wire.Hold{Over: true}); m.Publish(nil) },
		"the daemon restarts": func(m *mastertest.Table) {
			m.Restart()
			if n := m.Parts[0].(master.InterruptionRecorder).RecordInterruption(); n == nil {
				t.Error("nobody is notified of an oversight that a start has ended")
			}
		},
		"trouble with the disk": func(m *mastertest.Table) {
			m.DiskFull = true
			m.RecordEvent("host", "table.any", nil)
			m.Parts[0].(master.Loader).LoadSettings()
			if overseerView(m) != nil {
				t.Error("the view is open while nothing can be written")
			}
			m.DiskFull, m.Stopped = false, false
			m.Parts[0].(master.Loader).LoadSettings()
			m.Parts[0].(master.InterruptionRecorder).RecordInterruption()
		},
	} {
		m := allowingTable()
		m.People = map[wire.Handset]wire.Person{tablet: account}
		by := mastertest.Tablet
		by.Who = account
		if r := m.DoAct(by, oversight.ActUnlock); r != nil {
			t.Fatal(r)
		}
		if m.Publish(nil); overseerView(m) == nil {
			t.Fatal("the view ends without an act")
		}
		closes := func(e string) bool { return e == "table.cover" }
		var kinds []string
		end(m)
		for _, e := range m.Events {
			kinds = append(kinds, e.Kind)
		}
		if overseerView(m) != nil || !slices.ContainsFunc(kinds, closes) {
			t.Errorf("%s: seen by %+v, on record %q", name, overseerView(m), kinds)
		}
	}
}

// The view is refused in a game whose table has not allowed it, at a device that is not one of the table's or that
// plays a seat, and while phones wait for a scene.
func TestOversightIsRefused(t *testing.T) {
	for why, refuse := range map[string]func(*mastertest.Table) *engine.Reject{
		"table.secrets.off": func(m *mastertest.Table) *engine.Reject {
			m.Settings = map[string]string{}
			m.Restart()
			return unlock(m)
		},
		"table.secrets.later": func(m *mastertest.Table) *engine.Reject { m.View.Phase = engine.PhaseLobby; return unlock(m) },
		"table.scene":         func(m *mastertest.Table) *engine.Reject { m.Scene = true; return unlock(m) },
		"table.not-host":      func(m *mastertest.Table) *engine.Reject { delete(m.Marks, tablet); return unlock(m) },
		"table.secrets.plays": func(m *mastertest.Table) *engine.Reject {
			return m.DoAct(mastertest.Tablet, oversight.ActUnlock, "phones", "x,p")
		},
		"table.secrets.lobby": func(m *mastertest.Table) *engine.Reject {
			return m.DoAct(mastertest.Host, oversight.ActAllow, "on", "no")
		},
		"mastertest.full": func(m *mastertest.Table) *engine.Reject { m.DiskFull = true; return unlock(m) },
	} {
		m := allowingTable()
		if r := refuse(m); r == nil || r.Why.Key != why || overseerView(m) != nil {
			t.Errorf("%v, not %s; seen by %+v", r, why, overseerView(m))
		}
	}
}
