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

// MaxAccounts is the greatest number of accounts.
const MaxAccounts = 16

// maxRefused is the number of refused requests that are remembered for an account.
const maxAsked = 6

// Store saves the accounts; *store.Store implements it. An empty value means no account.
type Keeper interface {
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// RefusedRequest is something that an account has asked for and was refused.
type Asked struct {
	What  string // one of the words below, RefusedRead and so on
	Topic string
	Times int
}

// The kinds of refused requests.
const (
	AskedRead   = "read"   // to subscribe to a topic or filter
	AskedWrite  = "write"  // to publish to a topic
	AskedRetain = "retain" // to retain a message: it was published, but not retained
	AskedWill   = "will"   // to leave a will: the connection was refused
	AskedLogin  = "login"  // a wrong password
)

// AccountView is an account as the owner's page shows it.
type Shown struct {
	Name, Template, Topic string
	Online                int     // connections
	Asked                 []Asked // the newest last, at most maxRefused
	Older                 int     // how many requests were refused before those
}

// Register is the list of accounts. It is safe for concurrent use.
//
// What may leak: Add returns a password once; only its hash is stored.
type Register struct {
	keeper  Keeper
	base    string
	changed func()
	renew   func(name string, former Rights) // set by the broker; nil: there is none

	mu    sync.Mutex
	slots [MaxAccounts]*entry
}

type entry struct {
	account
	rights Rights
	online int
	asked  []Asked
	older  int // refused requests that were dropped from asked
}

// NewRegister reads the accounts from keeper. base begins the topics that only the daemon writes. changed, which may be nil, is called from
// any goroutine when the result of List has changed.
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
			continue // a disk may return anything; no one can sign in with such an account
		}
		r.slots[i] = &entry{account: a, rights: a.rights(base)}
	}
	return r, nil
}

// settingName returns the name of the setting for account i.
func slot(i int) string { return fmt.Sprintf("home.%d", i) }

// Reasons why an account cannot be added.
var (
	ErrName  = errors.New("home: a bad name, or one that is taken")
	ErrKind  = errors.New("home: no such template")
	ErrTopic = errors.New("home: a bad topic")
	ErrFull  = errors.New("home: there are as many accounts as there may be")
)

// validate returns the reason why there cannot be such an account.
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

// Add adds an account, or gives the existing one with the same name, template and topic a new password and cuts its connections. The
// password is returned here and nowhere else.
func (r *Register) Add(name, template, topic string) (password string, err error) {
	password = rand.Text()
	sum := sha256.Sum256([]byte(password))
	e := &entry{account: account{name, template, strings.Join(strings.Fields(topic), " "), sum[:]}}
	if err := e.check(); err != nil {
		return "", err
	}
	if template == Table && topic == path.Base(r.base) { // this table itself
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

// saveEntry saves an account. former are the rights of the account that it replaces.
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

// notifyBroker reports a changed account to the broker.
func (r *Register) tell(name string, former Rights) {
	r.mu.Lock()
	renew := r.renew
	r.mu.Unlock()
	if renew != nil {
		renew(name, former)
	}
}

// setListener sets the function that is called after an account was added, removed, or given another password.
func (r *Register) onChange(renew func(name string, former Rights)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.renew = renew
}

// allRights returns the rights of all accounts, by name.
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

// Remove removes an account and what it has left in the broker; it returns false if there is none.
func (r *Register) Drop(name string) (bool, error) {
	former, is, err := r.take(name)
	if is && err == nil {
		r.tell(name, former)
	}
	return is, err
}

// removeEntry removes an account from the store and from the register.
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

// List returns all accounts, sorted by name.
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

// entryOf returns the account with this name, or nil. The caller has locked mu.
func (r *Register) of(name string) *entry {
	for _, e := range r.slots {
		if e != nil && e.Name == name {
			return e
		}
	}
	return nil
}

// verifyPassword reports whether name has this password. A wrong password is recorded as a refused request.
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

// rightsOf returns the rights of an account, or none if it no longer exists.
func (r *Register) rightsOf(name string) Rights {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.of(name); e != nil {
		return e.rights
	}
	return Rights{}
}

// recordRefusal adds a refused request to an account, the newest last.
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
	if !known { // a repeated request changes nothing on the page
		r.changed()
	}
}

// addOnline adds n to the connections of an account.
func (r *Register) connected(name string, n int) {
	r.mu.Lock()
	if e := r.of(name); e != nil {
		e.online = max(0, e.online+n)
	}
	r.mu.Unlock()
	r.changed()
}

// printableTopic returns a topic as a page may show it: at most 64 characters, all printable.
func printable(topic string) string {
	out := []rune(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, strings.ToValidUTF8(topic, "?")))
	return string(out[:min(len(out), 64)])
}
