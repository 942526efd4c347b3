// Package ws2812sim simulates a strip of WS2812 LEDs at the level of the wire: it is a SPI port, turns the
// received bytes into pulses with real durations, and decodes those as the chip would. The production driver
// runs on it unmodified.
//
// A transfer returns an error for
//
//   - a pulse that is neither zero nor one (0.25 to 0.55 us, 0.65 to 0.95 us high),
//   - a pause that is neither the rest of a bit (0.70 to 1.00 us after a zero, 0.30 to 0.60 us after a one) nor
//     a reset,
//   - a frame without a reset after it (280 us by default),
//   - a frame that ends within a pixel, or with the line high,
//   - a first bit that is high: a line that idles high swallows its edge,
//   - on a line that idles high: pixels without a reset in front of them.
//
// The windows come from the WS2812B data sheet (0.4, 0.8, 0.85, 0.45 us, each +-0.15 us). As on a real
// strip, pixels beyond the end are ignored, and LEDs without a pixel keep their colour. Real chips tolerate
// more; no table should rely on it.
package ws2812sim

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"majordome/devices"
	"majordome/devices/internal/simstrip"
)

// Opts sets up the strip and its port.
type Opts struct {
	Name      string // of the port, "sim" if empty
	NumPixels int
	Order     devices.ColourOrder // GRB if empty
	White     bool                // a fourth channel, added to each colour of the pixel
	Reset     time.Duration       // low level that latches; 280 us if 0
	IdleHigh  bool                // the port leaves the line high between transfers
	Gap       int                 // clocks that the port pauses after each byte, holding the level
	MaxTx     int                 // longest transfer in bytes; 4096 if 0
	Clock     physic.Frequency    // the real clock, if it differs from the requested one
	// OnFrame is called after each latched frame with pixels that are valid
	// during the call. It runs on the sender's goroutine and must not block.
	OnFrame func(px []devices.RGB)
}

// Strip is a simulated strip: a spi.PortCloser with AppendPixels, FrameCount, Complaints and SetFault.
type Strip struct{ *simstrip.Port }

// New makes a strip.
func New(o *Opts) *Strip {
	d := &decoder{order: cmp.Or(o.Order, "GRB"), bitsPerPixel: 24, reset: toPicoseconds(o.Reset), idleHigh: o.IdleHigh, gap: int64(o.Gap)}
	if o.White {
		d.bitsPerPixel = 32
	}
	if d.reset == 0 {
		d.reset = toPicoseconds(280 * time.Microsecond)
	}
	return &Strip{simstrip.New(d, simstrip.Opts{
		Name: o.Name, Pixels: o.NumPixels, MaxTx: o.MaxTx, Clock: o.Clock, OnFrame: o.OnFrame,
	})}
}

// Windows of the data sheet, in picoseconds.
const (
	ns     = int64(1000)
	minT0H = 250 * ns
	maxT0H = 550 * ns
	minT1H = 650 * ns
	maxT1H = 950 * ns
	minT0L = 700 * ns
	maxT0L = 1000 * ns
	minT1L = 300 * ns
	maxT1L = 600 * ns
)

func toPicoseconds(d time.Duration) int64 { return d.Nanoseconds() * ns }

// decoder is used by one transfer at a time.
type decoder struct {
	order        devices.ColourOrder
	bitsPerPixel int   // bits of a pixel
	reset        int64 // ps
	idleHigh     bool
	gap          int64 // clocks

	// State of the transfer that is being decoded.
	px      []devices.RGB
	bits    int    // colour bits since the last reset
	word    uint32 // the bits of the pixel being received
	bit     uint32 // value of the bit whose low part is awaited
	inBit   bool
	phantom bool // the line fell before anything was sent
	latched bool
}

func (d *decoder) CheckMode(hz physic.Frequency, mode spi.Mode, bits int) error {
	if mode&^spi.Mode3 != 0 && mode&^spi.Mode3 != spi.NoCS || bits != 8 {
		return fmt.Errorf("%v with %d bits: a WS2812 wants 8 bits, most significant first", mode, bits)
	}
	if hz <= 0 {
		return errors.New("no clock given: a WS2812 depends on it")
	}
	return nil
}

