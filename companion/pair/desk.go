package pair

import (
	"cmp"
	"crypto/hmac"
	"errors"
	"fmt"
	"log/slog"
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
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// Opts adjust a Desk. User is required; without Base links are relative.
type Opts struct {
	User func(engine.Viewer) string // MQTT user names, wire.Tree.User
	Base func() string              // "http://10.42.0.1:8080", no slash at the end
	Cut  func(engine.Viewer)        // close this viewer's connections: its key has changed
	// Changed is told that Invites or Asking answer otherwise; Announce that, too, or
	// that a used code was tried, and what everybody is to be told. They must not block.
	Changed  func()
	Announce func(said engine.Msg)
	Now      func() time.Time
	Log      *slog.Logger // nil is silent
}

// OpenFor is how long an invitation of a seat can be redeemed.
const OpenFor = 10 * time.Minute

// Why a phone does not become a seat.
var (
	ErrUnknown = errors.New("pair: no such invitation")
	ErrUsed    = errors.New("pair: invitation already used or withdrawn")
)

// Desk hands out the seats. It is safe for concurrent use.
//
//  1. An invitation gives its key to one phone. The same request again (its
//     answer was lost on the air) gets the same answer for two minutes, or until
//     that phone has connected.
//  2. What is not in the book is not in the ring, and is given to nobody.
//  3. After Invite or Withdraw returns nil the former key serves nothing.
//  4. With a key connect only the phones that are admitted to it: the one that
//     redeemed the invitation, and those that were kept.
type Desk struct {
	book     Book
	ring     *seal.Ring
	opts     Opts
	tries    *tries
	bodyWait time.Duration

	mu    sync.Mutex
	seats map[engine.Viewer]*seat
	used  []string  // ids of closed invitations, newest last
	wake  time.Time // when the minutes last told stop being true; zero: they do not
}

type seat struct {
	key    seal.Key
	joined bool
	code   seal.Code // None when there is no open invitation
	until  time.Time // when code ends; zero: not by itself
	last   *answer
	spent  seal.Code // the code of this key that was redeemed, to know a second try by its proof
	told   time.Time // when such a try was told last
	phones []mark    // admitted; empty until a phone has joined
	asks   mark      // of the phone that wants to be admitted; "" for none
	closed bool      // no further phone may ask
}

// open reports whether the invitation of s can be redeemed now.
func (s *seat) open(now time.Time) bool {
	return !s.code.None() && (s.until.IsZero() || now.Before(s.until))
}

// answer is kept for a phone that did not hear it.
type answer struct {
	id     string
	nonce  []byte
	sealed []byte
	until  time.Time
}

const answerFor = 2 * time.Minute

// tellAgain is how long a further try of a used code is told to nobody: a recording
// played back must neither fill the table with news nor silence a later try for good.
const tellAgain = 5 * time.Minute

// New reads the book and gives every key to the ring.
func New(book Book, ring *seal.Ring, opts *Opts) (*Desk, error) {
	d := &Desk{book: book, ring: ring, opts: *cmp.Or(opts, &Opts{}), bodyWait: maxWait, seats: map[engine.Viewer]*seat{}}
	if d.opts.User == nil {
		return nil, errors.New("pair: Opts.User is missing")
	}
	if d.opts.Now == nil {
		d.opts.Now = time.Now
	}
	if d.opts.Log == nil {
		d.opts.Log = slog.New(slog.DiscardHandler)
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
	return d, d.recall()
}

// close remembers the id of a closed invitation, within bounds.
func (d *Desk) close(id string) {
	d.used = append(d.used, id)
	if over := len(d.used) - store.MaxClosed; over > 0 {
		d.used = append(d.used[:0:0], d.used[over:]...)
	}
}

// Invite makes a new key and a new invitation for a seat or the host. The phones
// that had the seat are cut off, which cut reports, and its invitation is withdrawn.
func (d *Desk) Invite(v engine.Viewer) (cut bool, err error) {
	if cut, err = d.invite(v); err != nil {
		return false, err
	}
	if d.opts.Cut != nil {
		d.opts.Cut(v)
	}
	return cut, nil
}

func (d *Desk) invite(v engine.Viewer) (cut bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, ok := d.seats[v]
	return ok && old.joined, d.inviteLocked(v)
}

func (d *Desk) inviteLocked(v engine.Viewer) error {
	s := &seat{key: seal.NewKey(), code: seal.NewCode()}
	if !v.IsHost() {
		s.until = d.opts.Now().Add(OpenFor)
	}
	if err := d.record(v, s); err != nil { // before the key: phones of the former one are not admitted to it
		return fmt.Errorf("pair: invite %v: %w", v, err)
	}
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
// joined. It makes an invitation if there has never been one or if the last one
// has ended; a viewer who has joined has none ("").
func (d *Desk) Link(v engine.Viewer) (url string, joined bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, err := d.seated(v, func(s *seat) bool { return s.joined || s.open(d.opts.Now()) })
	if err != nil {
		return "", false, err
	}
	return d.url(v, s), s.joined, nil
}

// seated is the seat of a viewer as it is or, if there is none or it will not do, with a
// new invitation.
func (d *Desk) seated(v engine.Viewer, will func(*seat) bool) (*seat, error) {
	if s, ok := d.seats[v]; ok && will(s) {
		return s, nil
	}
	err := d.inviteLocked(v)
	return d.seats[v], err
}

// Fresh is a link that has never been shown, for who prints it: what was printed
// before opens nothing from then on. A viewer who has joined has none ("").
func (d *Desk) Fresh(v engine.Viewer) (url string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, err := d.seated(v, func(s *seat) bool { return s.joined })
	if err != nil {
		return "", err
	}
	return d.url(v, s), nil
}

// url is the open invitation of s as a link, "" without one.
func (d *Desk) url(v engine.Viewer, s *seat) string {
	if !s.open(d.opts.Now()) {
		return ""
	}
	path := "/#j="
	if v.IsHost() {
		path = "/host#j="
	}
	if d.opts.Base != nil {
		path = d.opts.Base() + path
	}
	return path + s.code.Link()
}

// Invites are the links of these seats, for the host's page. A seat whose
// invitation cannot be recorded, or has ended, has no link. A seat that is not
// among them any more loses its key: whoever sits down there next has it alone
// (GEN-011).
func (d *Desk) Invites(seats []engine.Seat) []wire.Invite {
	for _, v := range d.left(seats) {
		_ = d.Withdraw(v) // what the book does not take is tried again at the next step
	}
	d.mu.Lock()
	d.wake = time.Time{}
	d.mu.Unlock()
	all := make([]wire.Invite, 0, len(seats))
	for _, s := range seats {
		all = append(all, d.shown(s))
	}
	return all
}

func (d *Desk) shown(at engine.Seat) wire.Invite {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := engine.At(at)
	s, err := d.seated(v, func(*seat) bool { return true })
	if err != nil {
		return wire.Invite{Seat: at}
	}
	now := d.opts.Now()
	i := wire.Invite{Seat: at, URL: d.url(v, s), Joined: s.joined}
	if i.URL == "" {
		i.Ended = !s.joined
		return i
	}
	i.Minutes = minutes(s.until.Sub(now))
	if until := s.until.Add(-time.Duration(i.Minutes-1) * time.Minute); d.wake.IsZero() || until.Before(d.wake) {
		d.wake = until
	}
	return i
}

// minutes are whole ones, rounded up.
func minutes(left time.Duration) int { return int((left + time.Minute - 1) / time.Minute) }

// Wake is when what Invites last told stops being true by itself: a minute less is
// left. It stays, also when that is past, until Invites is asked again.
func (d *Desk) Wake() (at time.Time, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wake, !d.wake.IsZero()
}

// Dealt ends the open invitations of all seats: from now on a seat is secrets,
// and a link that still lies about opens none of them.
func (d *Desk) Dealt() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, ended := d.opts.Now(), false
	for v, s := range d.seats {
		if !v.IsHost() && s.open(now) {
			s.until, ended = now, true
		}
	}
	if ended {
		_ = d.record(engine.Public, nil) // without the record they end by their time, after a restart
	}
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
func (d *Desk) Redeem(id string, nonce, mac []byte) (sealed []byte, err error) {
	sealed, said, tell, err := d.redeem(id, nonce, mac)
	if tell && d.opts.Announce != nil {
		d.opts.Announce(said)
	}
	return sealed, err
}

func (d *Desk) redeem(id string, nonce, mac []byte) (sealed []byte, said engine.Msg, tell bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for v, s := range d.seats {
		if s.last != nil && d.opts.Now().After(s.last.until) {
			s.last = nil
		}
		switch {
		case s.last != nil && s.last.id == id && hmac.Equal(s.last.nonce, nonce):
			return s.last.sealed, said, false, nil
		case !s.code.None() && s.code.ID() == id:
			sealed, err := d.redeemLocked(v, s, nonce, mac)
			return sealed, about(v, "table.phone.joined"), err == nil, err
		case !s.spent.None() && s.spent.ID() == id && hmac.Equal(mac, s.spent.MAC(nonce)):
			now := d.opts.Now()
			tell := now.Sub(s.told) >= tellAgain
			if tell {
				s.told = now
			}
			return nil, about(v, "table.phone.tried"), tell, ErrUsed
		}
	}
	if slices.Contains(d.used, id) {
		return nil, said, false, ErrUsed
	}
	return nil, said, false, ErrUnknown
}

// about is a message about a seat, or the one about the host.
func about(v engine.Viewer, key string) engine.Msg {
	if v.IsHost() {
		return engine.Say(key + ".host")
	}
	return engine.Say(key, "seat", v.String())
}

func (d *Desk) redeemLocked(v engine.Viewer, s *seat, nonce, mac []byte) ([]byte, error) {
	if !hmac.Equal(mac, s.code.MAC(nonce)) {
		return nil, ErrUnknown // whoever guesses an id learns nothing
	}
	if !s.open(d.opts.Now()) {
		return nil, ErrUsed
	}
	n, _ := v.Seat()
	sealed, err := s.code.SealGrant(nonce, seal.Grant{Seat: n, User: d.opts.User(v), Key: s.key})
	if err != nil {
		return nil, err
	}
	admitted := *s
	admitted.phones, admitted.spent = []mark{markOf(nonce)}, s.code
	if err := d.record(v, &admitted); err != nil { // before the code is dead: no phone without its mark
		return nil, fmt.Errorf("pair: redeem for %v: %w", v, err)
	}
	if err := d.book.Redeem(v); err != nil {
		return nil, fmt.Errorf("pair: redeem for %v: %w", v, err)
	}
	id := s.code.ID()
	d.close(id)
	if v.IsHost() {
		d.opts.Log.Info("the host's link has been used and opens nothing any more", "link", "#j="+s.code.Link()[:4]+"…",
			"conseil", "le lien de l’hôte a servi et n’ouvre plus rien")
	}
	s.phones, s.joined, s.spent, s.code = admitted.phones, true, admitted.spent, seal.Code{}
	s.last = &answer{id: id, nonce: nonce, sealed: sealed, until: d.opts.Now().Add(answerFor)}
	return sealed, nil
}
