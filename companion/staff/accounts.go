package staff

import (
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Store reads and writes settings; *store.Store implements it.
type Store interface {
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// Devices lists the host's devices; *pair.Desk implements it.
type Devices interface {
	HostDevices() []wire.HostDevice
	// PhoneIdentity identifies the phone that has joined as h, among all phones that ever did.
	PhoneIdentity(h wire.Handset) string
}

// Opts of Accounts; all but Idle, OnChange, Now and Log are required.
type Opts struct {
	Store    Store
	Devices  Devices
	Idle     time.Duration // a device without a touch for this time is locked; 0: never
	OnChange func()        // called after each change of what BuildView or PersonAt returns, never from within PersonAt
	Now      func() time.Time
	Log      *slog.Logger
}

// Accounts are the accounts of a table and its sessions: which account is signed in on which of the host's devices. It is safe for
// concurrent use. Invariants:
//
//  1. A session belongs to the phone that signed in: another phone that joins under the same number is locked.
//  2. Each call reads the rights of a session from its account: a new role counts at once, and so does the removal of the account.
//  3. One PIN is hashed and one change is made at a time; calls of PersonAt wait for neither.
type Accounts struct {
	opts     Opts
	changeMu sync.Mutex // one change of the book on disk at a time; locked while a PIN is hashed

	mu           sync.Mutex // for the fields below; book is written only with both mutexes locked
	book         Book
	tries        *Tries
	sessions     map[int]session // by the number of the device
	revision     uint64          // rises with each change
	knownDevices []Device        // those of the last ExpireSessions
}

// session is an account signed in on a device, with the mark of the phone at that moment and the time of its last use.
type session struct {
	person int
	mark   string
	usedAt time.Time
}

// errAccountsLost means that the store has tries, which it keeps since the first account, but no accounts. The store leaves out damaged
// rows.
var errAccountsLost = errors.New("staff: the accounts are lost")

// Open reads the accounts. If they are unreadable or lost, every device stays locked until ResetOwnerPIN is called from a shell.
func Open(opts *Opts) *Accounts {
	a := &Accounts{opts: *opts, sessions: map[int]session{}}
	if a.opts.OnChange == nil {
		a.opts.OnChange = func() {}
	}
	if a.opts.Now == nil {
		a.opts.Now = time.Now
	}
	if a.opts.Log == nil {
		a.opts.Log = slog.New(slog.DiscardHandler)
	}
	text, hasAccounts, err := a.opts.Store.Setting(store.SettingStaff)
	tries, hasTries, _ := a.opts.Store.Setting(store.SettingTries) // after an error there are no waits
	switch {
	case err != nil:
	case hasTries && !hasAccounts:
		err = errAccountsLost
	default:
		a.book, err = DecodeBook(text)
	}
	if err != nil {
		a.opts.Log.Error("the accounts of the host's page cannot be read", "error", err,
			"conseil", "les comptes de la page de l’hôte sont illisibles : majordome host --pin donne un nouveau code au propriétaire")
		a.book, _ = Book{}.WithAccount(0, "?", wire.RoleOwner, nil, nil)
	}
	a.tries = DecodeTries(tries, a.book, a.opts.Now())
	return a
}

// IsEnabled reports whether there are accounts. Without accounts every device of the host has the rights of an owner.
func (a *Accounts) IsEnabled() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.book.HasPeople()
}

// PersonAt returns the account signed in on a device of the host. A locked device gives the zero value; if there are no accounts, every
// device gives an owner without a name.
func (a *Accounts) PersonAt(h wire.Handset) wire.Person {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.personAtLocked(h)
}

// personAtLocked does the work of PersonAt. The caller has locked mu.
func (a *Accounts) personAtLocked(h wire.Handset) wire.Person {
	switch s, ok := a.sessions[h.N]; {
	case !h.IsHost() || !h.IsValid():
	case !a.book.HasPeople():
		return wire.Person{Role: wire.RoleOwner}
	case ok && a.opts.Devices.PhoneIdentity(h) == s.mark && !a.isIdle(s):
		p, _ := a.book.FindPerson(s.person)
		return p.Person
	}
	return wire.Person{}
}

func (a *Accounts) isIdle(s session) bool {
	return a.opts.Idle > 0 && a.opts.Now().Sub(s.usedAt) >= a.opts.Idle
}

// Role returns the role of the account signed in on a device.
func (a *Accounts) Role(h wire.Handset) wire.Role { return a.PersonAt(h).Role }

// PeopleByDevice returns what PersonAt returns for each device, by number, all at one moment, and a number that rises with each change.
// It returns nil if there are no accounts.
func (a *Accounts) PeopleByDevice() (people []wire.Person, revision uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.book.HasPeople() {
		people = make([]wire.Person, wire.MaxHosts+1)
		for n := range people {
			people[n] = a.personAtLocked(wire.Handset{Viewer: engine.Host, N: n})
		}
	}
	return people, a.revision
}

// RestartIdleTime restarts the time (Opts.Idle) after which an unused device is locked. Call it when the device is used.
func (a *Accounts) RestartIdleTime(h wire.Handset) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.sessions[h.N]; ok && a.personAtLocked(h).Role != "" {
		s.usedAt = a.opts.Now()
		a.sessions[h.N] = s
	}
}

