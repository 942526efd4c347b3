package update

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"aead.dev/minisign"
)

// KeyFiles hold the public keys of those whose packages are installed here: of who built the package that runs, of the owner of
// the machine, and of who holds its SD card. Each is a file as minisign -G writes it. No account but root may write where they are.
var KeyFiles = []string{"/usr/share/majordome/update.pub", "/etc/majordome-update.pub", "/run/majordome-card/update.pub"}

const maxKey, maxSignature = 4 << 10, 4 << 10

// readKeys reads the keys that are there, one a line; other lines, such as comments, are none.
func readKeys(files []string) (keys []minisign.PublicKey) {
	for _, name := range files {
		text, err := readSmall(name, maxKey)
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			var key minisign.PublicKey
			if key.UnmarshalText([]byte(strings.TrimSpace(lines.Text()))) == nil {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// signed reports that one of the keys has signed the file, and gives its sum (SHA-256).
func signed(file string, signature []byte, keys []minisign.PublicKey) (sum string, ok bool, err error) {
	message, err := readSmall(file, MaxPackage)
	if err != nil {
		return "", false, err
	}
	for _, key := range keys {
		ok = ok || verifies(key, message, signature)
	}
	digest := sha256.Sum256(message)
	return hex.EncodeToString(digest[:]), ok, nil
}

// verifies takes a panic of the library over bytes of a stranger for a no.
func verifies(key minisign.PublicKey, message, signature []byte) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	return minisign.Verify(key, message, signature)
}

// mayBeSigned reports a signature that one of the keys has made of some file: by its key id and by the signature of its trusted comment,
// for which the file itself is not needed. Whether it is of the package beside it, signed alone can say.
func mayBeSigned(signature []byte, keys []minisign.PublicKey) bool {
	var s minisign.Signature
	if s.UnmarshalText(signature) != nil {
		return false
	}
	return slices.ContainsFunc(keys, func(key minisign.PublicKey) bool {
		raw, err := base64.StdEncoding.DecodeString(key.String()) // algorithm (2 bytes), key id (8), Ed25519 key (32)
		return err == nil && len(raw) == 10+ed25519.PublicKeySize && s.KeyID == key.ID() &&
			ed25519.Verify(raw[10:], append(s.Signature[:], s.TrustedComment...), s.CommentSignature[:])
	})
}

// readSmall reads a file of at most so many bytes.
func readSmall(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.Grow(int(min(max(st.Size(), 0), most)) + bytes.MinRead) // at once: a package that is read into a growing one takes twice its size
	_, err = text.ReadFrom(io.LimitReader(f, most+1))
	if err == nil && int64(text.Len()) > most {
		err = errors.New("too long")
	}
	return text.Bytes(), err
}
