package table

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"majordome/companion/staff"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Settings of the table: the accounts, and the wrong PINs in a row.
const (
	settingStaff = store.SettingStaff
	settingTries = store.SettingTries
)

// staffActs do an act of a device of the host about accounts.
var staffActs = map[string]func(*core, wire.Handset, engine.Args) (*wire.Notice, *engine.Reject){
	wire.ActSignIn:    (*core).signIn,
	wire.ActSignOut:   (*core).signOut,
	wire.ActHere:      (*core).here,
	wire.ActOwnPIN:    (*core).ownPIN,
	wire.ActStaff:     (*core).setPerson,
	wire.ActStaffDrop: (*core).dropPerson,
}

// stand is who stands at the device of the host that had this mark then, and when it was touched last. A start of the daemon locks all of
// them.
type stand struct {
	id   int
	mark string
	at   time.Time
}

// person is who stands at a device of the host. Another device that has come in its place, under its number, is locked.
func (c *core) person(h wire.Handset) (staff.Person, bool) {
	s := c.stands[h.N]
	if s.mark != c.Desk.Mark(h) {
		return staff.Person{}, false
	}
	return c.staff.Person(s.id)
}

// outside does what is too slow for a step, and then the rest of it in the loop: one at a time.
func (l *Loop) outside(work func() (then func(*core))) {
	go func() {
		then := work()
		l.tell(input{l.core.Clock.Now(), then})
	}()
}

// errLost: the tries, which are written since the first account, are there without the accounts. A damaged row is left out by the store.
var errLost = errors.New("table: the accounts are lost")

// readStaff learns who has an account. Where that cannot be read, or is lost, nobody comes in, but by the shell.
func (c *core) readStaff() {
	text, there, err := c.journal.Setting(settingStaff)
	tries, were, _ := c.journal.Setting(settingTries) // without it nobody waits
	switch {
	case err != nil:
	case were && !there:
		err = errLost
	default:
		c.staff, err = staff.Read(text)
	}
	if err != nil {
		c.Log.Error("the accounts of the host's page cannot be read", "error", err, "conseil", "les comptes de la page de l’hôte sont illisibles : majordome host --pin donne un nouveau code au propriétaire")
		c.staff, _ = staff.Book{}.With(0, "?", wire.RoleOwner, nil, nil)
	}
	c.tries = staff.ReadTries(tries, c.staff, c.Clock.Now())
}

// by is the name of who acts in the journal: a seat, a device of the host or, where there are accounts, who stands at it.
func (c *core) by(h wire.Handset) string {
	if !h.IsHost() {
		return h.Viewer.String()
	}
	if p, ok := c.person(h); ok {
		return wire.ByStaff + string(p.Role) + "." + p.Name
	}
	return h.String()
}

func (c *core) signIn(h wire.Handset, args engine.Args) (*wire.Notice, *engine.Reject) {
	id, _ := strconv.Atoi(args["id"])
	p, ok := c.staff.Person(id)
	if !ok {
		return nil, refuse(engine.Unknown, "GEN-011", "table.staff.none")
	}
	mark := c.Desk.Mark(h)
	return nil, c.proves(h, p, args["pin"], func() func() *engine.Reject {
		return func() *engine.Reject {
			c.stands[h.N] = stand{id, mark, c.Clock.Now()}
			c.Log.Info("somebody stands at a device of the host", "phone", h, "role", c.role(h), "quoi", "quelqu’un s’est identifié sur un appareil de l’hôte")
			return nil
		}
	})
}

// ownPIN gives whoever stands at a device another PIN, by the present one.
func (c *core) ownPIN(h wire.Handset, args engine.Args) (*wire.Notice, *engine.Reject) {
	p, ok := c.person(h)
	if !ok {
		return nil, refuse(engine.Unknown, "GEN-011", "table.staff.none")
	}
	if err := staff.Good(args["new"]); err != nil {
		return nil, refuse(engine.Unknown, "GEN-011", err.Error())
	}
	return nil, c.proves(h, p, args["pin"], func() func() *engine.Reject {
		salt, hash := staff.Hash(args["new"])
		return func() *engine.Reject {
			is, _ := c.person(h)
			if is.ID != p.ID { // somebody else came meanwhile
				return refuse(engine.NotYou, "GEN-011", "table.staff.locked")
			}
			return c.keepPerson(h, is.ID, is.Name, is.Role, salt, hash)
		}
	})
}

