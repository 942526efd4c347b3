package seal

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"

	"majordome/engine"
)

const codeSize = 16

// NonceSize is the size of the nonce in a join request, in bytes.
const NonceSize = 16

// grantVersion is the first byte of a sealed grant and says how page and daemon agree on its key. 1: by the code only. 2 is reserved for
// X25519 with the code as pre-shared key (package companion, "Joining").
const grantVersion = 1

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

// JoinProof returns the proof to the daemon that the page has the code.
func (c Code) JoinProof(nonce []byte) []byte {
	m := hmac.New(sha256.New, deriveHKDF(c.b[:], "join-mac", keySize))
	m.Write(nonce)
	return m.Sum(nil)
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

// SealGrant seals a grant so that only a page with the code can open it, and only in answer to this nonce.
func (c Code) SealGrant(nonce []byte, g Grant) ([]byte, error) {
	return c.sealGrant(newNonce(), nonce, g)
}

func (c Code) sealGrant(sealNonce, nonce []byte, g Grant) ([]byte, error) {
	if g.Key.IsZero() {
		return nil, ErrNoKey
	}
	body, err := json.Marshal(grantJSON{g.Seat, g.Phone, g.User, base64.RawURLEncoding.EncodeToString(g.Key.b[:])})
	if err != nil {
		return nil, ErrContent
	}
	a := newAEAD(deriveHKDF(c.b[:], "join-box", keySize))
	return a.Seal(append([]byte{grantVersion}, sealNonce...), sealNonce, body, grantAdditionalData(nonce)), nil
}

// grantAdditionalData returns the additional data of a sealed grant: its version, so that it cannot be passed off as another one, and
// the nonce of the request that it answers.
func grantAdditionalData(nonce []byte) []byte { return append([]byte{grantVersion}, nonce...) }

// OpenGrant opens a grant as the page does.
func (c Code) OpenGrant(nonce, sealed []byte) (Grant, error) {
	if len(sealed) < 1+nonceSize || sealed[0] != grantVersion {
		return Grant{}, ErrFormat
	}
	a := newAEAD(deriveHKDF(c.b[:], "join-box", keySize))
	body, err := a.Open(nil, sealed[1:1+nonceSize], sealed[1+nonceSize:], grantAdditionalData(nonce))
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
