package table

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// The PINs of these tests.
const (
	ownerPIN    = "271828"
	operatorPIN = "31415926"
	hostPIN     = "1618"
)

func device(n int) wire.Handset { return wire.Handset{Viewer: engine.Host, N: n} }

// manned is a rig with three devices of the host, whose PINs are hashed in its own goroutine.
func manned(t *testing.T, m *memory) (r *rig, log *strings.Builder) {
	t.Helper()
	r = newRig(t, m)
	r.desk.hosts = []wire.HostDevice{{N: 1}, {N: 2}, {N: 3}}
	log = &strings.Builder{}
	r.mend(log)
	return r, log
}

// mend is what a start needs for manned.
func (r *rig) mend(log *strings.Builder) {
	c := r.core()
	c.outside = func(work func() func(*core)) { work()(c) }
	c.Log = slog.New(slog.NewTextHandler(log, nil))
}

// staffed has an owner at the first device, an operator at the second and a host at none.
func staffed(t *testing.T, m *memory) (r *rig, log *strings.Builder) {
	t.Helper()
	r, log = manned(t, m)
	for _, p := range [][]string{{"Odile", "owner", ownerPIN}, {"Otto", "operator", operatorPIN}, {"Hélène", "host", hostPIN}} {
		r.must(engine.Host, wire.ActStaff, "name", p[0], "role", p[1], "pin", p[2])
	}
	r.signs(2, 2, operatorPIN)
	return r, log
}

func (r *rig) signs(n, id int, pin string) {
	r.t.Helper()
	if out := r.by(device(n), wire.ActSignIn, "id", fmt.Sprint(id), "pin", pin); !out.OK {
		r.t.Fatalf("device %d: %+v", n, out.Reject)
	}
}

// shownAt is what one device of the host is shown.
func (r *rig) shownAt(n int) wire.Update {
	r.t.Helper()
	for _, u := range r.last().Sealed() {
		if u.View.Viewer == engine.Host.String() && (u.Phone == n || u.Phone == 0) {
			return u
		}
	}
	r.t.Fatalf("nothing for device %d", n)
	return wire.Update{}
}

func acts(u wire.Update) (all []string) {
	for _, o := range u.View.Offers {
		all = append(all, o.Act)
	}
	return all
}

func why(out wire.Reply) string {
	if out.Reject == nil {
		return ""
	}
	return out.Reject.Why.Key
}

