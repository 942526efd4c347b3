package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSeats is the largest table of any supported game (Super Cluedo, SC-001).
const MaxSeats = 10

// Seat is a place at the table, counted clockwise from 1. Zero is no seat.
type Seat uint8

// Valid reports whether s names a seat.
func (s Seat) Valid() bool { return s >= 1 && s <= MaxSeats }

// String gives the form used in arguments, topics and scripts: "seat-3".
func (s Seat) String() string {
	if s > MaxSeats {
		return "seat-" + strconv.Itoa(int(s))
	}
	return seatTexts[s]
}

// seatTexts are made once: views name seats all the time.
var seatTexts = func() (texts [MaxSeats + 1]string) {
	for i := range texts {
		texts[i] = "seat-" + strconv.Itoa(i)
	}
	return texts
}()

// MarshalJSON writes the number. Without it encoding/json would take a list of
// seats for bytes and write base64.
func (s Seat) MarshalJSON() ([]byte, error) { return strconv.AppendUint(nil, uint64(s), 10), nil }

// ParseSeat reads the form that String writes.
func ParseSeat(text string) (Seat, error) {
	digits, ok := strings.CutPrefix(text, "seat-")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || !Seat(n).Valid() || n > MaxSeats {
		return 0, fmt.Errorf("engine: %q is not a seat: use seat-1 to seat-%d", text, MaxSeats)
	}
	return Seat(n), nil
}

// Viewer is who looks or acts: the public, one seat, the host, or the overseer. The zero
// value is the public, which has the least rights.
type Viewer struct {
	seat Seat
	host bool
	all  bool
}

// Public is everybody at the table, and the table's own readers.
var Public = Viewer{}

// Host runs the table. A host sees no secret: only the public view, with the
// offers of a host.
var Host = Viewer{host: true}

// Overseer is who helps without playing and sees all that is recorded (View.Secrets), once the table
// knows of it. It may do nothing, and has no name that ParseViewer reads: no phone, account or script
// comes to be it by what it says.
var Overseer = Viewer{all: true}

// At is the viewer who sits at s; it panics if s is no seat.
func At(s Seat) Viewer {
	if !s.Valid() {
		panic("engine: viewer at no seat")
	}
	return Viewer{seat: s}
}

// Seat is the viewer's seat; ok is false for the public, the host and the overseer.
func (v Viewer) Seat() (s Seat, ok bool) { return v.seat, v.seat != 0 }

// IsHost reports whether v is the host.
func (v Viewer) IsHost() bool { return v.host }

// String gives "public", "host", "overseer" or "seat-3".
func (v Viewer) String() string {
	switch {
	case v.host:
		return "host"
	case v.all:
		return "overseer"
	case v.seat != 0:
		return v.seat.String()
	default:
		return "public"
	}
}

// ParseViewer reads the form that String writes, but for the overseer.
func ParseViewer(text string) (Viewer, error) {
	switch text {
	case "public":
		return Public, nil
	case "host":
		return Host, nil
	}
	s, err := ParseSeat(text)
	if err != nil {
		return Public, fmt.Errorf("engine: %q is no viewer: use public, host or seat-N", text)
	}
	return At(s), nil
}
