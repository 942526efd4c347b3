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

// RingOpts are the parameters of a Ring.
type RingOpts struct {
	// OnCounter is called with each accepted connect counter, to store it, so that a password recorded before a restart is not accepted
	// after it. It is called without a lock; a failure has no other consequence.
	OnCounter func(h wire.Handset, counter uint64)
}

// Ring has the keys of one table, one for each phone. It is safe for concurrent use: the loop seals, the relay opens, and the broker checks
// connects.
//
//  1. The public never has a key.
//  2. A view is sealed with the keys of the viewer that it names: the same text separately for each of its phones, or only for the phone
//     that it names (wire.Update.Phone).
//  3. The overseer's view is sealed for the one device of the host that it names, which gets it instead of the host's view. No other view
//     has its secrets.
//  4. An accepted connect counter is never accepted again for the same phone, with a later key neither.
type Ring struct {
	onCounter func(wire.Handset, uint64)
	mu        sync.RWMutex
	keys      map[wire.Handset]*phoneKeys

	offices map[wire.Handset]*officeKeys // of the host's devices
}

// phoneKeys are the keys derived from a phone's Key, and the last connect counter accepted with it.
type phoneKeys struct {
	view, up, reply cipher.AEAD
	connect         []byte
	counter         uint64
}

// NewRing returns a ring without keys. opts may be nil.
func NewRing(opts *RingOpts) *Ring {
	o := cmp.Or(opts, &RingOpts{})
	return &Ring{onCounter: o.OnCounter, keys: map[wire.Handset]*phoneKeys{}, offices: map[wire.Handset]*officeKeys{}}
}

// SetKey gives a phone a key; what was sealed with the former key no longer opens. counter is the last connect counter accepted with this
// key, 0 for a new one.
func (r *Ring) SetKey(h wire.Handset, k Key, counter uint64) error {
	if !h.IsValid() {
		return ErrViewer
	}
	e, err := newPhoneKeys(k)
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

// ReplaceKey gives a phone the next key. What was used up with the former one stays used up: connect counters, and numbers of requests to
// the office.
func (r *Ring) ReplaceKey(h wire.Handset, k Key) error {
	e, err := newPhoneKeys(k)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	former, ok := r.keys[h]
	if !ok {
		return ErrNoKey
	}
	e.counter = former.counter
	r.keys[h] = e
	if o, ok := r.offices[h]; ok {
		r.offices[h], err = o.withKey(k)
	}
	return err
}

// RemoveKey removes a phone's key: nothing is sealed for it any more.
func (r *Ring) RemoveKey(h wire.Handset) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, h)
	delete(r.offices, h)
}

// HasKey reports whether a phone has a key.
func (r *Ring) HasKey(h wire.Handset) bool {
	_, err := r.keysOf(h)
	return err == nil
}

func (r *Ring) keysOf(h wire.Handset) (*phoneKeys, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if e, ok := r.keys[h]; ok {
		return e, nil
	}
	return nil, ErrNoKey
}

func newPhoneKeys(k Key) (*phoneKeys, error) {
	if k.IsZero() {
		return nil, ErrNoKey
	}
	e := &phoneKeys{connect: deriveHKDF(k.b[:], "connect", keySize)}
	e.view = newAEAD(deriveHKDF(k.b[:], "view", keySize))
	e.up = newAEAD(deriveHKDF(k.b[:], "up", keySize))
	e.reply = newAEAD(deriveHKDF(k.b[:], "reply", keySize))
	return e, nil
}

// SealedView is one sealed view, ready to publish.
type SealedView struct {
	Phone   wire.Handset
	Topic   string
	Payload []byte
}

// SealViews seals all views of one step, each with the keys of its viewer's phones and padded to ViewSize, in the order of updates. It
// seals all or none. If the first phone of a viewer has no key (there is no invitation to that seat), it gets bytes that no one can open,
// so that the traffic does not reveal which seats have joined. The number of phones of a seat is no secret.
func (r *Ring) SealViews(epoch uint64, updates []wire.Update, topicOf func(wire.Handset) string) ([]SealedView, error) {
	bodies, err := encodeBodies(updates)
	if err != nil {
		return nil, err
	}
	overseer, err := overseerDevice(updates)
	if err != nil {
		return nil, err
	}
	out := make([]SealedView, 0, len(updates))
	for i := range updates {
		u := &updates[i]
		h, err := firstPhone(u)
		if err != nil || u.Epoch != epoch {
			return nil, ErrViewer
		}
		for ; h.IsValid(); h.N++ {
			if u.Phone != 0 && u.Phone != h.N || u.Phone == 0 && h == overseer {
				continue
			}
			e := r.viewKeys(h)
			if e == nil {
				continue
			}
			topic := topicOf(h)
			payload, err := sealFrame(e.view, newNonce(), epoch, u.Rev, topic, bodies[i], ViewSize)
			if err != nil {
				return nil, err
			}
			out = append(out, SealedView{Phone: h, Topic: topic, Payload: payload})
		}
	}
	return out, nil
}

