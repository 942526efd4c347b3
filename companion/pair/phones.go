package pair

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// ErrPhone reports that a phone uses the key of another one.
var ErrPhone = errors.New("pair: this key is another phone's")

// mark identifies a phone: it is the nonce of its name.
type mark string

func markOfNonce(nonce []byte) mark { return mark(base64.RawURLEncoding.EncodeToString(nonce)) }

// AcceptConnect accepts the MQTT password of the phone that owns the key, once. If another phone has the same
// key, this only marks the key as contested and uses up no counter, so that it cannot lock out the owner.
// A phone that connects with its other key goes on with that one.
func (d *Desk) AcceptConnect(h wire.Handset, clientID, password string) error {
	hasSwitched := false
	err := d.ring.CheckPassword(h, clientID, password)
	if d.mu.Lock(); errors.Is(err, seal.ErrPassword) && d.phones[h] != nil {
		err = d.phones[h].switchKeys(d, h, clientID, password)
		hasSwitched = err == nil
	}
	d.mu.Unlock()
	if err != nil {
		return err
	}
	isNewlyContested, err := d.acceptOrContestPhone(h, markOfNonce(seal.PhoneOfClientID(clientID).Nonce()))
	if (isNewlyContested || hasSwitched) && d.opts.Changed != nil {
		d.opts.Changed() // the contest is shown to all until it is answered; the last view was encrypted with the former key
	}
	if err != nil {
		return err
	}
	return d.ring.AcceptConnect(h, clientID, password)
}

// acceptOrContestPhone decides about a phone that has proved the key of h: nil if it is the phone that owns the key.
// isNewlyContested means that another phone has come, the first with this key.
func (d *Desk) acceptOrContestPhone(h wire.Handset, m mark) (isNewlyContested bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.phones[h]
	switch {
	case !ok:
		return false, seal.ErrNoKey
	case p.mark == m:
		p.lastAnswer = nil // the phone has its answer; a repeated request would come from another one
		return false, nil
	case p.mark == "" && p.joined: // it joined before phones had names
		p.mark = m
		return false, d.savePhones(h, p)
	case p.refusesOthers || p.isContested:
		return false, ErrPhone
	}
	p.isContested = true
	return true, ErrPhone
}

// ContestedViewers returns the viewers at whom a second phone has come with the key of one of their phones,
// seats first.
func (d *Desk) ContestedViewers() (all []engine.Viewer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ask := func(v engine.Viewer) {
		if len(d.contestedPhones(v)) > 0 {
			all = append(all, v)
		}
	}
	for at := engine.Seat(1); at <= engine.MaxSeats; at++ {
		ask(engine.SeatViewer(at))
	}
	ask(engine.Host)
	return all
}

func (d *Desk) contestedPhones(v engine.Viewer) []wire.Handset {
	had, _, _ := d.phonesOf(v)
	return slices.DeleteFunc(had, func(h wire.Handset) bool { return !d.phones[h].isContested })
}

// RefuseSecondPhone turns away the second phone that has come with a key of this viewer. The key has leaked, so no
// further phone can contest it; a new invitation makes a new key.
func (d *Desk) RefuseSecondPhone(v engine.Viewer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked := d.contestedPhones(v)
	if len(asked) == 0 {
		return ErrNoPhone
	}
	for _, h := range asked {
		next := *d.phones[h]
		next.isContested, next.refusesOthers = false, true
		if err := d.savePhones(h, &next); err != nil {
			return err
		}
		*d.phones[h] = next
	}
	return nil
}

// savedPhone is the data in store.SettingPhones of a phone that is saved in addition to its key and code.
type savedPhone struct {
	Until  int64  `json:"until,omitempty"`  // end of the invitation, in ms since 1970
	Phones []mark `json:"phones,omitempty"` // one; older daemons could save more
	Closed bool   `json:"closed,omitempty"`
	Spent  string `json:"spent,omitempty"` // the redeemed code, in the form of a link
	Kind   string `json:"kind,omitempty"`
}

// savePhones saves all phones, with p as the phone h; p is nil if no phone changes.
func (d *Desk) savePhones(h wire.Handset, p *phone) error {
	all := map[string]savedPhone{}
	put := func(h wire.Handset, p *phone) {
		k := savedPhone{Closed: p.refusesOthers, Kind: p.kind}
		if p.mark != "" {
			k.Phones = []mark{p.mark}
		}
		if !p.codeEnds.IsZero() && !p.joined {
			k.Until = p.codeEnds.UnixMilli()
		}
		if !p.usedCode.IsZero() {
			k.Spent = p.usedCode.Link()
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
		return err // it cannot fail for strings and numbers
	}
	return d.keyStore.SetSetting(store.SettingPhones, string(text))
}

// loadPhones loads the saved phones. An invitation gets at most the time of a new one, because the clock of a
// board without a battery may have been wrong.
func (d *Desk) loadPhones() error {
	text, ok, err := d.keyStore.Setting(store.SettingPhones)
	if err != nil {
		return fmt.Errorf("pair: read phones: %w", err)
	}
	all := map[string]savedPhone{}
	if ok && json.Unmarshal([]byte(text), &all) != nil {
		d.opts.Log.Warn("the record of phones is damaged: each seat goes to the next phone that has its key",
			"conseil", "la liste des téléphones est abîmée : chaque place va au prochain téléphone qui a sa clé")
	}
	most := d.opts.Now().Add(InvitationTime)
	for h, p := range d.phones {
		k := all[h.String()]
		if p.refusesOthers = k.Closed; len(k.Phones) > 0 {
			p.mark = k.Phones[0]
		}
		p.usedCode, _ = seal.ParseCode(k.Spent) // without it a second try is refused without a notice
		if slices.Contains(wire.DeviceKinds, k.Kind) {
			p.kind = k.Kind
		}
		if h == wire.FirstPhoneOf(engine.Host) || p.code.IsZero() {
			continue
		}
		p.codeEnds = most
		if until := time.UnixMilli(k.Until); k.Until != 0 && until.Before(most) {
			p.codeEnds = until
		}
	}
	return nil
}
