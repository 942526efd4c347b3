package pair

import (
	"errors"
	"fmt"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
)

// otherKey is a second key with which a phone may connect; the zero value is none. The later one of the two keys of a phone has no
// end, because its phone may have forgotten the other.
type otherKey struct {
	key  seal.Key
	ends time.Time // zero: it is the later one
}

// formerKeyTime is the time for which the former key of a phone stays valid: a browser writes what a page stores some seconds
// later, and may lose it if the phone is switched off.
const formerKeyTime = 10 * time.Minute

// renewalTime is the least time between two renewals of a key: each writes to the memory card.
const renewalTime = 10 * time.Second

// renewKey gives the phone, which proves its key by the request, the next key: it can connect with both. An earlier next key is
// forgotten: a phone that has it does not ask with the former one, and a recording is not fresh. The caller has locked mu.
func (p *phone) renewKey(d *Desk, h wire.Handset, request []byte, fresh string) ([]byte, error) {
	join, err := p.renewal.OpenJoin(request)
	if err != nil || markOfNonce(join.Nonce) != p.mark {
		return nil, ErrUnknown // it knows only the id, or has copied the key
	}
	now := d.opts.Now()
	if since := now.Sub(p.lastRenewal); since >= 0 && since < renewalTime {
		return nil, ErrTooSoon
	}
	if err := d.ring.AcceptConnect(h, seal.RenewalClientID(d.opts.UserName(h)), fresh); err != nil {
		return nil, ErrUsed
	}
	next := otherKey{key: seal.NewKey()}
	n, _ := h.Seat()
	sealed, err := join.SealGrant(seal.Grant{Seat: n, Phone: h.N, User: d.opts.UserName(h), Key: next.key})
	if err != nil {
		return nil, ErrUnknown // with a key of low order all could open the answer
	}
	if err := p.saveKeys(d, h, p.key, next); err != nil {
		return nil, fmt.Errorf("pair: renew the key of %v: %w", h, err)
	}
	p.lastRenewal = now
	return sealed, nil
}

// saveKeys stores the two keys of the phone, and then gives them to it. The caller has locked mu.
func (p *phone) saveKeys(d *Desk, h wire.Handset, key seal.Key, other otherKey) error {
	err := d.keyStore.SaveKeys(store.Seat{Phone: h, Key: key.ForStore(),
		Other: store.OtherKey{Key: other.key.ForStore(), Ends: other.ends}})
	if err == nil {
		p.key, p.renewal, p.other = key, key.RenewalCode(), other
	}
	return err
}

// switchKeys makes the other key of the phone its key, if it connects with that one. The caller has locked mu.
func (p *phone) switchKeys(d *Desk, h wire.Handset, clientID, password string) error {
	now := d.opts.Now()
	if p.other.key.IsZero() || p.other.hasEnded(now) {
		return seal.ErrPassword
	}
	if err := d.ring.CheckOtherPassword(h, p.other.key, clientID, password); err != nil {
		return err // before anything changes: a recorded connect must not bring the former key back
	}
	if markOfNonce(seal.PhoneOfClientID(clientID).Nonce()) != p.mark {
		return ErrPhone
	}
	key, former := p.other.key, otherKey{key: p.key}
	if p.other.ends.IsZero() {
		former.ends = now.Add(formerKeyTime)
	}
	if err := p.saveKeys(d, h, key, former); err != nil {
		d.opts.Log.Warn("the store has the two keys of a phone in the order of before", "phone", h, "error", err,
			"conseil", "les deux clés d’un téléphone sont enregistrées dans l’ordre d’avant ; il garde sa place")
		p.key, p.renewal, p.other = key, key.RenewalCode(), former // it has both: after a restart the phone may come with either
	}
	p.lastAnswer = nil
	return d.ring.ReplaceKey(h, p.key)
}

// hasEnded reports whether the time of a former key is over. An end that is too far away shows that the clock went back.
func (o *otherKey) hasEnded(now time.Time) bool {
	return !o.ends.IsZero() && (!now.Before(o.ends) || o.ends.Sub(now) > formerKeyTime)
}

// eraseEndedKeys erases the former keys whose time is over. What the store cannot do now, it does later. The caller has locked mu.
func eraseEndedKeys(d *Desk) {
	now := d.opts.Now()
	var errs []error
	for h, p := range d.phones {
		if p.other.hasEnded(now) {
			errs = append(errs, p.saveKeys(d, h, p.key, otherKey{}))
		}
	}
	if err := errors.Join(errs...); err != nil {
		d.opts.Log.Warn("a former key was not erased", "error", err, "conseil", "une ancienne clé n’est pas effacée : on réessaie")
	}
}
