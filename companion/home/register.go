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
const maxRefused = 6

// Store saves the accounts; *store.Store implements it. An empty value means no account.
type Store interface {
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// RefusedRequest is a request of an account that was refused.
type RefusedRequest struct {
	What  string // one of the words below, RefusedRead and so on
	Topic string
	Times int
}

// The kinds of refused requests.
const (
	RefusedRead   = "read"   // to subscribe to a topic or filter
	RefusedWrite  = "write"  // to publish to a topic
	RefusedRetain = "retain" // to retain a message: it was published, but not retained
	RefusedWill   = "will"   // to leave a will: the connection was refused
	RefusedLogin  = "login"  // a wrong password
)

// AccountView is an account as the owner's page shows it.
type AccountView struct {
	Name, Template, Topic string
	Online                int              // connections
	Refused               []RefusedRequest // the newest last, at most maxRefused
	Older                 int              // how many requests were refused before those
}

// Register is the list of accounts. It is safe for concurrent use.
//
// What may leak: AddOrRenewAccount returns a password once; only its hash is stored.
type Register struct {
	store    Store
	base     string
	onUpdate func()
	listener func(name string, former Rights) // set by the broker; nil: there is none

	mu         sync.Mutex
	slots      [MaxAccounts]*entry
	unreadable [MaxAccounts]bool // what the store has there is no account
}

type entry struct {
	account
	rights  Rights
	online  int
	refused []RefusedRequest
	older   int // number of refused requests that were dropped from refused
}

// NewRegister reads the accounts from store. base begins the topics that only the daemon writes. onUpdate, which may be nil, is called from
// any goroutine when the result of ListAccounts has changed.
func NewRegister(store Store, base string, onUpdate func()) (*Register, error) {
	r := &Register{store: store, base: base, onUpdate: onUpdate}
	if r.onUpdate == nil {
		r.onUpdate = func() {}
	}
	for i := range r.slots {
		text, ok, err := store.Setting(settingName(i))
		if err != nil {
			return nil, fmt.Errorf("home: %w", err)
		}
		var a account
		if !ok || text == "" {
			continue
		}
		if json.Unmarshal([]byte(text), &a) != nil || a.whyInvalid() != nil {
			r.unreadable[i] = true // a disk may return anything; no one can sign in with such an account
			continue
		}
		r.slots[i] = &entry{account: a, rights: a.buildRights(base)}
	}
	return r, nil
}

// settingName returns the name of the setting for account i.
func settingName(i int) string { return fmt.Sprintf("home.%d", i) }

// Reasons why an account cannot be added.
var (
	ErrName     = errors.New("home: a bad name, or one that is taken")
	ErrTemplate = errors.New("home: no such template")
	ErrTopic    = errors.New("home: a bad topic")
	ErrFull     = errors.New("home: there are as many accounts as there may be")
)

// whyInvalid returns the reason why there cannot be such an account.
func (a *account) whyInvalid() error {
	t := templateOf(a.Template)
	switch {
	case !nameForm.MatchString(a.Name):
		return ErrName
	case t == nil:
		return ErrTemplate
	case !t.allowsTopic(a.Topic):
		return ErrTopic
	}
	return nil
}

// AddOrRenewAccount adds an account, or gives the existing one with the same name, template and topic a new password and cuts its
// connections. The password is returned here and nowhere else.
func (r *Register) AddOrRenewAccount(name, template, topic string) (password string, err error) {
	password = rand.Text()
	sum := sha256.Sum256([]byte(password))
	e := &entry{account: account{name, template, strings.Join(strings.Fields(topic), " "), sum[:]}}
	if err := e.whyInvalid(); err != nil {
		return "", err
	}
	if template == Table && topic == path.Base(r.base) { // this table itself
		return "", ErrTopic
	}
	e.rights = e.account.buildRights(r.base)
	former, err := r.saveEntry(e)
	if err != nil {
		return "", err
	}
	r.reportChange(name, former)
	return password, nil
}

// saveEntry saves an account. former are the rights of the account that it replaces.
func (r *Register) saveEntry(e *entry) (former Rights, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := e.Name
	at := slices.IndexFunc(r.slots[:], func(o *entry) bool { return o != nil && o.Name == name })
	switch {
	case at < 0:
		if at = r.freeSlot(); at < 0 {
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
	if err := r.store.SetSetting(settingName(at), string(text)); err != nil {
		return former, err
	}
	r.slots[at], r.unreadable[at] = e, false
	return former, nil
}

// CountUnreadable returns how many stored accounts cannot be read. A new account takes the place of one only if no other is free.
func (r *Register) CountUnreadable() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, is := range r.unreadable {
		if is {
			n++
		}
	}
	return n
}

// freeSlot returns the place of a new account, or -1. The caller has locked mu.
func (r *Register) freeSlot() int {
	for i, e := range r.slots {
		if e == nil && !r.unreadable[i] {
			return i
		}
	}
	return slices.Index(r.slots[:], nil)
}

// reportChange reports a changed account, with the rights that it had before, to the broker.
func (r *Register) reportChange(name string, former Rights) {
	r.mu.Lock()
	renew := r.listener
	r.mu.Unlock()
	if renew != nil {
		renew(name, former)
	}
}

// setListener sets the function that is called after an account was added, removed, or given another password.
func (r *Register) setListener(listener func(name string, former Rights)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listener = listener
}

// allRights returns the rights of all accounts, by name.
func (r *Register) allRights() map[string]Rights {
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

// RemoveAccount removes an account and what it has left in the broker; it returns false if there is none.
func (r *Register) RemoveAccount(name string) (bool, error) {
	former, exists, err := r.removeEntry(name)
	if exists && err == nil {
		r.reportChange(name, former)
	}
	return exists, err
}

// removeEntry removes an account from the store and from the register.
func (r *Register) removeEntry(name string) (former Rights, exists bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.slots[:], func(e *entry) bool { return e != nil && e.Name == name })
	if at < 0 {
		return former, false, nil
	}
	if err := r.store.SetSetting(settingName(at), ""); err != nil {
		return former, true, err
	}
	former = r.slots[at].rights
	r.slots[at] = nil
	return former, true, nil
}

// ListAccounts returns all accounts, sorted by name.
func (r *Register) ListAccounts() (all []AccountView) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.slots {
		if e != nil {
			all = append(all, AccountView{e.Name, e.Template, e.Topic, e.online, slices.Clone(e.refused), e.older})
		}
	}
	slices.SortFunc(all, func(a, b AccountView) int { return natural.Compare(a.Name, b.Name) })
	return all
}

// entryOf returns the account with this name, or nil. The caller has locked mu.
func (r *Register) entryOf(name string) *entry {
	for _, e := range r.slots {
		if e != nil && e.Name == name {
			return e
		}
	}
	return nil
}

// verifyPassword reports whether name has this password. A wrong password is recorded as a refused request.
func (r *Register) verifyPassword(name, password string) bool {
	sum := sha256.Sum256([]byte(password))
	r.mu.Lock()
	e := r.entryOf(name)
	ok := e != nil && subtle.ConstantTimeCompare(sum[:], e.Hash) == 1
	r.mu.Unlock()
	if e != nil && !ok {
		r.recordRefusal(name, RefusedLogin, "")
	}
	return ok
}

// rightsOf returns the rights of an account, or none if it no longer exists.
func (r *Register) rightsOf(name string) Rights {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.entryOf(name); e != nil {
		return e.rights
	}
	return Rights{}
}

// recordRefusal adds a refused request to an account, the newest last.
func (r *Register) recordRefusal(name, what, topic string) {
	topic = printableTopic(topic)
	r.mu.Lock()
	e := r.entryOf(name)
	if e == nil || e.rights.quietPrefix != "" && strings.HasPrefix(topic, e.rights.quietPrefix) || strings.HasPrefix(topic, "$") {
		r.mu.Unlock()
		return
	}
	at := slices.IndexFunc(e.refused, func(a RefusedRequest) bool { return a.What == what && a.Topic == topic })
	known := at >= 0
	if known {
		e.refused[at].Times++
	} else {
		e.refused = append(e.refused, RefusedRequest{what, topic, 1})
		if len(e.refused) > maxRefused {
			e.older += e.refused[0].Times
			e.refused = e.refused[1:]
		}
	}
	r.mu.Unlock()
	if !known { // a repeated request changes nothing on the page
		r.onUpdate()
	}
}

// addOnline adds n to the connections of an account.
func (r *Register) addOnline(name string, n int) {
	r.mu.Lock()
	if e := r.entryOf(name); e != nil {
		e.online = max(0, e.online+n)
	}
	r.mu.Unlock()
	r.onUpdate()
}

// printableTopic returns a topic as a page may show it: at most 64 characters, all printable.
func printableTopic(topic string) string {
	out := []rune(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, strings.ToValidUTF8(topic, "?")))
	return string(out[:min(len(out), 64)])
}
