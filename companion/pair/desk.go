package pair

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
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
	Invite(key store.Seat, code store.Invitation, out ...wire.Handset) error
	Redeem(wire.Handset) error
	Withdraw(...wire.Handset) error
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// Opts adjust a Desk. User is required; without Base links are relative.
type Opts struct {
	User func(wire.Handset) string // MQTT user names
	Base func() string             // "http://10.42.0.1:8080", no slash at the end
	Cut  func(wire.Handset)        // close this phone's connections: its key has changed
	// Changed is told that Invites, Phones or Asking answer otherwise; Announce that, too, or
	// that a used code was tried, and what everybody is to be told. They must not block.
	Changed  func()
	Announce func(said engine.Msg)
	Now      func() time.Time
	Log      *slog.Logger // nil is silent
}

// OpenFor is how long an invitation of a seat can be redeemed.
const OpenFor = 10 * time.Minute

// Why a seat gets no further phone.
var (
	ErrNobody = errors.New("pair: nobody has joined there")
	ErrFull   = errors.New("pair: this seat has as many phones as a seat can have")
)

// Desk hands out the seats. It is safe for concurrent use.
//
//  1. An invitation gives its key to one phone. The same request again (its
//     answer was lost on the air) gets the same answer for two minutes, or until
//     that phone has connected.
//  2. What is not in the book is not in the ring, and is given to nobody.
//  3. After Invite, End or Withdraw returns nil the former keys serve nothing.
//  4. With a key connects only the phone that redeemed its invitation.
//  5. A seat has at most one open invitation.
type Desk struct {
	book     Book
	ring     *seal.Ring
	opts     Opts
	tries    *tries
	bodyWait time.Duration

	mu     sync.Mutex
	phones map[wire.Handset]*phone
	used   []string            // ids of closed invitations, newest last
	pleas  []*plea             // of those who ask for the host's page
	rests  map[netip.Addr]rest // by address
	wake   time.Time           // when the minutes last told stop being true; zero: they do not
}

// phone is one of a seat or of the host, with a key of its own.
type phone struct {
	key    seal.Key
	joined bool
	code   seal.Code // None when there is no open invitation
	until  time.Time // when code ends; zero: not by itself
	last   *answer
	spent  seal.Code // the code of this key that was redeemed, to know a second try by its proof
	told   time.Time // when such a try was told last
	mark   mark      // who redeemed it; "" until then
	asked  bool      // somebody else has come with this key
	closed bool      // that is known: it is not asked again
	kind   string    // of a further device of the host: what it says that it is
}

// open reports whether the invitation of p can be redeemed now.
func (p *phone) open(now time.Time) bool {
	return !p.code.None() && (p.until.IsZero() || now.Before(p.until))
}

// of are the phones of a viewer, those that have joined, and which has an open invitation; nil for none.
func (d *Desk) of(v engine.Viewer) (all, joined []wire.Handset, open *phone) {
	now := d.opts.Now()
	for h := wire.First(v); h.Valid(); h.N++ {
		p, ok := d.phones[h]
		if !ok {
			continue
		}
		all = append(all, h)
		if p.joined {
			joined = append(joined, h)
		}
		if p.open(now) {
			open = p
		}
	}
	return all, joined, open
}

