package house

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/companion/office"
	"majordome/companion/seal"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// staffPage returns the accounts as the first device of the host is shown them.
func (r *rig) staffPage() (s wire.Staff) {
	r.t.Helper()
	r.doRow("people", nil, &s)
	return s
}

// addHostDevice connects a device of the host; key opens what it is sent.
func (r *rig) addHostDevice() (key seal.Key) {
	r.t.Helper()
	link, err := r.house.Desk.IssueNewLink(engine.Host)
	if err != nil {
		r.t.Fatal(err)
	}
	own := seal.NewPhone()
	grant := r.redeemLink(link, own)
	if !r.canConnect(engine.Host, grant.Key, own, 10) {
		r.t.Fatal("the host's device is refused")
	}
	r.waitUpdate(0, "the host's device", func(wire.Update) bool {
		all, _ := r.house.Loop.Snapshot(engine.Host)
		return len(all.Desk.Hosts) == 1 && all.Desk.Hosts[0].Online
	})
	return grant.Key
}

// TestPeople: accounts are made, opened, changed and ended in the office, and each refusal gives a reason.
func TestPeople(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(o *Opts) { o.Config.Lock = 10 })
	r.addHostDevice()
	if s := r.staffPage(); s.Me != nil || s.People != nil {
		t.Errorf("without accounts a device is shown %+v", s)
	}
	if why := r.refusalOf("people-set", engine.Args{"name": "Odile", "role": "host", "pin": "271828"}); why != "table.staff.owner" {
		t.Errorf("the first account is a host's: %s", why)
	}
	r.doRow("people-set", engine.Args{"name": "Odile", "role": "owner", "pin": "271828"}, nil)
	r.doRow("people-set", engine.Args{"name": "Otto", "role": "operator", "pin": "31415926"}, nil)
	if s := r.staffPage(); s.Me == nil || s.Me.Name != "Odile" || len(s.People) != 2 || s.Idle != 600 {
		t.Errorf("the owner is shown %+v", s)
	}
	for _, id := range []string{"0", "-1", "x", "9", strings.Repeat("1", 100)} {
		if why := r.refusalOf("people-set",
			engine.Args{"id": id, "name": "Zoé", "role": "host", "pin": "1618"}); why != "table.staff.none" {
			t.Errorf("account %.9q is changed: %s", id, why)
		}
		if why := r.refusalOf("people-drop", engine.Args{"id": id}); why != "table.staff.none" {
			t.Errorf("account %.9q is ended: %s", id, why)
		}
	}
	r.doRow("own-pin", engine.Args{"pin": "271828", "new": "8642"}, nil)
	r.doRow("here", nil, nil)
	r.doRow("sign-out", nil, nil)
	if s := r.staffPage(); s.Me != nil || len(s.People) != 2 || s.Idle != 0 {
		t.Errorf("a locked device is shown %+v", s)
	}
	if why := r.refusalOf("own-pin", engine.Args{"pin": "8642", "new": "9753"}); why != "table.staff.locked" {
		t.Errorf("a locked device changes a PIN: %s", why)
	}
	waits := false // after the third wrong PIN; a machine slower than the five seconds of waiting is let in again, to a longer wait
	for i := 0; i < 8 && !waits; i++ {
		a := r.askOffice("sign-in", engine.Args{"id": "1", "pin": "271828"})
		switch {
		case a.Why != nil && a.Why.Key == "table.staff.wait" && i >= 3:
			n, err := strconv.Atoi(a.Why.Args.Get("n"))
			waits = err == nil && n >= 1
		case a.Why == nil || a.Why.Key != "table.staff.wrong":
			t.Fatalf("try %d: %+v", i+1, a.Why)
		}
	}
	if !waits {
		t.Error("nobody has to wait after eight wrong PINs")
	}
	r.doRow("sign-in", engine.Args{"id": "2", "pin": "31415926"}, nil)
	if s := r.staffPage(); s.Me == nil || s.Me.Role != wire.RoleOperator || s.People != nil {
		t.Errorf("an operator is shown %+v", s)
	}
	if why := r.refusalOf("people-drop", engine.Args{"id": "1"}); why != "table.staff.needs.owner" {
		t.Errorf("an operator ends an account: %s", why)
	}
}

// memorySettings stores the settings of the accounts in memory.
type memorySettings map[string]string

func (s memorySettings) Setting(name string) (string, bool, error) {
	v, ok := s[name]
	return v, ok, nil
}
func (s memorySettings) SetSetting(name, value string) error { s[name] = value; return nil }

// oneDevice is the device store of a host with one device that stays connected.
type oneDevice struct{}