// BuildView returns what a device may see of the accounts.
func (a *Accounts) BuildView(h wire.Handset) (s wire.Staff) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.book.HasPeople() {
		return s
	}
	me := a.personAtLocked(h)
	if me.Role != "" {
		s.Me, s.Idle = &me, int(a.opts.Idle/time.Second)
	}
	if me.Role == "" || me.Role == wire.RoleOwner {
		s.People = a.book.PublicPersons()
	}
	for _, t := range a.listTriedDevices() { // a device sees its own tries only while an owner is signed in
		if t.Device != h.N || me.Role == wire.RoleOwner {
			s.Tried = append(s.Tried, t)
		}
	}
	return s
}

// listTriedDevices lists the devices of the host with wrong PINs within the last hour.
func (a *Accounts) listTriedDevices() (all []wire.Tried) {
	devices := a.opts.Devices.HostDevices()
	for _, t := range a.tries.ListRecent(a.opts.Now(), a.devicesWithMarks(devices)) {
		one := wire.Tried{Device: t.Device, Wrong: t.Wrong}
		one.Kind = devices[slices.IndexFunc(devices, func(d wire.HostDevice) bool { return d.N == t.Device })].Kind
		for _, id := range t.Persons {
			if p, ok := a.book.FindPerson(id); ok {
				one.Names = append(one.Names, p.Name)
			}
		}
		all = append(all, one)
	}
	return all
}

// devicesWithMarks returns devices with the marks of their phones.
func (a *Accounts) devicesWithMarks(devices []wire.HostDevice) []Device {
	all := make([]Device, len(devices))
	for i, d := range devices {
		all[i] = a.deviceWithMark(wire.Handset{Viewer: engine.Host, N: d.N})
	}
	return all
}

func (a *Accounts) deviceWithMark(h wire.Handset) Device {
	return Device{N: h.N, Mark: a.opts.Devices.PhoneIdentity(h)}
}

// SignIn opens a device for the account id, if pin is its PIN.
func (a *Accounts) SignIn(h wire.Handset, id int, pin string) error {
	if !a.changeMu.TryLock() {
		return ErrBusy
	}
	defer a.changeMu.Unlock()
	p, ok := a.book.FindPerson(id)
	if !ok {
		return ErrNoAccount
	}
	device := a.deviceWithMark(h)
	if err := a.checkAndRecordAttempt(device, p, pin); err != nil {
		return err
	}
	a.changeLocked(func() { a.sessions[h.N] = session{id, device.Mark, a.opts.Now()} })
	a.opts.Log.Info("somebody stands at a device of the host", "phone", h, "role", p.Role,
		"quoi", "quelqu’un s’est identifié sur un appareil de l’hôte")
	return nil
}

