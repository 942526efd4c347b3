package pair

import (
	"crypto/hmac"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Reasons why a proof is not accepted.
var (
	ErrUnknown = errors.New("pair: no such invitation")
	ErrUsed    = errors.New("pair: invitation already used or withdrawn")
)

// keptAnswer is an answer that is kept in case the phone has not received it.
type answer struct {
	id     string
	nonce  []byte
	sealed []byte
	until  time.Time
}

const answerFor = 2 * time.Minute

// retryNewsEvery is the least time between two notices about a used code. A recording that is replayed must not
// fill the table with notices, and must not suppress the notice about a later try for ever.
const tellAgain = 5 * time.Minute

// Redeem exchanges the proof of an invitation for the encrypted grant.
func (d *Desk) Redeem(id string, nonce, mac []byte) (sealed []byte, err error) {
	sealed, said, err := d.redeem(id, nonce, mac)
	if said.Key != "" && d.opts.Announce != nil {
		d.opts.Announce(said)
	}
	return sealed, err
}

// redeemCode also returns the public notice about it, with an empty key for none.
func (d *Desk) redeem(id string, nonce, mac []byte) (sealed []byte, said engine.Msg, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for h, p := range d.phones {
		if p.last != nil && d.opts.Now().After(p.last.until) {
			p.last = nil
		}
		switch {
		case p.last != nil && p.last.id == id && hmac.Equal(p.last.nonce, nonce):
			return p.last.sealed, said, nil
		case !p.code.None() && p.code.ID() == id:
			if sealed, err = d.redeemLocked(h, p, nonce, mac); err == nil {
				said = d.joined(h.Viewer)
			}
			return sealed, said, err
		case !p.spent.None() && p.spent.ID() == id && hmac.Equal(mac, p.spent.MAC(nonce)):
			if now := d.opts.Now(); now.Sub(p.told) >= tellAgain {
				p.told, said = now, about(h.Viewer, "table.phone.tried")
			}
			return nil, said, ErrUsed
		}
	}
	if slices.Contains(d.used, id) {
		return nil, said, ErrUsed
	}
	return nil, said, ErrUnknown
}

// joinedMsg returns the public notice about a phone that has joined.
func (d *Desk) joined(v engine.Viewer) engine.Msg {
	if _, all, _ := d.of(v); len(all) > 1 {
		if v.IsHost() {
			return engine.Say("table.phone.more.host", "n", strconv.Itoa(len(all)))
		}
		return engine.Say("table.phone.more", "seat", v.String(), "n", strconv.Itoa(len(all)))
	}
	return about(v, "table.phone.joined")
}

// viewerMsg returns the message about a seat, or its variant about the host.
func about(v engine.Viewer, key string) engine.Msg {
	if v.IsHost() {
		return engine.Say(key + ".host")
	}
	return engine.Say(key, "seat", v.String())
}

func (d *Desk) redeemLocked(h wire.Handset, p *phone, nonce, mac []byte) ([]byte, error) {
	if !hmac.Equal(mac, p.code.MAC(nonce)) {
		return nil, ErrUnknown // a guessed id shows nothing
	}
	if !p.open(d.opts.Now()) {
		return nil, ErrUsed
	}
	n, _ := h.Seat()
	sealed, err := p.code.SealGrant(nonce, seal.Grant{Seat: n, Phone: h.N, User: d.opts.User(h), Key: p.key})
	if err != nil {
		return nil, err
	}
	admitted := *p
	admitted.mark, admitted.spent = markOf(nonce), p.code
	if err := d.record(h, &admitted); err != nil { // before the code is used up, so that no phone joins without its mark
		return nil, fmt.Errorf("pair: redeem for %v: %w", h, err)
	}
	if err := d.book.Redeem(h); err != nil {
		return nil, fmt.Errorf("pair: redeem for %v: %w", h, err)
	}
	id := p.code.ID()
	d.close(id)
	if h.IsHost() {
		d.opts.Log.Info("the host's link has been used and opens nothing any more", "link", "#j="+p.code.Link()[:4]+"…",
			"conseil", "le lien de l’hôte a servi et n’ouvre plus rien")
	}
	p.mark, p.joined, p.spent, p.code = admitted.mark, true, admitted.spent, seal.Code{}
	p.last = &answer{id: id, nonce: nonce, sealed: sealed, until: d.opts.Now().Add(answerFor)}
	return sealed, nil
}
