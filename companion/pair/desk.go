package pair

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// KeyStore saves keys and invitations across restarts; *store.Store implements it.
type KeyStore interface {
	KeysAndInvitations() ([]store.Seat, []store.Invitation, error)
	// SaveInvitation saves a new key and its open invitation, and deletes the keys and invitations of the phones in cutOff.
	SaveInvitation(key store.Seat, code store.Invitation, cutOff ...wire.Handset) error
	// RecordJoin closes the invitation of a phone that has received its key.
	RecordJoin(wire.Handset) error
	// SaveKeys replaces the key and the other key of a phone that has one.
	SaveKeys(key store.Seat) error
	// DeleteKeys deletes the keys of some phones and closes their invitations.
	DeleteKeys(...wire.Handset) error
	Setting(name string) (value string, ok bool, err error)
	SetSetting(name, value string) error
}

// Opts configure a Desk. UserName is required; without BaseURL links are relative.
type Opts struct {
	UserName   func(wire.Handset) string // returns the MQTT user name of a phone
	BaseURL    func() string             // returns "http://10.42.0.1:8080", without a slash at the end
	HostPage   string                    // path of the page of the host; "": /host
	Disconnect func(wire.Handset)        // closes the connections of a phone whose key has changed
	// Changed is called when the results of RefreshInvites, SeatPhones or ContestedViewers have changed. Announce
	// is called for such a change with a public notice, or when a used code was tried. They must not block.
	Changed  func()
	Announce func(said engine.Msg)
	Now      func() time.Time
	Log      *slog.Logger // nil: no log
}

// InvitationTime is the time for which the invitation of a seat can be redeemed.
const InvitationTime = 10 * time.Minute

// Reasons why a method of Desk cannot be done.
var (
	ErrNoPhone = errors.New("pair: nobody has joined there")                         // or no device shows that code
	ErrFull    = errors.New("pair: this seat has as many phones as a seat can have") // or the host as many devices
)

// Desk gives keys of seats to phones. It is safe for concurrent use. These are always true:
//
//  1. An invitation gives a key to one phone. The same request again (the answer was lost on the air) gets the
//     same answer for two minutes, or until that phone has connected.
//  2. A key that is not in the store is not in the ring, and no phone gets it.
//  3. When CutAndInvite, EndPhone or WithdrawViewer has returned nil, the former keys are useless.
//  4. Only the phone that redeemed the invitation of a key can connect with it, or with a key that has followed it.
//  5. A seat has at most one open invitation.
//  6. A phone that has proved its key can connect until its key is taken away: with this key, or with the next one, as soon as
//     this was given to it.
type Desk struct {
	keyStore KeyStore
	ring     *seal.Ring
	opts     Opts
	failures *failureCounts
	bodyWait time.Duration

	mu         sync.Mutex
	phones     map[wire.Handset]*phone
	closedIDs  []string  // ids of closed invitations, the newest last
	wall       wall      // requests for seats
	hostAsks   *askList  // requests for the host's page
	hadHost    bool      // a phone with the host's page was cut off since the start
	nextChange time.Time // when a number of minutes last returned by RefreshInvites becomes outdated; zero: never
}

// phone is a phone of a seat or of the host, with a key of its own.
type phone struct {
	key           seal.Key  // its messages are encrypted with this key
	renewal       seal.Code // follows from key
	other         otherKey
	lastRenewal   time.Time // when it was last given another key
	joined        bool
	code          seal.Code // zero if there is no open invitation
	codeEnds      time.Time // end of the invitation; zero: none
	lastAnswer    *keptAnswer
	usedCode      seal.Code // the redeemed code of this key, to recognise a second try by its proof
	lastTryNews   time.Time // when there was last a notice about such a try
	mark          mark      // of the phone that redeemed it; "" before
	isContested   bool      // a second phone has come with this key
	refusesOthers bool      // a second phone was turned away; further ones get no question
	kind          string    // kind of a further device of the host, as it reports it
}

// isOpen reports whether the invitation of p can be redeemed now.
func (p *phone) isOpen(now time.Time) bool {
	return !p.code.IsZero() && (p.codeEnds.IsZero() || now.Before(p.codeEnds))
}

