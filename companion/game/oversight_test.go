package game

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/group"
	"majordome/companion/master/hold"
	"majordome/companion/master/losses"
	"majordome/companion/master/oversight"
	"majordome/companion/master/room"
	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/play/worlds"
)

var tablet = wire.Handset{Viewer: engine.Host, N: 2}

// gameWithOverseer returns a game in which the host's second device has opened the view of the secrets.
func gameWithOverseer(t *testing.T, g game, m *memory) *evening {
	t.Helper()
	e := newEvening(t, g, m, 1)
	e.mustAct(engine.Host, oversight.ActAllow, "on", yes)
	e.seatAndBegin(g.players(1))
	if out := e.actFrom(tablet, oversight.ActUnlock); !out.OK {
		t.Fatalf("%+v", out.Reject)
	}
	return e
}

// devicesWithSecrets returns the devices of the host that are shown the view of the overseer; no other viewer may be.
func devicesWithSecrets(t *testing.T, s Step) (devices []int) {
	t.Helper()
	for _, u := range append(s.UpdatesToSeal(nil), s.Public) {
		switch {
		case u.View.Viewer == engine.Overseer.String():
			devices = append(devices, u.Phone)
		case u.View.Secrets != nil:
			t.Errorf("%s is shown secrets", u.View.Viewer)
		}
	}
	return devices
}

// dealID is the number of a deal. It counts the steps before the deal, and to open the view is one more.
var dealID = regexp.MustCompile(`"deal":"[^"]*"`)

// In every game one device of the host that has asked sees who holds which card, as the engine reports it, as long as
// it stays connected. All other viewers are shown that the view is open, and else what they would be shown without
// it, in as many messages of the same sizes.
func TestOneDeviceSeesTheSecrets(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		m := newMemory()
		e := gameWithOverseer(t, g, m)
		twin := newEvening(t, g, newMemory(), 1) // the same dice, with the view closed
		twin.mustAct(engine.Host, oversight.ActAllow, "on", yes)
		twin.seatAndBegin(g.players(1))
		twin.setSecrets(no)
		e.keepsOverseer, twin.keepsOverseer = true, true
		if out := twin.actFrom(tablet, oversight.ActUnlock); out.OK || out.Reject.Why.Key != "table.secrets.off" {
			t.Fatalf("against the house rule: %+v", out)
		}
		if n := e.last().Public.Notice; n == nil || n.Msg.Key != "table.secrets.open" {
			t.Errorf("the table is shown %+v", n)
		}
		saw := 0
		for range 60 {
			e.passTime(defaultUrnWindow)
			twin.passTime(defaultUrnWindow)
			s, other := e.last(), twin.last()
			if s.Public.View.Result != nil {
				break
			}
			if got := devicesWithSecrets(t, s); !slices.Equal(got, []int{2}) {
				t.Fatalf("the devices %v see the secrets", got)
			}
			for _, u := range append(s.UpdatesToSeal(nil), s.Public) {
				if u.Overseen == nil || u.Overseen.By != "host.2" {
					t.Fatalf("%s is not shown the oversight: %+v", u.View.Viewer, u.Overseen)
				}
			}
			saw += len(worlds.CardLocations(s.overseer.Secrets))
			without := func(s Step) string { return dealID.ReplaceAllString(comparableState(t, s), "") }
			if one, two := without(s), without(other); one != two {
				t.Fatalf("others are shown something else:\n%s", textDifference(one, two))
			}
			if one, two := sealedSizesWithTablet(t, s), sealedSizesWithTablet(t, other); !slices.Equal(one, two) {
				t.Fatalf("the sealed views have %v bytes with it, and %v without", one, two)
			}
			e.play()
			twin.play()
		}
		if saw == 0 {
			t.Error("nothing was seen")
		}
	})
}

// sealedSizesWithTablet returns the sizes of the sealed views for two devices of the host and the seats.
func sealedSizesWithTablet(t *testing.T, s Step) (all []int) {
	t.Helper()
	ring := seal.NewRing(nil)
	for _, h := range []wire.Handset{wire.FirstPhoneOf(engine.Host), tablet} {
		if err := ring.SetKey(h, seal.NewKey(), 0); err != nil {
			t.Fatal(err)
		}
	}
	sealed, err := ring.SealViews(s.Epoch, s.UpdatesToSeal(nil), func(h wire.Handset) string { return h.String() })
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range sealed {
		all = append(all, len(x.Payload))
	}
	return all
}

