package staff

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"math/big"
	"strings"

	"golang.org/x/crypto/argon2"

	"majordome/companion/wire"
)

// Parameters of argon2id, see the package comment.
const (
	passes   = 2
	memory   = 19 << 10 // KiB
	lanes    = 1
	saltSize = 16
	hashSize = 32
)

// HasPINForm reports whether pin consists of wire.MinPIN to wire.MaxPIN ASCII digits.
func HasPINForm(pin string) bool {
	return len(pin) >= wire.MinPIN && len(pin) <= wire.MaxPIN && strings.Trim(pin, "0123456789") == ""
}

// CheckPIN returns an error for a text that cannot be a PIN: it has not the form of one, or is trivial, such as 1234 or 0000.
func CheckPIN(pin string) error {
	if !HasPINForm(pin) {
		return ErrBadPIN
	}
	for _, sequence := range []string{"01234567890", "09876543210", strings.Repeat(pin[:1], wire.MaxPIN)} {
		if strings.Contains(sequence, pin) {
			return ErrTrivialPIN
		}
	}
	return nil
}

// RandomPIN returns a random PIN of six digits that passes CheckPIN.
func RandomPIN() string {
	for {
		n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000)) // never fails since Go 1.24
		pin := fmt.Sprintf("%06d", n)
		if CheckPIN(pin) == nil {
			return pin
		}
	}
}

// HashPIN hashes pin with a new random salt. It takes a tenth of a second on a laptop and most of a second on a small Pi.
func HashPIN(pin string) (salt, hash []byte) {
	salt = make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails since Go 1.24
	return salt, hashPINWithSalt(pin, salt)
}

// hashPINWithSalt is the slow hash itself.
func hashPINWithSalt(pin string, salt []byte) []byte {
	return argon2.IDKey([]byte(pin), salt, passes, memory, lanes, hashSize)
}

// VerifyPIN reports whether pin is the PIN of p. It takes as long as HashPIN, for every PIN.
func VerifyPIN(p Person, pin string) bool {
	return subtle.ConstantTimeCompare(hashPINWithSalt(pin, p.Salt), p.Hash) == 1
}
