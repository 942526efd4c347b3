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
	Hosts() []wire.HostDevice
	// Mark identifies the phone that has joined as h, among all phones that ever did.
	Mark(h wire.Handset) string
}

// Opts of Accounts; all but Idle, Changed, Now and Log are required.
type Opts struct {
	Store   Store
	Devices Devices
	Idle    time.Duration // a device without a touch for this time is locked; 0: never
	Changed func()        // called after each change of what BuildView or PersonAt returns, never from within PersonAt
	Now     func() time.Time
	Log     *slog.Logger
}

// Accounts are the accounts of a table and its sessions: which account is signed in on which of the host's devices. It is safe for
// concurrent use. Invariants:
//
//  1. A session belongs to the phone that signed in: another phone that joins under the same number is locked.
//  2. Each call reads the rights of a session from its account: a new role counts at once, and so does the removal of the account.
//  3. One PIN is hashed and one change is made at a time; calls of PersonAt wait for neither.
type Accounts struct {
	opts     Opts
	changing sync.Mutex // one change of the book on disk at a time; locked while a PIN is hashed

	mu       sync.Mutex // for the fields below; book is written only with both mutexes locked
	book     Book
	tries    *Tries
	sessions map[int]session // by the number of the device
	drawing  uint64          // rises with each change
	there    []Device        // those of the last ExpireSessions
}

// session is an account signed in on a device, with the mark of the phone at that moment and the time of its last use.
type session struct {
	id   int
	mark string
	at   time.Time
}

// errAccountsLost means that the store has tries, which it keeps since the first account, but no accounts. The store leaves out damaged
// rows.
var errLost = errors.New("staff: the accounts are lost")

// Open reads the accounts. If they are unreadable or lost, every device stays locked until ResetOwnerPIN is called from a shell.
func Open(opts *Opts) *Accounts {
	a := &Accounts{opts: *opts, sessions: map[int]session{}}
	if a.opts.Changed == nil {
		a.opts.Changed = func() {}
	}
	if a.opts.Now == nil {
		a.opts.Now = time.Now
	}
	if a.opts.Log == nil {
		a.opts.Log = slog.New(slog.DiscardHandler)
	}
	text, there, err := a.opts.Store.Setting(store.SettingStaff)
	tries, were, _ := a.opts.Store.Setting(store.SettingTries) // after an error there are no waits
	switch {
	case err != nil:
	case were && !there:
		err = errLost
	default:
		a.book, err = Read(text)
	}
	if err != nil {
		a.opts.Log.Error("the accounts of the host's page cannot be read", "error", err,
			"conseil", "les comptes de la page de l’hôte sont illisibles : majordome host --pin donne un nouveau code au propriétaire")
		a.book, _ = Book{}.With(0, "?", wire.RoleOwner, nil, nil)
	}
	a.tries = ReadTries(tries, a.book, a.opts.Now())
	return a
}

// IsEnabled reports whether there are accounts. Without accounts every device of the host has the rights of an owner.
func (a *Accounts) On() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.book.On()
}

// PersonAt returns the account signed in on a device of the host. A locked device gives the zero value; if there are no accounts, every
// device gives an owner without a name.
func (a *Accounts) Who(h wire.Handset) wire.Person {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.who(h)
}

// personLocked does the work of PersonAt. The caller has locked mu.
func (a *Accounts) who(h wire.Handset) wire.Person {
	switch s, ok := a.sessions[h.N]; {
	case !h.IsHost() || !h.Valid():
	case !a.book.On():
		return wire.Person{Role: wire.RoleOwner}
	case ok && a.opts.Devices.Mark(h) == s.mark && !a.idle(s):
		p, _ := a.book.Person(s.id)
		return p.Person
	}
	return wire.Person{}
}

func (a *Accounts) idle(s session) bool {
	return a.opts.Idle > 0 && a.opts.Now().Sub(s.at) >= a.opts.Idle
}

// Role returns the role of the account signed in on a device.
func (a *Accounts) Role(h wire.Handset) wire.Role { return a.Who(h).Role }

// PeopleByDevice returns what PersonAt returns for each device, by number, all at one moment, and a number that rises with each change.
// It returns nil if there are no accounts.
func (a *Accounts) Drawn() (who []wire.Person, drawing uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.book.On() {
		who = make([]wire.Person, wire.MaxHosts+1)
		for n := range who {
			who[n] = a.who(wire.Handset{Viewer: engine.Host, N: n})
		}
	}
	return who, a.drawing
}

// Touch restarts the time after which an open device is locked.
func (a *Accounts) Touch(h wire.Handset) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.sessions[h.N]; ok && a.who(h).Role != "" {
		s.at = a.opts.Now()
		a.sessions[h.N] = s
	}
}

