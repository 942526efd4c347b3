package seal

import (
	"cmp"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sync"

	"majordome/companion/wire"
	"majordome/engine"
)

// RingOpts adjust a Ring.
type RingOpts struct {
	// Keep is told each accepted connect counter, to be stored, so that a
	// password overheard before a restart serves nobody after it. It is called
	// without a lock and its failure costs only that.
	Keep func(h wire.Handset, counter uint64)
}

// Ring holds the keys of one table, one for each phone. It is safe for concurrent
// use: the loop seals, the relay opens and the broker checks connects.
//
//  1. The public never has a key.
//  2. A view is sealed with the keys of the viewer that the view itself names: for each of
//     its phones apart, the same text, or for the one phone that it names (wire.Update.Phone).
//  3. The view of the overseer is sealed for the one device of the host that it names, in the place of
//     that of the host; no other view holds its secrets.
//  4. An accepted connect counter is never accepted again for the same key.
type Ring struct {
	keep func(wire.Handset, uint64)
	mu   sync.RWMutex
	keys map[wire.Handset]*entry

	offices map[wire.Handset]*officeKeys // of the host's devices
}

type entry struct {
	view, up, reply cipher.AEAD
	connect         []byte
	counter         uint64
}

// NewRing is a ring without keys. Nil opts are the defaults.
func NewRing(opts *RingOpts) *Ring {
	o := cmp.Or(opts, &RingOpts{})
	return &Ring{keep: o.Keep, keys: map[wire.Handset]*entry{}, offices: map[wire.Handset]*officeKeys{}}
}

// Set gives a phone a key; what was sealed for the former key opens no more.
// counter is the last connect counter accepted with this key, 0 for a new one.
func (r *Ring) Set(h wire.Handset, k Key, counter uint64) error {
	if !h.Valid() {
		return ErrViewer
	}
	e, err := newEntry(k)
	if err != nil {
		return err
	}
	e.counter = counter
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys[h] = e
	if h.IsHost() {
		r.offices[h], err = newOfficeKeys(k)
	}
	return err
}

// Drop takes a phone's key away: nothing is sealed for it any more.
func (r *Ring) Drop(h wire.Handset) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, h)
	delete(r.offices, h)
}

// Has reports whether a phone has a key.
func (r *Ring) Has(h wire.Handset) bool {
	_, err := r.entry(h)
	return err == nil
}

func (r *Ring) entry(h wire.Handset) (*entry, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if e, ok := r.keys[h]; ok {
		return e, nil
	}
	return nil, ErrNoKey
}

func newEntry(k Key) (*entry, error) {
	if k.None() {
		return nil, ErrNoKey
	}
	e := &entry{connect: derive(k.b[:], "connect", keySize)}
	e.view = newAEAD(derive(k.b[:], "view", keySize))
	e.up = newAEAD(derive(k.b[:], "up", keySize))
	e.reply = newAEAD(derive(k.b[:], "reply", keySize))
	return e, nil
}

// Sealed is one payload ready to be published.
type Sealed struct {
	Phone   wire.Handset
	Topic   string
	Payload []byte
}

// SealViews seals all views of one step, each with the keys of its own viewer's phones
// and all padded to ViewSize, in the order given. It seals all or none. The first phone
// of a viewer without a key (nobody has been invited to that seat) gets bytes that
// nobody can open, so that the traffic does not show who has joined; how many phones
// a seat has is no secret.
func (r *Ring) SealViews(epoch uint64, updates []wire.Update, topicOf func(wire.Handset) string) ([]Sealed, error) {
	bodies, err := bodiesOf(updates)
	if err != nil {
		return nil, err
	}
	apart, err := overseer(updates)
	if err != nil {
		return nil, err
	}
	out := make([]Sealed, 0, len(updates))
	for i := range updates {
		u := &updates[i]
		h, err := firstOf(u)
		if err != nil || u.Epoch != epoch {
			return nil, ErrViewer
		}
		for ; h.Valid(); h.N++ {
			if u.Phone != 0 && u.Phone != h.N || u.Phone == 0 && h == apart {
				continue
			}
			e := r.sealing(h)
			if e == nil {
				continue
			}
			topic := topicOf(h)
			payload, err := sealFrame(e.view, newNonce(), epoch, u.Rev, topic, bodies[i], ViewSize)
			if err != nil {
				return nil, err
			}
			out = append(out, Sealed{Phone: h, Topic: topic, Payload: payload})
		}
	}
	return out, nil
}

