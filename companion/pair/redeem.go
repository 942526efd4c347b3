package pair

import (
	"bytes"
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
	ErrTooSoon = errors.New("pair: this phone has just been given another key")
)

// keptAnswer is an answer that is kept in case the phone has not received it.
type keptAnswer struct {
	request []byte
	sealed  []byte
	until   time.Time
}

const answerTime = 2 * time.Minute

// retryNewsEvery is the least time between two notices about a used code. A recording that is replayed must not
// fill the table with notices, and must not suppress the notice about a later try for ever.
const retryNewsEvery = 5 * time.Minute

// Redeem answers a join request, by which a phone proves that it has the code of the invitation id, or that of its key: it returns
// the grant, which only that phone can open. fresh is for a key only: it shows that the request is no recording.
func (d *Desk) Redeem(id string, request []byte, fresh string) (sealed []byte, err error) {
	sealed, said, err := d.redeemCode(id, request, fresh)
	if said.Key != "" && d.opts.Announce != nil {
		d.opts.Announce(said)
	}
	return sealed, err
}

// redeemCode does what Redeem does, and returns the public notice about it; its key is empty if there is none.
func (d *Desk) redeemCode(id string, request []byte, fresh string) (sealed []byte, said engine.Msg, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for h, p := range d.phones {
		if p.lastAnswer != nil && d.opts.Now().After(p.lastAnswer.until) {
			p.lastAnswer = nil
		}
		switch {
		case p.lastAnswer != nil && bytes.Equal(p.lastAnswer.request, request):
			return p.lastAnswer.sealed, said, nil
		case !p.code.IsZero() && p.code.PublicID() == id:
			if sealed, err = d.redeemLocked(h, p, request); err == nil {
				said = d.joinedMsg(h.Viewer)
			}
			return sealed, said, err
		case p.joined && p.renewal.PublicID() == id:
			sealed, err = p.renewKey(d, h, request, fresh)
			return sealed, said, err
		case !p.usedCode.IsZero() && p.usedCode.PublicID() == id:
			if _, err := p.usedCode.OpenJoin(request); err != nil {
				return nil, said, ErrUsed // it knows only the id, which was sent in clear
			}
			if now := d.opts.Now(); now.Sub(p.lastTryNews) >= retryNewsEvery {
				p.lastTryNews, said = now, viewerMsg(h.Viewer, "table.phone.tried")
			}
			return nil, said, ErrUsed
		}
	}
	if slices.Contains(d.closedIDs, id) {
		return nil, said, ErrUsed
	}
	return nil, said, ErrUnknown
}

// joinedMsg returns the public notice about a phone that has joined.
func (d *Desk) joinedMsg(v engine.Viewer) engine.Msg {
	if _, all, _ := d.phonesOf(v); len(all) > 1 {
		if v.IsHost() {
			return engine.NewMsg("table.phone.more.host", "n", strconv.Itoa(len(all)))
		}
		return engine.NewMsg("table.phone.more", "seat", v.String(), "n", strconv.Itoa(len(all)))
	}
	return viewerMsg(v, "table.phone.joined")
}

// viewerMsg returns the message about a seat, or its variant about the host.
func viewerMsg(v engine.Viewer, key string) engine.Msg {
	if v.IsHost() {
		return engine.NewMsg(key + ".host")
	}
	return engine.NewMsg(key, "seat", v.String())
}

// redeemLocked opens the request for the open invitation of h and uses the invitation up. The caller has locked mu.
func (d *Desk) redeemLocked(h wire.Handset, p *phone, request []byte) ([]byte, error) {
	join, err := p.code.OpenJoin(request)
	if err != nil {
		return nil, ErrUnknown // a guessed id shows nothing
	}
	if !p.isOpen(d.opts.Now()) {
		return nil, ErrUsed
	}
	n, _ := h.Seat()
	sealed, err := join.SealGrant(seal.Grant{Seat: n, Phone: h.N, User: d.opts.UserName(h), Key: p.key})
	if err != nil {
		return nil, ErrUnknown // with a key of low order all could open the answer
	}
	admitted := *p
	admitted.mark, admitted.usedCode = markOfNonce(join.Nonce), p.code
	if err := d.savePhones(h, &admitted); err != nil { // before the code is used up, so that no phone joins without its mark
		return nil, fmt.Errorf("pair: redeem for %v: %w", h, err)
	}
	if err := d.keyStore.RecordJoin(h); err != nil {
		return nil, fmt.Errorf("pair: redeem for %v: %w", h, err)
	}
	d.rememberClosed(p.code.PublicID())
	if h.IsHost() {
		d.opts.Log.Info("the host's link has been used and opens nothing any more", "link", "#j="+p.code.Link()[:4]+"…",
			"conseil", "le lien de l’hôte a servi et n’ouvre plus rien")
	}
	p.mark, p.joined, p.usedCode, p.code = admitted.mark, true, admitted.usedCode, seal.Code{}
	p.lastAnswer = &keptAnswer{request: request, sealed: sealed, until: d.opts.Now().Add(answerTime)}
	return sealed, nil
}
