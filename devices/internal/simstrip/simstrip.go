// Package simstrip simulates the SPI port of a strip: it receives the bytes of a production driver, gives them
// to a decoder that knows the chip, and stores the pixels that were latched last.
//
// Where a real strip would silently show nonsense, this one complains: the transfer returns the error, the port
// stores it, and the pixels stay unchanged.
//
// Limits: the last 32 complaints are stored, all are counted.
package simstrip

import (
	"errors"
	"fmt"
	"sync"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"majordome/devices"
)

// MaxComplaints is the most complaints that are stored.
const MaxComplaints = 32

// Decoder decodes the transfers to one kind of chip.
type Decoder interface {
	// DecodeTransfer decodes w, clocked at hz, into px, which has the pixels latched so far. It reports whether
	// the strip latched; after an error px is discarded.
	DecodeTransfer(w []byte, hz physic.Frequency, px []devices.RGB) (latched bool, err error)
	// CheckMode returns an error if the chip cannot be driven in this mode.
	CheckMode(hz physic.Frequency, mode spi.Mode, bits int) error
}

// Opts sets up the port.
type Opts struct {
	Name   string // "sim" if empty
	Pixels int    // LEDs on the strip
	// MaxTx is the longest transfer in bytes, as spidev's bufsiz; 4096 if 0.
	MaxTx int
	// Clock is the real clock of the wire if it differs from the requested one, as with a core_freq that
	// varies; 0: as requested.
	Clock physic.Frequency
	// OnFrame is called after each latched frame, on the sender's goroutine, with
	// pixels that are valid during the call. It must not block.
	OnFrame func(px []devices.RGB)
}

// Port is a simulated strip at the end of a SPI port. It implements spi.PortCloser and, once connected,
// spi.Conn. It is safe for concurrent use.
//
//  1. px changes only by a transfer that its decoder accepted.
//  2. Connect succeeds once, as on sysfs.
type Port struct {
	opts Opts
	dec  Decoder

	txMu    sync.Mutex    // one transfer at a time; held during OnFrame
	scratch []devices.RGB // the pixels of the transfer being decoded

	mu         sync.Mutex
	limit, hz  physic.Frequency
	connected  bool
	closed     bool
	fault      error
	px         []devices.RGB
	frames     int
	complaints []error
	total      int
}

// New makes a port that gives its bytes to dec.
func New(dec Decoder, o Opts) *Port {
	if o.Name == "" {
		o.Name = "sim"
	}
	if o.MaxTx == 0 {
		o.MaxTx = 4096
	}
	return &Port{opts: o, dec: dec, px: make([]devices.RGB, o.Pixels), scratch: make([]devices.RGB, o.Pixels)}
}

// String returns the name of the port.
func (p *Port) String() string { return p.opts.Name }

// LimitSpeed implements spi.PortCloser.
func (p *Port) LimitSpeed(f physic.Frequency) error {
	if f <= 0 {
		return fmt.Errorf("%s: a speed limit of %s", p, f)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = f
	return nil
}

// Connect implements spi.Port.
func (p *Port) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.connected {
		return nil, fmt.Errorf("%s: connected twice", p)
	}
	if p.limit != 0 && (f == 0 || f > p.limit) {
		f = p.limit
	}
	if p.opts.Clock != 0 {
		f = p.opts.Clock
	}
	if err := p.dec.CheckMode(f, mode, bits); err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	p.hz, p.connected = f, true
	return simConn{p}, nil
}

// Close implements spi.PortCloser. A closed port refuses every transfer.
func (p *Port) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return fmt.Errorf("%s: closed twice", p)
	}
	p.closed = true
	return nil
}

// SetFault makes every transfer fail with err until SetFault(nil), as on a bus that has gone. The pixels stay
// unchanged.
func (p *Port) SetFault(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = err
}

// Len returns the number of LEDs.
func (p *Port) Len() int { return len(p.scratch) }

// AppendPixels appends the pixels latched last to dst, in linear light.
func (p *Port) AppendPixels(dst []devices.RGB) []devices.RGB {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append(dst, p.px...)
}

// FrameCount returns the number of latched frames.
func (p *Port) FrameCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frames
}

// Complaints returns the last complaints, oldest first, and the number of all.
func (p *Port) Complaints() (last []error, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]error(nil), p.complaints...), p.total
}

// simConn is the connection that Connect returns.
type simConn struct{ *Port }

func (c simConn) Duplex() conn.Duplex { return conn.Full }
func (c simConn) MaxTxSize() int      { return c.opts.MaxTx }

// Tx sends w in one piece. It reads zeros: a strip does not answer.
func (c simConn) Tx(w, r []byte) error {
	if len(r) != 0 && len(r) != len(w) {
		return fmt.Errorf("%s: %d bytes out and %d in", c, len(w), len(r))
	}
	clear(r)
	return c.transferBytes(w)
}

// TxPackets sends the packets in one piece.
func (c simConn) TxPackets(packets []spi.Packet) error {
	var all []byte
	for _, k := range packets {
		all = append(all, k.W...)
		clear(k.R)
	}
	return c.transferBytes(all)
}

func (p *Port) transferBytes(w []byte) error {
	p.txMu.Lock()
	defer p.txMu.Unlock()
	hz, err := p.latchPixels(len(w))
	if err != nil {
		return err
	}
	latched, err := p.dec.DecodeTransfer(w, hz, p.scratch)
	if err != nil {
		return p.recordComplaint(err)
	}
	if !latched {
		return nil
	}
	p.mu.Lock()
	copy(p.px, p.scratch)
	p.frames++
	p.mu.Unlock()
	if p.opts.OnFrame != nil {
		p.opts.OnFrame(p.scratch)
	}
	return nil
}

// latchPixels checks that a transfer of n bytes is possible, copies the latched pixels to scratch, and returns
// the clock of the wire.
func (p *Port) latchPixels(n int) (physic.Frequency, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return 0, fmt.Errorf("%s: %w", p, errClosed)
	case p.fault != nil:
		return 0, fmt.Errorf("%s: %w", p, p.fault)
	case n == 0:
		return 0, fmt.Errorf("%s: an empty transfer", p)
	case n > p.opts.MaxTx:
		return 0, fmt.Errorf("%s: a transfer of %d bytes, at most %d fit", p, n, p.opts.MaxTx)
	}
	copy(p.scratch, p.px)
	return p.hz, nil
}

var errClosed = errors.New("the port is closed")

func (p *Port) recordComplaint(err error) error {
	err = fmt.Errorf("%s: %w", p, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total++
	if len(p.complaints) == MaxComplaints {
		copy(p.complaints, p.complaints[1:])
		p.complaints = p.complaints[:MaxComplaints-1]
	}
	p.complaints = append(p.complaints, err)
	return err
}

var (
	_ spi.PortCloser = (*Port)(nil)
	_ spi.Conn       = simConn{}
	_ conn.Limits    = simConn{}
)
