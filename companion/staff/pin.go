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

// Parameters of argon2id, see the comment of the package.
const (
	passes   = 2
	memory   = 19 << 10 // KiB
	lanes    = 1
	saltSize = 16
	hashSize = 32
)

// Formed reports a text of so many digits of ASCII.
func Formed(pin string) bool {
	return len(pin) >= wire.MinPIN && len(pin) <= wire.MaxPIN && strings.Trim(pin, "0123456789") == ""
}

// Good says why a text cannot be a PIN: it is not Formed, or one of the first that everybody tries.
func Good(pin string) error {
	if !Formed(pin) {
		return ErrPIN
	}
	for _, row := range []string{"01234567890", "09876543210", strings.Repeat(pin[:1], wire.MaxPIN)} {
		if strings.Contains(row, pin) {
			return ErrPlain
		}
	}
	return nil
}

// Draw is a PIN of six digits that is Good.
func Draw() string {
	for {
		n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000)) // never fails since Go 1.24
		pin := fmt.Sprintf("%06d", n)
		if Good(pin) == nil {
			return pin
		}
	}
}

// Hash takes a tenth of a second on a laptop and most of a second on a small Pi. The salt is new.
func Hash(pin string) (salt, hash []byte) {
	salt = make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails since Go 1.24
	return salt, slow(pin, salt)
}

func slow(pin string, salt []byte) []byte {
	return argon2.IDKey([]byte(pin), salt, passes, memory, lanes, hashSize)
}

// Match reports that a PIN is a person's. It takes as long as Hash, whatever the PIN.
func Match(p Person, pin string) bool {
	return subtle.ConstantTimeCompare(slow(pin, p.Salt), p.Hash) == 1
}
