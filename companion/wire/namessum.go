package wire

import (
	"crypto/sha256"
	"encoding/base64"
)

// NamesSum returns Update.Names for names as they are published: the first half of their SHA-256, in unpadded base64 for URLs.
func NamesSum(published []byte) string {
	sum := sha256.Sum256(published)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
