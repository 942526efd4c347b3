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

// KeyFiles are the files of the trusted public keys: of the builder of the running package, of the owner of
// the machine, and of the owner of its SD card. Each is written by minisign -G. Only root may write to their
// folders.
var KeyFiles = []string{"/usr/share/majordome/update.pub", "/etc/majordome-update.pub", "/run/majordome-card/update.pub"}

const maxKey, maxSignature = 4 << 10, 4 << 10

// readKeys reads the keys of the existing files, one per line; it ignores other lines, such as comments.
func readKeys(files []string) (keys []minisign.PublicKey) {
	for _, name := range files {
		text, err := readFileUpTo(name, maxKey)
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

// verifySignature reports whether one of the keys has signed the file, and returns the file's SHA-256 in hex.
func verifySignature(file string, signature []byte, keys []minisign.PublicKey) (sum string, ok bool, err error) {
	message, err := readFileUpTo(file, MaxPackage)
	if err != nil {
		return "", false, err
	}
	for _, key := range keys {
		ok = ok || isSignedBy(key, message, signature)
	}
	digest := sha256.Sum256(message)
	return hex.EncodeToString(digest[:]), ok, nil
}

// isSignedBy reports whether a key has signed a message. It treats a panic of the library on untrusted bytes
// as a no.
func isSignedBy(key minisign.PublicKey, message, signature []byte) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	return minisign.Verify(key, message, signature)
}

// isTrustedSignature reports whether one of the keys has made a signature, of any file. It checks the key id and the
// signature of the trusted comment, for which the file is not needed. Only verifySignature can say whether it
// is a signature of a certain package.
func isTrustedSignature(signature []byte, keys []minisign.PublicKey) bool {
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

// readFileUpTo reads a file; it is an error if it has more than most bytes.
func readFileUpTo(name string, most int64) ([]byte, error) {
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
	// Allocated at once, because a growing buffer would take twice the size of a package.
	text.Grow(int(min(max(st.Size(), 0), most)) + bytes.MinRead)
	_, err = text.ReadFrom(io.LimitReader(f, most+1))
	if err == nil && int64(text.Len()) > most {
		err = errors.New("too long")
	}
	return text.Bytes(), err
}
