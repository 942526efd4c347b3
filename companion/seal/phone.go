package seal

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"

	"majordome/companion/wire"
)

// Phone is the random name of one phone of a seat. The phone chooses it before it joins, stores it, and shows it at each connect, as the
// end of its MQTT client id, in clear: it distinguishes phones that have the same key, and protects nothing. The join request contains only
// its Nonce, encrypted with the code, from which the name cannot be computed.
type Phone string

const phoneSize = 16 // letters, of 5 bits each

// NewPhone returns a new random name.
func NewPhone() Phone {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	b := make([]byte, phoneSize)
	_, _ = rand.Read(b) // never fails since Go 1.24
	for i := range b {
		b[i] = letters[b[i]%32]
	}
	return Phone(b)
}

// PhoneOfClientID returns the phone that connects with this MQTT client id.
func PhoneOfClientID(clientID string) Phone {
	return Phone(clientID[strings.LastIndexByte(clientID, '.')+1:])
}

// ClientID returns the MQTT client id of this phone for user.
func (p Phone) ClientID(user string) string { return user + "." + string(p) }

// Nonce returns the nonce of the phone's join request.
func (p Phone) Nonce() []byte { return deriveHKDF([]byte(p), "phone", NonceSize) }

// ConnectPassword returns the password for one connect. The counter must be higher than in all connects before.
func ConnectPassword(k Key, clientID string, counter uint64) (string, error) {
	key, err := k.deriveKey("connect", keySize)
	if err != nil {
		return "", err
	}
	raw := binary.BigEndian.AppendUint64(nil, counter)
	raw = append(raw, connectMAC(key, clientID, raw)...)
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// SealAct seals an act as a phone does.
func SealAct(k Key, topic string, epoch uint64, act wire.Act) ([]byte, error) {
	return sealAct(k, newNonce(), topic, epoch, act)
}

func sealAct(k Key, nonce []byte, topic string, epoch uint64, act wire.Act) ([]byte, error) {
	e, err := newPhoneKeys(k)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(act)
	if err != nil {
		return nil, ErrContent
	}
	return sealFrame(e.up, nonce, epoch, act.Seq, topic, body, ActSize)
}

// OpenView opens a view as a phone does. The caller remembers the highest (Epoch, Rev) and drops older updates.
func OpenView(k Key, topic string, payload []byte) (wire.Update, error) {
	e, err := newPhoneKeys(k)
	if err != nil {
		return wire.Update{}, err
	}
	epoch, rev, body, err := openFrame(e.view, topic, payload, ViewSize)
	if err != nil {
		return wire.Update{}, err
	}
	var u wire.Update
	if err := decodeJSON(body, &u); err != nil {
		return wire.Update{}, err
	}
	if u.Epoch != epoch || u.Rev != rev {
		return wire.Update{}, ErrContent
	}
	return u, nil
}

// OpenReply opens the answer to act number seq.
func OpenReply(k Key, topic string, payload []byte) (seq uint64, reply wire.Reply, err error) {
	e, err := newPhoneKeys(k)
	if err != nil {
		return 0, wire.Reply{}, err
	}
	_, seq, body, err := openFrame(e.reply, topic, payload, ActSize)
	if err != nil {
		return 0, wire.Reply{}, err
	}
	err = decodeJSON(body, &reply)
	return seq, reply, err
}
