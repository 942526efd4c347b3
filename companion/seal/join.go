package seal

import (
	"crypto/ecdh"
	"crypto/rand"
	"database/sql/driver"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"

	"golang.org/x/crypto/chacha20poly1305"

	"majordome/engine"
)

const codeSize = 16

// NonceSize is the size of the nonce of a phone that joins, in bytes.
const NonceSize = 16

// joinVersion is the first byte of a join request and of its answer, and says how page and daemon agree on the key of the answer: by Noise
// with the code as pre-shared key (noise.go, package companion, "Joining"). 1 was by the code alone.
const joinVersion = 2

// joinSize is the size of a join request, in bytes: version, public key, and the encrypted nonce.
const joinSize = 1 + PublicKeySize + NonceSize + chacha20poly1305.Overhead

// Code is the secret of one invitation, shown once as a link. It prints as a mask. The zero Code means that there is none.
type Code struct {
	hidden
	b *[codeSize]byte
}

// NewCode returns a new random code.
func NewCode() Code {
	b := new([codeSize]byte)
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return Code{b: b}
}

// ParseCode parses the result of Link.
func ParseCode(link string) (Code, error) {
	raw, err := base64.RawURLEncoding.DecodeString(link)
	if err != nil || len(raw) != codeSize {
		return Code{}, errors.New("seal: not an invitation code")
	}
	return Code{b: (*[codeSize]byte)(raw)}, nil
}

// IsZero reports whether c is the zero Code.
func (c Code) IsZero() bool { return c.b == nil }

// Link returns the code in clear, to be put after #j= in a link. A reader of the link can take the seat.
func (c Code) Link() string { return base64.RawURLEncoding.EncodeToString(c.b[:]) }

// PublicID returns a public name of the invitation, from which the code cannot be computed.
func (c Code) PublicID() string { return hex.EncodeToString(deriveHKDF(c.b[:], "join-id", 8)) }

// RenewalCode returns the code by which the phone that has k joins once more, to get the next key of its seat; the zero Code if
// there is no key.
func (k Key) RenewalCode() (c Code) {
	if !k.IsZero() {
		c.b = (*[codeSize]byte)(deriveHKDF(k.b[:], "renew", codeSize))
	}
	return c
}

// newHandshake begins the handshake of one joining.
func (c Code) newHandshake() *handshake {
	return newHandshake(deriveHKDF(c.b[:], "join-psk", keySize), []byte(salt+" join 2"))
}

// Grant is the answer to a phone that joins. Its JSON contains the key, so only this package encodes and decodes it.
type Grant struct {
	Seat  engine.Seat // 0 for the host
	Phone int         // its number at the seat, from 1
	User  string      // the MQTT user name
	Key   Key
}

type grantJSON struct {
	Seat  engine.Seat `json:"seat"`
	Phone int         `json:"number"`
	User  string      `json:"user"`
	Key   string      `json:"key"`
}

// JoinRequest is a join request that the daemon has opened: its sender has the code.
type JoinRequest struct {
	Nonce    []byte // of the phone that sent it
	phoneKey []byte
	shake    *handshake
}

// OutdatedAnswer is the answer to a page that joins in another way: it shows that the page must be loaded again.
func OutdatedAnswer() []byte { return []byte{joinVersion} }

// OpenJoin opens a join request. The error is ErrFormat for a request of another version, ErrOpen if its sender does not have the code.
func (c Code) OpenJoin(request []byte) (*JoinRequest, error) {
	if !IsJoinRequest(request) {
		return nil, ErrFormat
	}
	s := c.newHandshake()
	nonce, err := s.readFirst(request[1:])
	if err != nil {
		return nil, err
	}
	return &JoinRequest{Nonce: nonce, phoneKey: request[1 : 1+PublicKeySize], shake: s}, nil
}

// IsJoinRequest reports whether request has the form of a join request.
func IsJoinRequest(request []byte) bool { return len(request) == joinSize && request[0] == joinVersion }

// SealGrant returns the answer, which only the phone that made the request can open, once for each request. Neither the code nor a
// recording of both opens it.
func (r *JoinRequest) SealGrant(g Grant) ([]byte, error) {
	own, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return r.sealGrant(own, g)
}

