// Package apa102sim is a strip of APA102 or SK9822 LEDs that exists only on the
// wire: it is a SPI port and reads the bytes it is sent as the chips would. The
// production driver runs on it unmodified.
//
// It complains, by an error from the transfer, about a transfer that does not begin with
// the start frame of 32 zero bits, an LED frame without its three leading
// ones, fewer LED frames than LEDs, and an end frame with less than
// half a clock for each LED: the data would not reach the last one.
//
// A SK9822 shows a frame only after 32 more zero bits and the clocks that carry them
// to the last LED. If they are missing it shows it when the next frame begins; that is no
// complaint, it is how such strips lag.
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

// Opts are the properties of the strip and of the port that it hangs on.
type Opts struct {
	Name      string // of the port, "sim" if empty
	NumPixels int
	SK9822    bool             // the look-alike that latches at the next 32 zero bits
	Order     devices.Order    // of its colours; BGR if empty
	MaxTx     int              // longest transfer in bytes; 4096 if 0
	Clock     physic.Frequency // the real clock, if it is not the one asked for
	// OnFrame is called after each latched frame with pixels that are valid
	// during the call. It runs on the sender's goroutine and must not block.
	OnFrame func(px []devices.RGB)
}

// Strip is a simulated strip: a spi.PortCloser with Pixels, Frames, Complaints and Break.
type Strip struct{ *simstrip.Port }

// New makes a strip.
func New(o *Opts) *Strip {
	d := &decoder{n: o.NumPixels, sk9822: o.SK9822, order: cmp.Or(o.Order, "BGR"), waiting: make([]devices.RGB, o.NumPixels)}
	return &Strip{simstrip.New(d, simstrip.Opts{
		Name: o.Name, Pixels: o.NumPixels, MaxTx: o.MaxTx, Clock: o.Clock, OnFrame: o.OnFrame,
	})}
}

// maxHz is the fastest clock that periph's driver asks of the chip.
const maxHz = 20 * physic.MegaHertz

// decoder is used by one transfer at a time.
type decoder struct {
	n      int
	sk9822 bool
	order  devices.Order
	// A SK9822 holds a received frame here until the zeros come.
	waiting []devices.RGB
	held    bool
}

func (d *decoder) Accept(hz physic.Frequency, mode spi.Mode, bits int) error {
	if m := mode &^ spi.NoCS; m != spi.Mode0 && m != spi.Mode3 || bits != 8 {
		return fmt.Errorf("%v with %d bits: an APA102 takes mode 0 or 3, 8 bits, most significant first", mode, bits)
	}
	if hz <= 0 || hz > maxHz {
		return fmt.Errorf("a clock of %s: an APA102 takes up to %s", hz, maxHz)
	}
	return nil
}

func (d *decoder) Receive(w []byte, _ physic.Frequency, px []devices.RGB) (bool, error) {
	if len(w) < 4 || binary.BigEndian.Uint32(w) != 0 {
		return false, errors.New("no start frame: a transfer begins with 32 zero bits")
	}
	latched := d.release(px)
	w = w[4:]
	for i := range d.n {
		if len(w) < 4 {
			return false, fmt.Errorf("%d LED frames for %d LEDs", i, d.n)
		}
		if w[0]>>5 != 0b111 {
			return false, fmt.Errorf("LED frame %d begins with %#02x, its first three bits must be ones", i, w[0])
		}
		level := uint16(w[0] & 31)
		d.waiting[i] = d.order.Pixel([3]byte{dim(w[1], level), dim(w[2], level), dim(w[3], level)})
		w = w[4:]
	}
	if 8*len(w) < (d.n+1)/2 {
		return false, fmt.Errorf("an end frame of %d clocks: %d LEDs need %d", 8*len(w), d.n, (d.n+1)/2)
	}
	d.held = true
	if !d.sk9822 || d.zeros(w) {
		latched = d.release(px)
	}
	return latched, nil
}

// release shows a frame that was held back.
func (d *decoder) release(px []devices.RGB) bool {
	if !d.held {
		return false
	}
	copy(px, d.waiting)
	d.held = false
	return true
}

// zeros reports whether the end frame holds 32 zero bits with enough clocks
// behind them to reach the last LED. What follows the zeros is zeros, too.
func (d *decoder) zeros(end []byte) bool {
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

func dim(v byte, level uint16) byte { return byte(uint16(v) * level / 31) }
