package mfrc522sim

import (
	"time"

	"periph.io/x/devices/v3/mfrc522/commands"
)

// Maker is the maker of the chip. Chips differ in the version that they report and in what the data sheet
// leaves open.
type Maker uint8

const (
	NXP     Maker = iota // MFRC522, version 92
	FM17522              // Fudan, version 88: reserved bits as NXP's
	Si522                // sold and reported as an MFRC522; its reserved bits can be written, and CommandReg is 00 after a reset
	Clone82              // a nameless clone, version 82: its reserved bits read 0
)

var makers = [...]struct {
	version byte
	command byte // CommandReg after a reset
	keeps   bool // reserved bits can be written
	zeros   bool // reserved bits read 0
}{
	NXP:     {version: 0x92, command: 0x20},
	FM17522: {version: 0x88, command: 0x20},
	Si522:   {version: 0x92, keeps: true},
	Clone82: {version: 0x82, command: 0x20, zeros: true},
}

// register has the value of a register after a reset, and a mask of the bits that can be written (data sheet,
// section 9.3). A register that is not listed is read only, or reserved as a whole.
type register struct{ reset, writable byte }

var registers = [64]register{
	commands.CommandReg:     {0x20, 0x3F},
	commands.CommIEnReg:     {0x80, 0xFF},
	commands.DivlEnReg:      {0x00, 0x94},
	commands.CommIrqReg:     {0x14, 0x7F},
	commands.DivIrqReg:      {0x00, 0x14},
	commands.Status1Reg:     {0x21, 0},
	commands.Status2Reg:     {0x00, 0xC8},
	commands.WaterLevelReg:  {0x08, 0x3F},
	commands.ControlReg:     {0x10, 0},
	commands.BitFramingReg:  {0x00, 0x77},
	commands.CollReg:        {0xA0, 0x80},
	commands.ModeReg:        {0x3F, 0xAB},
	commands.TxModeReg:      {0x00, 0xF8},
	commands.RxModeReg:      {0x00, 0xFC},
	commands.TxControlReg:   {0x80, 0xFB},
	commands.TxAutoReg:      {0x00, 0x40}, // TxASKReg
	commands.TxSelReg:       {0x10, 0x3F},
	commands.RxSelReg:       {0x84, 0xFF},
	commands.RxThresholdReg: {0x84, 0xF7},
	commands.DemodReg:       {0x4D, 0xFF},
	commands.MifareReg:      {0x62, 0x03}, // MfTxReg
	0x1D:                    {0x00, 0x10}, // MfRxReg
	commands.SerialSpeedReg: {0xEB, 0xFF},
	commands.CRCResultRegM:  {0xFF, 0},
	commands.CRCResultRegL:  {0xFF, 0},
	commands.ModWidthReg:    {0x26, 0xFF},
	commands.RFCfgReg:       {0x48, 0x70},
	commands.GsNReg:         {0x88, 0xFF},
	commands.CWGsPReg:       {0x20, 0x3F},
	commands.ModGsPReg:      {0x20, 0x3F},
	commands.TModeReg:       {0x00, 0xFF},
	commands.TPrescalerReg:  {0x00, 0xFF},
	commands.TReloadRegH:    {0x00, 0xFF},
	commands.TReloadRegL:    {0x00, 0xFF},
	commands.AutoTestReg:    {0x40, 0x4F},
}

// resetChip sets the state after power-up, soft reset or a low NRSTPD. The chip answers again from readyAt on.
func (s *Sim) resetChip(readyAt time.Duration) {
	m := &makers[s.maker]
	for i, r := range registers {
		s.reg[i] = r.reset
		if m.zeros {
			s.reg[i] &= r.writable
		}
	}
	for _, a := range [...]byte{commands.CommIrqReg, commands.Status1Reg, commands.ControlReg, commands.CollReg} {
		s.reg[a] = registers[a].reset // no reserved bits, or bits driven by the chip
	}
	s.reg[commands.CommandReg] = m.command
	s.reg[commands.VersionReg] = s.version
	s.level, s.command, s.pend, s.receiving, s.sendBit, s.fieldOn = 0, commands.PCD_IDLE, pending{}, false, false, false
	s.radiates.Store(false)
	s.readyAt = readyAt
	s.updateIRQ()
}

// storeWritableBits stores in a register those bits of v that the chip lets a driver write.
func (s *Sim) storeWritableBits(addr, v byte) {
	if s.lenient || makers[s.maker].keeps {
		s.reg[addr] = v
		return
	}
	w := registers[addr].writable
	s.reg[addr] = s.reg[addr]&^w | v&w
}

