// Package devices declares the interfaces of the table's hardware: scanners of NFC tags and light strips. Each
// chip has a driver in a folder named after it, and a simulation at the level of its wire; a node on a serial
// port offers both interfaces, too.
//
// Nothing under devices/ knows a game, a card or a seat: only tags and pixels.
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

// UID is the identifier of a tag: 4, 7 or 10 bytes (ISO/IEC 14443-3, 6.5.4). It is comparable. It is neither
// secret nor a proof: any phone can read it, and many tags can be given a copy.
type UID struct {
	b [10]byte
	n uint8
}

// MakeUID returns the UID with the bytes of b, which must be 4, 7 or 10.
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

// ParseUID parses upper- or lower-case hex; colons, dashes and blanks are skipped.
func ParseUID(text string) (UID, error) {
	b, err := hex.DecodeString(strings.NewReplacer(":", "", "-", "", " ", "").Replace(text))
	if err != nil {
		return UID{}, fmt.Errorf("devices: %q is not a UID: write it as hex, such as 04A1B2C3D4E5F6", text)
	}
	return MakeUID(b)
}

// Bytes returns a copy of the identifier.
func (u UID) Bytes() []byte { return append([]byte(nil), u.b[:u.n]...) }

// Array returns the bytes of the identifier and how many of them are used. It allocates nothing.
func (u UID) Array() (b [10]byte, n int) { return u.b, int(u.n) }

// String returns upper-case hex, two digits a byte, leading zeros kept.
func (u UID) String() string { return strings.ToUpper(hex.EncodeToString(u.b[:u.n])) }

// Tag is a tag that answered a reader.
type Tag struct {
	UID UID
	SAK byte // select acknowledge: the kind of tag, as the tag claims
}

// ErrNoise reports something in the field that cannot be read: a collision that does not resolve, a bad
// checksum, a tag at the edge. It proves neither presence nor absence.
var ErrNoise = errors.New("devices: something in the field could not be read")

// ErrSpark is ErrNoise without evidence that a tag is there: no answer was complete.
var ErrSpark = fmt.Errorf("%w, and need not have been a tag", ErrNoise)

// Scanner reads the tags in its field.
type Scanner interface {
	conn.Resource
	// Scan reads the field once and returns the tags that answered; no tags and no error mean an empty field.
	// With ErrNoise there is something more that cannot be read. Any other error means that the reader itself
	// failed. The slice is valid until the next Scan. Scan returns soon after ctx ends.
	Scan(ctx context.Context) ([]Tag, error)
}

// PileScanner is a Scanner for a slot where fallen cards may stay within reach of the coil. A tag that has been
// named is silent from then on, and costs no time when the next one falls.
type PileScanner interface {
	Scanner
	// ScanNew is like Scan, but names only tags that came into the field, or lost their power, since they were
	// last named.
	ScanNew(ctx context.Context) ([]Tag, error)
	// FindTag asks whether t is still in the field. found: t answered; answered: at least one tag did. With
	// ErrNoise neither is known.
	FindTag(ctx context.Context, t Tag) (found, answered bool, err error)
}

// RGB is one pixel in linear light, 0 to 255 a channel.
type RGB struct{ R, G, B uint8 }

// Strip is a row of LEDs.
type Strip interface {
	conn.Resource
	Len() int
	// ShowFrame sends one frame. LEDs without a pixel are dark; more pixels than LEDs are an error.
	ShowFrame([]RGB) error
}

// TimedStrip is a Strip that knows how long one frame keeps its wire busy. At 100 frames a second or more,
// light between two steps can be mixed from successive frames.
type TimedStrip interface {
	Strip
	FrameTime() time.Duration
}

// MixingStrip is a Strip on a slow line, such as that of a node, that itself mixes light between two steps.
type MixingStrip interface {
	Strip
	// CanMix reports whether it mixes now. A node answers this only once it is connected.
	CanMix() bool
	// ShowMixed is like ShowFrame, with parts of a step: a channel is one step brighter in parts of every 16
	// frames, 0 to 15.
	ShowMixed(px, parts []RGB) error
}

// Advice is a message for the person who wires the table, in English and French. As an error it is in English
// and wraps Err.
type Advice struct {
	EN, FR string
	Err    error
}

// NewAdvice formats a message in both languages with the same values.
func NewAdvice(fr, en string, args ...any) Advice {
	return Advice{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}

func (a Advice) Error() string { return a.EN }

// Unwrap returns the cause.
func (a Advice) Unwrap() error { return a.Err }