// phonesOf returns the phones of a viewer, those that have joined, and the one with an open invitation; nil for
// none.
func (d *Desk) phonesOf(v engine.Viewer) (all, joined []wire.Handset, open *phone) {
	now := d.opts.Now()
	for h := wire.FirstPhoneOf(v); h.IsValid(); h.N++ {
		p, ok := d.phones[h]
		if !ok {
			continue
		}
		all = append(all, h)
		if p.joined {
			joined = append(joined, h)
		}
		if p.isOpen(now) {
			open = p
		}
	}
	return all, joined, open
}

// New reads the store and puts all keys into the ring.
func New(keyStore KeyStore, ring *seal.Ring, opts *Opts) (*Desk, error) {
	d := &Desk{
		keyStore: keyStore, ring: ring, opts: *cmp.Or(opts, &Opts{}), bodyWait: maxWait,
		phones: map[wire.Handset]*phone{}, hostAsks: newAskList(hostAskLimits),
	}
	if d.opts.UserName == nil {
		return nil, errors.New("pair: Opts.User is missing")
	}
	if d.opts.Now == nil {
		d.opts.Now = time.Now
	}
	if d.opts.Log == nil {
		d.opts.Log = slog.New(slog.DiscardHandler)
	}
	d.failures = newFailureCounts(d.opts.Now)
	seats, invitations, err := keyStore.KeysAndInvitations()
	if err != nil {
		return nil, fmt.Errorf("pair: read keys: %w", err)
	}
	for _, s := range seats {
		if err := ring.SetKey(s.Phone, s.Key.ForMemory(), s.Counter); err != nil {
			return nil, fmt.Errorf("pair: key of %v: %w", s.Phone, err)
		}
		key := s.Key.ForMemory()
		d.phones[s.Phone] = &phone{key: key, renewal: key.RenewalCode(), joined: s.Joined,
			other: otherKey{s.Other.Key.ForMemory(), s.Other.Ends}}
	}
	for _, i := range invitations {
		p, ok := d.phones[i.Phone]
		switch {
		case !i.Open:
			d.rememberClosed(i.ID)
		case ok:
			p.code = i.Code.ForMemory()
		}
	}
	d.loadWall()
	return d, d.loadPhones()
}

// rememberClosed remembers the id of a closed invitation, up to store.MaxClosed of them.
func (d *Desk) rememberClosed(id string) {
	d.closedIDs = append(d.closedIDs, id)
	if over := len(d.closedIDs) - store.MaxClosed; over > 0 {
		d.closedIDs = append(d.closedIDs[:0:0], d.closedIDs[over:]...)
	}
}

// CutAndInvite makes a new key and a new invitation for a seat or the host. It cuts off all phones that had the seat
// (cut reports whether there was one) and withdraws its invitation.
func (d *Desk) CutAndInvite(v engine.Viewer) (cut bool, err error) {
	d.mu.Lock()
	had, joined, _ := d.phonesOf(v)
	err = d.inviteLocked(wire.FirstPhoneOf(v), had)
	d.mu.Unlock()
	if err != nil {
		return false, err
	}
	d.disconnectPhones(had)
	return len(joined) > 0, nil
}

// InviteFurtherPhone makes an invitation for one more phone at a seat that has one. It only withdraws an open
// invitation of the same kind.
func (d *Desk) InviteFurtherPhone(v engine.Viewer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	had, joined, _ := d.phonesOf(v)
	if len(joined) == 0 {
		return ErrNoPhone
	}
	h := wire.FirstPhoneOf(v)
	for slices.Contains(joined, h) {
		h.N++
	}
	if !h.IsValid() {
		return ErrFull
	}
	return d.inviteLocked(h, slices.DeleteFunc(had, func(h wire.Handset) bool { return slices.Contains(joined, h) }))
}

