package seal

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/crypto/chacha20poly1305"

	"majordome/companion/wire"
)

// Reasons why something cannot be sealed or opened. None quotes the content.
var (
	ErrNoKey    = errors.New("seal: this viewer has no key")
	ErrFormat   = errors.New("seal: not a sealed message of this version")
	ErrEpoch    = errors.New("seal: sealed for another start of the daemon")
	ErrOpen     = errors.New("seal: does not open with this key and topic")
	ErrContent  = errors.New("seal: opens, but does not hold what it should")
	ErrTooLarge = errors.New("seal: larger than its size class")
	ErrViewer   = errors.New("seal: a view that is not for one seat or the host")
	ErrPassword = errors.New("seal: wrong password")
	ErrReplay   = errors.New("seal: used before")
)

// Sizes of the plaintext, in bytes, with its 4-byte length. All views have the same size, because a size that depended on the content would
// reveal that a player sees much.
const (
	ViewSize = wire.MaxView
	ActSize  = 1024 // acts and replies
)

const (
	version    = 1
	headerSize = 1 + 8 + 8
	nonceSize  = chacha20poly1305.NonceSizeX
	// Overhead is the number of bytes that a sealed payload is larger than its plaintext.
	Overhead   = headerSize + nonceSize + chacha20poly1305.Overhead
	lengthSize = 4
)

// MaxPayload is the size of the largest sealed payload, in bytes.
const MaxPayload = ViewSize + Overhead

// newHeader returns the header of a payload, with capacity for a plaintext of size bytes.
func newHeader(epoch, number uint64, size int) []byte {
	h := make([]byte, headerSize, headerSize+nonceSize+size+chacha20poly1305.Overhead)
	h[0] = version
	binary.BigEndian.PutUint64(h[1:], epoch)
	binary.BigEndian.PutUint64(h[9:], number)
	return h
}

func newNonce() []byte {
	n := make([]byte, nonceSize)
	_, _ = rand.Read(n) // never fails since Go 1.24
	return n
}

func newAEAD(key []byte) cipher.AEAD {
	a, err := chacha20poly1305.NewX(key)
	if err != nil { // only for a key that is not 32 bytes
		panic("seal: " + err.Error())
	}
	return a
}

// sealFrame pads body to size and encrypts it.
func sealFrame(a cipher.AEAD, nonce []byte, epoch, number uint64, topic string, body []byte, size int) ([]byte, error) {
	if len(body) > size-lengthSize {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(body), size-lengthSize)
	}
	plain := make([]byte, size)
	binary.BigEndian.PutUint32(plain, uint32(len(body)))
	copy(plain[lengthSize:], body)
	out := newHeader(epoch, number, size)
	aad := append(out[:headerSize:headerSize], topic...)
	out = append(out, nonce...)
	return a.Seal(out, nonce, plain, aad), nil
}

// openFrame decrypts a payload whose plaintext must have this size.
func openFrame(a cipher.AEAD, topic string, payload []byte, size int) (epoch, number uint64, body []byte, err error) {
	if len(payload) != size+Overhead || payload[0] != version {
		return 0, 0, nil, ErrFormat
	}
	epoch, number = binary.BigEndian.Uint64(payload[1:]), binary.BigEndian.Uint64(payload[9:])
	aad := append(payload[:headerSize:headerSize], topic...)
	nonce, sealed := payload[headerSize:headerSize+nonceSize], payload[headerSize+nonceSize:]
	plain, err := a.Open(nil, nonce, sealed, aad)
	if err != nil {
		return 0, 0, nil, ErrOpen
	}
	body, err = unpadJSON(plain)
	return epoch, number, body, err
}

// unpadJSON returns the JSON of a plaintext. The rest must be zeros.
func unpadJSON(plain []byte) ([]byte, error) {
	if len(plain) < lengthSize {
		return nil, ErrContent
	}
	n := binary.BigEndian.Uint32(plain)
	if uint64(n) > uint64(len(plain)-lengthSize) {
		return nil, ErrContent
	}
	body, rest := plain[lengthSize:lengthSize+int(n)], plain[lengthSize+int(n):]
	if len(bytes.TrimLeft(rest, "\x00")) != 0 {
		return nil, ErrContent
	}
	return body, nil
}

// decodeJSON decodes one JSON value. It hides the decoder's error, which would quote the value.
func decodeJSON(body []byte, into any) error {
	if json.Unmarshal(body, into) != nil {
		return ErrContent
	}
	return nil
}

// decodeAct decodes an act and checks that its Seq is number.
func decodeAct(body []byte, number uint64) (wire.Act, error) {
	var a wire.Act
	if err := decodeJSON(body, &a); err != nil {
		return wire.Act{}, err
	}
	if a.Seq != number || a.CheckLimits() != nil {
		return wire.Act{}, ErrContent
	}
	return a, nil
}
