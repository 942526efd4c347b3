package seal

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// PublicKeySize is the size of a public key of X25519 (RFC 7748), in bytes.
const PublicKeySize = 32

// errPublicKey means that the phone's public key cannot be used for a key agreement.
var errPublicKey = errors.New("seal: not a public key")

// SealClaim seals the code for the phone with the public key phoneKey. It makes a fresh X25519 key and derives a key from the shared secret
// with HKDF (info "claim-box"). The result is public key(32) || nonce(24) || XChaCha20-Poly1305 of the 16 bytes of the code, with both
// public keys as additional data. A listener learns nothing.
func (c Code) SealClaim(phoneKey []byte) ([]byte, error) {
	return c.SealClaimWith(NewClaimKey(), phoneKey)
}

// SealClaimWith seals the code as SealClaim does, with a key of the table that the phone has compared already.
func (c Code) SealClaimWith(own ClaimKey, phoneKey []byte) ([]byte, error) {
	return c.sealClaim(own.key, newNonce(), phoneKey)
}

// ClaimKey is the table's key of X25519 for one claim.
type ClaimKey struct{ key *ecdh.PrivateKey }

// NewClaimKey returns a random key.
func NewClaimKey() ClaimKey {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		panic("seal: " + err.Error()) // never since Go 1.24
	}
	return ClaimKey{key}
}

// PublicKey returns the key that the phone gets.
func (k ClaimKey) PublicKey() []byte { return k.key.PublicKey().Bytes() }

// ClaimFigures returns the four figures by which a person compares whether phone and table have the same two public keys.
// Before it gets the table's key the phone commits itself to opened, 32 random bytes, by their SHA-256; it opens them after.
// So neither a phone nor a man in the middle can choose the figures.
func ClaimFigures(phoneKey, tableKey, opened []byte) string {
	n := binary.BigEndian.Uint32(deriveHKDF(slices.Concat(phoneKey, tableKey, opened), "figures", 4))
	return fmt.Sprintf("%04d", n%10000)
}

func (c Code) sealClaim(own *ecdh.PrivateKey, nonce, phoneKey []byte) ([]byte, error) {
	shared, err := sharedSecret(own, phoneKey)
	if err != nil {
		return nil, err
	}
	public := own.PublicKey().Bytes()
	a := newAEAD(deriveHKDF(shared, "claim-box", keySize))
	return a.Seal(append(append([]byte{}, public...), nonce...), nonce, c.b[:], append(public, phoneKey...)), nil
}

// IsPublicKey reports whether a code can be sealed for this key. A key of low order is none: all could compute its secret
// (RFC 7748, section 6.1).
func IsPublicKey(key []byte) bool {
	own, err := ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{1}, keySize))
	if err != nil {
		return false
	}
	_, err = sharedSecret(own, key)
	return err == nil
}

// sharedSecret returns the secret of a key agreement; errPublicKey if their key is none, or one of low order.
func sharedSecret(own *ecdh.PrivateKey, theirKey []byte) ([]byte, error) {
	their, err := ecdh.X25519().NewPublicKey(theirKey)
	if err != nil {
		return nil, errPublicKey
	}
	shared, err := own.ECDH(their)
	if err != nil {
		return nil, errPublicKey
	}
	return shared, nil
}

// Claimant is a phone that asks for a code as its page does; for tests.
type Claimant struct{ key *ecdh.PrivateKey }

// NewClaimant makes a claimant with a random key.
func NewClaimant() Claimant {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		panic("seal: " + err.Error()) // never since Go 1.24
	}
	return Claimant{key}
}

// PublicKey returns the key that the phone sends.
func (p Claimant) PublicKey() []byte { return p.key.PublicKey().Bytes() }

// Open decrypts what SealClaim has sealed for this claimant.
func (p Claimant) Open(box []byte) (Code, error) {
	if len(box) < PublicKeySize+nonceSize {
		return Code{}, ErrFormat
	}
	shared, err := sharedSecret(p.key, box[:PublicKeySize])
	if err != nil {
		return Code{}, ErrFormat
	}
	a := newAEAD(deriveHKDF(shared, "claim-box", keySize))
	raw, err := a.Open(nil, box[PublicKeySize:PublicKeySize+nonceSize], box[PublicKeySize+nonceSize:],
		append(box[:PublicKeySize:PublicKeySize], p.PublicKey()...))
	if err != nil || len(raw) != codeSize {
		return Code{}, ErrOpen
	}
	return Code{b: (*[codeSize]byte)(raw)}, nil
}
