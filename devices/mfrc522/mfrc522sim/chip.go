package mfrc522sim

import (
	"time"

	"majordome/devices/iso14443"
	"periph.io/x/devices/v3/mfrc522/commands"
)

// resetValues are the registers after a reset that differ from 0 (data sheet, section 9.3).
var resetValues = [...][2]byte{
	{commands.CommandReg, 0x20}, {commands.CommIEnReg, 0x80}, {commands.CommIrqReg, 0x14},
	{commands.Status1Reg, 0x21}, {commands.WaterLevelReg, 0x08}, {commands.ControlReg, 0x10},
	{commands.CollReg, 0xA0}, {commands.ModeReg, 0x3F}, {commands.TxControlReg, 0x80},
	{commands.TxSelReg, 0x10}, {commands.RxSelReg, 0x84}, {commands.RxThresholdReg, 0x84},
	{commands.DemodReg, 0x4D}, {commands.MifareReg, 0x62}, {commands.SerialSpeedReg, 0xEB},
	{commands.CRCResultRegM, 0xFF}, {commands.CRCResultRegL, 0xFF}, {commands.ModWidthReg, 0x26},
	{commands.RFCfgReg, 0x48}, {commands.GsNReg, 0x88}, {commands.CWGsPReg, 0x20}, {commands.ModGsPReg, 0x20},
}

// reset is the state after power-up, soft reset or a low NRSTPD.
func (s *Sim) reset() {
	s.reg = [64]byte{}
	for _, v := range resetValues {
		s.reg[v[0]] = v[1]
	}
	s.reg[commands.VersionReg] = s.version
	s.level, s.command, s.pend, s.open, s.fieldOn = 0, commands.PCD_IDLE, pending{}, false, false
	s.updateIRQ()
}

func (s *Sim) read(addr byte) byte {
	switch addr {
	case commands.FIFODataReg:
		if s.level == 0 {
			return 0
		}
		v := s.fifo[0]
		copy(s.fifo[:], s.fifo[1:s.level])
		s.level--
		return v
	case commands.FIFOLevelReg:
		return byte(s.level)
	case commands.CommandReg:
		return s.reg[commands.CommandReg]&0x30 | s.command
	}
	return s.reg[addr]
}

func (s *Sim) write(addr, v byte, now time.Duration) {
	switch addr {
	case commands.CommandReg:
		s.start(v, now)
	case commands.CommIrqReg, commands.DivIrqReg:
		// Bit 7 says whether the marked bits are set or cleared.
		if v&0x80 != 0 {
			s.reg[addr] |= v & 0x7F
		} else {
			s.reg[addr] &^= v
		}
		s.updateIRQ()
	case commands.CommIEnReg:
		s.reg[addr] = v
		s.updateIRQ()
	case commands.FIFODataReg:
		if s.level < len(s.fifo) {
			s.fifo[s.level] = v
			s.level++
		} else {
			s.reg[commands.ErrorReg] |= 0x10
		}
	case commands.FIFOLevelReg:
		if v&0x80 != 0 {
			s.level = 0
			s.reg[commands.ErrorReg] &^= 0x10
		}
	case commands.BitFramingReg:
		s.reg[addr] = v & 0x7F
		if v&0x80 != 0 {
			s.startSend(now)
			s.armIRQ(now)
		}
	case commands.CollReg:
		s.reg[addr] = s.reg[addr]&0x7F | v&0x80
	case commands.TxControlReg:
		s.reg[addr] = v
		s.field(v&3 != 0, now)
	case commands.ErrorReg, commands.VersionReg, commands.Status1Reg,
		commands.CRCResultRegL, commands.CRCResultRegM: // read only
	default:
		s.reg[addr] = v
	}
}

// field switches the carrier. Without it the tags lose their state.
func (s *Sim) field(on bool, now time.Duration) {
	if on && !s.fieldOn {
		s.powered = now
	}
	s.fieldOn = on
}

// start executes a command. One that is under way is given up: tags have
// heard it, the reader hears nothing more.
func (s *Sim) start(v byte, now time.Duration) {
	s.reg[commands.CommandReg] = v & 0x30
	if s.open && s.level < len(s.fifo) && s.noise.Stray > 0 && s.rng.Float64() < s.noise.Stray {
		s.fifo[s.level] = byte(s.rng.Uint32())
		s.level++
	}
	s.open = false
	switch cmd := v & 0x0F; cmd {
	case commands.PCD_RESETPHASE:
		if s.hang == HardHang {
			return
		}
		s.hang = Sound
		s.reset()
	case commands.PCD_CALCCRC:
		crc := iso14443.CRCA(s.fifo[:s.level])
		s.level, s.command, s.pend = 0, cmd, pending{}
		s.reg[commands.CRCResultRegL], s.reg[commands.CRCResultRegM] = byte(crc), byte(crc>>8)
		s.reg[commands.DivIrqReg] |= 0x04
	default:
		s.command, s.pend = cmd, pending{}
	}
	if v&0x10 != 0 { // PowerDown
		s.field(false, now)
	}
}
