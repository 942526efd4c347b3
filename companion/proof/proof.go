package proof

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// MaxLeaves is the most facts under one root.
const MaxLeaves = 64

// SaltSize is the length of a salt in bytes.
const SaltSize = 16

// Hash is a SHA-256 sum. Its text is hex. The zero Hash commits to nothing.
type Hash [sha256.Size]byte

// String returns the text of h.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h commits to nothing.
func (h Hash) IsZero() bool { return h == Hash{} }

// ParseHash parses the form that String returns.
func ParseHash(text string) (h Hash, err error) {
	data, err := hex.DecodeString(text)
	if err != nil || len(data) != len(h) || hex.EncodeToString(data) != text {
		return Hash{}, errors.New("proof: not a hash")
	}
	return Hash(data), nil
}

// The first byte of what is hashed says what it is, so that no leaf can pass for a root.
const (
	tagLeaf = iota
	tagRoot
	tagHead
	tagSecret
	tagPart
	tagJoint
)

func hashParts(tag byte, parts ...[]byte) (h Hash) {
	s := sha256.New()
	s.Write([]byte{tag})
	for _, p := range parts {
		s.Write(p)
	}
	s.Sum(h[:0])
	return h
}

// Salt hides a fact or a step. It prints and logs as a mask, and cannot be marshalled: what it hides would be seen with it.
type Salt [SaltSize]byte

// mask is printed in place of a salt.
const mask = "▮"

// Text returns s in clear, as unpadded base64 for URLs, to be stored, or given to somebody who may know what it hides.
func (s Salt) Text() string { return base64.RawURLEncoding.EncodeToString(s[:]) }

// Format prints the mask for every verb.
func (Salt) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, mask) }

// LogValue logs the mask.
func (Salt) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalJSON always fails.
func (Salt) MarshalJSON() ([]byte, error) {
	return nil, errors.New("proof: a salt is not marshalled; use Text")
}

// ParseSalt parses the form that Text returns.
func ParseSalt(text string) (s Salt, err error) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(data) != SaltSize {
		return Salt{}, errors.New("proof: not a salt") // it may be a secret
	}
	return Salt(data), nil
}

// SaltFor returns the salt of one item of a step that has the random salt s.
func (s Salt) SaltFor(item string) (of Salt) {
	copy(of[:], s.keyedSum([]byte(item)))
	return of
}

func (s Salt) keyedSum(data []byte) []byte {
	m := hmac.New(sha256.New, s[:])
	m.Write(data)
	return m.Sum(nil)
}

// NewLeaf commits to a fact.
func NewLeaf(s Salt, fact string) Hash { return hashParts(tagLeaf, s[:], []byte(fact)) }

// RootOf returns the root of the tree over leaves; zero if there are none. It also commits to the public part of the seed from
// which they were dealt (Joint.Public), if there is one.
func RootOf(leaves []Hash, public ...Hash) Hash {
	if len(leaves) == 0 {
		return Hash{}
	}
	return hashParts(tagRoot, flatten(leaves), flatten(public))
}

// JoinLeaves returns the text of leaves: their bytes one after the other, in unpadded base64 for URLs.
func JoinLeaves(leaves []Hash) string { return base64.RawURLEncoding.EncodeToString(flatten(leaves)) }

func flatten(leaves []Hash) []byte {
	all := make([]byte, 0, len(leaves)*sha256.Size)
	for i := range leaves {
		all = append(all, leaves[i][:]...)
	}
	return all
}

// SplitLeaves parses the form that JoinLeaves returns.
func SplitLeaves(text string) (leaves []Hash, err error) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(data)%sha256.Size != 0 || len(data) > MaxLeaves*sha256.Size {
		return nil, errors.New("proof: not a list of leaves")
	}
	for ; len(data) > 0; data = data[sha256.Size:] {
		leaves = append(leaves, Hash(data[:sha256.Size]))
	}
	return leaves, nil
}

// AddStep returns the head after one more step. The step is hidden by its salt.
func (h Hash) AddStep(s Salt, step []byte) Hash { return hashParts(tagHead, h[:], s.keyedSum(step)) }
