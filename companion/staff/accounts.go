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

// Store keeps settings; *store.Store is one.
type Store interface {
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// Devices lists the host's devices; *pair.Desk is one.
type Devices interface {
	Hosts() []wire.HostDevice
	// Mark identifies the phone that has joined as h, among all that ever did.
	Mark(h wire.Handset) string
}

// Opts of Accounts; all but Idle, Changed, Now and Log are required.
type Opts struct {
	Store   Store
	Devices Devices
	Idle    time.Duration // how long a device stays open without a touch; 0: for good
	Changed func()        // called after each change of what Shown or Who returns, and never within a call of Who
	Now     func() time.Time
	Log     *slog.Logger
}

// Accounts are the accounts of a table and who is signed in on which of the host's devices. It is safe for concurrent use. Invariants:
//
//  1. A session is of the phone that signed in: another phone that joins under the same number is locked.
//  2. What a session may do is read from the account at each call: a role that has changed, or an account that is gone, counts at once.
//  3. One PIN is hashed at a time, and one change is made at a time; Who waits for neither.
type Accounts struct {
	opts     Opts
	changing sync.Mutex // of the book on disk; held while a PIN is hashed

	mu       sync.Mutex // of what follows; the book is written with both
	book     Book
	tries    *Tries
	sessions map[int]session // by the number of the device
	drawing  uint64          // rises with each change
	there    []Device        // as Settle saw them last
}

// session is an account signed in on a device: the mark of the device at that moment, and when it was used last.
type session struct {
	id   int
	mark string
	at   time.Time
}

// errLost: the tries, which are written since the first account, are there without the accounts. A damaged row is left out by the store.
var errLost = errors.New("staff: the accounts are lost")

// Open reads the accounts. If they cannot be read, or are lost, every device stays locked until NewOwnerPIN is called from a shell.
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
	tries, were, _ := a.opts.Store.Setting(store.SettingTries) // without it there are no waits
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

// On reports that there are accounts.
func (a *Accounts) On() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.book.On()
}

// Who returns the account signed in on a device of the host: the zero value while it is locked; an owner without a name where there are
// no accounts.
func (a *Accounts) Who(h wire.Handset) wire.Person {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.who(h)
}

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

// Role returns the role of Who.
func (a *Accounts) Role(h wire.Handset) wire.Role { return a.Who(h).Role }

// Drawn returns Who of each device, by its number, at one moment, and a number that rises with each change. Nil: there are no accounts.
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

// Touch keeps a device that is open from locking itself.
func (a *Accounts) Touch(h wire.Handset) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.sessions[h.N]; ok && a.who(h).Role != "" {
		s.at = a.opts.Now()
		a.sessions[h.N] = s
	}
}

// Shown returns what a device is shown of the accounts.
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
	for _, t := range a.tried() { // a device is not shown its own tries, unless an owner is signed in
		if t.Device != h.N || me.Role == wire.RoleOwner {
			s.Tried = append(s.Tried, t)
		}
	}
	return s
}

// tried lists the devices of the host where wrong PINs were given of late.
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

func (a *Accounts) marked(devices []wire.HostDevice) []Device {
	all := make([]Device, len(devices))
	for i, d := range devices {
		all[i] = a.device(wire.Handset{Viewer: engine.Host, N: d.N})
	}
	return all
}

func (a *Accounts) device(h wire.Handset) Device { return Device{N: h.N, Mark: a.opts.Devices.Mark(h)} }

// SignIn opens a device to the person with this PIN.
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

// SetOwnPIN changes the PIN of the account signed in on a device; pin is the present one.
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

// Set makes an account (id 0) or changes one; an empty pin leaves the PIN as it is. The first account is an owner, signed in on this device.
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
	if !a.Who(h).Role.AtLeast(wire.RoleOwner) { // another was faster, or the device was locked meanwhile
		return ErrLocked
	}
	return a.set(h, at, wire.Person{ID: id, Name: name, Role: role}, salt, hash)
}

// Drop ends an account and its sessions.
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

// NewOwnerPIN gives the first owner a random PIN and ends every wait. It is for a shell on the machine, and returned here only. ok is
// false where there are no accounts, or the disk does not keep it.
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

// Settle ends sessions that are idle or whose device is gone, and calls Changed for that or for another device. Call it about once a
// second.
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

// change makes a change that is shown, and calls Changed.
func (a *Accounts) change(do func()) {
	a.mu.Lock()
	do()
	a.drawing++
	a.mu.Unlock()
	a.opts.Changed()
}

// prove checks a PIN given on a device for a person, and counts it as a try. changing is held.
func (a *Accounts) prove(at Device, p Person, pin string) error {
	if !Formed(pin) {
		return ErrPIN
	}
	now := a.opts.Now()
	a.mu.Lock()
	wait := a.tries.Wait(now, at, p.ID)
	if wait <= 0 {
		a.tries.Wrong(now, at, p.ID) // until it is known to be right: a power cut is no way round
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

// set keeps an account, and ends the sessions that were opened with a former PIN, but for that of this device. changing is held.
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
		a.opts.Log.Info("a PIN is changed", "phone", h, "role", by.Role, "to", p.Role, "own", own, "quoi", "le code d’un compte a changé")
	}
	return err
}

// keep puts a book on disk, and then in the place of the former one, with what goes with it. changing is held.
func (a *Accounts) keep(book Book, with func()) error {
	first := !a.book.On()
	if err := a.opts.Store.SetSetting(store.SettingStaff, book.Text()); err != nil {
		return err
	}
	if first { // after the accounts: a power cut between both must not lock the table for good
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

// keepTries writes the wrong tries to the store. If that fails they count in memory.
func (a *Accounts) keepTries() {
	a.mu.Lock()
	text := a.tries.Text()
	a.mu.Unlock()
	if err := a.opts.Store.SetSetting(store.SettingTries, text); err != nil {
		a.opts.Log.Error("wrong PINs are not kept", "cause", err,
			"conseil", "les codes refusés n’ont pas été notés : vérifiez la carte mémoire")
	}
}

// end locks every device on which this person is signed in. mu is held.
func (a *Accounts) end(id int) {
	for n, s := range a.sessions {
		if s.id == id {
			delete(a.sessions, n)
		}
	}
}
