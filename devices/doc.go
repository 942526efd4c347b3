// Package devices names what the table is made of: scanners of NFC tags and light
// strips, which may hang on a serial node. Each has one small interface here, a driver
// in a folder named after its chip, and a simulated twin at the level of its wire.
//
// Nothing under devices/ knows a game, a card or a seat: it knows tags and pixels.
package devices

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"periph.io/x/conn/v3"
)

// UID is the identifier of a tag: 4, 7 or 10 bytes (ISO/IEC 14443-3, 6.5.4).
// It is comparable and prints as upper-case hex of fixed width. A UID is
// no secret and no proof: anybody with a phone can read and many can copy it.
type UID struct {
	b [10]byte
	n uint8
}

// MakeUID copies b, which must be 4, 7 or 10 bytes long.
func MakeUID(b []byte) (UID, error) {
	var u UID
	switch len(b) {
	case 4, 7, 10:
	default:
		return u, fmt.Errorf("devices: a UID of %d bytes: it must have 4, 7 or 10", len(b))
	}
	u.n = uint8(copy(u.b[:], b))
	return u, nil
}

// ParseUID reads upper- or lower-case hex; colons, dashes and blanks are skipped.
func ParseUID(text string) (UID, error) {
	b, err := hex.DecodeString(strings.NewReplacer(":", "", "-", "", " ", "").Replace(text))
	if err != nil {
		return UID{}, fmt.Errorf("devices: %q is not a UID: write it as hex, such as 04A1B2C3D4E5F6", text)
	}
	return MakeUID(b)
}

// Bytes returns a copy of the identifier.
func (u UID) Bytes() []byte { return append([]byte(nil), u.b[:u.n]...) }

// Array is the identifier, and how many of the bytes belong to it. It allocates nothing.
func (u UID) Array() (b [10]byte, n int) { return u.b, int(u.n) }

// String is upper-case hex, two digits a byte, leading zeros kept.
func (u UID) String() string { return strings.ToUpper(hex.EncodeToString(u.b[:u.n])) }

// Tag is one tag that answered.
type Tag struct {
	UID UID
	SAK byte // select acknowledge: what kind of tag it says it is
}

// ErrNoise means that something is in the field that cannot be read: a
// collision that does not resolve, a bad checksum, a tag at the edge. It is
// neither presence nor absence.
var ErrNoise = errors.New("devices: something in the field could not be read")

// ErrSpark is noise without evidence that a tag is there: no answer was whole.
var ErrSpark = fmt.Errorf("%w, and need not have been a tag", ErrNoise)

// Scanner reads the tags in its field.
type Scanner interface {
	conn.Resource
	// Scan is a snapshot of the field. Tags: these answered. No tags and no
	// error: silence, nothing is there. ErrNoise: something is there, beside
	// the tags named, if any. Any other error: the reader itself failed. The slice is valid until the
	// next Scan. Scan returns soon after ctx ends.
	Scan(ctx context.Context) ([]Tag, error)
}

// PileScanner is a Scanner for a slot whose fallen cards may stay within reach: a tag that has been named is silent from then on,
// and costs no time when the next one falls.
type PileScanner interface {
	Scanner
	// ScanNew is as Scan, but names only tags that came into the field, or lost their power, since they were last named.
	ScanNew(ctx context.Context) ([]Tag, error)
	// Verify asks whether a tag is still there, and whether anything is. ErrNoise: it cannot be said.
	Verify(ctx context.Context, t Tag) (there, anybody bool, err error)
}

// RGB is one pixel, linear light, 0 to 255 each.
type RGB struct{ R, G, B uint8 }

// Strip is a row of lamps.
type Strip interface {
	conn.Resource
	Len() int
	// Show sends one frame; missing pixels are dark, further ones are an error.
	Show([]RGB) error
}

// TimedStrip is a Strip that knows how long one frame keeps its wire busy. One that takes 100 frames
// a second or more can mix light that is dimmer than its steps.
type TimedStrip interface {
	Strip
	FrameTime() time.Duration
}

// MixingStrip is a Strip at the end of a slow line that can mix light between two steps by itself.
type MixingStrip interface {
	Strip
	// Mixes reports that it does now: a node shows that only once it has answered.
	Mixes() bool
	// ShowMixed is as Show; each channel is a step brighter in so many of 16 frames as parts says: 0 to 15.
	ShowMixed(px, parts []RGB) error
}

// Advice is a message for the person who wires the table, in both languages.
// As an error it speaks English and wraps its cause.
type Advice struct {
	EN, FR string
	Err    error
}

// Advise returns advice in both languages, each formatted with the same values.
func Advise(fr, en string, args ...any) Advice {
	return Advice{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}

func (a Advice) Error() string { return a.EN }

// Unwrap returns the cause.
func (a Advice) Unwrap() error { return a.Err }
