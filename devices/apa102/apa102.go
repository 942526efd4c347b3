// Package apa102 drives strips of APA102 and SK9822 LEDs. They have a clock wire, so there is no timing risk,
// and they work on every Raspberry Pi. The package wraps periph's driver and adds a selectable clock, a check
// of the longest transfer before the first frame, and the end frame that SK9822 needs.
//
// The colours are sent unchanged, as linear light. The 5-bit brightness of the chip stays at full, because its
// 580 Hz is slow enough to be seen.
//
// # SK9822
//
// A SK9822, often sold as APA102, shows a frame only after 32 zero bits and the clocks that carry them to the
// last LED. periph's driver ends with ones, so such a strip would always be one frame late, and lit after Halt.
// This package appends the zeros; to an APA102 they are one more start frame.
//
// # Limits
//
// 1 to 1024 LEDs, 4 bytes each; 35 LEDs take 0.3 ms at 4 MHz. The chip has no chip select: it listens to all
// traffic, so a reader must not share its clock and data wires.
//
// Order of calls: New or Open, ShowFrame as often as wanted, Halt (dark), Close.
package apa102

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	chip "periph.io/x/devices/v3/apa102"

	"majordome/devices"
	"majordome/devices/internal/spistrip"
)

// DefaultFrequency carries 35 LEDs in 0.3 ms and works with a metre of loose wire. MaxFrequency is the clock
// that periph's driver asks for.
const (
	DefaultFrequency = 4 * physic.MegaHertz
	MaxFrequency     = 20 * physic.MegaHertz
)

// Opts describes the strip.
type Opts struct {
	NumPixels int                 // LEDs, 1 to 1024
	Frequency physic.Frequency    // SPI clock, 100 kHz to 20 MHz; 4 MHz if 0
	Order     devices.ColourOrder // BGR if empty
}

// Dev is a strip. It is safe for concurrent use.
type Dev struct {
	name  string
	order devices.ColourOrder
	hz    physic.Frequency
	port  spi.PortCloser // nil unless Open opened it

	mu  sync.Mutex
	dev *chip.Dev
	rgb []byte // the pixels in the form of periph's driver
}

// New connects a strip to p. It sends nothing yet.
func New(p spi.Port, o *Opts) (*Dev, error) {
	if err := spistrip.CheckPixelCount("apa102", o.NumPixels); err != nil {
		return nil, err
	}
	order, err := spistrip.ColourOrderOrDefault("apa102", o.Order, "BGR")
	if err != nil {
		return nil, err
	}
	hz := o.Frequency
	if hz == 0 {
		hz = DefaultFrequency
	}
	if hz < 100*physic.KiloHertz || hz > MaxFrequency {
		return nil, fmt.Errorf("apa102: a clock of %s: it must be 100 kHz to %s", hz, MaxFrequency)
	}
	tp := &tailPort{Port: p, hz: hz, pixels: o.NumPixels}
	opts := chip.PassThruOpts
	opts.NumPixels = o.NumPixels
	dev, err := chip.New(tp, &opts)
	if err != nil {
		return nil, fmt.Errorf("apa102: connect %s at %s: %w", p, hz, err)
	}
	if err := spistrip.CheckTransferSize("apa102", o.NumPixels, FrameSize, tp.conn.Conn); err != nil {
		return nil, err
	}
	return &Dev{
		name:  fmt.Sprintf("apa102{%d LEDs, %s, %s, %s}", o.NumPixels, order, hz, tp.conn),
		order: order, hz: hz, dev: dev, rgb: make([]byte, 3*o.NumPixels),
	}, nil
}

// Open opens the SPI port called name ("SPI0.0", or "" for the first one) and connects a strip to it. The
// caller has run host.Init. Close closes the port.
func Open(name string, o *Opts) (*Dev, error) {
	p, err := spistrip.OpenSPIPort("apa102", name, "", "")
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

// String returns a name with the length of the strip, its clock and its port.
func (d *Dev) String() string { return d.name }

// Len returns the number of LEDs.
func (d *Dev) Len() int { return len(d.rgb) / 3 }

// FrameTime returns the time that one frame takes on the wire.
func (d *Dev) FrameTime() time.Duration {
	return time.Duration(8*FrameSize(d.Len())) * d.hz.Period()
}

// ShowFrame sends one frame of linear light. LEDs without a pixel are dark; more pixels than LEDs are an error.
// It allocates nothing and returns when the frame is sent.
func (d *Dev) ShowFrame(px []devices.RGB) error {
	if len(px) > d.Len() {
		return fmt.Errorf("apa102: %d pixels for a strip of %d", len(px), d.Len())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.rgb)
	for i, c := range px {
		w := d.order.EncodePixel(c)
		d.rgb[3*i], d.rgb[3*i+1], d.rgb[3*i+2] = w[2], w[1], w[0] // periph's driver sends the last one first
	}
	if _, err := d.dev.Write(d.rgb); err != nil {
		return fmt.Errorf("apa102: send: %w", err)
	}
	return nil
}

// Halt makes the strip dark. ShowFrame lights it again.
func (d *Dev) Halt() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.dev.Halt(); err != nil {
		return fmt.Errorf("apa102: halt: %w", err)
	}
	return nil
}

// Close makes the strip dark and closes a port that Open opened.
func (d *Dev) Close() error {
	err := d.Halt()
	if d.port != nil {
		err = errors.Join(err, d.port.Close())
	}
	return err
}

// endFrameSize returns the bytes of periph's end frame of ones, half a clock for each LED; zeroTailSize those of the
// zeros after it: 32 bits and the same clocks again.
func endFrameSize(n int) int { return n/16 + 1 }
func zeroTailSize(n int) int { return 4 + endFrameSize(n) }

// FrameSize returns the number of bytes of one transfer for n LEDs.
func FrameSize(n int) int { return 4 + 4*n + endFrameSize(n) + zeroTailSize(n) }

// tailPort gives periph's driver, which always asks for 20 MHz, a connection at clock hz that appends the
// zeros to each transfer.
type tailPort struct {
	spi.Port
	hz     physic.Frequency
	pixels int
	conn   *tailConn
}

func (p *tailPort) Connect(_ physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	c, err := p.Port.Connect(p.hz, mode, bits)
	if err != nil {
		return nil, err
	}
	p.conn = &tailConn{Conn: c, buf: make([]byte, FrameSize(p.pixels))}
	return p.conn, nil
}

// tailConn is used by one Dev at a time, under its lock. The end of buf is never written and stays zero.
type tailConn struct {
	spi.Conn
	buf []byte
}

func (c *tailConn) Tx(w, r []byte) error {
	copy(c.buf, w)
	return c.Conn.Tx(c.buf, r)
}

var _ devices.TimedStrip = (*Dev)(nil)
