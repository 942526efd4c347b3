package hold_test

import (
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/hold"
	"majordome/companion/master/mastertest"
	"majordome/companion/wire"
	"majordome/engine"
)

func tableInPlay() *mastertest.Table {
	t := mastertest.New(func(t master.Table) []master.Part { return []master.Part{hold.New(t)} })
	t.Light = wire.LightGame
	return t
}

// A pause stops the game until it is ended. An alarm does so under white light and replaces a pause, and its light is
// on again after a restart. Both are recorded.
func TestAPauseAndAnAlarm(t *testing.T) {
	m := tableInPlay()
	if r := m.DoAct(mastertest.Host, hold.ActPause); r != nil || m.CurrentHold() == nil || m.Light != wire.LightGame {
		t.Fatalf("paused: %v, %+v, under %s light", r, m.CurrentHold(), m.Light)
	}
	if r := m.DoAct(mastertest.Tablet, hold.ActAlarm); r != nil || !m.CurrentHold().Alarm || m.Light != wire.LightWhite {
		t.Fatalf("an alarm over it: %v, %+v, under %s light", r, m.CurrentHold(), m.Light)
	}
	m.Light = wire.LightGame // the lights are reset by a start
	if m.Restart(); m.Light != wire.LightWhite {
		t.Error("the light of the alarm does not come back")
	}
	if m.DoAct(mastertest.Host, hold.ActPause); !m.CurrentHold().Alarm {
		t.Error("a pause takes the place of an alarm")
	}
	if r := m.DoAct(mastertest.Host, hold.ActResume); r != nil || m.CurrentHold() != nil || m.Light != wire.LightGame {
		t.Errorf("the game does not go on: %v, %+v, under %s light", r, m.CurrentHold(), m.Light)
	}
	if m.DoAct(mastertest.Host, hold.ActResume) == nil {
		t.Error("the game goes on twice")
	}
	var kinds []string
	for _, e := range m.Events {
		kinds = append(kinds, e.Kind)
	}
	if want := []string{master.KindPause, master.KindPause, master.KindResume}; !slices.Equal(kinds, want) {
		t.Errorf("on record: %q", kinds)
	}
}

// An alarm lights the room even when nothing can be written. A pause that cannot be recorded is refused.
func TestAnAlarmNeedsNoDisk(t *testing.T) {
	m := tableInPlay()
	m.DiskFull = true
	if m.DoAct(mastertest.Host, hold.ActPause) == nil || m.CurrentHold() != nil {
		t.Error("a pause that is not on the disk holds the game")
	}
	if r := m.DoAct(mastertest.Host, hold.ActAlarm); r != nil || m.Light != wire.LightWhite {
		t.Errorf("%v, under %s light", r, m.Light)
	}
	m.Light = wire.LightGame
	if r := m.DoAct(mastertest.Host, hold.ActLight, "to", wire.LightDark); r != nil || m.Light != wire.LightDark {
		t.Errorf("the light waits for the disk: %v", r)
	}
}

// In the lobby there is nothing to pause. A button does not end the pause of a countdown that is over: only the host
// can.
func TestWhatCannotBeStopped(t *testing.T) {
	m := tableInPlay()
	m.View.Phase = engine.PhaseLobby
	for _, act := range []string{hold.ActPause, hold.ActAlarm} {
		if m.DoAct(mastertest.Host, act) == nil || m.Light != wire.LightGame {
			t.Errorf("%s in the lobby", act)
		}
	}
	if got := m.OfferedToHost(); !slices.Equal(got, []string{"light to=white", "light to=dark"}) {
		t.Errorf("offered in the lobby: %q", got)
	}
	m.View.Phase = "play"
	press := func(control string) bool {
		return m.Parts[0].(master.ControlHandler).HandleControl(mastertest.Button, control)
	}
	if !press(wire.ControlPause) || m.CurrentHold() == nil || !press(wire.ControlPause) || m.CurrentHold() != nil {
		t.Error("the button does not stop the game and let it go on")
	}
	if press("call") {
		t.Error("the part accepts a control card of another part")
	}
	m.HoldGame(master.ByClock, wire.Hold{Over: true})
	if press(wire.ControlPause) || m.CurrentHold() == nil {
		t.Error("the button ends a pause of the countdown")
	}
	if r := m.DoOrder(wire.OrderResume); r == nil || r.Why.Key != "table.order.over" {
		t.Errorf("a program ends it: %v", r)
	}
}