// SignOut locks a device.
func (a *Accounts) SignOut(h wire.Handset) {
	if a.PersonAt(h).ID != 0 {
		a.changeLocked(func() { delete(a.sessions, h.N) })
	}
}

// SetOwnPIN changes the PIN of the account signed in on a device.
func (a *Accounts) SetOwnPIN(h wire.Handset, oldPIN, newPIN string) error {
	if !a.changeMu.TryLock() {
		return ErrBusy
	}
	defer a.changeMu.Unlock()
	p, ok := a.book.FindPerson(a.PersonAt(h).ID)
	if !ok {
		return ErrNoAccount
	}
	if err := CheckPIN(newPIN); err != nil {
		return err
	}
	device := a.deviceWithMark(h)
	if err := a.checkAndRecordAttempt(device, p, oldPIN); err != nil {
		return err
	}
	salt, hash := HashPIN(newPIN)
	if a.PersonAt(h).ID != p.ID { // it was locked meanwhile
		return ErrLocked
	}
	return a.saveAccount(h, device, p.Person, salt, hash)
}

// SetAccount adds an account (id 0) or changes one; an empty pin keeps the PIN. An owner must be signed in on the device h, if there are
// accounts. The first account must be an owner and is signed in on h at once.
func (a *Accounts) SetAccount(h wire.Handset, id int, name string, role wire.Role, pin string) error {
	if !a.changeMu.TryLock() {
		return ErrBusy
	}
	defer a.changeMu.Unlock()
	name = strings.TrimSpace(name)
	if err := a.book.CheckAccount(id, name, role, pin); err != nil {
		return err
	}
	var salt, hash []byte
	device := a.deviceWithMark(h)
	if pin != "" {
		if me := a.PersonAt(h); me.ID != 0 && me.ID == id {
			return ErrOwnPIN
		}
		salt, hash = HashPIN(pin)
	}
	if !a.PersonAt(h).Role.Includes(wire.RoleOwner) { // since the call, another device was faster or this one was locked
		return ErrLocked
	}
	return a.saveAccount(h, device, wire.Person{ID: id, Name: name, Role: role}, salt, hash)
}

// RemoveAccount removes an account and ends its sessions. An owner must be signed in on the device h.
func (a *Accounts) RemoveAccount(h wire.Handset, id int) error {
	a.changeMu.Lock()
	defer a.changeMu.Unlock()
	book, err := a.book.WithoutAccount(id)
	switch {
	case !a.PersonAt(h).Role.Includes(wire.RoleOwner):
		return ErrLocked
	case err != nil:
		return err
	}
	if err := a.saveBook(book, func() {
		a.endSessions(id)
		a.tries.RemoveAccount(id)
	}); err != nil {
		return err
	}
	a.saveTries()
	return nil
}

// ResetOwnerPIN gives the first owner a random PIN and ends every wait. It is for a shell on the machine; the PIN is returned here and
// nowhere else. ok is false if there are no accounts or the store cannot save them.
func (a *Accounts) ResetOwnerPIN() (name, pin string, ok bool) {
	a.changeMu.Lock()
	defer a.changeMu.Unlock()
	p, ok := a.book.FirstOwner()
	if !ok {
		return "", "", false
	}
	pin = RandomPIN()
	salt, hash := HashPIN(pin)
	book, _ := a.book.WithAccount(p.ID, p.Name, p.Role, salt, hash)
	if a.saveBook(book, func() {
		a.endSessions(p.ID)
		a.tries = NewTries()
	}) != nil {
		return "", "", false
	}
	a.saveTries()
	return p.Name, pin, true
}