// DecodeTransfer implements simstrip.Decoder: it splits the bytes into runs of equal level.
func (d *decoder) DecodeTransfer(w []byte, hz physic.Frequency, px []devices.RGB) (bool, error) {
	clock := int64(physic.Hertz) * 1e12 / int64(hz) // ps
	d.px, d.bits, d.inBit, d.latched = px, 0, false, false
	d.phantom = d.idleHigh
	if w[0]&0x80 != 0 {
		return false, errors.New("the first bit is high: a line that idles high swallows it")
	}
	level, run := byte(0), int64(0)
	for i, b := range w {
		for k := 7; k >= 0; k-- {
			if v := b >> k & 1; v != level {
				if err := d.decodeRun(level, run*clock); err != nil {
					return false, fmt.Errorf("byte %d: %w", i, err)
				}
				level, run = v, 0
			}
			run++
		}
		run += d.gap
	}
	if level == 1 {
		return false, errors.New("the line is left high")
	}
	if d.inBit && run*clock < d.reset {
		return false, fmt.Errorf("missing reset: the line stays low for %s after the last bit, it must be %s",
			formatMicros(run*clock), formatMicros(d.reset))
	}
	if err := d.decodeRun(0, run*clock); err != nil {
		return false, err
	}
	return d.latched, nil
}

// decodeRun decodes one run of equal level, of the given length in ps.
func (d *decoder) decodeRun(level byte, length int64) error {
	if level == 1 {
		switch {
		case length >= minT0H && length <= maxT0H:
			d.bit = 0
		case length >= minT1H && length <= maxT1H:
			d.bit = 1
		default:
			return fmt.Errorf("pixel %d bit %d: high for %s, neither a zero (0.25 to 0.55 us) nor a one (0.65 to 0.95 us)",
				d.bits/d.bitsPerPixel, d.bits%d.bitsPerPixel, formatMicros(length))
		}
		if d.phantom {
			return errors.New("phantom bit: the line idles high and no reset comes before the pixels")
		}
		d.inBit = true
		return nil
	}
	if d.inBit {
		d.inBit = false
		if err := d.checkLowLength(length); err != nil {
			return err
		}
		d.addBit()
	}
	if length < d.reset {
		return nil
	}
	if d.bits%d.bitsPerPixel != 0 {
		return fmt.Errorf("truncated pixel: pixel %d got %d of %d bits", d.bits/d.bitsPerPixel, d.bits%d.bitsPerPixel, d.bitsPerPixel)
	}
	d.latched = d.latched || d.bits > 0
	d.bits, d.phantom = 0, false
	return nil
}

// checkLowLength returns an error if the pause after the high part of a bit has not the length in ps that the bit needs.
func (d *decoder) checkLowLength(length int64) error {
	least, most := minT0L, maxT0L
	if d.bit == 1 {
		least, most = minT1L, maxT1L
	}
	if length < least || length > most && length < d.reset {
		return fmt.Errorf("pixel %d bit %d: low for %s after a %d, neither %s to %s nor a reset of %s",
			d.bits/d.bitsPerPixel, d.bits%d.bitsPerPixel, formatMicros(length), d.bit,
			formatMicros(least), formatMicros(most), formatMicros(d.reset))
	}
	return nil
}

// addBit adds one bit and lights the pixel when it is complete.
func (d *decoder) addBit() {
	d.word = d.word<<1 | d.bit
	d.bits++
	if d.bits%d.bitsPerPixel != 0 {
		return
	}
	i := d.bits/d.bitsPerPixel - 1
	if i >= len(d.px) {
		return
	}
	word, white := d.word, byte(0)
	if d.bitsPerPixel == 32 {
		word, white = word>>8, byte(word)
	}
	c := d.order.DecodePixel([3]byte{byte(word >> 16), byte(word >> 8), byte(word)})
	add := func(v byte) byte { return byte(min(255, int(v)+int(white))) }
	d.px[i] = devices.RGB{R: add(c.R), G: add(c.G), B: add(c.B)}
}

func formatMicros(picoseconds int64) string { return fmt.Sprintf("%.2f us", float64(picoseconds)/1e6) }
