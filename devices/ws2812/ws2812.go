// Package ws2812 drives strips of WS2812, WS2812B, SK6812 (RGB and RGBW) and similar LEDs from the MOSI wire of
// a SPI port. The clock and chip select stay unconnected.
//
// # Encoding
//
// Each bit of colour is sent as three SPI bits at 2.4 MHz: 100 is a zero (high for 0.42 us), 110 is a one (0.83
// us), 1.25 us in all. That is in the middle of the data sheet's windows (0.4 and 0.8 us, each +-0.15), so the
// clock may be off by 14 %, and needs 9 bytes an LED. Four bits at 3.2 MHz would need 12 bytes, and their one
// of 0.63 us is below the 0.65 us of the data sheet.
//
// A frame begins and ends with 350 us of low level. At the end that latches the colours (50 us for old parts,
// 280 us for new ones). At the beginning it undoes the effect of a line that idles high: the first falling edge
// is a phantom bit that would shift every colour by one, and a reset discards it.
//
// # Four channels
//
// With Opts.White an LED receives four bytes: the colours in their order and then white, as for the SK6812
// RGBW. White gets the part that the three colours have in common, and they keep the rest. So no LED draws more
// than three colours of the same light would, and a budget for three colours is sufficient.
//
// # Limits
//
// 1 to 1024 LEDs; 9 bytes an LED, 12 with white, and 210 more must fit into one transfer of the port: 431 LEDs,
// 323 with white, with the 4096 bytes that Linux allows by default. A frame takes 30 us an LED, 40 us with
// white, and 0.7 ms.
//
// # Wiring
//
// Use SPI0 and connect no reader to it. The auxiliary SPI1 has no DMA and pauses between bytes, which stretches
// bits and garbles colours. On a Raspberry Pi up to the 4 the SPI clock depends on the core clock, which
// config.txt must pin: ClockConfigTxt returns the lines, and CheckClock checks the real clock of the strip. The data
// input needs 0.7 of the LEDs' supply voltage: use a 74AHCT125 between 3.3 V and 5 V.
//
// Order of calls: New or Open, ShowFrame as often as wanted, Halt (dark), Close.
package ws2812

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"majordome/devices"
	"majordome/devices/internal/spistrip"
)

// Frequency is the SPI clock of the encoding.
const Frequency = 2400 * physic.KiloHertz

const (
	bytesPerChannel = 3 // 8 bits x 3 SPI bits
	// 350 us at 2.4 MHz, and more than 300 if the clock is 14 % too fast. The two rests also make the shortest
	// frame longer than the 96 bytes from which Linux uses DMA on SPI0; without it the controller pauses after
	// each byte.
	restBytes = 105
)

// Opts describes the strip.
type Opts struct {
	NumPixels int                 // LEDs, 1 to 1024
	Order     devices.ColourOrder // GRB if empty
	White     bool                // a fourth channel, after the three: SK6812 RGBW
}

// Dev is a strip. It is safe for concurrent use.
//
//  1. buf is always one whole frame: rest, pixels, rest.
//  2. The rests are zero and are never written.
type Dev struct {
	chip  string // for errors
	name  string
	order devices.ColourOrder
	white bool
	n     int
	c     spi.Conn
	port  spi.PortCloser // nil unless Open opened it

	mu  sync.Mutex
	buf []byte
}

// chipName returns the name of the strip's chip as in a configuration, for errors.
func (o *Opts) chipName() string {
	if o.White {
		return "sk6812-rgbw"
	}
	return "ws2812"
}