// inviteLocked gives h a new key and an invitation. The phones in cutOff lose theirs. The caller has locked mu, and
// disconnects them.
func (d *Desk) inviteLocked(h wire.Handset, cutOff []wire.Handset) error {
	p := &phone{key: seal.NewKey(), code: seal.NewCode()}
	p.renewal = p.key.RenewalCode()
	if h != wire.FirstPhoneOf(engine.Host) {
		p.codeEnds = d.opts.Now().Add(InvitationTime)
	}
	if err := d.savePhones(h, p); err != nil { // before the key, so that the mark of the former phone is not valid for it
		return fmt.Errorf("pair: invite %v: %w", h, err)
	}
	err := d.keyStore.SaveInvitation(store.Seat{Phone: h, Key: p.key.ForStore()},
		store.Invitation{ID: p.code.PublicID(), Phone: h, Code: p.code.ForStore()}, cutOff...)
	if err != nil {
		return fmt.Errorf("pair: invite %v: %w", h, err)
	}
	d.forgetPhones(append(cutOff, h)...)
	d.phones[h] = p
	return d.ring.SetKey(h, p.key, 0)
}

// forgetPhones forgets phones that the store has forgotten.
func (d *Desk) forgetPhones(all ...wire.Handset) {
	for _, h := range all {
		if p, ok := d.phones[h]; ok {
			d.hadHost = d.hadHost || h.Viewer == engine.Host && p.joined
			if !p.code.IsZero() {
				d.rememberClosed(p.code.PublicID())
			}
		}
		delete(d.phones, h)
		d.ring.RemoveKey(h)
	}
}

// WithdrawViewer takes away the keys and the invitation of a viewer, and cuts off its phones.
func (d *Desk) WithdrawViewer(v engine.Viewer) error {
	d.mu.Lock()
	had, _, _ := d.phonesOf(v)
	d.mu.Unlock()
	return d.withdrawPhones(had...)
}

// EndPhone takes away the key of one phone and cuts it off: it cannot decrypt anything from now on. Others of
// that seat are not affected.
func (d *Desk) EndPhone(h wire.Handset) error {
	d.mu.Lock()
	p, ok := d.phones[h]
	d.mu.Unlock()
	if !ok || !p.joined {
		return ErrNoPhone
	}
	return d.withdrawPhones(h)
}

func (d *Desk) withdrawPhones(all ...wire.Handset) error {
	d.mu.Lock()
	err := d.keyStore.DeleteKeys(all...)
	if err == nil {
		d.forgetPhones(all...)
	}
	d.mu.Unlock()
	if err != nil {
		return fmt.Errorf("pair: withdraw %v: %w", all, err)
	}
	d.disconnectPhones(all)
	return nil
}

func (d *Desk) disconnectPhones(all []wire.Handset) {
	if d.opts.Disconnect == nil {
		return
	}
	for _, h := range all {
		d.opts.Disconnect(h)
	}
}

