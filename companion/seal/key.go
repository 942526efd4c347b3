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

// Mask is what a secret of this package looks like when printed.
const Mask = "▮"

const (
	keySize = 32
	salt    = "majordome/1"
)

// hidden is embedded in whatever must not show itself: it prints and logs as Mask,
// refuses to be marshalled and cannot be compared with ==.
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

// errMarshal stops a secret on its way into JSON, a log or an RPC.
var errMarshal = errors.New("seal: a key is not marshalled; use Disk for the store")

// Key is the secret that one viewer shares with the daemon, in memory. The
// zero Key is no key: everything refuses it.
type Key struct {
	hidden
	b *[keySize]byte
}

// NewKey draws a fresh key from the system's random source.
func NewKey() Key {
	b := new([keySize]byte)
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return Key{b: b}
}

// None reports that k is the zero Key.
func (k Key) None() bool { return k.b == nil }

// sub derives the n bytes for one purpose.
func (k Key) sub(info string, n int) ([]byte, error) {
	if k.b == nil {
		return nil, ErrNoKey
	}
	return derive(k.b[:], info, n), nil
}

func derive(secret []byte, info string, n int) []byte {
	out, err := hkdf.Key(sha256.New, secret, []byte(salt), info, n)
	if err != nil { // only for n above 255 blocks
		panic("seal: HKDF: " + err.Error())
	}
	return out
}

// Disk is a Key in the form that the store keeps: a blob column of 32 bytes.
// It can be turned back with Key and does nothing else.
type Disk struct {
	hidden
	b *[keySize]byte
}

// Disk is the stored form of k.
func (k Key) Disk() Disk { return Disk{b: k.b} }

// Key is the key in memory again.
func (d Disk) Key() Key { return Key{b: d.b} }

// Value writes the key to a database. An absent key is an error, not a NULL.
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