// bodiesOf are the updates as they are sealed, none longer than a view may be.
func bodiesOf(updates []wire.Update) ([][]byte, error) {
	const most = ViewSize - lengthSize
	bodies := make([][]byte, len(updates))
	for i := range updates {
		body, err := updates[i].Within(most)
		if err != nil {
			return nil, ErrContent
		}
		if len(body) > most {
			return nil, fmt.Errorf("%w: view of %s, %d bytes, at most %d", ErrTooLarge, updates[i].View.Viewer, len(body), most)
		}
		bodies[i] = body
	}
	return bodies, nil
}

// sealing are the keys with which a phone's views are sealed, nil for none. Without a key the first phone
// of a viewer has new ones, that nobody knows.
func (r *Ring) sealing(h wire.Handset) *entry {
	e, err := r.entry(h)
	if err != nil && h.N == 1 {
		e, _ = newEntry(NewKey())
	}
	return e
}

// overseer is the device that is shown the view of the overseer, the zero value for none.
func overseer(updates []wire.Update) (apart wire.Handset, err error) {
	for i := range updates {
		u := &updates[i]
		switch is := u.View.Viewer == engine.Overseer.String(); {
		case !is && u.View.Secrets != nil, is && apart != wire.Handset{}:
			return apart, ErrViewer
		case is:
			if apart = (wire.Handset{Viewer: engine.Host, N: u.Phone}); !apart.Valid() {
				return apart, ErrViewer
			}
		}
	}
	return apart, nil
}

// firstOf is the first phone of whom a view is for.
func firstOf(u *wire.Update) (wire.Handset, error) {
	if u.View.Viewer == engine.Overseer.String() {
		return wire.First(engine.Host), nil
	}
	v, err := engine.ParseViewer(u.View.Viewer)
	if err != nil || v == engine.Public {
		return wire.Handset{}, ErrViewer
	}
	return wire.First(v), nil
}

// OpenAct opens an act that came in on a phone's own topic and checks that it
// is of this epoch. Whether its seq is new is for the table loop to judge.
func (r *Ring) OpenAct(h wire.Handset, topic string, epoch uint64, payload []byte) (wire.Act, error) {
	e, err := r.entry(h)
	if err != nil {
		return wire.Act{}, err
	}
	got, seq, body, err := openFrame(e.up, topic, payload, ActSize)
	if err != nil {
		return wire.Act{}, err
	}
	if got != epoch {
		return wire.Act{}, ErrEpoch
	}
	return decodeAct(body, seq)
}

// SealReply seals the answer to act number seq.
func (r *Ring) SealReply(h wire.Handset, topic string, epoch, seq uint64, reply wire.Reply) ([]byte, error) {
	e, err := r.entry(h)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(reply)
	if err != nil {
		return nil, ErrContent
	}
	return sealFrame(e.reply, newNonce(), epoch, seq, topic, body, ActSize)
}

// passwordSize is the length of a connect password before base64url.
const passwordSize = 8 + sha256.Size

func connectMAC(key []byte, clientID string, counter []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("connect\x00" + clientID + "\x00"))
	m.Write(counter)
	return m.Sum(nil)
}

// Proves reports whether a connect password was made with the phone's key for
// this client id, now or at any time before: it spends nothing.
func (r *Ring) Proves(h wire.Handset, clientID, password string) error {
	raw, err := rawPassword(password)
	if err != nil {
		return err
	}
	e, err := r.entry(h)
	if err != nil {
		return err
	}
	if !hmac.Equal(raw[8:], connectMAC(e.connect, clientID, raw[:8])) {
		return ErrPassword
	}
	return nil
}

func rawPassword(password string) ([]byte, error) {
	if len(password) != base64.RawURLEncoding.EncodedLen(passwordSize) {
		return nil, ErrPassword
	}
	raw, err := base64.RawURLEncoding.DecodeString(password)
	if err != nil {
		return nil, ErrPassword
	}
	return raw, nil
}

// CheckConnect accepts a phone's connect password once. The password is
// judged before its counter, so a stranger learns nothing about the counter.
func (r *Ring) CheckConnect(h wire.Handset, clientID, password string) error {
	raw, err := rawPassword(password)
	if err != nil {
		return err
	}
	counter, err := r.spend(h, clientID, raw)
	if err != nil {
		return err
	}
	if r.keep != nil {
		r.keep(h, counter)
	}
	return nil
}

func (r *Ring) spend(h wire.Handset, clientID string, raw []byte) (uint64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.keys[h]
	if !ok {
		return 0, ErrNoKey
	}
	if !hmac.Equal(raw[8:], connectMAC(e.connect, clientID, raw[:8])) {
		return 0, ErrPassword
	}
	counter := binary.BigEndian.Uint64(raw)
	if counter <= e.counter {
		return 0, ErrReplay
	}
	e.counter = counter
	return counter, nil
}