// BuildView returns what a device may see of the accounts.
func (a *Accounts) Shown(h wire.Handset) (s wire.Staff) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.book.On() {
		return s
	}
	me := a.who(h)
	if me.Role != "" {
		s.Me, s.Idle = &me, int(a.opts.Idle/time.Second)
	}
	if me.Role == "" || me.Role == wire.RoleOwner {
		s.People = a.book.Names()
	}
	for _, t := range a.tried() { // a device sees its own tries only while an owner is signed in
		if t.Device != h.N || me.Role == wire.RoleOwner {
			s.Tried = append(s.Tried, t)
		}
	}
	return s
}

// listTried lists the devices of the host with wrong PINs within the last hour.
func (a *Accounts) tried() (all []wire.Tried) {
	devices := a.opts.Devices.Hosts()
	for _, t := range a.tries.Told(a.opts.Now(), a.marked(devices)) {
		one := wire.Tried{Device: t.Device, Wrong: t.Wrong}
		one.Kind = devices[slices.IndexFunc(devices, func(d wire.HostDevice) bool { return d.N == t.Device })].Kind
		for _, id := range t.Persons {
			if p, ok := a.book.Person(id); ok {
				one.Names = append(one.Names, p.Name)
			}
		}
		all = append(all, one)
	}
	return all
}

// markedDevices returns devices with the marks of their phones.
func (a *Accounts) marked(devices []wire.HostDevice) []Device {
	all := make([]Device, len(devices))
	for i, d := range devices {
		all[i] = a.device(wire.Handset{Viewer: engine.Host, N: d.N})
	}
	return all
}

func (a *Accounts) device(h wire.Handset) Device { return Device{N: h.N, Mark: a.opts.Devices.Mark(h)} }

// SignIn opens a device for the account id, if pin is its PIN.
func (a *Accounts) SignIn(h wire.Handset, id int, pin string) error {
	if !a.changing.TryLock() {
		return ErrBusy
	}
	defer a.changing.Unlock()
	p, ok := a.book.Person(id)
	if !ok {
		return ErrNone
	}
	at := a.device(h)
	if err := a.prove(at, p, pin); err != nil {
		return err
	}
	a.change(func() { a.sessions[h.N] = session{id, at.Mark, a.opts.Now()} })
	a.opts.Log.Info("somebody stands at a device of the host", "phone", h, "role", p.Role,
		"quoi", "quelqu’un s’est identifié sur un appareil de l’hôte")
	return nil
}

// SignOut locks a device.
func (a *Accounts) SignOut(h wire.Handset) {
	if a.Who(h).ID != 0 {
		a.change(func() { delete(a.sessions, h.N) })
	}
}

// SetOwnPIN changes the PIN of the account signed in on a device from pin to fresh.
func (a *Accounts) SetOwnPIN(h wire.Handset, pin, fresh string) error {
	if !a.changing.TryLock() {
		return ErrBusy
	}
	defer a.changing.Unlock()
	p, ok := a.book.Person(a.Who(h).ID)
	if !ok {
		return ErrNone
	}
	if err := Good(fresh); err != nil {
		return err
	}
	at := a.device(h)
	if err := a.prove(at, p, pin); err != nil {
		return err
	}
	salt, hash := Hash(fresh)
	if a.Who(h).ID != p.ID { // it was locked meanwhile
		return ErrLocked
	}
	return a.set(h, at, p.Person, salt, hash)
}

// SetAccount adds an account (id 0) or changes one; an empty pin keeps the PIN. The first account must be an owner and is signed in on
// this device at once.
func (a *Accounts) Set(h wire.Handset, id int, name string, role wire.Role, pin string) error {
	if !a.changing.TryLock() {
		return ErrBusy
	}
	defer a.changing.Unlock()
	name = strings.TrimSpace(name)
	if err := a.book.Fits(id, name, role, pin); err != nil {
		return err
	}
	var salt, hash []byte
	at := a.device(h)
	if pin != "" {
		if me := a.Who(h); me.ID != 0 && me.ID == id {
			return ErrOwn
		}
		salt, hash = Hash(pin)
	}
	if !a.Who(h).Role.AtLeast(wire.RoleOwner) { // since the call, another device was faster or this one was locked
		return ErrLocked
	}
	return a.set(h, at, wire.Person{ID: id, Name: name, Role: role}, salt, hash)
}

// RemoveAccount removes an account and ends its sessions.
func (a *Accounts) Drop(h wire.Handset, id int) error {
	a.changing.Lock()
	defer a.changing.Unlock()
	book, err := a.book.Without(id)
	switch {
	case !a.Who(h).Role.AtLeast(wire.RoleOwner):
		return ErrLocked
	case err != nil:
		return err
	}
	if err := a.keep(book, func() {
		a.end(id)
		a.tries.Forget(id)
	}); err != nil {
		return err
	}
	a.keepTries()
	return nil
}

