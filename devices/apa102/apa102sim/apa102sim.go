// Package apa102sim simulates a strip of APA102 or SK9822 LEDs at the level of the wire: it is a SPI port and
// decodes the received bytes as the chips would. The production driver runs on it unmodified.
//
// A transfer returns an error if it does not begin with the start frame of 32 zero bits, if an LED frame lacks
// its three leading ones, if there are fewer LED frames than LEDs, or if the end frame has less than half a
// clock for each LED, so that the data would not reach the last one.
//
// A SK9822 shows a frame only after 32 more zero bits and the clocks that carry them to the last LED. Without
// them it shows the frame when the next one begins; that is no error, because real strips do the same.
package apa102sim

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"majordome/devices"
	"majordome/devices/internal/simstrip"
)

// Opts sets up the strip and its port.
type Opts struct {
	Name      string // of the port, "sim" if empty
	NumPixels int
	SK9822    bool                // a SK9822, which latches at the next 32 zero bits
	Order     devices.ColourOrder // BGR if empty
	MaxTx     int                 // longest transfer in bytes; 4096 if 0
	Clock     physic.Frequency    // the real clock, if it differs from the requested one
	// OnFrame is called after each latched frame with pixels that are valid during the call. It runs on the
	// sender's goroutine and must not block.
	OnFrame func(px []devices.RGB)
}

// Strip is a simulated strip: a spi.PortCloser with AppendPixels, FrameCount, Complaints and SetFault.
type Strip struct{ *simstrip.Port }

// New makes a strip.
func New(o *Opts) *Strip {
	d := &decoder{n: o.NumPixels, sk9822: o.SK9822, order: cmp.Or(o.Order, "BGR"), waiting: make([]devices.RGB, o.NumPixels)}
	return &Strip{simstrip.New(d, simstrip.Opts{
		Name: o.Name, Pixels: o.NumPixels, MaxTx: o.MaxTx, Clock: o.Clock, OnFrame: o.OnFrame,
	})}
}

// maxHz is the clock that periph's driver asks for, the fastest here.
const maxHz = 20 * physic.MegaHertz

// decoder is used by one transfer at a time.
type decoder struct {
	n      int
	sk9822 bool
	order  devices.ColourOrder
	// The received frame, which a SK9822 shows when the zeros come.
	waiting    []devices.RGB
	hasWaiting bool // waiting has a frame
}

func (d *decoder) CheckMode(hz physic.Frequency, mode spi.Mode, bits int) error {
	if m := mode &^ spi.NoCS; m != spi.Mode0 && m != spi.Mode3 || bits != 8 {
		return fmt.Errorf("%v with %d bits: an APA102 takes mode 0 or 3, 8 bits, most significant first", mode, bits)
	}
	if hz <= 0 || hz > maxHz {
		return fmt.Errorf("a clock of %s: an APA102 takes up to %s", hz, maxHz)
	}
	return nil
}

func (d *decoder) DecodeTransfer(w []byte, _ physic.Frequency, px []devices.RGB) (bool, error) {
	if len(w) < 4 || binary.BigEndian.Uint32(w) != 0 {
		return false, errors.New("no start frame: a transfer begins with 32 zero bits")
	}
	latched := d.showWaitingFrame(px)
	w = w[4:]
	for i := range d.n {
		if len(w) < 4 {
			return false, fmt.Errorf("%d LED frames for %d LEDs", i, d.n)
		}
		if w[0]>>5 != 0b111 {
			return false, fmt.Errorf("LED frame %d begins with %#02x, its first three bits must be ones", i, w[0])
		}
		level := uint16(w[0] & 31)
		d.waiting[i] = d.order.DecodePixel([3]byte{dimValue(w[1], level), dimValue(w[2], level), dimValue(w[3], level)})
		w = w[4:]
	}
	if 8*len(w) < (d.n+1)/2 {
		return false, fmt.Errorf("an end frame of %d clocks: %d LEDs need %d", 8*len(w), d.n, (d.n+1)/2)
	}
	d.hasWaiting = true
	if !d.sk9822 || d.hasTailZeros(w) {
		latched = d.showWaitingFrame(px)
	}
	return latched, nil
}

// showWaitingFrame copies the waiting frame to px and reports whether there was one.
func (d *decoder) showWaitingFrame(px []devices.RGB) bool {
	if !d.hasWaiting {
		return false
	}
	copy(px, d.waiting)
	d.hasWaiting = false
	return true
}

// hasTailZeros reports whether the end frame ends with 32 zero bits and enough further zeros to clock them to
// the last LED.
func (d *decoder) hasTailZeros(end []byte) bool {
	run := 0
	for _, b := range end {
		if b != 0 {
			run = 0
			continue
		}
		run += 8
	}
	return run >= 32+(d.n+1)/2
}

func dimValue(v byte, level uint16) byte { return byte(uint16(v) * level / 31) }