// ExpireSessions ends sessions that are idle or whose device has gone. It calls OnChange after that, or if the devices have changed. Call
// it about once a second.
func (a *Accounts) ExpireSessions() {
	a.mu.Lock()
	devices := a.devicesWithMarks(a.opts.Devices.HostDevices())
	changed := a.book.HasPeople() && !slices.Equal(devices, a.knownDevices)
	for n, s := range a.sessions {
		if !slices.Contains(devices, Device{n, s.mark}) || a.isIdle(s) {
			delete(a.sessions, n)
			changed = true
		}
	}
	a.knownDevices = devices
	if changed {
		a.revision++
	}
	a.mu.Unlock()
	if changed {
		a.opts.OnChange()
	}
}

// changeLocked calls do with mu locked, and then OnChange.
func (a *Accounts) changeLocked(do func()) {
	a.mu.Lock()
	do()
	a.revision++
	a.mu.Unlock()
	a.opts.OnChange()
}

// checkAndRecordAttempt checks the PIN that is entered on a device for a person and records it as a try. The caller has locked changeMu.
func (a *Accounts) checkAndRecordAttempt(device Device, p Person, pin string) error {
	if !HasPINForm(pin) {
		return ErrBadPIN
	}
	now := a.opts.Now()
	a.mu.Lock()
	wait := a.tries.WaitTime(now, device, p.ID)
	if wait <= 0 {
		a.tries.RecordWrong(now, device, p.ID) // before the check, so that a power cut does not undo the try
	}
	a.mu.Unlock()
	if wait > 0 {
		return wire.NewRefusal("table.staff.wait", "n", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
	a.saveTries()
	if !VerifyPIN(p, pin) {
		a.opts.Log.Warn("a wrong PIN", "device", device.N, "account", p.ID, "quoi", "un code de compte refusé")
		return ErrWrongPIN
	}
	a.mu.Lock()
	a.tries.RecordRight(device, p.ID)
	a.mu.Unlock()
	a.saveTries()
	return nil
}

// saveAccount saves an account. If the PIN is new, it ends all sessions of the account except on this device. The caller has locked
// changeMu.
func (a *Accounts) saveAccount(h wire.Handset, device Device, p wire.Person, salt, hash []byte) error {
	by, first, own := a.PersonAt(h), !a.book.HasPeople(), false
	book, id := a.book.WithAccount(p.ID, p.Name, p.Role, salt, hash)
	err := a.saveBook(book, func() {
		if hash == nil {
			return
		}
		own = a.personAtLocked(h).ID == id
		a.endSessions(id)
		if own || first {
			a.sessions[h.N] = session{id, device.Mark, a.opts.Now()}
		}
	})
	if err == nil && p.ID != 0 && hash != nil {
		a.opts.Log.Info("a PIN is changed",
			"phone", h, "role", by.Role, "to", p.Role, "own", own, "quoi", "le code d’un compte a changé")
	}
	return err
}

// saveBook writes book to the store, then replaces the present one and calls alsoDo, both with mu locked. The caller has locked changeMu.
func (a *Accounts) saveBook(book Book, alsoDo func()) error {
	first := !a.book.HasPeople()
	if err := a.opts.Store.SetSetting(store.SettingStaff, book.Encode()); err != nil {
		return err
	}
	if first { // after the accounts: with tries and no accounts, after a power cut, Open would lock the table
		a.saveTries()
	}
	a.changeLocked(func() {
		a.book = book
		alsoDo()
	})
	a.opts.Log.Info("the accounts of the host's page have changed", "people", len(book.People),
		"quoi", "les comptes de la page de l’hôte ont changé")
	return nil
}

// saveTries writes the wrong tries to the store. If that fails, they still count in memory.
func (a *Accounts) saveTries() {
	a.mu.Lock()
	text := a.tries.Encode()
	a.mu.Unlock()
	if err := a.opts.Store.SetSetting(store.SettingTries, text); err != nil {
		a.opts.Log.Error("wrong PINs are not kept", "cause", err,
			"conseil", "les codes refusés n’ont pas été notés : vérifiez la carte mémoire")
	}
}

// endSessions locks every device on which this person is signed in. The caller has locked mu.
func (a *Accounts) endSessions(id int) {
	for n, s := range a.sessions {
		if s.person == id {
			delete(a.sessions, n)
		}
	}
}
