// Package dialsim simulates the chip of a clock at the level of its wire.
package dialsim

import (
	"errors"
	"sync"

	"periph.io/x/conn/v3/physic"
)

// ErrNoAck reports that no chip answers at an address.
var ErrNoAck = errors.New("no acknowledge")

// DecodeDigit returns the digit that seven segments show, a in the lowest bit; " " if all are dark, "?" for any
// other pattern.
func DecodeDigit(seg byte) string {
	for i, s := range []byte{0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f} {
		if seg&0x7f == s {
			return string(rune('0' + i))
		}
	}
	return map[bool]string{true: " ", false: "?"}[seg&0x7f == 0]
}

// Backpack is a HT16K33 with four digits at address 0x70, as an i2c.Bus. It is dark until its oscillator and
// its display are switched on; its memory then has random contents, because power does not clear it. The zero
// value is not plugged in.
type Backpack struct {
	mu       sync.Mutex
	present  bool
	osc, lit bool
	ram      [16]byte
}

func (c *Backpack) String() string                  { return "i2c" }
func (c *Backpack) SetSpeed(physic.Frequency) error { return nil }

// Tx handles a write to the chip. A read is refused.
func (c *Backpack) Tx(addr uint16, w, r []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.present || addr != 0x70 || len(r) > 0 {
		return ErrNoAck
	}
	if len(w) == 0 {
		return nil
	}
	switch cmd := w[0]; cmd & 0xf0 {
	case 0x20:
		c.osc = cmd&1 == 1
	case 0x80:
		c.lit = cmd&1 == 1
	case 0x00:
		copy(c.ram[cmd:], w[1:])
	}
	return nil
}

// SetPlugged plugs the chip in or pulls it out. In both cases it loses its settings.
func (c *Backpack) SetPlugged(plugged bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.present, c.osc, c.lit, c.ram = plugged, false, false, [16]byte{0xff, 0, 0xff}
}

// ShownText returns what the display shows: four digits, with a colon if that is lit; "dark" if it is not
// switched on.
func (c *Backpack) ShownText() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.osc || !c.lit {
		return "dark"
	}
	colon := map[byte]string{0: "", 2: ":"}[c.ram[4]]
	return DecodeDigit(c.ram[0]) + DecodeDigit(c.ram[2]) + colon + DecodeDigit(c.ram[6]) + DecodeDigit(c.ram[8])
}
