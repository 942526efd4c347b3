package home

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"majordome/companion/natural"
)

// MaxAccounts is how many there may be.
const MaxAccounts = 16

// maxAsked is how many refusals of an account are remembered.
const maxAsked = 6

// Keeper is where accounts are kept; *store.Store is one. An empty value is none.
type Keeper interface {
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// Asked is something that an account has asked for and was refused.
type Asked struct {
	What  string // one of the words below
	Topic string
	Times int
}

// What is asked for in vain.
const (
	AskedRead   = "read"   // to hear a topic, or a filter
	AskedWrite  = "write"  // to say something there
	AskedRetain = "retain" // to leave it there: it is told, and not kept
	AskedWill   = "will"   // to leave a last word there: it is not let in
	AskedLogin  = "login"  // a wrong password
)

// Shown is an account as its owner sees it.
type Shown struct {
	Name, Template, Topic string
	Online                int     // connections
	Asked                 []Asked // the newest last, at most maxAsked
	Older                 int     // times that something before those was refused
}

// Register are the accounts. It is safe for concurrent use.
//
// What may leak: passwords are told once, by Add, and kept hashed.
type Register struct {
	keeper  Keeper
	base    string
	changed func()
	renew   func(name string, former Rights) // of the broker; nil: there is none

	mu    sync.Mutex
	slots [MaxAccounts]*entry
}

type entry struct {
	account
	rights Rights
	online int
	asked  []Asked
	older  int // times of what there was no room for in asked
}

// NewRegister reads the accounts. base is where the daemon alone writes; changed, which may be nil, is called
// from any goroutine when Shown would tell something else.
func NewRegister(keeper Keeper, base string, changed func()) (*Register, error) {
	r := &Register{keeper: keeper, base: base, changed: changed}
	if r.changed == nil {
		r.changed = func() {}
	}
	for i := range r.slots {
		text, ok, err := keeper.Setting(slot(i))
		if err != nil {
			return nil, fmt.Errorf("home: %w", err)
		}
		var a account
		if !ok || text == "" || json.Unmarshal([]byte(text), &a) != nil || a.check() != nil {
			continue // a disk may return anything: such an account lets nobody in
		}
		r.slots[i] = &entry{account: a, rights: a.rights(base)}
	}
	return r, nil
}

func slot(i int) string { return fmt.Sprintf("home.%d", i) }

// Reasons why there is no such account.
var (
	ErrName  = errors.New("home: a bad name, or one that is taken")
	ErrKind  = errors.New("home: no such template")
	ErrTopic = errors.New("home: a bad topic")
	ErrFull  = errors.New("home: there are as many accounts as there may be")
)

func (a *account) check() error {
	t := templateOf(a.Template)
	switch {
	case !nameForm.MatchString(a.Name):
		return ErrName
	case t == nil:
		return ErrKind
	case !t.fits(a.Topic):
		return ErrTopic
	}
	return nil
}

// Add makes an account, or gives one of that name, template and topic another password. It is told here alone. Who came by the former
// one is out.
func (r *Register) Add(name, template, topic string) (password string, err error) {
	password = rand.Text()
	sum := sha256.Sum256([]byte(password))
	e := &entry{account: account{name, template, strings.Join(strings.Fields(topic), " "), sum[:]}}
	if err := e.check(); err != nil {
		return "", err
	}
	if template == Table && topic == path.Base(r.base) { // that is this one
		return "", ErrTopic
	}
	e.rights = e.account.rights(r.base)
	former, err := r.put(e)
	if err != nil {
		return "", err
	}
	r.tell(name, former)
	return password, nil
}

// put keeps an account; former are the rights of the one that it replaces.
func (r *Register) put(e *entry) (former Rights, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := e.Name
	at := slices.IndexFunc(r.slots[:], func(o *entry) bool { return o != nil && o.Name == name })
	switch {
	case at < 0:
		if at = slices.Index(r.slots[:], nil); at < 0 {
			return former, ErrFull
		}
	case r.slots[at].Template != e.Template || r.slots[at].Topic != e.Topic:
		return former, ErrName
	default:
		former = r.slots[at].rights
	}
	text, err := json.Marshal(e.account)
	if err != nil {
		return former, err
	}
	if err := r.keeper.SetSetting(slot(at), string(text)); err != nil {
		return former, err
	}
	r.slots[at] = e
	return former, nil
}

// tell tells the broker of a change.
func (r *Register) tell(name string, former Rights) {
	r.mu.Lock()
	renew := r.renew
	r.mu.Unlock()
	if renew != nil {
		renew(name, former)
	}
}

// onChange has renew called whenever an account is new, has another password, or is gone.
func (r *Register) onChange(renew func(name string, former Rights)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.renew = renew
}

// all are the rights of all accounts, by name.
func (r *Register) all() map[string]Rights {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]Rights{}
	for _, e := range r.slots {
		if e != nil {
			all[e.Name] = e.rights
		}
	}
	return all
}

