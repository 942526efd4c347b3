// Package apa102 drives strips of APA102 and SK9822 LEDs: clocked, so without
// any timing risk, on every Raspberry Pi. It wraps periph's driver and adds what
// a table needs: a clock of its own choice, the limit of one transfer checked
// before the first frame, and the end frame that SK9822 wants.
//
// The colours are sent as they are given, as linear light. The 5-bit
// brightness of the chip stays at full: its 580 Hz is slow enough to be seen.
//
// # SK9822
//
// A SK9822, often sold as APA102, shows a frame only once 32 zero bits and the
// clocks that carry them to the last LED have followed. periph's driver ends
// with ones, so such a strip would stay one frame behind, and lit after
// Halt. The zeros are appended here; to an APA102 they are one more start frame.
//
// # Limits
//
// 1 to 1024 LEDs, 4 bytes each; 35 LEDs take 0.3 ms at 4 MHz. The chip has no
// chip select: it listens to all traffic, so a reader must not share its clock and data wires.
//
// Order of calls: New or Open, Show as often as wanted, Halt (dark), Close.
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

// Clocks in use: the default carries 35 LEDs in 0.3 ms and forgives a metre of
// loose wire; the maximum is the one that periph's driver asks for.
const (
	DefaultFrequency = 4 * physic.MegaHertz
	MaxFrequency     = 20 * physic.MegaHertz
)

// Opts describes the strip.
type Opts struct {
	NumPixels int              // LEDs, 1 to 1024
	Frequency physic.Frequency // SPI clock, 100 kHz to 20 MHz; 4 MHz if 0
	Order     devices.Order    // BGR if empty
}

// Dev is a strip. It is safe for concurrent use.
type Dev struct {
	name  string
	order devices.Order
	hz    physic.Frequency
	port  spi.PortCloser // nil if the caller owns it

	mu  sync.Mutex
	dev *chip.Dev
	rgb []byte // the pixels in the form that periph's driver takes
}

// New connects a strip to p. It sends nothing yet.
func New(p spi.Port, o *Opts) (*Dev, error) {
	if err := spistrip.CheckPixels("apa102", o.NumPixels); err != nil {
		return nil, err
	}
	order, err := spistrip.Order("apa102", o.Order, "BGR")
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
	if err := spistrip.CheckSize("apa102", o.NumPixels, FrameSize, tp.conn.Conn); err != nil {
		return nil, err
	}
	return &Dev{
		name:  fmt.Sprintf("apa102{%d LEDs, %s, %s, %s}", o.NumPixels, order, hz, tp.conn),
		order: order, hz: hz, dev: dev, rgb: make([]byte, 3*o.NumPixels),
	}, nil
}

// Open finds the SPI port called name ("SPI0.0", or "" for the first one) and
// connects a strip to it. The caller has run host.Init; Close gives the port back.
func Open(name string, o *Opts) (*Dev, error) {
	p, err := spistrip.Open("apa102", name, "", "")
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

// String names the strip, its clock and its port.
func (d *Dev) String() string { return d.name }

// Len is the number of LEDs.
func (d *Dev) Len() int { return len(d.rgb) / 3 }

// FrameTime is how long a frame keeps the wire busy.
func (d *Dev) FrameTime() time.Duration {
	return time.Duration(8*FrameSize(d.Len())) * d.hz.Period()
}

// Show sends one frame of linear light; missing pixels are dark, further ones
// an error. It allocates nothing and returns when the frame is on the wire.
func (d *Dev) Show(px []devices.RGB) error {
	if len(px) > d.Len() {
		return fmt.Errorf("apa102: %d pixels for a strip of %d", len(px), d.Len())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.rgb)
	for i, c := range px {
		w := d.order.Wire(c)
		d.rgb[3*i], d.rgb[3*i+1], d.rgb[3*i+2] = w[2], w[1], w[0] // periph's driver sends the last one first
	}
	if _, err := d.dev.Write(d.rgb); err != nil {
		return fmt.Errorf("apa102: send: %w", err)
	}
	return nil
}

// Halt makes the strip dark. Show lights it again.
func (d *Dev) Halt() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.dev.Halt(); err != nil {
		return fmt.Errorf("apa102: halt: %w", err)
	}
	return nil
}

// Close makes the strip dark and gives back a port that Open took.
func (d *Dev) Close() error {
	err := d.Halt()
	if d.port != nil {
		err = errors.Join(err, d.port.Close())
	}
	return err
}

// endSize is the length of periph's end frame of ones, enough for half a clock
// an LED; tailSize that of the zeros behind it: 32 bits and the same clocks again.
func endSize(n int) int  { return n/16 + 1 }
func tailSize(n int) int { return 4 + endSize(n) }

// FrameSize is how many bytes one transfer has for n LEDs.
func FrameSize(n int) int { return 4 + 4*n + endSize(n) + tailSize(n) }

// tailPort hands periph's driver a connection at our clock (the driver always
// asks for 20 MHz) that appends the zeros.
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

// tailConn is used by one Dev at a time, under its lock. The end of buf is
// never written and stays zero.
type tailConn struct {
	spi.Conn
	buf []byte
}

func (c *tailConn) Tx(w, r []byte) error {
	copy(c.buf, w)
	return c.Conn.Tx(c.buf, r)
}

var _ devices.TimedStrip = (*Dev)(nil)