// proves has a PIN that a device gives for a person looked at, which counts as a try. Where it is right, work goes on outside the loop, and
// what that gives back is done in it.
func (c *core) proves(h wire.Handset, p staff.Person, pin string, work func() (then func() *engine.Reject)) *engine.Reject {
	if !staff.Formed(pin) {
		return refuse(engine.Unknown, "GEN-011", "table.staff.pin")
	}
	now, at := c.Clock.Now(), staff.Device{N: h.N, Mark: c.Desk.Mark(h)}
	if wait := c.tries.Wait(now, at, p.ID); wait > 0 {
		return &engine.Reject{Code: engine.NotNow, Rule: "GEN-011", Why: engine.Say("table.staff.wait", "n", strconv.Itoa(int((wait+time.Second-1)/time.Second)))}
	}
	if c.proving {
		return busy()
	}
	c.tries.Wrong(now, at, p.ID) // until it is known to be right: a power cut is no way round
	c.keepTries()
	c.slowly(func() func() (*wire.Notice, *engine.Reject) {
		right := staff.Match(p, pin)
		var then func() *engine.Reject
		if right {
			then = work()
		}
		return func() (*wire.Notice, *engine.Reject) {
			is, _ := c.staff.Person(p.ID)
			if !right || !bytes.Equal(is.Hash, p.Hash) { // it was changed meanwhile
				c.Log.Warn("a wrong PIN", "phone", h, "account", p.ID, "quoi", "un code de compte refusé")
				return nil, refuse(engine.NotYou, "GEN-011", "table.staff.wrong")
			}
			c.tries.Right(at, p.ID)
			c.keepTries()
			return nil, then()
		}
	})
	return nil
}

// slowly has the act that is being judged done by work, outside the loop, and answered by what that gives back, in it.
func (c *core) slowly(work func() func() (*wire.Notice, *engine.Reject)) {
	c.proving = true
	c.slow = func(answer func(*engine.Reject, *notices)) {
		c.outside(func() func(*core) {
			then := work()
			return func(c *core) {
				c.proving = false
				told, r := then()
				answer(r, &notices{public: told})
			}
		})
	}
}

// keepTries writes down who has tried in vain. A disk that fails stops nobody here: they count in memory.
func (c *core) keepTries() {
	if err := c.journal.SetSetting(settingTries, c.tries.Text()); err != nil {
		c.Log.Error("wrong PINs are not kept", "cause", err, "conseil", "les codes refusés n’ont pas été notés : vérifiez la carte mémoire")
	}
}

func (c *core) signOut(h wire.Handset, _ engine.Args) (*wire.Notice, *engine.Reject) {
	delete(c.stands, h.N)
	return nil, nil
}

// here is that somebody touches a device; judge has taken the time of it.
func (c *core) here(wire.Handset, engine.Args) (*wire.Notice, *engine.Reject) { return nil, nil }

// setPerson makes an account, or changes one. The first is an owner's, and whoever makes it stands at this device.
func (c *core) setPerson(h wire.Handset, args engine.Args) (*wire.Notice, *engine.Reject) {
	id := 0
	if args["id"] != "" {
		if id, _ = strconv.Atoi(args["id"]); id < 1 {
			return nil, refuse(engine.Unknown, "GEN-011", "table.staff.none")
		}
	}
	name, role, pin := strings.TrimSpace(args["name"]), wire.Role(args["role"]), args["pin"]
	if err := c.staff.Fits(id, name, role, pin); err != nil {
		return nil, refuse(engine.Unknown, "GEN-011", err.Error())
	}
	if pin == "" {
		return nil, c.keepPerson(h, id, name, role, nil, nil)
	}
	if me, ok := c.person(h); ok && me.ID == id {
		return nil, refuse(engine.NotYou, "GEN-011", "table.staff.own")
	}
	if c.proving {
		return nil, busy()
	}
	c.slowly(func() func() (*wire.Notice, *engine.Reject) {
		salt, hash := staff.Hash(pin)
		return func() (*wire.Notice, *engine.Reject) {
			if err := c.staff.Fits(id, name, role, pin); err != nil { // another owner was faster
				return nil, refuse(engine.Unknown, "GEN-011", err.Error())
			}
			if r := short(c.role(h), wire.RoleOwner); r != nil {
				return nil, r
			}
			return nil, c.keepPerson(h, id, name, role, salt, hash)
		}
	})
	return nil, nil
}

func (c *core) keepPerson(h wire.Handset, id int, name string, role wire.Role, salt, hash []byte) *engine.Reject {
	first, change := !c.staff.On(), id != 0
	book, id := c.staff.With(id, name, role, salt, hash)
	if r := c.keepStaff(book); r != nil {
		return r
	}
	if hash != nil { // who knew the old one is out
		own := c.stands[h.N].id == id
		if change {
			c.Log.Info("a PIN is changed", "phone", h, "role", c.role(h), "to", role, "own", own, "quoi", "le code d’un compte a changé")
		}
		c.unseat(id)
		if own || first {
			c.stands[h.N] = stand{id, c.Desk.Mark(h), c.Clock.Now()}
		}
	}
	return nil
}

// dropPerson ends an account, and what it has open.
func (c *core) dropPerson(_ wire.Handset, args engine.Args) (*wire.Notice, *engine.Reject) {
	id, _ := strconv.Atoi(args["id"])
	book, err := c.staff.Without(id)
	if err != nil {
		return nil, refuse(engine.Unknown, "GEN-011", err.Error())
	}
	if r := c.keepStaff(book); r != nil {
		return nil, r
	}
	c.unseat(id)
	c.tries.Forget(id)
	c.keepTries()
	return nil, nil
}