func (oneDevice) HostDevices() []wire.HostDevice    { return []wire.HostDevice{{N: 1}} }
func (oneDevice) PhoneIdentity(wire.Handset) string { return "mark" }

// TestOfficeKeepsADeviceOpen: an act in the office counts as use of the device; looking does not.
func TestOfficeKeepsADeviceOpen(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	at := wire.FirstPhoneOf(engine.Host)
	h := &House{people: staff.Open(&staff.Opts{Store: memorySettings{}, Devices: oneDevice{}, Idle: 10 * time.Minute,
		Now: func() time.Time { return now }})}
	if err := h.people.SetAccount(at, 0, "Odile", wire.RoleOwner, "271828"); err != nil {
		t.Fatal(err)
	}
	rows := h.countActivityOnDo([]office.Row{
		{Name: "seen", Show: func(office.Call) any { return nil }},
		{Name: "done", Do: func(context.Context, office.Call) (any, error) { return nil, nil }},
	})
	for range 3 {
		now = now.Add(9 * time.Minute)
		if _, err := rows[1].Do(t.Context(), office.Call{Device: at}); err != nil || h.people.Role(at) != wire.RoleOwner {
			t.Errorf("%v: a device that is used locks itself", err)
		}
	}
	now = now.Add(9 * time.Minute)
	rows[0].Show(office.Call{Device: at})
	if now = now.Add(time.Minute); h.people.Role(at) != "" {
		t.Error("a device that only looks stays open")
	}
}

// TestSignInDisturbsNobody: acts with accounts make no step and no revision. Only the devices of the host are sent
// something: the last step again, as the person signed in there may see it.
func TestSignInDisturbsNobody(t *testing.T) {
	t.Parallel()
	r := openRig(t, nil)
	ear := tapLoopback(r.house)
	r.run()
	key := r.addHostDevice()
	r.mustHostAct("begin", nil)
	topic := r.house.tree.ViewTopic(engine.Host)
	until := func(what string, ok func(wire.Update) bool) (last wire.Update) {
		t.Helper()
		eventually(t, "the host's device is not shown: "+what, func() bool {
			for _, m := range ear.messages(t) {
				if u, err := seal.OpenView(key, topic, m.payload); m.topic == topic && err == nil {
					last = u
				}
			}
			return ok(last)
		})
		return last
	}
	u, _ := r.house.Loop.Snapshot(engine.Public)
	steps := r.mark()
	until("the game", func(host wire.Update) bool { return host.Rev == u.Rev })
	eventually(t, "the state of the game is not shown", func() bool { // it may arrive after the host's view
		for _, m := range ear.messages(t) {
			var s wire.Update
			if m.topic == r.house.tree.StateTopic() && json.Unmarshal(m.payload, &s) == nil && s.Rev == u.Rev {
				return true
			}
		}
		return false
	})
	sent := len(ear.messages(t))

	r.doRow("people-set", engine.Args{"name": "Odile", "role": "owner", "pin": "271828"}, nil)
	r.doRow("people-set", engine.Args{"name": "Otto", "role": "host", "pin": "1618"}, nil)
	drawn := uint64(0)
	newer := func(ok func(wire.Update) bool) func(wire.Update) bool {
		return func(u wire.Update) bool { return u.Drawing > drawn && ok(u) }
	}
	for _, one := range []struct {
		row      string
		args     engine.Args
		desk, on bool // desk: it is shown how seats join; on: it may stop the game
	}{
		{"sign-out", nil, false, false},
		{"sign-in", engine.Args{"id": "2", "pin": "1618"}, true, false},
		{"here", nil, true, false},
		{"own-pin", engine.Args{"pin": "1618", "new": "2718"}, true, false},
		{"sign-out", nil, false, false},
		{"sign-in", engine.Args{"id": "1", "pin": "271828"}, true, true},
		{"people-drop", engine.Args{"id": "2"}, true, true},
	} {
		r.doRow(one.row, one.args, nil)
		if one.row == "here" {
			continue
		}
		drawn = until(one.row, newer(func(u wire.Update) bool {
			pause := strings.Contains(fmt.Sprint(u.View.Offers), "{pause ")
			return (u.Desk != nil) == one.desk && pause == one.on
		})).Drawing
	}
	r.askOffice("sign-in", engine.Args{"id": "1", "pin": "0000"})
	if now, _ := r.house.Loop.Snapshot(engine.Public); now.Rev != u.Rev || r.mark() != steps {
		t.Errorf("revision %d after %d, %d steps", now.Rev, u.Rev, r.mark()-steps)
	}
	for _, m := range ear.messages(t)[sent:] {
		if m.topic != topic {
			t.Errorf("%d bytes are sent to %s", len(m.payload), m.topic)
		}
	}
}