// New connects a strip to p at 2.4 MHz. It sends nothing yet.
func New(p spi.Port, o *Opts) (*Dev, error) {
	if err := spistrip.CheckPixelCount(o.chipName(), o.NumPixels); err != nil {
		return nil, err
	}
	order, err := spistrip.ColourOrderOrDefault(o.chipName(), o.Order, "GRB")
	if err != nil {
		return nil, err
	}
	c, err := p.Connect(Frequency, spi.Mode0, 8)
	if err != nil {
		return nil, fmt.Errorf("%s: connect %s at %s: %w", o.chipName(), p, Frequency, err)
	}
	size, channels := FrameSize, string(order)
	if o.White {
		size, channels = FrameSizeWhite, channels+"W"
	}
	if err := spistrip.CheckTransferSize(o.chipName(), o.NumPixels, size, c); err != nil {
		return nil, err
	}
	return &Dev{
		chip:  o.chipName(),
		name:  fmt.Sprintf("%s{%d LEDs, %s, %s}", o.chipName(), o.NumPixels, channels, c),
		order: order, white: o.White, n: o.NumPixels, c: c, buf: make([]byte, size(o.NumPixels)),
	}, nil
}

// Open opens the SPI port called name ("SPI0.0", or "" for the first one) and connects a strip to it. The
// caller has run host.Init. Close closes the port.
func Open(name string, o *Opts) (*Dev, error) {
	p, err := spistrip.OpenSPIPort(o.chipName(), name, "; also pin the core clock there, because the colours follow it: "+boardLinesHint(),
		" ; fixez-y aussi l’horloge du cœur, car les couleurs la suivent : "+boardLinesHint())
	if err != nil {
		return nil, err
	}
	d, err := New(p, o)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	d.port = p
	return d, nil
}

// String returns a name with the length of the strip and its port.
func (d *Dev) String() string { return d.name }

// Len returns the number of LEDs.
func (d *Dev) Len() int { return d.n }

// FrameTime returns the time that one frame takes on the wire.
func (d *Dev) FrameTime() time.Duration { return time.Duration(8*len(d.buf)) * Frequency.Period() }

// ShowFrame sends one frame of linear light. LEDs without a pixel are dark; more pixels than LEDs are an error.
// It allocates nothing and returns when the frame is sent.
func (d *Dev) ShowFrame(px []devices.RGB) error {
	if len(px) > d.n {
		return fmt.Errorf("%s: %d pixels for a strip of %d", d.chip, len(px), d.n)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.buf[restBytes:]
	for i := range d.n {
		var c devices.RGB
		if i < len(px) {
			c = px[i]
		}
		var white byte
		if d.white {
			white = min(c.R, c.G, c.B)
			c = devices.RGB{R: c.R - white, G: c.G - white, B: c.B - white}
		}
		for _, v := range d.order.EncodePixel(c) {
			b = b[copy(b, symbols[v][:]):]
		}
		if d.white {
			b = b[copy(b, symbols[white][:]):]
		}
	}
	if err := d.c.Tx(d.buf, nil); err != nil {
		return fmt.Errorf("%s: send: %w", d.chip, err)
	}
	return nil
}

// Halt makes the strip dark. ShowFrame lights it again.
func (d *Dev) Halt() error { return d.ShowFrame(nil) }

// Close makes the strip dark and closes a port that Open opened.
func (d *Dev) Close() error {
	err := d.Halt()
	if d.port != nil {
		err = errors.Join(err, d.port.Close())
	}
	return err
}

// FrameSize returns the number of bytes of one transfer for n LEDs of three colours.
func FrameSize(n int) int { return restBytes + n*3*bytesPerChannel + restBytes }

// FrameSizeWhite returns the number of bytes of one transfer for n LEDs of three colours and white.
func FrameSizeWhite(n int) int { return restBytes + n*4*bytesPerChannel + restBytes }

// symbols has the 24 SPI bits of each value, most significant bit first.
var symbols = func() (t [256][3]byte) {
	for v := range t {
		var bits uint32
		for i := 7; i >= 0; i-- {
			bits = bits<<3 | 0b100
			if v>>i&1 == 1 {
				bits |= 0b010
			}
		}
		t[v] = [3]byte{byte(bits >> 16), byte(bits >> 8), byte(bits)}
	}
	return t
}()

var _ devices.TimedStrip = (*Dev)(nil)