func (c *core) keepStaff(book staff.Book) *engine.Reject {
	if r := c.set(settingStaff, book.Text()); r != nil {
		return r
	}
	if !c.staff.On() { // after them: a power cut between both leaves no table that nobody can enter
		c.keepTries()
	}
	c.staff = book
	c.Log.Info("the accounts of the host's page have changed", "people", len(book.People), "quoi", "les comptes de la page de l’hôte ont changé")
	return nil
}

// unseat locks every device at which this person stands.
func (c *core) unseat(id int) {
	for n, s := range c.stands {
		if s.id == id {
			delete(c.stands, n)
		}
	}
}

// settle locks devices that have gone, which another may come for, and those that nobody has touched for so long.
func (c *core) settle() {
	if len(c.stands) == 0 {
		return
	}
	there, now := c.Desk.Hosts(), c.Clock.Now()
	for n, s := range c.stands {
		gone := !slices.ContainsFunc(there, func(d wire.HostDevice) bool { return d.N == n }) || c.Desk.Mark(wire.Handset{Viewer: engine.Host, N: n}) != s.mark
		if gone || c.Idle > 0 && now.Sub(s.at) >= c.Idle {
			delete(c.stands, n)
		}
	}
}

// locks is when a device locks itself next.
func (c *core) locks(due func(time.Time, func())) {
	if c.Idle <= 0 {
		return
	}
	for _, s := range c.stands {
		due(s.at.Add(c.Idle), func() { c.publish(notices{}) })
	}
}

// devices are the updates of the host's devices where there are accounts: what whoever stands at each may see and do. Nil without.
func (c *core) devices(host wire.Update) (all []wire.Update) {
	if !c.staff.On() {
		return nil
	}
	tried := c.tried()
	for n := 1; n <= wire.MaxHosts; n++ {
		h := wire.Handset{Viewer: engine.Host, N: n}
		u := host
		u.Phone = n
		c.ofRole(&u, h)
		if p, ok := c.person(h); ok {
			u.Staff = &wire.Staff{Me: &p.Person, Idle: int(c.Idle / time.Second)}
			if u.Hold != nil {
				u.Hold = c.hold
			}
			if p.Role == wire.RoleOwner {
				u.Staff.People = c.staff.Names()
			}
		} else {
			u.Staff = &wire.Staff{People: c.staff.Names()}
		}
		for _, t := range tried { // a device is not told of itself, where no owner stands at it
			if t.Device != n || c.role(h) == wire.RoleOwner {
				u.Staff.Tried = append(u.Staff.Tried, t)
			}
		}
		all = append(all, u)
	}
	return all
}

// tried lists the devices of the host where wrong PINs were given of late.
func (c *core) tried() (all []wire.Tried) {
	devices := c.Desk.Hosts()
	there := make([]staff.Device, len(devices))
	for i, d := range devices {
		there[i] = staff.Device{N: d.N, Mark: c.Desk.Mark(wire.Handset{Viewer: engine.Host, N: d.N})}
	}
	for _, t := range c.tries.Told(c.Clock.Now(), there) {
		one := wire.Tried{Device: t.Device, Wrong: t.Wrong}
		one.Kind = devices[slices.IndexFunc(devices, func(d wire.HostDevice) bool { return d.N == t.Device })].Kind
		for _, id := range t.Persons {
			if p, ok := c.staff.Person(id); ok {
				one.Names = append(one.Names, p.Name)
			}
		}
		all = append(all, one)
	}
	return all
}

// ofRole takes out of an update of the host what whoever stands at a device may not see.
func (c *core) ofRole(u *wire.Update, h wire.Handset) {
	role := c.role(h)
	u.View.Offers = permitted(u.View.Offers, h, role)
	full := u.ForHost
	if role == anyone {
		u.ForHost = &wire.ForHost{}
		return
	}
	part := *full
	u.ForHost = &part
	if role == wire.RoleOwner {
		return
	}
	part.Settings = nil
	if role == wire.RoleOperator {
		return
	}
	desk := *full.Desk
	desk.Pleas, desk.Waiting = nil, 0
	desk.Hints, desk.Team, desk.Timing = nil, nil, nil
	part.Desk = &desk
}

// OwnerPIN gives the first owner a new PIN, drawn by chance, and ends every wait: for who has a shell on the machine. It is told here and
// nowhere else. False: there are no accounts, or the disk does not take it.
func (l *Loop) OwnerPIN() (name, pin string, ok bool) {
	pin = staff.Draw()
	salt, hash := staff.Hash(pin)
	if !l.ask(func(c *core) { name, ok = c.ownerPIN(salt, hash) }) || !ok {
		return "", "", false
	}
	return name, pin, true
}

func (c *core) ownerPIN(salt, hash []byte) (name string, ok bool) {
	p, ok := c.staff.Owner()
	if !ok {
		return "", false
	}
	book, _ := c.staff.With(p.ID, p.Name, p.Role, salt, hash)
	if c.keepStaff(book) != nil {
		return "", false
	}
	c.unseat(p.ID)
	c.tries = staff.NewTries()
	c.keepTries()
	c.publish(notices{})
	return p.Name, true
}