// The view ends by a tap on any device of the host, when its device is gone or was replaced, and with the game or the
// daemon. The journal records who had it.
func TestTheSecretsAreCovered(t *testing.T) {
	g := games[0]
	for name, end := range map[string]func(*evening){
		"a tap":            func(e *evening) { e.mustAct(engine.Host, oversight.ActCover) },
		"a tap in a pause": func(e *evening) { e.mustAct(engine.Host, hold.ActPause); e.mustAct(engine.Host, oversight.ActCover) },
		"the device is gone": func(e *evening) {
			e.core().setMachineState(e.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.Host)}, false)
		},
		"another in its place": func(e *evening) { e.desk.markSuffix = " again"; e.core().publish(notices{}) },
		"no key any more":      func(e *evening) { e.desk.unmarked = []wire.Handset{tablet}; e.core().publish(notices{}) },
		"the next group":       func(e *evening) { e.mustAct(engine.Host, group.ActNext, "sign", "Ada") },
		"a new game": func(e *evening) {
			e.mustAct(engine.Host, actNewGame, "game", string(e.books[0].ID()), "seats", seatsKeep)
		},
		"the beginning is taken back": func(e *evening) {
			for !e.core().isInLobby() {
				e.mustAct(engine.Host, actUndo, "force", yes)
			}
		},
		"a power cut":           func(e *evening) { e.start() },
		"a start of a new game": func(e *evening) { e.startWith(true) },
		"the disk is full": func(e *evening) {
			m := e.journal.(*memory)
			m.fail = "before"
			e.mustAct(engine.Host, oversight.ActCover)
			m.fail = ""
			e.passTime(retryMax)
		},
		"a power cut in a pause":   func(e *evening) { e.mustAct(engine.Host, hold.ActPause); e.start() },
		"a power cut, and another": func(e *evening) { e.start(); e.start() },
		"a power cut on a full disk": func(e *evening) {
			m := e.journal.(*memory)
			m.fail = "before"
			e.start()
			m.fail = ""
			e.passTime(retryMax)
		},
		"a power cut, and part of it": func(e *evening) {
			e.recovery = &fakeRecovery{losses: []store.Loss{{Kind: store.LostSteps, Game: 1, From: 7, To: 12}}}
			e.start()
			e.mustAct(engine.Host, losses.ActGoOn)
		},
	} {
		m := newMemory()
		e := gameWithOverseer(t, g, m)
		e.core().setMachineState(e.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.Host), tablet}, false)
		if e.last().Public.Overseen == nil {
			t.Fatalf("%s: it ended before", name)
		}
		end(e)
		if s := e.last(); s.Public.Overseen != nil || len(devicesWithSecrets(t, s)) > 0 {
			t.Errorf("%s: it goes on", name)
		}
		var causes []string
		for _, all := range m.events {
			for _, r := range all {
				if r.Kind == "table.unlock" || r.Kind == "table.cover" {
					causes = append(causes, r.Kind+" "+r.Cause)
				}
			}
		}
		if len(causes) != 2 || causes[0] != "table.unlock host.2" || !strings.HasPrefix(causes[1], "table.cover host") {
			t.Errorf("%s: on record is %v", name, causes)
		}
	}
	m := newMemory()
	e := gameWithOverseer(t, g, m)
	e.mustAct(engine.Host, oversight.ActCover)
	all, err := BuildMinutes(e.books[0], m.events[1])
	if err != nil {
		t.Fatal(err)
	}
	if text := asJSON(t, all); !strings.Contains(text, `minutes.secrets.open"`) || !strings.Contains(text, `"By":"host.2"`) ||
		!strings.Contains(text, `minutes.secrets.closed"`) {
		t.Errorf("the minutes: %s", text)
	}
}

// After a power cut while the view was open, the first update announces that it is closed.
func TestAStartSaysThatTheSecretsAreCovered(t *testing.T) {
	e := gameWithOverseer(t, games[0], newMemory())
	e.start()
	if n := e.last().Public.Notice; n == nil || n.Msg.Key != "table.secrets.closed" {
		t.Errorf("the table is shown %+v", n)
	}
	e.start()
	if n := e.last().Public.Notice; n != nil {
		t.Errorf("the next start says %+v", n)
	}
}

// Only a device of the host that plays no seat can open the view, and only in a game whose table has allowed it
// before. The house rule cannot be changed during a game.
func TestOnlyADeviceThatPlaysNoSeatUnlocksTheView(t *testing.T) {
	e := newEvening(t, games[0], newMemory(), 1)
	refused := func(h wire.Handset, key, act string, pairs ...string) {
		t.Helper()
		if out := e.actFrom(h, act, pairs...); out.OK || out.Reject.Why.Key != key {
			t.Errorf("%s, %s: %+v", h, act, out.Reject)
		}
		if s := e.last(); s.Public.Overseen != nil || len(devicesWithSecrets(t, s)) > 0 {
			t.Fatalf("%s sees the secrets", h)
		}
	}
	refused(tablet, "table.secrets.later", oversight.ActUnlock)
	e.mustAct(engine.Host, oversight.ActAllow, "on", yes)
	e.seatAndBegin(games[0].players(1))
	seat := wire.FirstPhoneOf(engine.SeatViewer(1))
	refused(seat, "table.not-host", oversight.ActUnlock)
	refused(seat, "table.not-host", oversight.ActAllow, "on", yes)
	refused(wire.Handset{Viewer: engine.Overseer, N: 1}, "table.not-you", oversight.ActUnlock)
	refused(wire.Handset{Viewer: engine.Overseer, N: 2}, "table.not-you", oversight.ActCover)
	refused(wire.FirstPhoneOf(engine.Host), "table.secrets.lobby", oversight.ActAllow, "on", no)
	e.desk.phones = []wire.SeatPhones{{Seat: 2, Phones: []int{1, 3}}}
	refused(tablet, "table.secrets.plays", oversight.ActUnlock, "phones", "mark of seat-2.3,other")
	e.desk.unmarked = []wire.Handset{tablet}
	refused(tablet, "table.not-host", oversight.ActUnlock)
	e.desk.unmarked = nil
	refused(tablet, "table.secrets.closed", oversight.ActCover)
	if out := e.actFrom(tablet, oversight.ActUnlock, "phones", "of another game"); !out.OK {
		t.Fatalf("%+v", out.Reject)
	}
	if out := e.actFrom(wire.FirstPhoneOf(engine.Host), oversight.ActUnlock); out.OK || out.Reject.Why.Key != "table.secrets.taken" {
		t.Errorf("a second device: %+v", out.Reject)
	}
	if got := devicesWithSecrets(t, e.last()); !slices.Equal(got, []int{2}) {
		t.Errorf("the devices %v see the secrets", got)
	}
	if out := e.actFrom(seat, oversight.ActCover); out.OK {
		t.Error("a seat closes it")
	}
}