// ResetOwnerPIN gives the first owner a random PIN and ends every wait. It is for a shell on the machine; the PIN is returned here and
// nowhere else. ok is false if there are no accounts or the store cannot save them.
func (a *Accounts) NewOwnerPIN() (name, pin string, ok bool) {
	a.changing.Lock()
	defer a.changing.Unlock()
	p, ok := a.book.Owner()
	if !ok {
		return "", "", false
	}
	pin = Draw()
	salt, hash := Hash(pin)
	book, _ := a.book.With(p.ID, p.Name, p.Role, salt, hash)
	if a.keep(book, func() {
		a.end(p.ID)
		a.tries = NewTries()
	}) != nil {
		return "", "", false
	}
	a.keepTries()
	return p.Name, pin, true
}

// ExpireSessions ends sessions that are idle or whose device has gone. It calls OnChange after that, or if the devices have changed. Call
// it about once a second.
func (a *Accounts) Settle() {
	a.mu.Lock()
	there := a.marked(a.opts.Devices.Hosts())
	news := a.book.On() && !slices.Equal(there, a.there)
	for n, s := range a.sessions {
		if !slices.Contains(there, Device{n, s.mark}) || a.idle(s) {
			delete(a.sessions, n)
			news = true
		}
	}
	a.there = there
	if news {
		a.drawing++
	}
	a.mu.Unlock()
	if news {
		a.opts.Changed()
	}
}

// applyChange calls do with mu locked, and then OnChange.
func (a *Accounts) change(do func()) {
	a.mu.Lock()
	do()
	a.drawing++
	a.mu.Unlock()
	a.opts.Changed()
}

// verifyAttempt checks the PIN that is entered on a device for a person and records it as a try. The caller has locked changing.
func (a *Accounts) prove(at Device, p Person, pin string) error {
	if !Formed(pin) {
		return ErrPIN
	}
	now := a.opts.Now()
	a.mu.Lock()
	wait := a.tries.Wait(now, at, p.ID)
	if wait <= 0 {
		a.tries.Wrong(now, at, p.ID) // before the check, so that a power cut does not undo the try
	}
	a.mu.Unlock()
	if wait > 0 {
		return wire.Refuse("table.staff.wait", "n", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
	a.keepTries()
	if !Match(p, pin) {
		a.opts.Log.Warn("a wrong PIN", "device", at.N, "account", p.ID, "quoi", "un code de compte refusé")
		return ErrWrong
	}
	a.mu.Lock()
	a.tries.Right(at, p.ID)
	a.mu.Unlock()
	a.keepTries()
	return nil
}

// saveAccount saves an account. If the PIN is new, it ends all sessions of the account except on this device. The caller has locked
// changing.
func (a *Accounts) set(h wire.Handset, at Device, p wire.Person, salt, hash []byte) error {
	by, first, own := a.Who(h), !a.book.On(), false
	book, id := a.book.With(p.ID, p.Name, p.Role, salt, hash)
	err := a.keep(book, func() {
		if hash == nil {
			return
		}
		own = a.who(h).ID == id
		a.end(id)
		if own || first {
			a.sessions[h.N] = session{id, at.Mark, a.opts.Now()}
		}
	})
	if err == nil && p.ID != 0 && hash != nil {
		a.opts.Log.Info("a PIN is changed",
			"phone", h, "role", by.Role, "to", p.Role, "own", own, "quoi", "le code d’un compte a changé")
	}
	return err
}

// saveBook writes book to the store, then replaces the present one and calls with, both with mu locked. The caller has locked changing.
func (a *Accounts) keep(book Book, with func()) error {
	first := !a.book.On()
	if err := a.opts.Store.SetSetting(store.SettingStaff, book.Text()); err != nil {
		return err
	}
	if first { // after the accounts: with tries and no accounts, after a power cut, Open would lock the table
		a.keepTries()
	}
	a.change(func() {
		a.book = book
		with()
	})
	a.opts.Log.Info("the accounts of the host's page have changed", "people", len(book.People),
		"quoi", "les comptes de la page de l’hôte ont changé")
	return nil
}

// saveTries writes the wrong tries to the store. If that fails, they still count in memory.
func (a *Accounts) keepTries() {
	a.mu.Lock()
	text := a.tries.Text()
	a.mu.Unlock()
	if err := a.opts.Store.SetSetting(store.SettingTries, text); err != nil {
		a.opts.Log.Error("wrong PINs are not kept", "cause", err,
			"conseil", "les codes refusés n’ont pas été notés : vérifiez la carte mémoire")
	}
}

// endSessions locks every device on which this person is signed in. The caller has locked mu.
func (a *Accounts) end(id int) {
	for n, s := range a.sessions {
		if s.id == id {
			delete(a.sessions, n)
		}
	}
}