// encodeBodies encodes the updates, each shortened to the size of a view (wire.Update.MarshalWithin). One that cannot be shortened so far
// is an error.
func encodeBodies(updates []wire.Update) ([][]byte, error) {
	const most = ViewSize - lengthSize
	bodies := make([][]byte, len(updates))
	for i := range updates {
		body, err := updates[i].MarshalWithin(most)
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

// viewKeys returns the keys with which a phone's views are sealed, or nil for none. If the first phone of a viewer has no keys, they are
// random: see SealViews.
func (r *Ring) viewKeys(h wire.Handset) *phoneKeys {
	e, err := r.keysOf(h)
	if err != nil && h.N == 1 {
		e, _ = newPhoneKeys(NewKey())
	}
	return e
}

// overseerDevice returns the device that receives the overseer's view, or the zero value if there is none.
func overseerDevice(updates []wire.Update) (device wire.Handset, err error) {
	for i := range updates {
		u := &updates[i]
		switch isOverseer := u.View.Viewer == engine.Overseer.String(); {
		case !isOverseer && u.View.Secrets != nil, isOverseer && device != wire.Handset{}:
			return device, ErrViewer
		case isOverseer:
			if device = (wire.Handset{Viewer: engine.Host, N: u.Phone}); !device.IsValid() {
				return device, ErrViewer
			}
		}
	}
	return device, nil
}

// firstPhone returns the first phone of the viewer of u; for the overseer's view it is the first device of the host.
func firstPhone(u *wire.Update) (wire.Handset, error) {
	if u.View.Viewer == engine.Overseer.String() {
		return wire.FirstPhoneOf(engine.Host), nil
	}
	v, err := engine.ParseViewer(u.View.Viewer)
	if err != nil || v == engine.Public {
		return wire.Handset{}, ErrViewer
	}
	return wire.FirstPhoneOf(v), nil
}

// OpenAct opens an act that came on a phone's own topic and checks that it belongs to this epoch. The table loop decides whether its Seq is
// new.
func (r *Ring) OpenAct(h wire.Handset, topic string, epoch uint64, payload []byte) (wire.Act, error) {
	e, err := r.keysOf(h)
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
	e, err := r.keysOf(h)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(reply)
	if err != nil {
		return nil, ErrContent
	}
	return sealFrame(e.reply, newNonce(), epoch, seq, topic, body, ActSize)
}

// passwordSize is the size of a connect password before base64url, in bytes.
const passwordSize = 8 + sha256.Size

func connectMAC(key []byte, clientID string, counter []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("connect\x00" + clientID + "\x00"))
	m.Write(counter)
	return m.Sum(nil)
}

// CheckPassword checks that a connect password was made with the phone's key for this client id. It ignores the counter, and does not use
// it up.
func (r *Ring) CheckPassword(h wire.Handset, clientID, password string) error {
	raw, err := decodePassword(password)
	if err != nil {
		return err
	}
	e, err := r.keysOf(h)
	if err != nil {
		return err
	}
	if !hmac.Equal(raw[8:], connectMAC(e.connect, clientID, raw[:8])) {
		return ErrPassword
	}
	return nil
}

// CheckOtherPassword checks that a connect password was made with the key k for this client id, and that its counter was not used up.
func (r *Ring) CheckOtherPassword(h wire.Handset, k Key, clientID, password string) error {
	raw, err := decodePassword(password)
	if err != nil {
		return err
	}
	key, err := k.deriveKey("connect", keySize)
	if err != nil {
		return err
	}
	if !hmac.Equal(raw[8:], connectMAC(key, clientID, raw[:8])) {
		return ErrPassword
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if e, ok := r.keys[h]; !ok || binary.BigEndian.Uint64(raw) <= e.counter {
		return ErrReplay
	}
	return nil
}

// decodePassword decodes a connect password: the counter in 8 bytes, and its MAC.
func decodePassword(password string) ([]byte, error) {
	if len(password) != base64.RawURLEncoding.EncodedLen(passwordSize) {
		return nil, ErrPassword
	}
	raw, err := base64.RawURLEncoding.DecodeString(password)
	if err != nil {
		return nil, ErrPassword
	}
	return raw, nil
}

// AcceptConnect accepts a phone's connect password once, and uses up its counter. It checks the MAC before the counter, so that a stranger
// learns nothing about the counter.
func (r *Ring) AcceptConnect(h wire.Handset, clientID, password string) error {
	raw, err := decodePassword(password)
	if err != nil {
		return err
	}
	counter, err := r.checkAndUseCounter(h, clientID, raw)
	if err != nil {
		return err
	}
	if r.onCounter != nil {
		r.onCounter(h, counter)
	}
	return nil
}

// checkAndUseCounter checks a decoded password and stores its counter, which must be higher than the last one.
func (r *Ring) checkAndUseCounter(h wire.Handset, clientID string, raw []byte) (uint64, error) {
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