func (r *JoinRequest) sealGrant(own *ecdh.PrivateKey, g Grant) ([]byte, error) {
	if g.Key.IsZero() {
		return nil, ErrNoKey
	}
	body, err := json.Marshal(grantJSON{g.Seat, g.Phone, g.User, base64.RawURLEncoding.EncodeToString(g.Key.b[:])})
	if err != nil {
		return nil, ErrContent
	}
	message, err := r.shake.writeSecond(own, r.phoneKey, body)
	if err != nil {
		return nil, err
	}
	return append([]byte{joinVersion}, message...), nil
}

// Joiner is a phone that joins as its page does; for tests and clients in Go.
type Joiner struct {
	code    Code
	phone   Phone
	key     *ecdh.PrivateKey
	request []byte
	fresh   string // for a renewal
}

// NewJoiner makes a phone that joins with the code c.
func NewJoiner(c Code, p Phone) *Joiner {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		panic("seal: " + err.Error()) // never since Go 1.24
	}
	return newJoiner(c, p, key)
}

func newJoiner(c Code, p Phone, key *ecdh.PrivateKey) *Joiner {
	return &Joiner{code: c, phone: p, key: key, request: append([]byte{joinVersion}, c.newHandshake().writeFirst(key, p.Nonce())...)}
}

// NewRenewal makes a phone of user with the key k that joins once more, to get the next key. The counter must be higher than in all its
// connects and renewals before.
func NewRenewal(k Key, p Phone, user string, counter uint64) *Joiner {
	j := NewJoiner(k.RenewalCode(), p)
	j.fresh, _ = ConnectPassword(k, RenewalClientID(user), counter) // an error only without a key, which fails everywhere
	return j
}

// RenewalClientID returns the name that replaces the MQTT client id in the password of a renewal. No client can have it.
func RenewalClientID(user string) string { return user + "/renew" }

// Request returns the join request, the same each time.
func (j *Joiner) Request() []byte { return j.request }

// Body returns the JSON that the page sends to POST /join.
func (j *Joiner) Body() []byte {
	all := map[string]string{"id": j.code.PublicID(), "hello": base64.RawURLEncoding.EncodeToString(j.request)}
	if j.fresh != "" {
		all["fresh"] = j.fresh
	}
	body, _ := json.Marshal(all) // it cannot fail for strings
	return body
}

// OpenAnswer opens the JSON of the answer to Body.
func (j *Joiner) OpenAnswer(body []byte) (Grant, error) {
	var answer struct{ Box string }
	if err := decodeJSON(body, &answer); err != nil {
		return Grant{}, err
	}
	sealed, err := base64.RawURLEncoding.DecodeString(answer.Box)
	if err != nil {
		return Grant{}, ErrFormat
	}
	return j.OpenGrant(sealed)
}

// OpenGrant opens the answer to the request.
func (j *Joiner) OpenGrant(sealed []byte) (Grant, error) {
	if len(sealed) < 1+PublicKeySize || sealed[0] != joinVersion {
		return Grant{}, ErrFormat
	}
	s := j.code.newHandshake()
	s.writeFirst(j.key, j.phone.Nonce())
	body, err := s.readSecond(j.key, sealed[1:])
	if err != nil {
		return Grant{}, ErrOpen
	}
	var g grantJSON
	if err := decodeJSON(body, &g); err != nil {
		return Grant{}, err
	}
	raw, err := base64.RawURLEncoding.DecodeString(g.Key)
	if err != nil || len(raw) != keySize {
		return Grant{}, ErrContent
	}
	return Grant{Seat: g.Seat, Phone: g.Phone, User: g.User, Key: Key{b: (*[keySize]byte)(raw)}}, nil
}

// CodeDisk is the form of a Code for the store, which has it while the invitation is open: a blob of 16 bytes, or NULL for none.
type CodeDisk struct {
	hidden
	b *[codeSize]byte
}

// ForStore returns c in the form for the store.
func (c Code) ForStore() CodeDisk { return CodeDisk{b: c.b} }

// ForMemory returns the code in the form for memory.
func (d CodeDisk) ForMemory() Code { return Code{b: d.b} }

// Value writes the code to a database.
func (d CodeDisk) Value() (driver.Value, error) {
	if d.b == nil {
		return nil, nil
	}
	return append([]byte(nil), d.b[:]...), nil
}

// Scan reads the code from a database.
func (d *CodeDisk) Scan(src any) error {
	if src == nil {
		d.b = nil
		return nil
	}
	raw, ok := src.([]byte)
	if !ok || len(raw) != codeSize {
		return errors.New("seal: the stored invitation is damaged: not 16 bytes")
	}
	d.b = (*[codeSize]byte)(append([]byte(nil), raw...))
	return nil
}