// New reads the book and gives every key to the ring.
func New(book Book, ring *seal.Ring, opts *Opts) (*Desk, error) {
	d := &Desk{book: book, ring: ring, opts: *cmp.Or(opts, &Opts{}), bodyWait: maxWait, phones: map[wire.Handset]*phone{}, rests: map[netip.Addr]rest{}}
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
		if err := ring.Set(s.Phone, s.Key.Key(), s.Counter); err != nil {
			return nil, fmt.Errorf("pair: key of %v: %w", s.Phone, err)
		}
		d.phones[s.Phone] = &phone{key: s.Key.Key(), joined: s.Joined}
	}
	for _, i := range invitations {
		p, ok := d.phones[i.Phone]
		switch {
		case !i.Open:
			d.close(i.ID)
		case ok:
			p.code = i.Code.Code()
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

// Invite makes a new key and a new invitation for a seat or the host. All phones
// that had the seat are cut off, cut reports that there was one, and its invitation is withdrawn.
func (d *Desk) Invite(v engine.Viewer) (cut bool, err error) {
	d.mu.Lock()
	had, joined, _ := d.of(v)
	err = d.inviteLocked(wire.First(v), had)
	d.mu.Unlock()
	if err != nil {
		return false, err
	}
	d.cut(had)
	return len(joined) > 0, nil
}

// More makes an invitation for one phone more at a seat that has one. The others stay,
// and only what was open there for another phone more is withdrawn.
func (d *Desk) More(v engine.Viewer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	had, joined, _ := d.of(v)
	if len(joined) == 0 {
		return ErrNobody
	}
	h := wire.First(v)
	for slices.Contains(joined, h) {
		h.N++
	}
	if !h.Valid() {
		return ErrFull
	}
	return d.inviteLocked(h, slices.DeleteFunc(had, func(h wire.Handset) bool { return slices.Contains(joined, h) }))
}

// inviteLocked gives h a new key and an invitation; those of out lose theirs.
func (d *Desk) inviteLocked(h wire.Handset, out []wire.Handset) error {
	p := &phone{key: seal.NewKey(), code: seal.NewCode()}
	if h != wire.First(engine.Host) {
		p.until = d.opts.Now().Add(OpenFor)
	}
	if err := d.record(h, p); err != nil { // before the key: the phone of the former one is not admitted to it
		return fmt.Errorf("pair: invite %v: %w", h, err)
	}
	err := d.book.Invite(store.Seat{Phone: h, Key: p.key.Disk()}, store.Invitation{ID: p.code.ID(), Phone: h, Code: p.code.Disk()}, out...)
	if err != nil {
		return fmt.Errorf("pair: invite %v: %w", h, err)
	}
	d.gone(append(out, h)...)
	d.phones[h] = p
	return d.ring.Set(h, p.key, 0)
}

// gone forgets phones that the book has forgotten.
func (d *Desk) gone(all ...wire.Handset) {
	for _, h := range all {
		if p, ok := d.phones[h]; ok && !p.code.None() {
			d.close(p.code.ID())
		}
		delete(d.phones, h)
		d.ring.Drop(h)
	}
}

// Withdraw takes the keys and the invitation of a viewer away, and cuts its phones off.
func (d *Desk) Withdraw(v engine.Viewer) error {
	d.mu.Lock()
	had, _, _ := d.of(v)
	d.mu.Unlock()
	return d.withdraw(had...)
}

// End takes the key of one phone away and cuts it off: what is sealed from now on it
// cannot read. The others of that seat notice nothing.
func (d *Desk) End(h wire.Handset) error {
	d.mu.Lock()
	p, ok := d.phones[h]
	d.mu.Unlock()
	if !ok || !p.joined {
		return ErrNobody
	}
	return d.withdraw(h)
}

func (d *Desk) withdraw(all ...wire.Handset) error {
	d.mu.Lock()
	err := d.book.Withdraw(all...)
	if err == nil {
		d.gone(all...)
	}
	d.mu.Unlock()
	if err != nil {
		return fmt.Errorf("pair: withdraw %v: %w", all, err)
	}
	d.cut(all)
	return nil
}

func (d *Desk) cut(all []wire.Handset) {
	if d.opts.Cut == nil {
		return
	}
	for _, h := range all {
		d.opts.Cut(h)
	}
}

// Phones are the phones that have joined the seats, of each seat with any.
func (d *Desk) Phones() (all []wire.SeatPhones) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for at := engine.Seat(1); at <= engine.MaxSeats; at++ {
		_, joined, _ := d.of(engine.At(at))
		of := wire.SeatPhones{Seat: at}
		for _, h := range joined {
			of.Phones = append(of.Phones, h.N)
		}
		if len(joined) > 0 {
			all = append(all, of)
		}
	}
	return all
}

// Link is the open invitation of a viewer as a link, and whether a phone has
// joined. It makes an invitation if there has never been one or if the last one
// has ended; a viewer who has joined has none (""): Invites shows that for one phone more.
func (d *Desk) Link(v engine.Viewer) (url string, has bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, open := d.of(v)
	if len(joined) > 0 {
		return "", true, nil
	}
	if open == nil {
		err = d.inviteLocked(wire.First(v), nil)
		_, _, open = d.of(v)
	}
	return d.url(v, open), false, err
}

// Fresh is a link that has never been shown, for who prints it: what was printed
// before opens nothing from then on. A viewer who has joined has none ("").
func (d *Desk) Fresh(v engine.Viewer) (url string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, joined, _ := d.of(v); len(joined) > 0 {
		return "", nil
	}
	err = d.inviteLocked(wire.First(v), nil)
	_, _, open := d.of(v)
	return d.url(v, open), err
}

// url is the invitation of p as a link, "" without one.
func (d *Desk) url(v engine.Viewer, p *phone) string {
	if p == nil {
		return ""
	}
	path := "/#j="
	if v.IsHost() {
		path = "/host#j="
	}
	if d.opts.Base != nil {
		path = d.opts.Base() + path
	}
	return path + p.code.Link()
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
	had, joined, open := d.of(v)
	if len(had) == 0 {
		if d.inviteLocked(wire.First(v), nil) != nil {
			return wire.Invite{Seat: at}
		}
		_, _, open = d.of(v)
	}
	i := wire.Invite{Seat: at, URL: d.url(v, open), Joined: len(joined) > 0}
	if open == nil {
		i.Ended = !i.Joined
		return i
	}
	i.Minutes = minutes(open.until.Sub(d.opts.Now()))
	if until := open.until.Add(-time.Duration(i.Minutes-1) * time.Minute); d.wake.IsZero() || until.Before(d.wake) {
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
	for h, p := range d.phones {
		if !h.IsHost() && p.open(now) {
			p.until, ended = now, true
		}
	}
	if ended {
		_ = d.record(wire.Handset{}, nil) // without the record they end by their time, after a restart
	}
}

// left are the seats with a key where nobody sits.
func (d *Desk) left(seats []engine.Seat) (vs []engine.Viewer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for h := range d.phones {
		if s, ok := h.Seat(); ok && !slices.Contains(seats, s) && !slices.Contains(vs, h.Viewer) {
			vs = append(vs, h.Viewer)
		}
	}
	return vs
}
