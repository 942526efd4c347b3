package mfrc522sim

import (
	"errors"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/mfrc522/commands"
)

// Bus lets several chips share one bus: it carries one transfer at a time, in the order of the requests.
type Bus struct{ free chan struct{} }

// NewBus makes a free bus. Under testing/synctest only the bubble that made it may use it.
func NewBus() *Bus { return &Bus{make(chan struct{}, 1)} }

// Port returns the SPI port of the chip. It may be connected several times.
func (s *Sim) Port() spi.PortCloser { return &port{s: s} }

// Conn returns a connection at 4 MHz.
func (s *Sim) Conn() spi.Conn { return &busConn{s} }

type port struct {
	s     *Sim
	limit physic.Frequency
}

func (p *port) String() string { return "mfrc522sim" }
func (p *port) Close() error   { return nil }

func (p *port) LimitSpeed(f physic.Frequency) error {
	p.limit = f
	return nil
}

// Connect implements spi.Port. The chip accepts up to 10 MHz, mode 0, 8 bits.
func (p *port) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	if mode != spi.Mode0 || bits != 8 || f > 10*physic.MegaHertz {
		return nil, errors.New("mfrc522sim: the chip wants at most 10 MHz, mode 0, 8 bits")
	}
	if p.limit != 0 && (f == 0 || f > p.limit) {
		f = p.limit
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if p.s.byteTime != 0 {
		p.s.setSpeed(f)
	}
	return &busConn{p.s}, nil
}

type busConn struct{ s *Sim }

func (b *busConn) String() string       { return "mfrc522sim" }
func (b *busConn) Duplex() conn.Duplex  { return conn.Full }
func (b *busConn) Tx(w, r []byte) error { return b.s.transferBytes(w, r) }

// TxPackets implements spi.Conn.
func (b *busConn) TxPackets(p []spi.Packet) error {
	for i := range p {
		if err := b.s.transferBytes(p[i].W, p[i].R); err != nil {
			return err
		}
	}
	return nil
}

var errFrame = errors.New("mfrc522sim: a frame needs an address and data, and as many bytes back as out")

// transferBytes executes one transfer. To write, w is an address byte and data for that register. To read, it is
// address bytes with bit 7 set, and the value of each comes one byte later in r.
func (s *Sim) transferBytes(w, r []byte) error {
	if len(w) < 2 || len(r) != 0 && len(r) != len(w) {
		return errFrame
	}
	if s.sharedBus != nil {
		s.sharedBus.free <- struct{}{}
		defer func() { <-s.sharedBus.free }()
	}
	if cost := s.transfer + time.Duration(len(w))*s.byteTime; cost > 0 {
		s.clock.Sleep(cost)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Transfers++
	s.stats.Bytes += len(w)
	if s.busErr != nil {
		return s.busErr
	}
	if s.stuck || s.inReset {
		for i := range r {
			r[i] = s.miso
		}
		return nil
	}
	now := s.clock.Now()
	s.applyEventsUntil(now)
	if w[0]&0x80 == 0 {
		for _, v := range w[1:] {
			s.writeRegister(w[0]>>1&0x3F, v, now)
		}
		return nil
	}
	for i, a := range w[:len(w)-1] {
		if v := s.readRegister(a>>1&0x3F, now); len(r) != 0 {
			r[i+1] = v
		}
	}
	return nil
}

// IRQ returns the interrupt pin, for drivers that need one. It requires a clock that time.AfterFunc follows:
// the computer's, or that of testing/synctest.
func (s *Sim) IRQ() gpio.PinIn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.irqUsed = true
	return &irqPin{s: s}
}

// updateIRQ drives the pin from the interrupt bits. A falling edge is stored until WaitForEdge.
func (s *Sim) updateIRQ() {
	low := s.reg[commands.CommIrqReg]&s.reg[commands.CommIEnReg]&0x7F != 0
	if low && !s.irqLow {
		select {
		case s.edges <- struct{}{}:
		default:
		}
	}
	s.irqLow = low
}

// scheduleIRQUpdate updates the chip at the time when the answer is complete, because the driver need not touch
// the registers before the interrupt.
func (s *Sim) scheduleIRQUpdate(now time.Duration) {
	if !s.irqUsed || s.pend.rxEnd == 0 || s.reg[commands.CommIEnReg]&0x20 == 0 {
		return
	}
	time.AfterFunc(s.pend.rxEnd-now, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.applyEventsUntil(s.clock.Now())
	})
}

type irqPin struct{ s *Sim }

func (p *irqPin) String() string                { return "IRQ" }
func (p *irqPin) Halt() error                   { return nil }
func (p *irqPin) Name() string                  { return "IRQ" }
func (p *irqPin) Number() int                   { return -1 }
func (p *irqPin) Function() string              { return "In" }
func (p *irqPin) In(gpio.Pull, gpio.Edge) error { return nil }
func (p *irqPin) Pull() gpio.Pull               { return gpio.PullUp }
func (p *irqPin) DefaultPull() gpio.Pull        { return gpio.PullUp }

func (p *irqPin) Read() gpio.Level {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return gpio.Level(!p.s.irqLow)
}

// WaitForEdge implements gpio.PinIn. A time-out of 0 only discards a stored edge, a negative one waits for
// ever.
func (p *irqPin) WaitForEdge(timeout time.Duration) bool {
	if timeout < 0 {
		<-p.s.edges
		return true
	}
	if timeout == 0 {
		select {
		case <-p.s.edges:
			return true
		default:
			return false
		}
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	select {
	case <-p.s.edges:
		return true
	case <-t.C:
		return false
	}
}

// ResetPin returns the pin NRSTPD: low holds the chip in reset, high lets it start.
func (s *Sim) ResetPin() gpio.PinOut { return &resetPin{s} }

type resetPin struct{ s *Sim }

func (p *resetPin) String() string                        { return "NRSTPD" }
func (p *resetPin) Halt() error                           { return nil }
func (p *resetPin) Name() string                          { return "NRSTPD" }
func (p *resetPin) Number() int                           { return -1 }
func (p *resetPin) Function() string                      { return "Out" }
func (p *resetPin) PWM(gpio.Duty, physic.Frequency) error { return errors.New("mfrc522sim: no PWM") }

func (p *resetPin) Out(l gpio.Level) error {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if p.s.inReset = l == gpio.Low; p.s.inReset {
		p.s.hang = NoHang
	}
	p.s.resetChip(p.s.clock.Now() + p.s.resetTime)
	return nil
}

var (
	_ spi.PortCloser = (*port)(nil)
	_ spi.Conn       = (*busConn)(nil)
	_ gpio.PinIn     = (*irqPin)(nil)
	_ gpio.PinOut    = (*resetPin)(nil)
)
