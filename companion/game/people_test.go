package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/hints"
	"majordome/companion/master/hold"
	"majordome/companion/master/seats"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// These are the PINs of the accounts in these tests.
const (
	ownerPIN    = "271828"
	operatorPIN = "31415926"
	hostPIN     = "1618"
)

func device(n int) wire.Handset { return wire.Handset{Viewer: engine.Host, N: n} }

// rigWithDevices returns a rig with three devices of the host and an empty list of accounts.
func rigWithDevices(t *testing.T, m *memory) *rig {
	t.Helper()
	r := newRig(t, m)
	r.desk.hosts = []wire.HostDevice{{N: 1}, {N: 2}, {N: 3}}
	r.hasAccounts = true
	r.start()
	return r
}

// openAccounts opens the accounts before the loop starts.
func (r *rig) openAccounts() {
	r.people = staff.Open(&staff.Opts{Store: r.journal.(*memory), Devices: r.desk, Now: r.clock.Now, OnChange: func() {
		r.loop.HandlePeopleChange()
		(<-r.loop.inputs).do(r.core())
	}})
}

// rigWithStaff returns a rig with an owner signed in at the first device, an operator at the second, and a host
// without a device.
func rigWithStaff(t *testing.T, m *memory) *rig {
	t.Helper()
	r := rigWithDevices(t, m)
	for _, p := range []struct {
		name string
		role wire.Role
		pin  string
	}{{"Odile", wire.RoleOwner, ownerPIN}, {"Otto", wire.RoleOperator, operatorPIN}, {"Hélène", wire.RoleHost, hostPIN}} {
		if err := r.people.SetAccount(device(1), 0, p.name, p.role, p.pin); err != nil {
			t.Fatal(err)
		}
	}
	r.signIn(2, 2, operatorPIN)
	return r
}

func (r *rig) signIn(n, id int, pin string) {
	r.t.Helper()
	if err := r.people.SignIn(device(n), id, pin); err != nil {
		r.t.Fatalf("device %d: %v", n, err)
	}
}

// removeAccounts ends accounts.
func (r *rig) removeAccounts(ids ...int) {
	r.t.Helper()
	for _, id := range ids {
		if err := r.people.RemoveAccount(device(1), id); err != nil {
			r.t.Fatal(err)
		}
	}
}

// hostUpdateAt returns the update of one device of the host.
func (r *rig) hostUpdateAt(n int) wire.Update {
	r.t.Helper()
	for _, u := range r.last().UpdatesToSeal(r.people) {
		if u.View.Viewer == engine.Host.String() && (u.Phone == n || u.Phone == 0) {
			return u
		}
	}
	r.t.Fatalf("nothing for device %d", n)
	return wire.Update{}
}

func offeredActs(u wire.Update) (all []string) {
	for _, o := range u.View.Offers {
		all = append(all, o.Act)
	}
	return all
}

func replyReason(out wire.Reply) string {
	if out.Reject == nil {
		return ""
	}
	return out.Reject.Why.Key
}

// Without accounts all devices of the host are shown the same.
func TestNoAccounts(t *testing.T) {
	r := rigWithDevices(t, newMemory())
	r.actFrom(device(3), "sit")
	n := 0
	for _, u := range r.last().UpdatesToSeal(r.people) {
		if u.View.Viewer == engine.Host.String() {
			n++
			if u.Phone != 0 || u.Desk == nil || !slices.Contains(offeredActs(u), "new-game") {
				t.Errorf("the host is shown %s", asJSON(t, u))
			}
		}
	}
	if n != 1 {
		t.Errorf("%d updates of the host", n)
	}
}