// With accounts only an operator or an owner can open the view. It is recorded under that name, all others are shown
// the role, and it ends when the person signs out or another one signs in at that device.
func TestAccountsAndTheSecrets(t *testing.T) {
	for name, end := range map[string]func(*rig){
		"signs out":              func(r *rig) { r.people.SignOut(device(2)) },
		"the owner stands there": func(r *rig) { r.signIn(2, 1, ownerPIN) },
		"the account is gone":    func(r *rig) { r.removeAccounts(2) },
		"a lesser role":          func(r *rig) { _ = r.people.SetAccount(device(1), 2, "Otto", wire.RoleHost, "") },
		"a locked device":        func(r *rig) { r.actFrom(device(3), oversight.ActCover) },
	} {
		m := newMemory()
		r := rigWithStaff(t, m)
		r.mustAct(engine.Host, oversight.ActAllow, "on", yes)
		for range 2 {
			r.mustAct(engine.Host, "sit")
		}
		r.mustAct(engine.Host, "begin")
		if out := r.actFrom(device(3), oversight.ActUnlock); out.OK || out.Reject.Why.Key != "table.staff.locked" {
			t.Errorf("a locked device: %+v", out.Reject)
		}
		r.signIn(3, 3, hostPIN)
		if out := r.actFrom(device(3), oversight.ActUnlock); out.OK || out.Reject.Why.Key != "table.staff.needs.operator" {
			t.Errorf("a host: %+v", out.Reject)
		}
		if out := r.actFrom(device(2), oversight.ActUnlock); !out.OK {
			t.Fatalf("an operator: %+v", out.Reject)
		}
		s := r.last()
		if by := s.Public.Overseen; by == nil || by.By != wire.ByStaff+"operator" {
			t.Errorf("the table is shown %+v", by)
		}
		phones := map[int]string{}
		for _, u := range s.UpdatesToSeal(r.people) {
			if u.Phone != 0 {
				phones[u.Phone] += u.View.Viewer
			}
		}
		if phones[1] != "host" || phones[2] != "overseer" || phones[3] != "host" {
			t.Errorf("the devices are shown the views of %v", phones)
		}
		end(r)
		for _, u := range s.HostUpdates(r.people) { // the last step, before the loop knows of the change
			if who := r.people.PersonAt(device(2)); u.View.Secrets != nil && (who.Name != "Otto" || !who.Role.Includes(wire.RoleOperator)) {
				t.Errorf("%s: device %d is shown the secrets again", name, u.Phone)
			}
		}
		if s := r.last(); s.Public.Overseen != nil || s.overseer != nil {
			t.Errorf("%s: it goes on", name)
		}
		if e := m.events[1][len(m.events[1])-2]; e.Kind != "table.unlock" || e.Cause != wire.ByStaff+"operator.Otto" {
			t.Errorf("%s: on record is %s %s", name, e.Kind, e.Cause)
		}
	}
}

// A group's permission ends with the group: each group is asked, unless the room is set to keep the permission.
func TestTheChoiceOfSecretsIsOfAGroup(t *testing.T) {
	for _, kept := range []bool{false, true} {
		e := newEvening(t, games[0], newMemory(), 1)
		e.mustAct(engine.Host, oversight.ActAllow, "on", yes)
		if kept {
			e.mustAct(engine.Host, room.ActKeep)
			e.mustAct(engine.Host, oversight.ActAllow, "on", no)
		}
		e.mustAct(engine.Host, group.ActNext, "sign", "Ada")
		offered := engine.Args{"on": yes}
		if kept {
			offered["on"] = no
		}
		if !slices.ContainsFunc(e.last().Host.View.Offers, func(o engine.Offer) bool {
			return o.Act == oversight.ActAllow && maps.Equal(o.Fixed, offered)
		}) {
			t.Errorf("kept %v: the next group is not offered %v", kept, offered)
		}
	}
}
