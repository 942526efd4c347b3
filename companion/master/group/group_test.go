package group_test

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/group"
	"majordome/companion/master/mastertest"
	"majordome/companion/master/seats"
	"majordome/companion/wire"
	"majordome/engine"
)

// desk ends the keys of all seats of a table, unless it fails.
type desk struct {
	seats.Desk
	table *mastertest.Table
	fail  bool
	ended bool // the requests for a seat
}

func (d *desk) EndSeatRequests() { d.ended = true }

func (d *desk) RefreshInvites(keep []engine.Seat) []wire.Invite {
	if !d.fail {
		clear(d.table.Marks)
	}
	return nil
}

// tableWithPhone returns a table in a game, with a phone at seat 1.
func tableWithPhone() (*mastertest.Table, *desk) {
	d := &desk{}
	m := mastertest.New(func(t master.Table) []master.Part {
		return []master.Part{group.New(t, func() seats.Desk { return d })}
	})
	d.table = m
	m.Marks[wire.FirstPhoneOf(engine.SeatViewer(1))] = "mark"
	return m, d
}

// The next group begins without keys and requests of the last one, and the signature is recorded in the game that ends.
func TestNextGroup(t *testing.T) {
	m, d := tableWithPhone()
	for _, sign := range []string{"", " ", "a\nb", strings.Repeat("x", 41)} {
		if m.DoAct(mastertest.Host, group.ActNext, "sign", sign) == nil || len(m.Marks) == 0 {
			t.Errorf("signed %q", sign)
		}
	}
	r := m.DoAct(mastertest.Host, group.ActNext, "sign", " Zo ")
	if r != nil || !m.InLobby() || len(m.Marks) > 0 || !d.ended || !slices.Contains(m.Notices, "table.group.next") {
		t.Fatalf("%v, phones %v, notices %q", r, m.Marks, m.Notices)
	}
	if len(m.Events) != 1 || string(m.Events[0].Data) != `{"sign":"Zo"}` {
		t.Errorf("on record: %+v", m.Events)
	}
	var f wire.GameFigures
	m.Parts[0].(master.FiguresAdder).AddToFigures(&f, 0)
	if f.Sign != "Zo" || len(f.Staff) != 0 {
		t.Errorf("figures: %q, %+v", f.Sign, f.Staff)
	}
}

// A person signed in to an account signs with that name only.
func TestAccountSigns(t *testing.T) {
	m, _ := tableWithPhone()
	by := mastertest.Host
	by.Author = wire.ByStaff + "operator.Otto"
	if r := m.DoAct(by, group.ActNext, "sign", "Zo"); r != nil {
		t.Fatal(r)
	}
	var f wire.GameFigures
	m.Parts[0].(master.FiguresAdder).AddToFigures(&f, 0)
	if f.Sign != "Otto" || len(f.Staff) != 1 || !f.Staff[0].Signed {
		t.Errorf("figures: %q, %+v", f.Sign, f.Staff)
	}
}

// While a key of the last group remains, or nothing can be written, there is no next group.
func TestNextGroupFails(t *testing.T) {
	m, d := tableWithPhone()
	d.fail = true
	r := m.DoAct(mastertest.Host, group.ActNext, "sign", "Zo")
	if r == nil || r.Why.Key != "table.phone.failed" || len(m.Events) > 0 || m.InLobby() {
		t.Errorf("a phone keeps its key: %v, %+v", r, m.Events)
	}
	d.fail, m.DiskFull = false, true
	if r := m.DoAct(mastertest.Host, group.ActNext, "sign", "Zo"); r == nil || m.InLobby() || len(m.Marks) > 0 {
		t.Errorf("the disk is full: %v, phones %v", r, m.Marks)
	}
}

// It is offered at any time but in a pause, and needs a second thought during a game. When time is up it is offered
// in the pause.
func TestOffer(t *testing.T) {
	m, _ := tableWithPhone()
	for _, c := range []struct {
		name           string
		set            func()
		offered, grave bool
	}{
		{"in a game", func() {}, true, true},
		{"in a pause", func() { m.HoldGame("host", wire.Hold{}) }, false, false},
		{"when time is up", func() { m.HoldGame("clock", wire.Hold{Over: true}) }, true, false},
		{"after a game", func() { m.ReleaseGame("host"); m.View.Result = &engine.Result{} }, true, false},
		{"during its last scene", func() { m.Scene = true }, true, true},
		{"in the lobby", func() { m.Scene, m.View.Result, m.View.Phase = false, nil, engine.PhaseLobby }, true, false},
	} {
		c.set()
		all := m.Parts[0].(master.Offerer).AppendOffers(nil)
		if len(all) > 0 != c.offered || c.offered && all[0].Grave != c.grave {
			t.Errorf("%s: %+v", c.name, all)
		}
	}
}