// readRegister returns what a driver reads from a register at now. FIFODataReg loses the byte that is read.
func (s *Sim) readRegister(addr byte, now time.Duration) byte {
	if now < s.deadUntil {
		return 0
	}
	if now < s.readyAt { // the oscillator starts
		if addr == commands.CommandReg {
			return 0x10 | commands.PCD_RESETPHASE
		}
		return 0
	}
	switch addr {
	case commands.FIFODataReg:
		return s.popFIFO()
	case commands.FIFOLevelReg:
		return byte(s.level)
	case commands.CommandReg:
		return s.reg[commands.CommandReg]&0x30 | s.command
	}
	return s.reg[addr]
}

// popFIFO removes and returns the oldest byte of the FIFO, 0 if it is empty.
func (s *Sim) popFIFO() byte {
	if s.level == 0 {
		return 0
	}
	v := s.fifo[0]
	copy(s.fifo[:], s.fifo[1:s.level])
	s.level--
	return v
}

// pushFIFO appends a byte to the FIFO; into a full one it sets the overflow error.
func (s *Sim) pushFIFO(v byte) {
	if s.level == len(s.fifo) {
		s.reg[commands.ErrorReg] |= errOverflow
		return
	}
	s.fifo[s.level] = v
	s.level++
}

// writeRegister does what the chip does when a driver writes v to a register at now.
func (s *Sim) writeRegister(addr, v byte, now time.Duration) {
	if now < s.readyAt {
		return
	}
	switch addr {
	case commands.CommandReg:
		s.startCommand(v, now)
	case commands.CommIrqReg, commands.DivIrqReg:
		// Bit 7 selects whether the marked bits are set or cleared.
		v, set := v&registers[addr].writable, v&0x80 != 0
		if set {
			s.reg[addr] |= v
		} else {
			s.reg[addr] &^= v
		}
		s.updateIRQ()
	case commands.CommIEnReg:
		s.reg[addr] = v
		s.updateIRQ()
	case commands.FIFODataReg:
		s.pushFIFO(v)
	case commands.FIFOLevelReg:
		if v&0x80 != 0 {
			s.level = 0
			s.reg[commands.ErrorReg] &^= errOverflow
		}
	case commands.BitFramingReg:
		s.storeWritableBits(addr, v&0x7F)
		send := v&0x80 != 0
		if send && (!s.sendBit || s.lenient) {
			s.sendFIFO(now)
			s.scheduleIRQUpdate(now)
		}
		s.sendBit = send
	case commands.CollReg:
		s.reg[addr] = s.reg[addr]&0x7F | v&0x80
	case commands.TxControlReg:
		s.storeWritableBits(addr, v)
		s.switchField(v&3 != 0, now)
	case commands.ErrorReg, commands.VersionReg, commands.Status1Reg, commands.ControlReg,
		commands.CRCResultRegL, commands.CRCResultRegM: // read only
	default:
		s.storeWritableBits(addr, v)
	}
}

// switchField switches the carrier. Without it the tags lose their state.
func (s *Sim) switchField(on bool, now time.Duration) {
	if on && !s.fieldOn {
		s.poweredAt = now
	}
	s.fieldOn = on
	s.radiates.Store(on)
}

// startCommand executes a command. A new one ends the running one: tags have received the frame, but the reader
// receives no answer any more. The same command again is ignored.
func (s *Sim) startCommand(v byte, now time.Duration) {
	cmd := v & 0x0F
	s.storeWritableBits(commands.CommandReg, v&0x30)
	if cmd == s.command && !s.lenient {
		return
	}
	if s.receiving && s.noise.Stray > 0 && s.rng.Float64() < s.noise.Stray {
		s.pushFIFO(byte(s.rng.Uint32()))
	}
	s.receiving = false
	switch cmd {
	case commands.PCD_RESETPHASE:
		if s.hang == HardHang {
			return
		}
		s.hang = NoHang
		s.resetChip(now + s.resetTime)
	case commands.PCD_CALCCRC:
		crc := uint16(0x6363)
		for s.level > 0 {
			crc = crcStep(crc, s.popFIFO())
		}
		s.command, s.pend = cmd, pending{}
		s.reg[commands.CRCResultRegL], s.reg[commands.CRCResultRegM] = byte(crc), byte(crc>>8)
		s.reg[commands.DivIrqReg] |= 0x04
	default:
		s.command, s.pend = cmd, pending{}
	}
	if v&0x10 != 0 { // PowerDown
		s.switchField(false, now)
	}
}

// crcStep adds one byte to the CRC_A of ISO/IEC 14443-3, annex B: x^16+x^12+x^5+1, the lowest bit first, the
// register shifted to the right. It goes bit by bit, as the standard draws it.
func crcStep(crc uint16, b byte) uint16 {
	for range 8 {
		out := (crc ^ uint16(b)) & 1
		crc >>= 1
		if out != 0 {
			crc ^= 0x8408
		}
		b >>= 1
	}
	return crc
}