// Drop ends an account, and what it has left; false: there is none.
func (r *Register) Drop(name string) (bool, error) {
	former, is, err := r.take(name)
	if is && err == nil {
		r.tell(name, former)
	}
	return is, err
}

// take takes an account out.
func (r *Register) take(name string) (former Rights, is bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.slots[:], func(e *entry) bool { return e != nil && e.Name == name })
	if at < 0 {
		return former, false, nil
	}
	if err := r.keeper.SetSetting(slot(at), ""); err != nil {
		return former, true, err
	}
	former = r.slots[at].rights
	r.slots[at] = nil
	return former, true, nil
}

// Shown are all accounts, by name.
func (r *Register) Shown() (all []Shown) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.slots {
		if e != nil {
			all = append(all, Shown{e.Name, e.Template, e.Topic, e.online, slices.Clone(e.asked), e.older})
		}
	}
	slices.SortFunc(all, func(a, b Shown) int { return natural.Compare(a.Name, b.Name) })
	return all
}

// of is the account of a name. mu is held.
func (r *Register) of(name string) *entry {
	for _, e := range r.slots {
		if e != nil && e.Name == name {
			return e
		}
	}
	return nil
}

// open reports whether a password is that of an account.
func (r *Register) open(name, password string) bool {
	sum := sha256.Sum256([]byte(password))
	r.mu.Lock()
	e := r.of(name)
	ok := e != nil && subtle.ConstantTimeCompare(sum[:], e.Hash) == 1
	r.mu.Unlock()
	if e != nil && !ok {
		r.refused(name, AskedLogin, "")
	}
	return ok
}

// rightsOf are none where there is no such account any more.
func (r *Register) rightsOf(name string) Rights {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.of(name); e != nil {
		return e.rights
	}
	return Rights{}
}

// refused notes what an account was refused, the newest last.
func (r *Register) refused(name, what, topic string) {
	topic = printable(topic)
	r.mu.Lock()
	e := r.of(name)
	if e == nil || e.rights.quiet != "" && strings.HasPrefix(topic, e.rights.quiet) || strings.HasPrefix(topic, "$") {
		r.mu.Unlock()
		return
	}
	at := slices.IndexFunc(e.asked, func(a Asked) bool { return a.What == what && a.Topic == topic })
	known := at >= 0
	if known {
		e.asked[at].Times++
	} else {
		e.asked = append(e.asked, Asked{what, topic, 1})
		if len(e.asked) > maxAsked {
			e.older += e.asked[0].Times
			e.asked = e.asked[1:]
		}
	}
	r.mu.Unlock()
	if !known { // a client that asks again and again is no news
		r.changed()
	}
}

func (r *Register) connected(name string, n int) {
	r.mu.Lock()
	if e := r.of(name); e != nil {
		e.online = max(0, e.online+n)
	}
	r.mu.Unlock()
	r.changed()
}

// printable is a topic as a page may show it.
func printable(topic string) string {
	out := []rune(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, strings.ToValidUTF8(topic, "?")))
	return string(out[:min(len(out), 64)])
}