// With the first account every other device is locked: it shows the table, accepts no act, and lists who may sign in.
// What a device shows and offers follows a sign-in or sign-out at once, without a step.
func TestLockedDevices(t *testing.T) {
	r := rigWithStaff(t, newMemory())
	u := r.hostUpdateAt(3)
	if u.Desk != nil || len(offeredActs(u)) != 0 || asJSON(t, u.ForHost) != fmt.Sprintf(`{"drawing":%d}`, u.Drawing) {
		t.Errorf("a locked device is shown %s", asJSON(t, u))
	}
	locked := func(n int) {
		t.Helper()
		for act, is := range loopRights() {
			least := is.leastRole
			if least == master.Anyone {
				continue
			}
			if out := r.actFrom(device(n), act); replyReason(out) != "table.staff.locked" {
				t.Errorf("%s on a locked device: %q", act, replyReason(out))
			}
		}
	}
	locked(3)
	steps := len(r.steps)
	r.signIn(3, 3, hostPIN)
	next := r.hostUpdateAt(3)
	if next.Desk.Hints != nil || !slices.Contains(offeredActs(next), "new-game") || slices.Contains(offeredActs(next), "next-group") {
		t.Errorf("a host is shown %s", asJSON(t, next))
	}
	if next.Rev != r.last().Public.Rev || next.Drawing <= u.Drawing || len(r.steps) != steps {
		t.Errorf("revision %d after %d, drawing %d after %d, %d more steps", next.Rev, u.Rev, next.Drawing, u.Drawing, len(r.steps)-steps)
	}
	for act, is := range loopRights() {
		least := is.leastRole
		if wire.RoleHost.Includes(least) {
			continue
		}
		if out := r.actFrom(device(3), act); replyReason(out) != "table.staff.needs."+string(least) {
			t.Errorf("%s by a host: %q", act, replyReason(out))
		}
		if least == wire.RoleOwner {
			if out := r.actFrom(device(2), act); replyReason(out) != "table.staff.needs.owner" {
				t.Errorf("%s by an operator: %q", act, replyReason(out))
			}
		}
	}
	if u = r.hostUpdateAt(2); !slices.Contains(offeredActs(u), "next-group") || u.Desk.Hints == nil {
		t.Errorf("an operator is shown %s", asJSON(t, u))
	}
	for n := 1; n <= 3; n++ {
		for _, act := range offeredActs(r.hostUpdateAt(n)) {
			if refuseRole(r.people.Role(device(n)), loopRights().roleNeeded(device(n), act, false)) != nil {
				t.Errorf("device %d is offered %s", n, act)
			}
		}
	}
	steps = len(r.steps)
	if err := r.people.SetAccount(device(1), 2, "Otto", wire.RoleHost, ""); err != nil ||
		slices.Contains(offeredActs(r.hostUpdateAt(2)), "next-group") {
		t.Errorf("%v: another role is shown %v", err, offeredActs(r.hostUpdateAt(2)))
	}
	if r.people.SignOut(device(3)); r.hostUpdateAt(3).Desk != nil {
		t.Error("a device stays open")
	}
	r.removeAccounts(2)
	if u := r.hostUpdateAt(2); u.Desk != nil || len(offeredActs(u)) != 0 {
		t.Errorf("a device of who is revoked is shown %s", asJSON(t, u))
	}
	drawn := r.hostUpdateAt(1).Drawing
	r.removeAccounts(3, 1)
	if u := r.hostUpdateAt(2); u.Phone != 0 || !slices.Contains(offeredActs(u), "new-game") || u.Drawing <= drawn || len(r.steps) != steps {
		t.Errorf("without accounts a device is shown %s after %d more steps", asJSON(t, u), len(r.steps)-steps)
	}
	if err := r.people.SetAccount(device(1), 0, "Odile", wire.RoleOwner, ownerPIN); err != nil {
		t.Fatal(err)
	}
	locked(2)
	r.start()
	locked(3)
}

// Each act on a device counts as a touch, so that a device in use does not lock.
func TestActsAreTouches(t *testing.T) {
	r := rigWithDevices(t, newMemory())
	touched := touches{}
	r.core().People = &touched
	for _, act := range []string{"sit", "unknown", actNewGame} {
		r.actFrom(device(2), act)
	}
	if r.actFrom(wire.FirstPhoneOf(engine.SeatViewer(1)), "sit"); !slices.Equal(touched, []int{2, 2, 2}) {
		t.Errorf("touched are the devices %v", touched)
	}
}

type touches []int

func (n *touches) PersonAt(h wire.Handset) wire.Person           { return noAccounts{}.PersonAt(h) }
func (n *touches) PeopleByDevice() (who []wire.Person, _ uint64) { return nil, 0 }
func (n *touches) RestartIdleTime(h wire.Handset)                { *n = append(*n, h.N) }

// Each device may start an alarm, without an account.
func TestAlarmOfALockedDevice(t *testing.T) {
	m := newMemory()
	r := rigWithStaff(t, m)
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	if got := offeredActs(r.hostUpdateAt(3)); !slices.Equal(got, []string{"alarm"}) {
		t.Errorf("a locked device is offered %v", got)
	}
	if out := r.actFrom(device(3), "alarm"); !out.OK || r.last().Public.Hold == nil || !r.last().Public.Hold.Alarm {
		t.Errorf("no alarm: %+v", out.Reject)
	}
	if out := r.actFrom(device(3), "resume"); out.OK {
		t.Error("a locked device lets the game go on")
	}
	writes := m.writes
	for range 100 {
		r.actFrom(device(3), "alarm")
	}
	if m.writes != writes {
		t.Errorf("a locked device fills the disk: %d more writes", m.writes-writes)
	}
}

