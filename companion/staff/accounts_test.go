package staff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"majordome/companion/staff"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// The PINs of these tests.
const (
	ownerPIN    = "271828"
	operatorPIN = "31415926"
	hostPIN     = "1618"
)

// memory is a store of settings in memory. It can fail, and call meanwhile at each write.
type memory struct {
	mu        sync.Mutex
	settings  map[string]string
	fail      bool
	meanwhile func()
}

func (m *memory) Setting(name string) (string, bool, error) {
	value, ok := m.settings[name]
	return value, ok, nil
}

func (m *memory) SetSetting(name, value string) error {
	if m.meanwhile != nil {
		m.meanwhile()
	}
	if m.fail {
		return errors.New("no")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settings[name] = value
	return nil
}

// devices are the devices of the host.
type devices struct {
	hosts      []wire.HostDevice
	markSuffix string // changed when other phones have joined under the same numbers
}

func (d *devices) HostDevices() []wire.HostDevice { return d.hosts }
func (d *devices) PhoneIdentity(h wire.Handset) string {
	return "mark of " + h.String() + d.markSuffix
}

// rig is a table with three devices of the host.
type rig struct {
	*staff.Accounts
	t       *testing.T
	store   *memory
	devices *devices
	now     time.Time
	idle    time.Duration
	changes atomic.Int32
	log     strings.Builder
}

func newRig(t *testing.T) *rig {
	three := []wire.HostDevice{{N: 1}, {N: 2, Kind: "ipad"}, {N: 3}}
	r := &rig{t: t, store: &memory{settings: map[string]string{}}, devices: &devices{hosts: three}, now: time.Unix(1_700_000_000, 0)}
	r.start()
	return r
}

// start opens the accounts as a start of the daemon does.
func (r *rig) start() {
	r.Accounts = staff.Open(&staff.Opts{Store: r.store, Devices: r.devices, Idle: r.idle, OnChange: func() { r.changes.Add(1) },
		Now: func() time.Time { return r.now }, Log: slog.New(slog.NewTextHandler(&r.log, nil))})
}

// newStaffedRig has an owner signed in on the first device, an operator on the second and a host on none.
func newStaffedRig(t *testing.T) *rig {
	r := newRig(t)
	r.mustSetAccount("Odile", wire.RoleOwner, ownerPIN)
	r.mustSetAccount("Otto", wire.RoleOperator, operatorPIN)
	r.mustSetAccount("Hélène", wire.RoleHost, hostPIN)
	r.mustSignIn(2, 2, operatorPIN)
	return r
}

func hostDevice(n int) wire.Handset { return wire.Handset{Viewer: engine.Host, N: n} }

func (r *rig) mustSetAccount(name string, role wire.Role, pin string) {
	r.t.Helper()
	if err := r.SetAccount(hostDevice(1), 0, name, role, pin); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) mustSignIn(n, id int, pin string) {
	r.t.Helper()
	if err := r.SignIn(hostDevice(n), id, pin); err != nil {
		r.t.Fatalf("device %d: %v", n, err)
	}
}

// advance moves the clock on and expires sessions once.
func (r *rig) advance(d time.Duration) {
	r.now = r.now.Add(d)
	r.ExpireSessions()
}

// trySignIn tries a PIN for an account on a device and returns the key of the refusal.
func (r *rig) trySignIn(n, id int, pin string) string {
	return refusalKey(r.SignIn(hostDevice(n), id, pin))
}

func refusalKey(err error) string {
	var no *wire.Refusal
	if errors.As(err, &no) {
		return no.Why.Key
	}
	return fmt.Sprint(err)
}

const noRefusal = "<nil>" // the refusal key of a success

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNoAccounts checks that without accounts no PIN is asked for and each device of the host has the rights of an owner; no
// other client has.
func TestNoAccounts(t *testing.T) {
	r := newRig(t)
	if who, _ := r.PeopleByDevice(); who != nil || r.IsEnabled() || asJSON(t, r.BuildView(hostDevice(2))) != "{}" {
		t.Errorf("%v, shown %+v", who, r.BuildView(hostDevice(2)))
	}
	for n, want := range map[wire.Handset]wire.Role{
		hostDevice(0): "", hostDevice(1): wire.RoleOwner, hostDevice(3): wire.RoleOwner, hostDevice(4): "",
		wire.FirstPhoneOf(engine.SeatViewer(1)): "", wire.FirstPhoneOf(engine.Public): "",
	} {
		if got := r.PersonAt(n); got != (wire.Person{Role: want}) || r.Role(n) != want {
			t.Errorf("%v: %+v", n, got)
		}
	}
	if got := r.trySignIn(2, 1, ownerPIN); got != "table.staff.none" {
		t.Errorf("somebody comes in where there is nobody: %q", got)
	}
	if got := refusalKey(r.SetOwnPIN(hostDevice(2), "86429753", "97531")); got != "table.staff.none" {
		t.Errorf("a PIN where there are no accounts: %q", got)
	}
	for _, role := range []wire.Role{wire.RoleHost, wire.RoleOperator, ""} {
		if r.SetAccount(hostDevice(2), 0, "Odile", role, ownerPIN) == nil {
			t.Errorf("the first account is a %q", role)
		}
	}
	if r.SetAccount(wire.FirstPhoneOf(engine.SeatViewer(1)), 0, "Odile", wire.RoleOwner, ownerPIN) == nil || r.IsEnabled() {
		t.Error("a seat makes an account")
	}
	if r.changes.Load() != 0 {
		t.Errorf("%d changes of nothing", r.changes.Load())
	}
}

// TestTheFirstAccount checks that the maker of the first account is signed in as its owner, and that every other device is
// locked and shows who may sign in.
func TestTheFirstAccount(t *testing.T) {
	r := newRig(t)
	r.mustSetAccount("Odile", wire.RoleOwner, ownerPIN)
	who, drawing := r.PeopleByDevice()
	if who[1].Name != "Odile" || who[2] != (wire.Person{}) || who[3] != (wire.Person{}) || drawing == 0 || r.changes.Load() == 0 {
		t.Errorf("signed in are %+v, drawing %d after %d changes", who, drawing, r.changes.Load())
	}
	if s := r.BuildView(hostDevice(2)); s.Me != nil || len(s.People) != 1 {
		t.Errorf("a locked device is shown %+v", s)
	}
	if err := r.SetAccount(hostDevice(2), 0, "Guest", wire.RoleOwner, ownerPIN); err != staff.ErrLocked {
		t.Errorf("a second device makes a first account, too: %v", err)
	}
	if err := r.RemoveAccount(hostDevice(2), 1); err != staff.ErrLocked {
		t.Errorf("a locked device ends an account: %v", err)
	}
	r = newRig(t)
	r.store.meanwhile = func() { r.devices.markSuffix = " again" } // another phone has joined under the same number
	if r.mustSetAccount("Odile", wire.RoleOwner, ownerPIN); r.Role(hostDevice(1)) != "" {
		t.Error("another phone is signed in as who has made the account")
	}
}

// TestSignedInPersonDecidesWhatADeviceShows checks that the person who is signed in on a device decides what it shows of the accounts.
func TestSignedInPersonDecidesWhatADeviceShows(t *testing.T) {
	r := newStaffedRig(t)
	r.mustSignIn(3, 3, hostPIN)
	for n, want := range map[int]string{1: "Odile", 2: "Otto", 3: "Hélène"} {
		s := r.BuildView(hostDevice(n))
		if s.Me == nil || s.Me.Name != want || (s.People != nil) != (s.Me.Role == wire.RoleOwner) || s.Idle != 0 {
			t.Errorf("device %d is shown %+v", n, s)
		}
		if got := asJSON(t, s); strings.Contains(got, "salt") || strings.Contains(got, "hash") {
			t.Errorf("device %d is shown %s", n, got)
		}
	}
}

// TestGuessingAPIN checks that guesses of a PIN, as fast as possible, from all devices and with restarts between, wait and
// never succeed, and that the right PIN is accepted after the wait. No PIN is in the store, the log or anything shown.
func TestGuessingAPIN(t *testing.T) {
	r := newStaffedRig(t)
	r.start()
	tried, waited := 0, 0
	for i := range 600 {
		switch got := r.trySignIn(1+i%3, 1, fmt.Sprintf("%06d", 271_000+i)); got {
		case "table.staff.wrong":
			tried++
		case "table.staff.wait":
			waited++
		default:
			t.Fatalf("guess %d: %q", i, got)
		}
		r.now = r.now.Add(10 * time.Millisecond)
		if i%200 == 199 {
			r.start()
		}
	}
	if tried < 9 || tried > 12 || waited != 600-tried { // three on each device, and one more after a wait
		t.Errorf("%d guesses in 6 s, %d waited", tried, waited)
	}
	long := strings.Repeat("2", wire.MaxOfficeArg)
	for _, pin := range []string{"", "1", "271828 ", "٢٧١٨٢٨", "\uff12\uff17\uff11\uff18", "27182\uff18", long, "\x00\x00\x00\x00"} {
		if got := r.trySignIn(1, 1, pin); got != "table.staff.pin" {
			t.Errorf("%.20q: %q", pin, got)
		}
	}
	for _, id := range []int{0, -1, 4} {
		if got := r.trySignIn(1, id, ownerPIN); got != "table.staff.none" {
			t.Errorf("id %d: %q", id, got)
		}
	}
	r.advance(16 * time.Minute)
	r.mustSignIn(1, 1, ownerPIN)
	if me := r.PersonAt(hostDevice(1)); me.Role != wire.RoleOwner {
		t.Errorf("signed in is %+v", me)
	}
	everything := r.log.String() + fmt.Sprint(r.store.settings) +
		asJSON(t, []wire.Staff{r.BuildView(hostDevice(1)), r.BuildView(hostDevice(2))})
	for _, pin := range []string{ownerPIN, operatorPIN} {
		if strings.Contains(everything, pin) {
			t.Errorf("the PIN %s is somewhere", pin)
		}
	}
	if strings.Contains(r.log.String(), "Odile") {
		t.Error("a name of the staff is in the log")
	}
}

// TestChangedAccountAppliesAtOnce checks that a removed account is signed out at once on every device, that a new PIN
// signs out the devices with the old one, and that another role applies at once.
func TestChangedAccountAppliesAtOnce(t *testing.T) {
	r := newStaffedRig(t)
	r.mustSignIn(3, 2, operatorPIN)
	err := r.SetAccount(hostDevice(1), 2, "Otto", wire.RoleHost, "")
	if err != nil || r.Role(hostDevice(2)) != wire.RoleHost || r.Role(hostDevice(3)) != wire.RoleHost {
		t.Errorf("%v: another role is %q", err, r.Role(hostDevice(2)))
	}
	_, before := r.PeopleByDevice()
	err = r.SetAccount(hostDevice(1), 2, "Otto B.", wire.RoleOperator, "92653589")
	if err != nil || r.Role(hostDevice(2)) != "" || r.Role(hostDevice(3)) != "" {
		t.Errorf("%v: the old PIN holds a device open", err)
	}
	if _, now := r.PeopleByDevice(); now <= before {
		t.Errorf("a change is drawing %d after %d", now, before)
	}
	if said := `msg="a PIN is changed" phone=host role=owner to=operator own=false`; strings.Count(r.log.String(), said) != 1 {
		t.Errorf("the log does not say who gave another a PIN:\n%s", &r.log)
	}
	if got := r.trySignIn(2, 2, operatorPIN); got != "table.staff.wrong" {
		t.Errorf("the old PIN: %q", got)
	}
	r.mustSignIn(2, 2, "92653589")
	r.mustSignIn(3, 2, "92653589")
	if err := r.RemoveAccount(hostDevice(1), 2); err != nil || r.Role(hostDevice(2)) != "" || r.Role(hostDevice(3)) != "" {
		t.Errorf("%v: a device stays open", err)
	}
	if got := r.trySignIn(2, 2, "92653589"); got != "table.staff.none" {
		t.Errorf("a revoked account: %q", got)
	}
	if err := r.RemoveAccount(hostDevice(1), 1); err != staff.ErrLastOwner {
		t.Errorf("the only owner goes: %v", err)
	}
	for _, id := range []int{3, 1} {
		if err := r.RemoveAccount(hostDevice(1), id); err != nil {
			t.Error(err)
		}
	}
	if r.IsEnabled() || r.Role(hostDevice(2)) != wire.RoleOwner {
		t.Errorf("without accounts a device is %q", r.Role(hostDevice(2)))
	}
}

// TestTheOwnPIN checks that a person of any role can change their own PIN with the present one, and that a wrong one counts
// like a wrong PIN at sign-in.
func TestTheOwnPIN(t *testing.T) {
	const fresh = "86429753"
	r := newStaffedRig(t)
	r.mustSignIn(3, 3, hostPIN)
	own := func(n int, pin, fresh string) string { return refusalKey(r.SetOwnPIN(hostDevice(n), pin, fresh)) }
	for _, tc := range []struct{ pin, new, want string }{
		{"", fresh, "table.staff.pin"}, {hostPIN, "", "table.staff.pin"}, {hostPIN, "86 42", "table.staff.pin"},
		{hostPIN, "1234", "table.staff.plain"},
	} {
		if got := own(3, tc.pin, tc.new); got != tc.want {
			t.Errorf("%q, %q: %q, want %q", tc.pin, tc.new, got, tc.want)
		}
	}
	for i, want := range []string{"wrong", "wrong", "wrong", "wait"} {
		if got := own(3, "9753", fresh); got != "table.staff."+want {
			t.Errorf("guess %d: %q, want %q", i, got, want)
		}
	}
	if got := own(3, hostPIN, fresh); got != "table.staff.wait" {
		t.Errorf("the waits have a way round: %q", got)
	}
	r.SignOut(hostDevice(3))
	if got := r.trySignIn(3, 3, hostPIN); got != "table.staff.wait" {
		t.Errorf("the guess is not counted: %q", got)
	}
	r.advance(16 * time.Minute)
	for n, is := range []struct {
		id   int
		pin  string
		role wire.Role
	}{{1, ownerPIN, wire.RoleOwner}, {2, operatorPIN, wire.RoleOperator}, {3, hostPIN, wire.RoleHost}} {
		n := n + 1
		other := 1 + n%3
		r.mustSignIn(other, is.id, is.pin)
		r.mustSignIn(n, is.id, is.pin)
		if got := own(n, is.pin, fresh); got != noRefusal {
			t.Fatalf("%s: %s", is.role, got)
		}
		if r.Role(hostDevice(n)) != is.role || r.Role(hostDevice(other)) != "" {
			t.Errorf("%s: signed in as %q; on the device with the old PIN: %q", is.role, r.Role(hostDevice(n)), r.Role(hostDevice(other)))
		}
		r.SignOut(hostDevice(n))
		if got := r.trySignIn(n, is.id, is.pin); got != "table.staff.wrong" {
			t.Errorf("%s: the old PIN: %q", is.role, got)
		}
		r.mustSignIn(n, is.id, fresh)
	}
	for what, meanwhile := range map[string]func(){
		"is locked":    func() { r.SignOut(hostDevice(3)) },
		"is another's": func() { r.devices.markSuffix += " again" },
	} {
		r.mustSignIn(3, 3, fresh)
		r.store.meanwhile = meanwhile
		if got := own(3, fresh, "97531"); got != "table.staff.locked" {
			t.Errorf("a device %s while the PIN is hashed: %q", what, got)
		}
		r.store.meanwhile = nil
	}
	r.mustSignIn(3, 3, fresh)
	r.mustSignIn(1, 1, fresh)
	if err := r.SetAccount(hostDevice(1), 1, "Odile", wire.RoleOwner, "97531"); err != staff.ErrOwnPIN {
		t.Errorf("an owner changes the own PIN without the present one: %v", err)
	}
	if err := r.SetAccount(hostDevice(1), 1, "Odile B.", wire.RoleOwner, ""); err != nil || r.PersonAt(hostDevice(1)).Name != "Odile B." {
		t.Errorf("%v: an owner does not change the own name: %+v", err, r.PersonAt(hostDevice(1)))
	}
	for _, v := range []engine.Viewer{engine.SeatViewer(1), engine.Public} {
		if r.SetOwnPIN(wire.FirstPhoneOf(v), fresh, "97531") == nil {
			t.Errorf("%v changes a PIN", v)
		}
	}
	if everything := r.log.String() + fmt.Sprint(r.store.settings); strings.Contains(everything, fresh) {
		t.Error("a PIN is in the log or on disk")
	}
}

// TestOnePINAtATime checks that one PIN is hashed at a time: a second request is refused with ErrBusy meanwhile, and a question
// about sessions does not wait.
func TestOnePINAtATime(t *testing.T) {
	r := newStaffedRig(t)
	busy := map[string]error{}
	r.store.meanwhile = func() {
		r.store.meanwhile = nil
		busy["sign-in"] = r.SignIn(hostDevice(2), 2, operatorPIN)
		busy["own PIN"] = r.SetOwnPIN(hostDevice(2), operatorPIN, "97531")
		busy["account"] = r.SetAccount(hostDevice(1), 0, "Zoé", wire.RoleHost, "97531")
		r.RestartIdleTime(hostDevice(1))
		if r.Role(hostDevice(1)) != wire.RoleOwner || r.BuildView(hostDevice(1)).Me == nil {
			t.Error("the signed-in person is not notified meanwhile")
		}
	}
	r.mustSignIn(3, 3, hostPIN)
	if len(busy) != 3 {
		t.Fatal("nothing came meanwhile")
	}
	for what, err := range busy {
		if err != staff.ErrBusy {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestDevicesLockThemselves checks that an idle device is locked, and that a session ends with the device: another phone under
// the same number is not signed in.
func TestDevicesLockThemselves(t *testing.T) {
	r := newStaffedRig(t)
	r.idle = 10 * time.Minute
	r.start()
	r.mustSignIn(1, 1, ownerPIN)
	r.mustSignIn(2, 2, operatorPIN)
	r.advance(9 * time.Minute)
	r.RestartIdleTime(hostDevice(2))
	if r.Role(hostDevice(1)) != wire.RoleOwner || r.BuildView(hostDevice(1)).Idle != 600 {
		t.Errorf("after 9 minutes: %+v", r.BuildView(hostDevice(1)))
	}
	r.now = r.now.Add(2 * time.Minute)
	if r.Role(hostDevice(1)) != "" || r.Role(hostDevice(2)) != wire.RoleOperator {
		t.Errorf("after 11 minutes: %q and %q", r.Role(hostDevice(1)), r.Role(hostDevice(2)))
	}
	if r.RestartIdleTime(hostDevice(1)); r.Role(hostDevice(1)) != "" {
		t.Error("a touch opens a device that has locked itself")
	}
	_, before := r.PeopleByDevice()
	changes := r.changes.Load()
	r.ExpireSessions()
	if _, now := r.PeopleByDevice(); now <= before || r.changes.Load() != changes+1 {
		t.Error("a device that has locked itself shows it to nobody")
	}
	if r.ExpireSessions(); r.changes.Load() != changes+1 {
		t.Error("a look at what has not changed is a change")
	}
	if r.SignOut(hostDevice(2)); r.Role(hostDevice(2)) != "" {
		t.Error("nobody can leave")
	}
	changes = r.changes.Load()
	if r.SignOut(hostDevice(2)); r.changes.Load() != changes {
		t.Error("leaving a locked device changes something")
	}
	r.mustSignIn(2, 2, operatorPIN)
	r.devices.hosts = r.devices.hosts[:1] // cut off: another device may get its number
	r.ExpireSessions()
	r.devices.hosts = []wire.HostDevice{{N: 1}, {N: 2}}
	if r.ExpireSessions(); r.Role(hostDevice(2)) != "" {
		t.Error("another device is open where the last one was")
	}
	r.mustSignIn(2, 2, operatorPIN)
	r.devices.markSuffix = " again" // another phone has its number, before the accounts are asked
	if r.Role(hostDevice(2)) != "" {
		t.Error("another device is open where the last one was")
	}
	r.store.meanwhile = func() { r.devices.markSuffix = " and again" } // it comes while the PIN is hashed
	if r.mustSignIn(2, 2, operatorPIN); r.Role(hostDevice(2)) != "" {
		t.Error("the next device is open where another has signed in")
	}
	r.store.meanwhile = nil
	r.idle = 0
	r.start()
	r.mustSignIn(2, 2, operatorPIN)
	if r.advance(72 * time.Hour); r.Role(hostDevice(2)) != wire.RoleOperator {
		t.Error("a device locks itself that never should")
	}
	if r.start(); !r.IsEnabled() || r.Role(hostDevice(2)) != "" {
		t.Error("a start leaves a device open")
	}
}

// TestTheOwnersShell checks that the owner gets a new PIN from the shell, whatever waits there are and whatever the store
// contains.
func TestTheOwnersShell(t *testing.T) {
	r := newStaffedRig(t)
	for range 10 {
		r.trySignIn(3, 1, "999991")
	}
	name, pin, ok := r.ResetOwnerPIN()
	if !ok || name != "Odile" || r.Role(hostDevice(1)) != "" {
		t.Errorf("%q %v, and the first device is %q", name, ok, r.Role(hostDevice(1)))
	}
	r.mustSignIn(3, 1, pin)
	if everything := r.log.String() + fmt.Sprint(r.store.settings); strings.Contains(everything, pin) {
		t.Error("the PIN is in the log or on disk")
	}
	r.store.settings[store.SettingStaff] = "rubbish"
	r.start()
	if !r.IsEnabled() || r.Role(hostDevice(1)) != "" {
		t.Errorf("accounts that cannot be read leave the door open: %q", r.Role(hostDevice(1)))
	}
	if _, pin, ok = r.ResetOwnerPIN(); !ok {
		t.Error("the shell does not help")
	}
	r.mustSignIn(1, 1, pin)
	r = newRig(t)
	if _, _, ok := r.ResetOwnerPIN(); ok || r.IsEnabled() {
		t.Error("the shell makes the first account")
	}
}

// TestLostAccounts checks that a store that has lost only the accounts gives no access: the table knows that there were some.
func TestLostAccounts(t *testing.T) {
	r := newStaffedRig(t)
	delete(r.store.settings, store.SettingStaff) // as if the row were damaged and left out
	r.start()
	if err := r.SetAccount(hostDevice(3), 0, "Guest", wire.RoleOwner, ownerPIN); err != staff.ErrLocked || r.Role(hostDevice(3)) != "" {
		t.Errorf("a device with the host's page makes the first account: %v", err)
	}
	_, pin, ok := r.ResetOwnerPIN()
	if !ok {
		t.Error("the shell does not help")
	}
	r.mustSignIn(1, 1, pin)
	if err := r.RemoveAccount(hostDevice(1), 1); err != nil { // from now on no PIN is needed
		t.Error(err)
	}
	if r.start(); r.IsEnabled() {
		t.Error("accounts that were ended come back")
	}
	// The first account was just made; no one has signed in with it yet.
	r = newRig(t)
	r.mustSetAccount("Odile", wire.RoleOwner, ownerPIN)
	delete(r.store.settings, store.SettingStaff)
	if r.start(); r.Role(hostDevice(3)) != "" {
		t.Error("nobody is asked for a PIN")
	}
}

// TestAccountsOnAFullDisk checks that a change that cannot be stored is not made, and that the caller gets an error.
func TestAccountsOnAFullDisk(t *testing.T) {
	r := newRig(t)
	r.store.fail = true
	if r.SetAccount(hostDevice(1), 0, "Odile", wire.RoleOwner, ownerPIN) == nil || r.IsEnabled() || r.changes.Load() != 0 {
		t.Error("an account that is not on the disk")
	}
	r = newStaffedRig(t)
	kept := maps.Clone(r.store.settings)
	r.store.fail = true
	_, _, ok := r.ResetOwnerPIN()
	if ok || r.RemoveAccount(hostDevice(1), 2) == nil || r.SetAccount(hostDevice(1), 2, "Otto", wire.RoleHost, "") == nil ||
		r.Role(hostDevice(2)) != wire.RoleOperator {
		t.Error("a change that is not on the disk")
	}
	r.mustSignIn(3, 3, hostPIN) // tries are counted in memory
	if !maps.Equal(kept, r.store.settings) {
		t.Error("something is on the disk")
	}
}

// TestAnOperatorKeepsNobodyOut checks that guesses of the owner's PIN on the operator's device do not lock out the owner on
// other devices, and that neither the operator's right PIN nor a restart of the daemon shortens their waits.
func TestAnOperatorKeepsNobodyOut(t *testing.T) {
	r := newStaffedRig(t)
	waits := 0
	for i := range 16 {
		if got := r.trySignIn(2, 1, fmt.Sprint(500_000+i)); got == "table.staff.wait" {
			waits++
			r.now = r.now.Add(time.Minute << min(i, 4))
		} else if got != "table.staff.wrong" {
			t.Fatalf("guess %d: %q", i, got)
		}
		if i%4 == 1 {
			r.mustSignIn(2, 2, operatorPIN)
		}
		if i%8 == 7 {
			r.start()
			if got := r.trySignIn(2, 1, "999991"); got != "table.staff.wait" {
				t.Errorf("after a start: %q", got)
			}
		}
		r.SignOut(hostDevice(1))
		if got := r.trySignIn(1, 1, ownerPIN); got != noRefusal {
			t.Fatalf("guess %d: the owner's right PIN: %q", i, got)
		}
	}
	if waits < 5 {
		t.Errorf("%d guesses of 16 waited", waits)
	}
	if got := r.trySignIn(3, 1, "999991"); got != "table.staff.wrong" {
		t.Errorf("another device waits for the guesses of this one: %q", got)
	}
	r.devices.markSuffix = " again" // the device was ended, and another phone has its number
	if got := r.trySignIn(2, 1, "999991"); got != "table.staff.wait" {
		t.Errorf("a device that joins again: %q", got)
	}
}

// TestOtherDevicesShowWrongPINs checks that the other devices, locked or not, show which device tried whose PIN, and that an owner
// sees it on any device; no other person does.
func TestOtherDevicesShowWrongPINs(t *testing.T) {
	r := newStaffedRig(t)
	for i := range 3 {
		if r.trySignIn(2, 1, "999991"); i < 2 && r.BuildView(hostDevice(1)).Tried != nil {
			t.Errorf("told after %d wrong PINs", i+1)
		}
	}
	want := asJSON(t, []wire.Tried{{Device: 2, Kind: "ipad", Wrong: 3, Names: []string{"Odile"}}})
	told := func(n int) string { return asJSON(t, r.BuildView(hostDevice(n)).Tried) }
	if told(1) != want || told(2) != "null" || told(3) != want {
		t.Errorf("the devices are shown %s, %s and %s", told(1), told(2), told(3))
	}
	r.SignOut(hostDevice(1))
	if told(1) != want {
		t.Errorf("locked, the first device is shown %s", told(1))
	}
	r.advance(time.Minute)
	r.mustSignIn(2, 1, ownerPIN) // it was the owner: there is nothing more to report
	if told(1) != "null" || told(2) != "null" {
		t.Errorf("after the right PIN: %s and %s", told(1), told(2))
	}
	for range 3 {
		r.trySignIn(2, 3, "999991")
	}
	if !strings.Contains(told(2), "Hélène") {
		t.Errorf("the owner at the device itself is shown %s", told(2))
	}
	r.devices.hosts = slices.DeleteFunc(r.devices.hosts, func(d wire.HostDevice) bool { return d.N == 2 })
	changes := r.changes.Load()
	if r.ExpireSessions(); told(1) != "null" || r.changes.Load() == changes {
		t.Errorf("a device that has gone tries PINs: %s, after %d changes", told(1), r.changes.Load()-changes)
	}
}

// TestConcurrentCalls calls everything at once, for the race detector.
func TestConcurrentCalls(t *testing.T) {
	r := newRig(t)
	r.mustSetAccount("Odile", wire.RoleOwner, ownerPIN)
	var all sync.WaitGroup
	for n := 1; n <= wire.MaxHosts; n++ {
		all.Go(func() {
			for i := range 6 {
				if err := r.SignIn(hostDevice(n), 1, ownerPIN); err != nil && err != staff.ErrBusy {
					t.Errorf("device %d: %v", n, err)
				}
				_ = r.SetAccount(hostDevice(n), 0, fmt.Sprint("Person ", n, i), wire.RoleHost, "")
				r.RestartIdleTime(hostDevice(n))
				r.PeopleByDevice()
				r.BuildView(hostDevice(n))
				if i%3 == n-1 {
					r.SignOut(hostDevice(n))
				}
			}
		})
	}
	all.Wait()
	r.mustSignIn(1, 1, ownerPIN)
	if r.Role(hostDevice(1)) != wire.RoleOwner {
		t.Error("the owner is not let in")
	}
}
