package pair

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"majordome/companion/seal"
	"majordome/engine"
)

// maxPhones are the phones of one seat.
const maxPhones = 4

var (
	// ErrPhone says that a phone has the key of a seat and is not of that seat.
	ErrPhone = errors.New("pair: another phone has this seat")
	// ErrNobody says that no phone asks for that seat.
	ErrNobody = errors.New("pair: no phone asks")
)

// mark tells one phone from another: the nonce of its name.
type mark string

func markOf(nonce []byte) mark { return mark(base64.RawURLEncoding.EncodeToString(nonce)) }

// CheckConnect accepts the connect password of a phone that is admitted, once.
// Another phone with the same key asks by it, and spends no counter: what it
// sends cannot lock the seat's own phone out.
func (d *Desk) CheckConnect(v engine.Viewer, clientID, password string) error {
	if err := d.ring.Proves(v, clientID, password); err != nil {
		return err
	}
	asks, err := d.admit(v, markOf(seal.PhoneOf(clientID).Nonce()))
	if asks && d.opts.Changed != nil {
		d.opts.Changed() // what is asked is shown as long as it is
	}
	if err != nil {
		return err
	}
	return d.ring.CheckConnect(v, clientID, password)
}

// admit judges a phone that has proved the key of v. asks is true when it has
// begun to ask.
func (d *Desk) admit(v engine.Viewer, m mark) (asks bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.seats[v]
	switch {
	case !ok:
		return false, seal.ErrNoKey
	case slices.Contains(s.phones, m):
		s.last = nil // it has heard its answer: whoever asks for that again is somebody else
		return false, nil
	case len(s.phones) == 0 && s.joined: // joined before phones had names
		s.phones = []mark{m}
		return false, d.record(v, s)
	case s.closed || s.asks != "" || len(s.phones) >= maxPhones:
		return false, ErrPhone
	}
	s.asks = m
	return true, ErrPhone
}

// Asking are those at whose seat another phone asks, seats first.
func (d *Desk) Asking() (all []engine.Viewer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ask := func(v engine.Viewer) {
		if s, ok := d.seats[v]; ok && s.asks != "" {
			all = append(all, v)
		}
	}
	for at := engine.Seat(1); at <= engine.MaxSeats; at++ {
		ask(engine.At(at))
	}
	ask(engine.Host)
	return all
}

// Keep admits the phone that asks for v; the others of that seat stay.
func (d *Desk) Keep(v engine.Viewer) error {
	return d.answer(v, func(s *seat) { s.phones = append(slices.Clip(s.phones), s.asks) })
}

// Cut turns the phone that asks for v away. Somebody has this key who should not,
// so no other phone may ask with it; a new invitation makes a new key.
func (d *Desk) Cut(v engine.Viewer) error {
	return d.answer(v, func(s *seat) { s.closed = true })
}

func (d *Desk) answer(v engine.Viewer, change func(*seat)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.seats[v]
	if !ok || s.asks == "" {
		return ErrNobody
	}
	next := *s
	change(&next)
	next.asks = ""
	if err := d.record(v, &next); err != nil {
		return err
	}
	*s = next
	return nil
}

// setting is the name under which the book keeps what follows.
const setting = "phones"

// kept is what of a seat outlives a restart beside its key and code.
type kept struct {
	Until  int64  `json:"until,omitempty"` // when the invitation ends, ms since 1970
	Phones []mark `json:"phones,omitempty"`
	Closed bool   `json:"closed,omitempty"`
	Spent  string `json:"spent,omitempty"` // the redeemed code, as a link has it
}

// record writes all seats down, v as it is in s; engine.Public stands for nobody.
func (d *Desk) record(v engine.Viewer, s *seat) error {
	all := map[string]kept{}
	put := func(v engine.Viewer, s *seat) {
		k := kept{Phones: s.phones, Closed: s.closed}
		if !s.until.IsZero() && !s.joined {
			k.Until = s.until.UnixMilli()
		}
		if !s.spent.None() {
			k.Spent = s.spent.Link()
		}
		all[v.String()] = k
	}
	for v, s := range d.seats {
		put(v, s)
	}
	if s != nil {
		put(v, s)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err // text and numbers: cannot be
	}
	return d.book.SetSetting(setting, string(text))
}

// recall reads it back. An invitation never has more time left than a new one:
// the clock of a board without a battery may have been anywhere.
func (d *Desk) recall() error {
	text, ok, err := d.book.Setting(setting)
	if err != nil {
		return fmt.Errorf("pair: read phones: %w", err)
	}
	all := map[string]kept{}
	if ok && json.Unmarshal([]byte(text), &all) != nil {
		d.opts.Log.Warn("the record of phones is damaged: each seat goes to the next phone that has its key",
			"conseil", "la liste des téléphones est abîmée : chaque place va au prochain téléphone qui a sa clé")
	}
	most := d.opts.Now().Add(OpenFor)
	for v, s := range d.seats {
		k := all[v.String()]
		s.phones, s.closed = k.Phones, k.Closed
		s.spent, _ = seal.ParseCode(k.Spent) // without it a second try is refused in silence
		if v.IsHost() || s.code.None() {
			continue
		}
		s.until = most
		if until := time.UnixMilli(k.Until); k.Until != 0 && until.Before(most) {
			s.until = until
		}
	}
	return nil
}
