package pair

import (
	"cmp"
	"crypto/hmac"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Book is where keys and invitations survive a restart; *store.Store is one.
type Book interface {
	Seats() ([]store.Seat, []store.Invitation, error)
	Invite(store.Seat, store.Invitation) error
	Redeem(engine.Viewer) error
	Withdraw(engine.Viewer) error
}

// Opts adjust a Desk. User is required; without Base links are relative.
type Opts struct {
	User    func(engine.Viewer) string // MQTT user names, wire.Tree.User
	Base    func() string              // "http://10.42.0.1:8080", no slash at the end
	Cut     func(engine.Viewer)        // close this viewer's connections: its key has changed
	Changed func()                     // what Invites answers has changed
	Now     func() time.Time
}

// Why a phone does not become a seat.
var (
	ErrUnknown = errors.New("pair: no such invitation")
	ErrUsed    = errors.New("pair: invitation already used or withdrawn")
)

// Desk hands out the seats. It is safe for concurrent use.
//
//  1. An invitation gives its key to one phone. The same request again (its
//     answer was lost on the air) gets the same answer for two minutes.
//  2. What is not in the book is not in the ring, and is given to nobody.
//  3. After Invite or Withdraw returns nil the former key serves nothing.
type Desk struct {
	book     Book
	ring     *seal.Ring
	opts     Opts
	tries    *tries
	bodyWait time.Duration

	mu    sync.Mutex
	seats map[engine.Viewer]*seat
	used  []string // ids of closed invitations, newest last
}

type seat struct {
	key    seal.Key
	joined bool
	code   seal.Code // None when there is no open invitation
	last   *answer
}

// answer is kept for a phone that did not hear it.
type answer struct {
	id    string
	nonce []byte
	box   []byte
	until time.Time
}

const answerFor = 2 * time.Minute

// New reads the book and gives every key to the ring.
func New(book Book, ring *seal.Ring, opts *Opts) (*Desk, error) {
	d := &Desk{book: book, ring: ring, opts: *cmp.Or(opts, &Opts{}), bodyWait: maxWait, seats: map[engine.Viewer]*seat{}}
	if d.opts.User == nil {
		return nil, errors.New("pair: Opts.User is missing")
	}
	if d.opts.Now == nil {
		d.opts.Now = time.Now
	}
	d.tries = newTries(d.opts.Now)
	seats, invitations, err := book.Seats()
	if err != nil {
		return nil, fmt.Errorf("pair: read keys: %w", err)
	}
	for _, s := range seats {
		if err := ring.Set(s.Viewer, s.Key.Key(), s.Counter); err != nil {
			return nil, fmt.Errorf("pair: key of %v: %w", s.Viewer, err)
		}
		d.seats[s.Viewer] = &seat{key: s.Key.Key(), joined: s.Joined}
	}
	for _, i := range invitations {
		s, ok := d.seats[i.Viewer]
		switch {
		case !i.Open:
			d.close(i.ID)
		case ok:
			s.code = i.Code.Code()
		}
	}
	return d, nil
}

// close remembers the id of a closed invitation, within bounds.
func (d *Desk) close(id string) {
	d.used = append(d.used, id)
	if over := len(d.used) - store.MaxClosed; over > 0 {
		d.used = append(d.used[:0:0], d.used[over:]...)
	}
}

// Invite makes a new key and a new invitation for a seat or the host. The phone
// that had the seat is cut off, and its invitation is withdrawn.
func (d *Desk) Invite(v engine.Viewer) error {
	if err := d.invite(v); err != nil {
		return err
	}
	if d.opts.Cut != nil {
		d.opts.Cut(v)
	}
	return nil
}

func (d *Desk) invite(v engine.Viewer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inviteLocked(v)
}

func (d *Desk) inviteLocked(v engine.Viewer) error {
	s := &seat{key: seal.NewKey(), code: seal.NewCode()}
	err := d.book.Invite(store.Seat{Viewer: v, Key: s.key.Disk()}, store.Invitation{ID: s.code.ID(), Viewer: v, Code: s.code.Disk()})
	if err != nil {
		return fmt.Errorf("pair: invite %v: %w", v, err)
	}
	if old, ok := d.seats[v]; ok && !old.code.None() {
		d.close(old.code.ID())
	}
	d.seats[v] = s
	return d.ring.Set(v, s.key, 0)
}

// Withdraw takes a viewer's key and invitation away, and cuts its phone off.
func (d *Desk) Withdraw(v engine.Viewer) error {
	if err := d.withdraw(v); err != nil {
		return err
	}
	if d.opts.Cut != nil {
		d.opts.Cut(v)
	}
	return nil
}

func (d *Desk) withdraw(v engine.Viewer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.book.Withdraw(v); err != nil {
		return fmt.Errorf("pair: withdraw %v: %w", v, err)
	}
	if s, ok := d.seats[v]; ok && !s.code.None() {
		d.close(s.code.ID())
	}
	delete(d.seats, v)
	d.ring.Drop(v)
	return nil
}

// Link is the open invitation of a viewer as a link, and whether a phone has
// joined. It makes an invitation if there has never been one; a viewer who has
// joined has none ("").
func (d *Desk) Link(v engine.Viewer) (url string, joined bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.seats[v]; !ok {
		if err := d.inviteLocked(v); err != nil {
			return "", false, err
		}
	}
	s := d.seats[v]
	if s.code.None() {
		return "", s.joined, nil
	}
	path := "/#j="
	if v.IsHost() {
		path = "/host#j="
	}
	if d.opts.Base != nil {
		path = d.opts.Base() + path
	}
	return path + s.code.Link(), s.joined, nil
}

// Invites are the links of these seats, for the host's page. A seat whose
// invitation cannot be recorded has no link. A seat that is not among them any
// more loses its key: whoever sits down there next has it alone (GEN-011).
func (d *Desk) Invites(seats []engine.Seat) []wire.Invite {
	for _, v := range d.left(seats) {
		_ = d.Withdraw(v) // what the book does not take is tried again at the next step
	}
	all := make([]wire.Invite, 0, len(seats))
	for _, s := range seats {
		url, joined, _ := d.Link(engine.At(s))
		all = append(all, wire.Invite{Seat: s, URL: url, Joined: joined})
	}
	return all
}

// left are the seats with a key where nobody sits.
func (d *Desk) left(seats []engine.Seat) (vs []engine.Viewer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for v := range d.seats {
		if s, ok := v.Seat(); ok && !slices.Contains(seats, s) {
			vs = append(vs, v)
		}
	}
	return vs
}

// Redeem exchanges the proof of an invitation for the sealed grant.
func (d *Desk) Redeem(id string, nonce, mac []byte) (box []byte, err error) {
	box, fresh, err := d.redeem(id, nonce, mac)
	if fresh && d.opts.Changed != nil {
		d.opts.Changed()
	}
	return box, err
}

func (d *Desk) redeem(id string, nonce, mac []byte) (box []byte, fresh bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for v, s := range d.seats {
		if s.last != nil && d.opts.Now().After(s.last.until) {
			s.last = nil
		}
		switch {
		case s.last != nil && s.last.id == id && hmac.Equal(s.last.nonce, nonce):
			return s.last.box, false, nil
		case !s.code.None() && s.code.ID() == id:
			box, err := d.redeemLocked(v, s, nonce, mac)
			return box, err == nil, err
		}
	}
	for _, u := range d.used {
		if u == id {
			return nil, false, ErrUsed
		}
	}
	return nil, false, ErrUnknown
}

func (d *Desk) redeemLocked(v engine.Viewer, s *seat, nonce, mac []byte) ([]byte, error) {
	if !hmac.Equal(mac, s.code.MAC(nonce)) {
		return nil, ErrUnknown // whoever guesses an id learns nothing
	}
	n, _ := v.Seat()
	box, err := s.code.Box(nonce, seal.Grant{Seat: n, User: d.opts.User(v), Key: s.key})
	if err != nil {
		return nil, err
	}
	if err := d.book.Redeem(v); err != nil {
		return nil, fmt.Errorf("pair: redeem for %v: %w", v, err)
	}
	id := s.code.ID()
	d.close(id)
	s.joined, s.code = true, seal.Code{}
	s.last = &answer{id: id, nonce: nonce, box: box, until: d.opts.Now().Add(answerFor)}
	return box, nil
}
