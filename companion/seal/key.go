package seal

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Mask is printed in place of each secret of this package.
const Mask = "▮"

const (
	keySize = 32
	salt    = "majordome/1"
)

// hidden is embedded in every type that contains a secret. Such a value prints and logs as Mask, cannot be marshalled, and cannot be
// compared with ==.
type hidden struct{ _ [0]func() }

// Format prints the mask for every verb.
func (hidden) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Mask) }

// LogValue logs the mask.
func (hidden) LogValue() slog.Value { return slog.StringValue(Mask) }

// MarshalJSON always fails.
func (hidden) MarshalJSON() ([]byte, error) { return nil, errMarshal }

// MarshalText always fails.
func (hidden) MarshalText() ([]byte, error) { return nil, errMarshal }

// MarshalBinary always fails.
func (hidden) MarshalBinary() ([]byte, error) { return nil, errMarshal }

// errMarshal keeps a secret out of JSON, logs and RPCs.
var errMarshal = errors.New("seal: a key is not marshalled; use Disk for the store")

// Key is the secret that one phone shares with the daemon, in memory. The zero Key means that there is none: all functions refuse it.
type Key struct {
	hidden
	b *[keySize]byte
}

// NewKey returns a new random key.
func NewKey() Key {
	b := new([keySize]byte)
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return Key{b: b}
}

// IsZero reports whether k is the zero Key.
func (k Key) IsZero() bool { return k.b == nil }

// deriveKey derives n bytes for the purpose info.
func (k Key) deriveKey(info string, n int) ([]byte, error) {
	if k.b == nil {
		return nil, ErrNoKey
	}
	return deriveHKDF(k.b[:], info, n), nil
}

// deriveHKDF derives n bytes for the purpose info from a secret, with HKDF-SHA-256.
func deriveHKDF(secret []byte, info string, n int) []byte {
	out, err := hkdf.Key(sha256.New, secret, []byte(salt), info, n)
	if err != nil { // only for n above 255 blocks
		panic("seal: HKDF: " + err.Error())
	}
	return out
}

// Disk is the form of a Key for the store: a blob column of 32 bytes. It can only be stored, and turned back with ForMemory.
type Disk struct {
	hidden
	b *[keySize]byte
}

// ForStore returns k in the form for the store.
func (k Key) ForStore() Disk { return Disk{b: k.b} }

// ForMemory returns the key in the form for memory.
func (d Disk) ForMemory() Key { return Key{b: d.b} }

// Value writes the key to a database. A missing key is an error, not a NULL.
func (d Disk) Value() (driver.Value, error) {
	if d.b == nil {
		return nil, ErrNoKey
	}
	return append([]byte(nil), d.b[:]...), nil
}

// Scan reads the key from a database.
func (d *Disk) Scan(src any) error {
	raw, ok := src.([]byte)
	if !ok || len(raw) != keySize {
		return errors.New("seal: the stored key is damaged: not 32 bytes")
	}
	d.b = (*[keySize]byte)(append([]byte(nil), raw...))
	return nil
}
