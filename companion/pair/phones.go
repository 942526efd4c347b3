package pair

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// ErrPhone says that a phone has the key of another one.
var ErrPhone = errors.New("pair: this key is another phone's")

// mark tells one phone from another: the nonce of its name.
type mark string

func markOf(nonce []byte) mark { return mark(base64.RawURLEncoding.EncodeToString(nonce)) }

// CheckConnect accepts the connect password of the phone whose key it is, once.
// Another phone with the same key asks by it, and spends no counter: what it
// sends cannot lock the key's own phone out.
func (d *Desk) CheckConnect(h wire.Handset, clientID, password string) error {
	if err := d.ring.Proves(h, clientID, password); err != nil {
		return err
	}
	asks, err := d.admit(h, markOf(seal.PhoneOf(clientID).Nonce()))
	if asks && d.opts.Changed != nil {
		d.opts.Changed() // what is asked is shown as long as it is
	}
	if err != nil {
		return err
	}
	return d.ring.CheckConnect(h, clientID, password)
}

// admit judges a phone that has proved the key of h. asks is true when it has
// begun to ask.
func (d *Desk) admit(h wire.Handset, m mark) (asks bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.phones[h]
	switch {
	case !ok:
		return false, seal.ErrNoKey
	case p.mark == m:
		p.last = nil // it has heard its answer: whoever asks for that again is somebody else
		return false, nil
	case p.mark == "" && p.joined: // joined before phones had names
		p.mark = m
		return false, d.record(h, p)
	case p.closed || p.asked:
		return false, ErrPhone
	}
	p.asked = true
	return true, ErrPhone
}

// Asking are those at whose seat somebody has come with another phone's key, seats first.
func (d *Desk) Asking() (all []engine.Viewer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ask := func(v engine.Viewer) {
		if len(d.askedAt(v)) > 0 {
			all = append(all, v)
		}
	}
	for at := engine.Seat(1); at <= engine.MaxSeats; at++ {
		ask(engine.At(at))
	}
	ask(engine.Host)
	return all
}

func (d *Desk) askedAt(v engine.Viewer) []wire.Handset {
	had, _, _ := d.of(v)
	return slices.DeleteFunc(had, func(h wire.Handset) bool { return !d.phones[h].asked })
}

// Cut turns away who has come to v with another phone's key. Somebody has a key who
// should not, so nobody else may ask with it; a new invitation makes a new key.
func (d *Desk) Cut(v engine.Viewer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked := d.askedAt(v)
	if len(asked) == 0 {
		return ErrNobody
	}
	for _, h := range asked {
		next := *d.phones[h]
		next.asked, next.closed = false, true
		if err := d.record(h, &next); err != nil {
			return err
		}
		*d.phones[h] = next
	}
	return nil
}

// setting is the name under which the book keeps what follows.
const setting = "phones"

// kept is what of a phone outlives a restart beside its key and code.
type kept struct {
	Until  int64  `json:"until,omitempty"`  // when the invitation ends, ms since 1970
	Phones []mark `json:"phones,omitempty"` // one; older daemons let others in beside it
	Closed bool   `json:"closed,omitempty"`
	Spent  string `json:"spent,omitempty"` // the redeemed code, as a link has it
	Kind   string `json:"kind,omitempty"`
}

// record writes all phones down, h as it is in p; nil stands for nobody.
func (d *Desk) record(h wire.Handset, p *phone) error {
	all := map[string]kept{}
	put := func(h wire.Handset, p *phone) {
		k := kept{Closed: p.closed, Kind: p.kind}
		if p.mark != "" {
			k.Phones = []mark{p.mark}
		}
		if !p.until.IsZero() && !p.joined {
			k.Until = p.until.UnixMilli()
		}
		if !p.spent.None() {
			k.Spent = p.spent.Link()
		}
		all[h.String()] = k
	}
	for h, p := range d.phones {
		put(h, p)
	}
	if p != nil {
		put(h, p)
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
	for h, p := range d.phones {
		k := all[h.String()]
		if p.closed = k.Closed; len(k.Phones) > 0 {
			p.mark = k.Phones[0]
		}
		p.spent, _ = seal.ParseCode(k.Spent) // without it a second try is refused in silence
		if slices.Contains(wire.DeviceKinds, k.Kind) {
			p.kind = k.Kind
		}
		if h == wire.First(engine.Host) || p.code.None() {
			continue
		}
		p.until = most
		if until := time.UnixMilli(k.Until); k.Until != 0 && until.Before(most) {
			p.until = until
		}
	}
	return nil
}