// Without accounts nobody is asked for a PIN, and every device of the host is shown the same.
func TestNoAccounts(t *testing.T) {
	r, _ := manned(t, newMemory())
	r.by(device(3), "sit")
	n := 0
	for _, u := range r.last().Sealed() {
		if u.View.Viewer == engine.Host.String() {
			n++
			if u.Phone != 0 || u.Staff != nil || !slices.Contains(acts(u), "new-game") {
				t.Errorf("the host is shown %+v", u.Staff)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d updates of the host", n)
	}
	if got := why(r.by(device(2), wire.ActSignIn, "id", "1", "pin", ownerPIN)); got != "table.staff.none" {
		t.Errorf("somebody comes in where there is nobody: %q", got)
	}
	for _, role := range []string{"host", "operator", ""} {
		if out := r.by(device(2), wire.ActStaff, "name", "Odile", "role", role, "pin", ownerPIN); out.OK {
			t.Errorf("the first account is a %q", role)
		}
	}
	if r.act(engine.At(1), wire.ActStaff, "name", "Odile", "role", "owner", "pin", ownerPIN).OK || r.core().staff.On() {
		t.Error("a seat makes an account")
	}
}

// With the first account every other device is locked: it is shown the table and names, takes no act, and says who may.
func TestLockedDevices(t *testing.T) {
	r, _ := staffed(t, newMemory())
	u := r.shownAt(3)
	if u.Staff.Me != nil || len(u.Staff.People) != 3 || u.Desk != nil || len(acts(u)) != 0 {
		t.Errorf("a locked device is shown %s", asJSON(t, u))
	}
	for act, least := range rights {
		if least == anyone {
			continue
		}
		if out := r.by(device(3), act); why(out) != "table.staff.locked" {
			t.Errorf("%s on a locked device: %q", act, why(out))
		}
	}
	r.signs(3, 3, hostPIN)
	if u = r.shownAt(3); u.Staff.Me == nil || u.Staff.Me.Name != "Hélène" || u.Staff.People != nil || u.Settings != nil || u.Desk.Hints != nil || !slices.Contains(acts(u), "new-game") || slices.Contains(acts(u), "next-group") {
		t.Errorf("a host is shown %s", asJSON(t, u))
	}
	for act, least := range rights {
		if staff.Rank(least) <= staff.Rank(wire.RoleHost) {
			continue
		}
		if out := r.by(device(3), act); why(out) != "table.staff.needs."+string(least) {
			t.Errorf("%s by a host: %q", act, why(out))
		}
		if least == wire.RoleOwner {
			if out := r.by(device(2), act); why(out) != "table.staff.needs.owner" {
				t.Errorf("%s by an operator: %q", act, why(out))
			}
		}
	}
	if u = r.shownAt(2); !slices.Contains(acts(u), "next-group") || u.Desk.Hints == nil || u.Staff.People != nil {
		t.Errorf("an operator is shown %s", asJSON(t, u))
	}
	for n := 1; n <= 3; n++ {
		for _, act := range acts(r.shownAt(n)) {
			if short(r.core().role(device(n)), needs(device(n), act, false)) != nil {
				t.Errorf("device %d is offered %s", n, act)
			}
		}
	}
}

// The smoke is everybody's: an alarm needs no account.
func TestAlarmOfALockedDevice(t *testing.T) {
	m := newMemory()
	r, _ := staffed(t, m)
	r.must(engine.Host, "sit")
	r.must(engine.Host, "begin")
	if got := acts(r.shownAt(3)); !slices.Equal(got, []string{"alarm"}) {
		t.Errorf("a locked device is offered %v", got)
	}
	if out := r.by(device(3), "alarm"); !out.OK || r.last().Public.Hold == nil || !r.last().Public.Hold.Alarm {
		t.Errorf("no alarm: %+v", out.Reject)
	}
	if out := r.by(device(3), "resume"); out.OK {
		t.Error("a locked device lets the game go on")
	}
	writes := m.writes
	for range 100 {
		r.by(device(3), "alarm")
	}
	if m.writes != writes {
		t.Errorf("a locked device fills the disk: %d more writes", m.writes-writes)
	}
}

// A PIN is guessed at line rate from all devices, with the power going in between: the waits stand, nobody comes in, and the right PIN
// does when they are over. None of it is in the journal, the log or anything shown.
func TestGuessingAPIN(t *testing.T) {
	m := newMemory()
	r, log := staffed(t, m)
	r.by(device(2), wire.ActSignOut)
	r.start()
	r.mend(log)
	tried, waited := 0, 0
	for i := range 600 {
		switch got := why(r.by(device(1+i%3), wire.ActSignIn, "id", "1", "pin", fmt.Sprintf("%06d", 271_000+i))); got {
		case "table.staff.wrong":
			tried++
		case "table.staff.wait":
			waited++
		default:
			t.Fatalf("guess %d: %q", i, got)
		}
		r.clock.at = r.clock.at.Add(10 * time.Millisecond)
		if i%200 == 199 {
			r.start()
			r.mend(log)
		}
	}
	if tried < 9 || tried > 12 || waited != 600-tried { // three at each device, and one more after a wait
		t.Errorf("%d guesses in 6 s, %d waited", tried, waited)
	}
	for _, pin := range []string{"", "1", "271828 ", "٢٧١٨٢٨", "\uff12\uff17\uff11\uff18", "27182\uff18", strings.Repeat("2", wire.MaxArg), "\x00\x00\x00\x00"} {
		if got := why(r.by(device(1), wire.ActSignIn, "id", "1", "pin", pin)); got != "table.staff.pin" && got != "table.staff.wait" {
			t.Errorf("%.20q: %q", pin, got)
		}
	}
	for _, id := range []string{"", "0", "-1", "4", "x", "1 ", strings.Repeat("1", 100)} {
		if got := why(r.by(device(1), wire.ActSignIn, "id", id, "pin", ownerPIN)); got != "table.staff.none" {
			t.Errorf("id %.9q: %q", id, got)
		}
	}
	r.pass(16 * time.Minute)
	r.signs(1, 1, ownerPIN)
	if u := r.shownAt(1); u.Staff.Me == nil || u.Staff.Me.Role != wire.RoleOwner {
		t.Errorf("the owner is shown %+v", u.Staff)
	}
	var shown strings.Builder
	for _, s := range r.steps {
		shown.WriteString(asJSON(t, append(s.Sealed(), s.Public, s.Host)))
	}
	everything := log.String() + shown.String() + fmt.Sprint(m.events, m.settings, m.games, m.notes)
	for _, pin := range []string{ownerPIN, operatorPIN} {
		if strings.Contains(everything, pin) {
			t.Errorf("the PIN %s is somewhere", pin)
		}
	}
	if strings.Contains(log.String()+asJSON(t, r.last().Public)+asJSON(t, r.last().Seats()), "Odile") {
		t.Error("a name of the staff is in the log or on phones")
	}
}

// Whoever is revoked is out at once, on every device; so is whoever knew the old PIN. Another role holds at once.
func TestRevoked(t *testing.T) {
	r, log := staffed(t, newMemory())
	r.signs(3, 2, operatorPIN)
	r.must(engine.Host, wire.ActStaff, "id", "2", "name", "Otto", "role", "host")
	if u := r.shownAt(2); u.Staff.Me.Role != wire.RoleHost || slices.Contains(acts(u), "next-group") {
		t.Errorf("another role is shown %+v", u.Staff)
	}
	r.must(engine.Host, wire.ActStaff, "id", "2", "name", "Otto B.", "role", "operator", "pin", "92653589")
	if r.shownAt(2).Staff.Me != nil || r.shownAt(3).Staff.Me != nil {
		t.Error("the old PIN holds a device open")
	}
	if said := `msg="a PIN is changed" phone=host role=owner to=operator own=false`; strings.Count(log.String(), said) != 1 {
		t.Errorf("the log does not say who gave another a PIN:\n%s", log)
	}
	if got := why(r.by(device(2), wire.ActSignIn, "id", "2", "pin", operatorPIN)); got != "table.staff.wrong" {
		t.Errorf("the old PIN: %q", got)
	}
	r.signs(2, 2, "92653589")
	r.signs(3, 2, "92653589")
	r.must(engine.Host, wire.ActStaffDrop, "id", "2")
	for _, n := range []int{2, 3} {
		if u := r.shownAt(n); u.Staff.Me != nil || u.Desk != nil {
			t.Errorf("device %d stays open", n)
		}
		if got := why(r.by(device(n), "sit")); got != "table.staff.locked" {
			t.Errorf("device %d: %q", n, got)
		}
	}
	if got := why(r.by(device(2), wire.ActSignIn, "id", "2", "pin", "92653589")); got != "table.staff.none" {
		t.Errorf("a revoked account: %q", got)
	}
	if got := why(r.act(engine.Host, wire.ActStaffDrop, "id", "1")); got != "table.staff.owner" {
		t.Errorf("the only owner goes: %q", got)
	}
	r.must(engine.Host, wire.ActStaffDrop, "id", "3")
	r.must(engine.Host, wire.ActStaffDrop, "id", "1")
	if u := r.shownAt(2); u.Staff != nil || !slices.Contains(acts(u), "new-game") {
		t.Errorf("without accounts a device is shown %+v", u.Staff)
	}
}

// Whoever is signed in changes the own PIN, of any role, by the present one. A wrong one is a guess as at the door.
func TestTheOwnPIN(t *testing.T) {
	const fresh = "86429753"
	m := newMemory()
	r, log := staffed(t, m)
	r.signs(3, 3, hostPIN)
	for _, tc := range []struct{ pin, new, want string }{
		{"", fresh, "table.staff.pin"}, {hostPIN, "", "table.staff.pin"}, {hostPIN, "86 42", "table.staff.pin"}, {hostPIN, "1234", "table.staff.plain"},
	} {
		if got := why(r.by(device(3), wire.ActOwnPIN, "pin", tc.pin, "new", tc.new)); got != tc.want {
			t.Errorf("%q, %q: %q, want %q", tc.pin, tc.new, got, tc.want)
		}
	}
	for i, want := range []string{"wrong", "wrong", "wrong", "wait"} {
		if got := why(r.by(device(3), wire.ActOwnPIN, "pin", "9753", "new", fresh)); got != "table.staff."+want {
			t.Errorf("guess %d: %q, want %q", i, got, want)
		}
	}
	if got := why(r.by(device(3), wire.ActOwnPIN, "pin", hostPIN, "new", fresh)); got != "table.staff.wait" {
		t.Errorf("the waits have a way round: %q", got)
	}
	r.by(device(3), wire.ActSignOut)
	if got := why(r.by(device(3), wire.ActSignIn, "id", "3", "pin", hostPIN)); got != "table.staff.wait" {
		t.Errorf("it is no guess at the door: %q", got)
	}
	r.pass(16 * time.Minute)
	for n, is := range []struct {
		id   int
		pin  string
		role wire.Role
	}{{1, ownerPIN, wire.RoleOwner}, {2, operatorPIN, wire.RoleOperator}, {3, hostPIN, wire.RoleHost}} {
		n := n + 1
		other := 1 + n%3
		r.signs(other, is.id, is.pin)
		r.signs(n, is.id, is.pin)
		if out := r.by(device(n), wire.ActOwnPIN, "pin", is.pin, "new", fresh); !out.OK {
			t.Fatalf("%s: %+v", is.role, out.Reject)
		}
		if me := r.shownAt(n).Staff.Me; me == nil || me.Role != is.role || r.shownAt(other).Staff.Me != nil {
			t.Errorf("%s: stands at %+v; the device with the old PIN is open: %v", is.role, me, r.shownAt(other).Staff.Me != nil)
		}
		r.by(device(n), wire.ActSignOut)
		if got := why(r.by(device(n), wire.ActSignIn, "id", fmt.Sprint(is.id), "pin", is.pin)); got != "table.staff.wrong" {
			t.Errorf("%s: the old PIN: %q", is.role, got)
		}
		r.signs(n, is.id, fresh)
	}
	outside := r.core().outside // the account is ended, and somebody else comes, while the PIN is hashed
	r.core().outside = func(work func() func(*core)) {
		r.core().stands[3] = stand{2, r.desk.Mark(device(3)), r.clock.at}
		outside(work)
	}
	if got := why(r.by(device(3), wire.ActOwnPIN, "pin", fresh, "new", "97531")); got != "table.staff.locked" {
		t.Errorf("whoever came meanwhile changes another's PIN: %q", got)
	}
	r.core().outside = outside
	r.signs(3, 3, fresh)
	r.signs(1, 1, fresh)
	if got := why(r.by(device(1), wire.ActStaff, "id", "1", "name", "Odile", "role", "owner", "pin", "97531")); got != "table.staff.own" {
		t.Errorf("an owner changes the own PIN without the present one: %q", got)
	}
	r.by(device(1), wire.ActStaff, "id", "1", "name", "Odile B.", "role", "owner")
	if me := r.shownAt(1).Staff.Me; me == nil || me.Name != "Odile B." {
		t.Errorf("an owner does not change the own name: %+v", me)
	}
	for _, v := range []engine.Viewer{engine.At(1), engine.Public} {
		if r.act(v, wire.ActOwnPIN, "pin", fresh, "new", "97531").OK {
			t.Errorf("%v changes a PIN", v)
		}
	}
	if everything := log.String() + fmt.Sprint(m.events, m.settings); strings.Contains(everything, fresh) {
		t.Error("a PIN is in the log or on disk")
	}
	r, _ = manned(t, newMemory())
	if got := why(r.by(device(2), wire.ActOwnPIN, "pin", fresh, "new", "97531")); got != "table.staff.none" {
		t.Errorf("a PIN where there are no accounts: %q", got)
	}
}

// A change of person is one act; a device that nobody touches locks itself, in a pause too, and one that goes is nobody's.
func TestDevicesLockThemselves(t *testing.T) {
	r, _ := staffed(t, newMemory())
	r.core().Idle = 10 * time.Minute
	r.must(engine.Host, "sit")
	r.must(engine.Host, "begin")
	r.must(engine.Host, "pause")
	r.pass(9 * time.Minute)
	if out := r.by(device(2), wire.ActHere); !out.OK || r.shownAt(1).Staff.Me == nil || r.shownAt(1).Staff.Idle != 600 {
		t.Errorf("%+v, the first is %+v", out.Reject, r.shownAt(1).Staff)
	}
	r.pass(2 * time.Minute)
	if r.shownAt(1).Staff.Me != nil || r.shownAt(2).Staff.Me == nil {
		t.Errorf("after 11 minutes: %+v and %+v", r.shownAt(1).Staff, r.shownAt(2).Staff)
	}
	if out := r.by(device(2), wire.ActSignOut); !out.OK || r.shownAt(2).Staff.Me != nil {
		t.Error("nobody can leave")
	}
	r.signs(2, 2, operatorPIN)
	r.desk.hosts = r.desk.hosts[:1] // cut off: another device may get its number
	r.core().publish(notices{})
	r.desk.hosts = []wire.HostDevice{{N: 1}, {N: 2}}
	r.core().publish(notices{})
	if r.shownAt(2).Staff.Me != nil {
		t.Error("another device stands where the last one stood")
	}
	r.signs(2, 2, operatorPIN)
	r.desk.again = " again" // another one has its number, before anything is shown
	if out := r.by(device(2), actResume); why(out) != "table.staff.locked" || r.shownAt(2).Staff.Me != nil {
		t.Errorf("another device acts for who stood at the last one: %+v", out)
	}
	outside := r.core().outside
	r.core().outside = func(work func() func(*core)) { r.desk.again = " and again"; outside(work) } // it comes while the PIN is hashed
	if r.by(device(2), wire.ActSignIn, "id", "2", "pin", operatorPIN); r.shownAt(2).Staff.Me != nil {
		t.Error("the next device stands where another has signed in")
	}
	r.core().outside = outside
	r.core().Idle = 0
	r.signs(2, 2, operatorPIN)
	if r.pass(72 * time.Hour); r.shownAt(2).Staff.Me == nil {
		t.Error("a device locks itself that never should")
	}
	r.start()
	if r.shownAt(2).Staff == nil || r.shownAt(2).Staff.Me != nil {
		t.Error("a start leaves a device open")
	}
}

// What somebody does at the desk stands with the name in the minutes, and with the role alone on phones. The next group is signed by who
// stands there.
func TestNamesInTheMinutes(t *testing.T) {
	m := newMemory()
	r, _ := staffed(t, m)
	r.must(engine.Host, "sit")
	r.must(engine.Host, "begin")
	r.by(device(2), "pause")
	if by := r.last().Public.Hold.By; by != "staff.operator" {
		t.Errorf("everybody is told %q", by)
	}
	if by := r.shownAt(1).Hold.By; by != "staff.operator.Otto" {
		t.Errorf("the owner is told %q", by)
	}
	if by := r.shownAt(3).Hold.By; by != "staff.operator" {
		t.Errorf("a locked device is told %q", by)
	}
	if got := asJSON(t, r.last().Public) + asJSON(t, r.last().Seats()); strings.Contains(got, "Otto") {
		t.Error("phones are told a name")
	}
	game := r.core().gameID
	if out := r.by(device(2), "next-group", "sign", "Somebody else"); !out.OK {
		t.Fatalf("%+v", out.Reject)
	}
	all, err := Minutes(r.books[0], m.events[game])
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

// The owner with a shell gets a new PIN, whatever the waits and whatever the store says.
func TestTheOwnersShell(t *testing.T) {
	m := newMemory()
	r, log := staffed(t, m)
	for range 10 {
		r.by(device(3), wire.ActSignIn, "id", "1", "pin", "999991")
	}
	salt, hash := staff.Hash("86420135")
	if name, ok := r.core().ownerPIN(salt, hash); !ok || name != "Odile" || r.shownAt(1).Staff.Me != nil {
		t.Errorf("%q %v, and the first device is %+v", name, ok, r.shownAt(1).Staff)
	}
	r.signs(3, 1, "86420135")
	m.settings[settingStaff] = "rubbish"
	r.start()
	r.mend(log)
	if got := why(r.by(device(1), "sit")); got != "table.staff.locked" {
		t.Errorf("accounts that cannot be read leave the door open: %q", got)
	}
	if _, ok := r.core().ownerPIN(salt, hash); !ok {
		t.Error("the shell does not help")
	}
	r.signs(1, 1, "86420135")
	r, _ = manned(t, newMemory())
	if _, ok := r.core().ownerPIN(salt, hash); ok || r.core().staff.On() {
		t.Error("the shell makes the first account")
	}
}

// A store that has lost the accounts, and the accounts alone, opens no door: somebody has had one.
func TestLostAccounts(t *testing.T) {
	m := newMemory()
	r, log := staffed(t, m)
	salt, hash := staff.Hash("86420135")
	delete(m.settings, settingStaff) // as a damaged row is left out
	r.start()
	r.mend(log)
	if got := why(r.by(device(3), wire.ActStaff, "name", "Guest", "role", "owner", "pin", ownerPIN)); got != "table.staff.locked" {
		t.Errorf("whoever has the host's page makes the first account: %q", got)
	}
	if _, ok := r.core().ownerPIN(salt, hash); !ok {
		t.Error("the shell does not help")
	}
	r.signs(1, 1, "86420135")
	r.must(engine.Host, wire.ActStaffDrop, "id", "1") // nobody needs one from now on
	r.start()
	if r.shownAt(3).Staff != nil {
		t.Error("accounts that were ended come back")
	}
	// The first account alone, at which nobody has come in yet.
	m = newMemory()
	r, log = manned(t, m)
	r.must(engine.Host, wire.ActStaff, "name", "Odile", "role", "owner", "pin", ownerPIN)
	delete(m.settings, settingStaff)
	r.start()
	r.mend(log)
	if got := why(r.by(device(3), "sit")); got != "table.staff.locked" {
		t.Errorf("nobody is asked for a PIN: %q", got)
	}
}

// A disk that fails keeps no account, and says so.
func TestAccountsOnAFullDisk(t *testing.T) {
	m := newMemory()
	r, _ := manned(t, m)
	m.fail = "before"
	if out := r.act(engine.Host, wire.ActStaff, "name", "Odile", "role", "owner", "pin", ownerPIN); out.OK || r.core().staff.On() {
		t.Error("an account that is not on the disk")
	}
}

// A step packs no update to see whether it has room: that is seen when it is packed for its device.
func TestAccountsArePackedOnce(t *testing.T) {
	r, _ := staffed(t, newMemory())
	r.signs(3, 3, hostPIN)
	allocs := testing.AllocsPerRun(20, func() {
		r.core().publish(notices{})
		r.steps = r.steps[:0]
	})
	if t.Logf("%v allocations", allocs); allocs > 120 { // 190 when three were packed here, too
		t.Errorf("a step with accounts allocates %v times", allocs)
	}
}

// Accounts with the longest names never make an update of the owner's too long: then nobody would be shown anything.
func TestAccountsFitIntoTheView(t *testing.T) {
	r, _ := staffed(t, newMemory())
	book := r.core().staff
	p, _ := book.Owner()
	for i := len(book.People); i < wire.MaxPeople; i++ {
		book, _ = book.With(0, fmt.Sprintf("%02d%s", i, strings.Repeat("<", wire.MaxPerson-2)), wire.RoleHost, p.Salt, p.Hash)
	}
	r.core().staff = book
	r.core().publish(notices{})
	if u := r.shownAt(1); len(u.Staff.People) != wire.MaxPeople {
		t.Fatalf("the owner is shown %d accounts", len(u.Staff.People))
	}
	text := strings.Repeat("x", wire.MaxView-len(asJSON(t, r.shownAt(1)))) // all other room is taken
	r.core().Machine = func() []wire.Trouble { return []wire.Trouble{{About: text}} }
	r.core().publish(notices{})
	u := sealed(r.shownAt(1))
	if size := len(asJSON(t, u)); size > wire.MaxView-4 || u.Staff.Me == nil || u.Staff.People != nil {
		t.Errorf("%d bytes, at most %d", size, wire.MaxView-4)
	}
	if size := len(asJSON(t, sealed(r.shownAt(2)))); size > wire.MaxView-4 { // an operator is shown no others, but has a name
		t.Errorf("%d bytes at the operator's, at most %d", size, wire.MaxView-4)
	}
	if len(sealed(r.shownAt(3)).Staff.People) != wire.MaxPeople {
		t.Error("a locked device does not ask who stands there")
	}
}