// SeatPhones returns the phones that have joined, for each seat that has any.
func (d *Desk) SeatPhones() (all []wire.SeatPhones) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for at := engine.Seat(1); at <= engine.MaxSeats; at++ {
		_, joined, _ := d.phonesOf(engine.SeatViewer(at))
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

// EnsureLink returns the link of a viewer's open invitation, which it makes if needed, and whether a phone has
// joined. After that there is no link (""); RefreshInvites returns the link for one more phone.
func (d *Desk) EnsureLink(v engine.Viewer) (url string, hasJoined bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, open := d.phonesOf(v)
	if len(joined) > 0 {
		return "", true, nil
	}
	if open == nil {
		err = d.inviteLocked(wire.FirstPhoneOf(v), nil)
		_, _, open = d.phonesOf(v)
	}
	return d.linkURL(v, open), false, err
}

// LinkOrPageURL returns the open link of a viewer or, if a phone has joined that seat already, the plain page.
func (d *Desk) LinkOrPageURL(v engine.Viewer) (url string, joined bool, err error) {
	url, joined, err = d.EnsureLink(v)
	if url == "" && err == nil {
		url = d.baseURL() + "/host"
		if s, ok := v.Seat(); ok {
			url = d.baseURL() + "/#seat=" + strconv.Itoa(int(s))
		}
	}
	return url, joined, err
}

// IssueNewLink returns a link that was never shown, for printing. Links printed before are useless from then on. A
// viewer who has joined has no link ("").
func (d *Desk) IssueNewLink(v engine.Viewer) (url string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, joined, _ := d.phonesOf(v); len(joined) > 0 {
		return "", nil
	}
	err = d.inviteLocked(wire.FirstPhoneOf(v), nil)
	_, _, open := d.phonesOf(v)
	return d.linkURL(v, open), err
}

// IssueHostLink returns a new link for one more device of the host, also for the first. Former links that are open are useless
// from then on. The error is ErrFull if no place is free.
func IssueHostLink(d *Desk) (url string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, _ := d.phonesOf(engine.Host)
	h := wire.FirstPhoneOf(engine.Host)
	for slices.Contains(joined, h) {
		h.N++
	}
	if !h.IsValid() {
		return "", ErrFull
	}
	if err := d.inviteLocked(h, nil); err != nil {
		return "", err
	}
	return d.linkURL(engine.Host, d.phones[h]), nil
}

// linkURL returns the invitation of p as a link; "" if p is nil.
func (d *Desk) linkURL(v engine.Viewer, p *phone) string {
	if p == nil {
		return ""
	}
	path := "/#j="
	if v.IsHost() {
		path = cmp.Or(d.opts.HostPage, "/host") + "#j="
	}
	return d.baseURL() + path + p.code.Link()
}

// baseURL returns what precedes the path in a link; "" makes it relative.
func (d *Desk) baseURL() string {
	if d.opts.BaseURL == nil {
		return ""
	}
	return d.opts.BaseURL()
}

// RefreshInvites returns the links of these seats, for the host's page. A seat has no link if its invitation has
// ended or cannot be stored. All other seats lose their keys, so that the next player there is the only one
// with a key (GEN-011).
func (d *Desk) RefreshInvites(seats []engine.Seat) []wire.Invite {
	for _, v := range d.abandonedSeats(seats) {
		_ = d.WithdrawViewer(v) // if the store fails, the next step tries again
	}
	d.mu.Lock()
	d.nextChange = time.Time{}
	eraseEndedKeys(d)
	d.mu.Unlock()
	all := make([]wire.Invite, 0, len(seats))
	for _, s := range seats {
		all = append(all, d.ensureInviteFor(s))
	}
	return all
}

// ensureInviteFor returns the invitation of a seat for the host's page, and makes one if the seat has no key.
func (d *Desk) ensureInviteFor(at engine.Seat) wire.Invite {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := engine.SeatViewer(at)
	had, joined, open := d.phonesOf(v)
	if len(had) == 0 {
		if d.inviteLocked(wire.FirstPhoneOf(v), nil) != nil {
			return wire.Invite{Seat: at}
		}
		_, _, open = d.phonesOf(v)
	}
	i := wire.Invite{Seat: at, URL: d.linkURL(v, open), Joined: len(joined) > 0}
	if open == nil {
		i.Ended = !i.Joined
		return i
	}
	i.Minutes = minutesRoundedUp(open.codeEnds.Sub(d.opts.Now()))
	if until := open.codeEnds.Add(-time.Duration(i.Minutes-1) * time.Minute); d.nextChange.IsZero() || until.Before(d.nextChange) {
		d.nextChange = until
	}
	return i
}

// minutesRoundedUp returns a duration in minutes, rounded up.
func minutesRoundedUp(left time.Duration) int { return int((left + time.Minute - 1) / time.Minute) }

// NextInviteChange returns when a number of minutes last returned by RefreshInvites becomes outdated. It stays the same,
// even when past, until the next RefreshInvites.
func (d *Desk) NextInviteChange() (at time.Time, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.nextChange, !d.nextChange.IsZero()
}

// EndSeatLinks ends the open invitations of all seats. Call it at the deal: from then on a seat has secrets,
// and a forgotten link must not open one.
func (d *Desk) EndSeatLinks() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, ended := d.opts.Now(), false
	for h, p := range d.phones {
		if !h.IsHost() && p.isOpen(now) {
			p.codeEnds, ended = now, true
		}
	}
	if ended {
		_ = d.savePhones(wire.Handset{}, nil) // if this is not saved, they end in time after a restart
	}
}

// abandonedSeats returns the viewers of the seats that have a key and are not in seats.
func (d *Desk) abandonedSeats(seats []engine.Seat) (vs []engine.Viewer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for h := range d.phones {
		if s, ok := h.Seat(); ok && !slices.Contains(seats, s) && !slices.Contains(vs, h.Viewer) {
			vs = append(vs, h.Viewer)
		}
	}
	return vs
}
