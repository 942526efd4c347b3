package engine

import (
	"fmt"
	"slices"
	"strconv"
)

// MaxSeats is the largest table of any supported game (Super Cluedo, SC-001).
const MaxSeats = 10

// Seat is a player's place at the table, counted clockwise from 1. Zero is no seat.
type Seat uint8

// IsValid reports whether s is a seat.
func (s Seat) IsValid() bool { return s >= 1 && s <= MaxSeats }

// String returns the form used in arguments, topics and scripts: "seat-3".
func (s Seat) String() string {
	if s > MaxSeats {
		return "seat-" + strconv.Itoa(int(s))
	}
	return seatTexts[s]
}

// seatTexts holds the strings of the seats, made once because views name seats all the time.
var seatTexts = func() (texts [MaxSeats + 1]string) {
	for i := range texts {
		texts[i] = "seat-" + strconv.Itoa(i)
	}
	return texts
}()

// MarshalJSON encodes the number. Without it encoding/json would take a list of seats for bytes and
// encode base64.
func (s Seat) MarshalJSON() ([]byte, error) { return strconv.AppendUint(nil, uint64(s), 10), nil }

// ParseSeat parses the form that String returns.
func ParseSeat(text string) (Seat, error) {
	n := slices.Index(seatTexts[:], text)
	if n < 1 {
		return 0, fmt.Errorf("engine: %q is not a seat: use seat-1 to seat-%d", text, MaxSeats)
	}
	return Seat(n), nil
}

// Viewer is a person or group that looks or acts: the public, one seat, the host, or the overseer.
// The zero value is the public, which has the least rights.
type Viewer struct {
	seat     Seat
	host     bool
	overseer bool
}

// Public is the viewer for the whole table, and for the table's own readers.
var Public = Viewer{}

// Host runs the table. A host sees no secret: only the public view, with the host's offers.
var Host = Viewer{host: true}

// Overseer helps without playing and sees all that is recorded (View.Secrets), after the table has
// been informed. It may not act. ParseViewer accepts no name for it, so a phone, account or script
// cannot claim to be the overseer.
var Overseer = Viewer{overseer: true}

// SeatViewer returns the viewer at seat s; it panics if s is no seat.
func SeatViewer(s Seat) Viewer {
	if !s.IsValid() {
		panic("engine: viewer at no seat")
	}
	return Viewer{seat: s}
}

// Seat returns the viewer's seat; ok is false for the public, the host and the overseer.
func (v Viewer) Seat() (s Seat, ok bool) { return v.seat, v.seat != 0 }

// IsHost reports whether v is the host.
func (v Viewer) IsHost() bool { return v.host }

// String returns "public", "host", "overseer" or "seat-3".
func (v Viewer) String() string {
	switch {
	case v.host:
		return "host"
	case v.overseer:
		return "overseer"
	case v.seat != 0:
		return v.seat.String()
	default:
		return "public"
	}
}

// ParseViewer parses the form that String returns, except that of the overseer.
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
	return SeatViewer(s), nil
}