// The minutes name the account that acted at the desk; phones are shown only its role. The host who is signed in
// signs for the next group.
func TestNamesInTheMinutes(t *testing.T) {
	m := newMemory()
	r := rigWithStaff(t, m)
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	r.actFrom(device(2), "pause")
	if by := r.last().Public.Hold.By; by != "staff.operator" {
		t.Errorf("everybody is shown %q", by)
	}
	if by := r.hostUpdateAt(1).Hold.By; by != "staff.operator.Otto" {
		t.Errorf("the owner is shown %q", by)
	}
	if by := r.hostUpdateAt(3).Hold.By; by != "staff.operator" {
		t.Errorf("a locked device is shown %q", by)
	}
	if got := asJSON(t, r.last().Public) + asJSON(t, r.last().SeatUpdates()); strings.Contains(got, "Otto") {
		t.Error("phones are shown a name")
	}
	game := r.core().gameID
	if out := r.actFrom(device(2), "next-group", "sign", "Somebody else"); !out.OK {
		t.Fatalf("%+v", out.Reject)
	}
	all, err := BuildMinutes(r.books[0], m.events[game])
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, one := range all {
		said[one.Said.Key] = one.By
		if one.Said.Key == "minutes.signed" && one.Said.Args.Get("sign") != "Otto" {
			t.Errorf("signed by %q", one.Said.Args.Get("sign"))
		}
	}
	if said["minutes.pause"] != "staff.operator.Otto" || said["minutes.signed"] != "staff.operator.Otto" {
		t.Errorf("the minutes name %v", said)
	}
}

// A step does not encode an update to find out whether it fits: that is done when it is sealed for its device.
func TestAccountsArePackedOnce(t *testing.T) {
	r := rigWithStaff(t, newMemory())
	r.signIn(3, 3, hostPIN)
	allocs := testing.AllocsPerRun(20, func() {
		r.core().publish(notices{})
		r.steps = r.steps[:0]
	})
	if t.Logf("%v allocations", allocs); allocs > 120 { // it was 190 when three updates were encoded here
		t.Errorf("a step with accounts allocates %v times", allocs)
	}
}

// The first device can end a further one even while it is locked, in a pause too; a further device that is locked can
// end none.
func TestTheFirstDeviceEndsOthersWhileLocked(t *testing.T) {
	m := newMemory()
	r := rigWithStaff(t, m)
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	if out := r.actFrom(device(2), hold.ActPause); !out.OK {
		t.Fatal(out.Reject)
	}
	r.people.SignOut(device(1))
	r.people.SignOut(device(2))
	if got := offeredActs(r.hostUpdateAt(1)); !slices.Equal(got, []string{seats.ActEndHost, seats.ActEndHost}) {
		t.Errorf("locked in a pause, the first device is offered %v", got)
	}
	if got := offeredActs(r.hostUpdateAt(2)); len(got) > 0 {
		t.Errorf("locked in a pause, a further device is offered %v", got)
	}
	for _, n := range []string{"1", "2", "3"} {
		if got := replyReason(r.actFrom(device(3), seats.ActEndHost, "device", n)); got != "table.staff.locked" {
			t.Errorf("a locked device ends device %s: %q", n, got)
		}
	}
	if out := r.actFrom(device(1), seats.ActEndHost, "device", "2"); !out.OK || !slices.Equal(r.desk.answers, []string{"end 2 of host"}) {
		t.Errorf("%+v, the desk heard %v", out.Reject, r.desk.answers)
	}
	if n := r.last().Public.Notice; n == nil || n.Msg.Key != "table.host.ended" {
		t.Errorf("everybody is shown %+v", n)
	}
	if out := r.actFrom(device(1), seats.ActEndHost, "device", "1"); out.OK {
		t.Error("the first device ends itself")
	}
	r.signIn(1, 1, ownerPIN)
	r.mustAct(engine.Host, hold.ActResume)
	r.people.SignOut(device(1))
	if got := offeredActs(r.hostUpdateAt(1)); !slices.Contains(got, seats.ActEndHost) {
		t.Errorf("locked in a game, the first device is offered %v", got)
	}
}

// A further device that sends acts faster than the loop handles them takes no queue places from the first device.
func TestADeviceFillsItsOwnPlacesAlone(t *testing.T) {
	l := newRig(t, newMemory()).loop // the loop is not running
	refused := 0
	count := func(wire.Reply) { refused++ }
	for i := range uint64(3 * maxPending) {
		l.Act(device(2), wire.Act{ID: "x", Seq: i + 1, Act: hints.ActGive}, count)
	}
	if refused != 2*maxPending {
		t.Errorf("%d of %d are refused", refused, 3*maxPending)
	}
	for i := range uint64(maxPending) {
		l.Act(device(1), wire.Act{ID: "x", Seq: i + 1, Act: hold.ActPause}, count)
	}
	if refused != 2*maxPending || len(l.inputs) != 2*maxPending {
		t.Errorf("the first device: %d are refused, %d wait", refused-2*maxPending, len(l.inputs))
	}
}
