package mfrc522

import (
	"errors"
	"fmt"
	"time"

	"majordome/devices/iso14443"
	"periph.io/x/devices/v3/mfrc522/commands"
)

// Timer: 13.56 MHz / (2*67+1) gives ticks of 9.96 µs; 25 of them, counted from the end of the frame, are 249
// µs. The timer stops at the fifth bit of an answer (data sheet, table 106), which every tag starts 91 µs after
// the frame, so 138 µs would do.
const (
	timerPrescaler = 67
	timerReload    = 24
	timeout        = 249 * time.Microsecond
)

// ComIrqReg and ErrorReg bits.
const (
	irqSet1  = 0x80 // always reads 0 unless the bus is broken
	irqRx    = 0x20
	irqErr   = 0x02
	irqTimer = 0x01

	errTemperature = 0x40
	errOverflow    = 0x10
	errCollision   = 0x08
	errParity      = 0x02
	errProtocol    = 0x01
)

var (
	errBus   = errors.New("the bus returns nonsense")
	errStuck = errors.New("the chip finishes no exchange")
)

// transceiver is a Dev as an iso14443.Transceiver. d.mu is held.
type transceiver Dev

// Exchange implements iso14443.Transceiver.
func (a *transceiver) Exchange(f *iso14443.Frame) error { return (*Dev)(a).exchangeFrame(f) }

// exchangeFrame sends one frame and reads the answer.
func (d *Dev) exchangeFrame(f *iso14443.Frame) error {
	d.stats.Exchanges++
	framing := f.RxAlign<<4 | f.TxBits
	// StartSend must be cleared first: the chip does not clear it, and would send the FIFO while it is being
	// filled.
	if err := d.writeRegister(commands.BitFramingReg, framing); err != nil {
		return err
	}
	if err := d.writeRegister(commands.CommIrqReg, 0x7F); err != nil {
		return err
	}
	if !d.armed {
		// After silence the receiver is still open and may have received stray bits. Only a new command is sure
		// to end that (data sheet, 10.2): Idle, then Transceive, then a flush.
		if err := d.writeRegister(commands.CommandReg, commands.PCD_IDLE); err != nil {
			return err
		}
		if err := d.writeRegister(commands.CommandReg, commands.PCD_TRANSCEIVE); err != nil {
			return err
		}
		if err := d.writeRegister(commands.FIFOLevelReg, 0x80); err != nil {
			return err
		}
	}
	d.armed = false
	if err := d.writeRegister(commands.FIFODataReg, f.Tx[:f.TxLen]...); err != nil {
		return err
	}
	if err := d.writeRegister(commands.BitFramingReg, 0x80|framing); err != nil {
		return err
	}
	wait := f.AirTime()
	if f.Expect == 0 {
		wait += timeout
	}
	d.clock.Sleep(wait)
	return d.collectAnswer(f)
}

// statusRegs are the registers of one status read. VersionReg shows at once that the chip has gone.
var statusRegs = [...]byte{commands.CommIrqReg, commands.ErrorReg, commands.FIFOLevelReg,
	commands.ControlReg, commands.CollReg, commands.VersionReg}

// collectAnswer waits for the end of the exchange and reads its outcome.
func (d *Dev) collectAnswer(f *iso14443.Frame) error {
	const (
		step  = 50 * time.Microsecond
		tries = 40 // 2 ms beyond the longest answer and the timer
	)
	for range tries {
		s, err := d.readRegisters(statusRegs[:]...)
		if err != nil {
			return err
		}
		irq, errs, level := s[0], s[1], int(s[2])
		if irq&irqSet1 != 0 || s[5] != d.ident.Version {
			return errBus
		}
		switch {
		case irq&irqRx != 0:
			return d.readAnswer(f, errs, level, s[3]&7, s[4])
		case irq&irqTimer != 0 && (errs&(errOverflow|errCollision|errParity|errProtocol) != 0 || level > 0):
			d.markGarbled(f)
			return nil
		case irq&irqTimer != 0:
			f.Outcome = iso14443.Silence
			return nil
		}
		d.clock.Sleep(step)
	}
	return errStuck
}

// readAnswer reads a received frame from the FIFO.
func (d *Dev) readAnswer(f *iso14443.Frame, errs byte, level int, lastBits, coll byte) error {
	if errs&errCollision == 0 && errs&(errOverflow|errParity|errProtocol) != 0 || level == 0 || level > len(f.Rx) {
		d.markGarbled(f)
		return nil
	}
	for i := range level {
		d.w[i] = commands.FIFODataReg<<1 | 0x80
	}
	d.w[level] = 0
	if err := d.transferBytes(level + 1); err != nil {
		return err
	}
	copy(f.Rx[:], d.r[1:level+1])
	f.RxLen, f.RxBits = level, lastBits
	if errs&errCollision == 0 {
		d.armed = true // the FIFO is empty again and Transceive waits for StartSend
		f.Outcome = iso14443.Answer
		return nil
	}
	d.stats.Collisions++
	f.Outcome, f.CollPos = iso14443.Collision, 0
	if coll&0x20 == 0 { // the position is valid; 0 means 32
		if f.CollPos = int(coll & 0x1F); f.CollPos == 0 {
			f.CollPos = 32
		}
	}
	return nil
}

func (d *Dev) markGarbled(f *iso14443.Frame) {
	d.stats.Garbled++
	f.Outcome = iso14443.Garbled
}

// writeRegister writes to one register; several bytes go to the FIFO one after the other.
func (d *Dev) writeRegister(reg byte, data ...byte) error {
	d.w[0] = reg << 1
	n := copy(d.w[1:], data)
	if err := d.conn.Tx(d.w[:n+1], nil); err != nil {
		return fmt.Errorf("writing register %02X: %w", reg, err)
	}
	return nil
}

// readRegisters reads registers in one transfer: each value comes one byte after its address. The result is
// valid until the next transfer.
func (d *Dev) readRegisters(regs ...byte) ([]byte, error) {
	for i, reg := range regs {
		d.w[i] = reg<<1 | 0x80
	}
	d.w[len(regs)] = 0
	if err := d.transferBytes(len(regs) + 1); err != nil {
		return nil, err
	}
	return d.r[1 : len(regs)+1], nil
}

// transferBytes sends the first n bytes of d.w and receives as many in d.r.
func (d *Dev) transferBytes(n int) error {
	if err := d.conn.Tx(d.w[:n], d.r[:n]); err != nil {
		return fmt.Errorf("reading registers: %w", err)
	}
	return nil
}
