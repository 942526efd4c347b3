package mfrc522

import (
	"errors"
	"fmt"
	"time"

	"majordome/devices/iso14443"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/devices/v3/mfrc522/commands"
)

const (
	txControlOn  = 0x83 // both antenna pins driven
	txControlOff = 0x80
	timerAuto    = 0x80
	// fieldSettle is the longest time from field to first answer that ISO/IEC 14443-3 allows a tag.
	fieldSettle = 5 * time.Millisecond
	// A reset lasts until the oscillator runs; some modules have needed up to 150 ms.
	resetStep  = time.Millisecond
	resetLimit = 150 * time.Millisecond
	// gainMask has the defined bits of RFCfgReg. The others read 8 after a reset; what a clone does with them
	// is unknown.
	gainMask, gainReserved = 0x70, 0x08
	// powerDown in CommandReg reads 1 until the oscillator runs.
	powerDown = 0x10
)

var errAsleep = errors.New("the chip does not start after a reset")

// setUpRegisters writes every register that the driver relies on and switches the field on.
func (d *Dev) setUpRegisters() error {
	d.armed = false
	for _, v := range [...][2]byte{
		{commands.CommandReg, commands.PCD_IDLE},
		{commands.BitFramingReg, 0},
		{commands.CommIEnReg, 0x80},    // no interrupt wire
		{commands.TModeReg, timerAuto}, // starts automatically at the end of a frame
		{commands.TPrescalerReg, timerPrescaler},
		{commands.TReloadRegH, 0},
		{commands.TReloadRegL, timerReload},
		{commands.TxAutoReg, 0x40}, // TxASKReg: 100 % ASK
		{commands.ModeReg, 0x3D},   // CRC preset 6363
		{commands.TxModeReg, 0},    // 106 kbit/s; package iso14443 makes the CRC
		{commands.RxModeReg, 0x08}, // RxNoErr: fewer than four bits are no answer
		{commands.ModWidthReg, 0x26},
		{commands.CollReg, 0},    // bits after a collision read 0
		{commands.Status2Reg, 0}, // Crypto1 off
		{commands.RFCfgReg, d.gain | gainReserved},
		{commands.TxControlReg, txControlOn},
	} {
		if err := d.writeRegister(v[0], v[1]); err != nil {
			return err
		}
	}
	d.clock.Sleep(fieldSettle)
	return nil
}

// checkHealth reads the registers that a brown-out, a hang or heat would change. It costs one transfer.
func (d *Dev) checkHealth() error {
	s, err := d.readRegisters(commands.VersionReg, commands.TxControlReg, commands.Status2Reg, commands.TModeReg,
		commands.TReloadRegL, commands.RFCfgReg, commands.ErrorReg)
	if err != nil {
		return err
	}
	switch {
	case s[0] != d.ident.Version:
		return errBus
	case s[1]&3 != 3:
		return errors.New("the antenna is off")
	case s[2]&8 != 0:
		return errors.New("the chip is in Crypto1 mode")
	case s[3] != timerAuto || s[4] != timerReload || s[5]&gainMask != d.gain:
		return errors.New("the registers are lost: the supply broke down")
	case s[6]&errTemperature != 0:
		return errors.New("the chip is too hot and has switched its antenna off")
	}
	return nil
}

// repairChip tries to repair the chip after cause: by writing the registers, then by the reset command, then by
// the reset pin.
func (d *Dev) repairChip(cause error) error {
	if d.readVersion() == nil && d.setUpRegisters() == nil && d.checkWorking() == nil {
		d.stats.Rewritten++
		return nil
	}
	if err := d.startChip(); err != nil {
		return fmt.Errorf("%w, after: %w", err, cause)
	}
	return nil
}

// startChip resets and sets up the chip: by command, and if that fails by pin.
func (d *Dev) startChip() error {
	d.up = false
	err := d.readVersion()
	if err == nil {
		if err = d.softReset(); err == nil {
			d.stats.SoftResets++
		}
	}
	if err != nil && d.opts.Reset != nil {
		if err = d.hardReset(); err == nil {
			d.stats.HardResets++
		}
	}
	if err != nil {
		d.stats.Failures++
		return err
	}
	d.up = true
	return nil
}

// readVersion reads the version into d.ident. It returns ErrNoChip for 00 and FF, which mean a bus without a
// chip, or a chip that does not start.
func (d *Dev) readVersion() error {
	s, err := d.readRegisters(commands.CommandReg, commands.VersionReg)
	if err == nil && s[1] == 0x00 && s[0]&powerDown != 0 {
		_ = d.waitAwake() // whether or not it fails, the version decides
		s, err = d.readRegisters(commands.CommandReg, commands.VersionReg)
	}
	if err != nil {
		return err
	}
	d.ident = Identity{Version: s[1]}
	if v := s[1]; v == 0x00 || v == 0xFF {
		return fmt.Errorf("%w (version register reads %02X)", ErrNoChip, v)
	}
	return nil
}

func (d *Dev) softReset() error {
	if err := d.writeRegister(commands.CommandReg, commands.PCD_RESETPHASE); err != nil {
		return err
	}
	return d.finishReset()
}

// finishReset waits until the chip has started, writes its registers and checks that it works.
func (d *Dev) finishReset() error {
	if err := d.waitAwake(); err != nil {
		return err
	}
	if err := d.readVersion(); err != nil {
		return err
	}
	if err := d.setUpRegisters(); err != nil {
		return err
	}
	return d.checkWorking()
}

// waitAwake waits for the end of a reset, 150 ms at most. What is written to the chip before that is lost.
func (d *Dev) waitAwake() error {
	for start := d.clock.Now(); d.clock.Now()-start < resetLimit; {
		d.clock.Sleep(resetStep)
		s, err := d.readRegisters(commands.CommandReg)
		if err != nil {
			return err
		}
		if s[0]&powerDown == 0 {
			return nil
		}
	}
	return errAsleep
}

func (d *Dev) hardReset() error {
	if err := d.opts.Reset.Out(gpio.Low); err != nil {
		return fmt.Errorf("reset pin: %w", err)
	}
	d.clock.Sleep(time.Millisecond) // 100 ns would do
	if err := d.opts.Reset.Out(gpio.High); err != nil {
		return fmt.Errorf("reset pin: %w", err)
	}
	return d.finishReset()
}

// checkWorking checks the registers and that a frame can be sent, because a broken chip may answer its version
// and still send nothing. The frame is a HLTA, which no tag answers.
func (d *Dev) checkWorking() error {
	if err := d.checkHealth(); err != nil {
		return err
	}
	f := iso14443.Frame{Tx: [iso14443.MaxFrame]byte{0x50, 0x00, 0x57, 0xCD}, TxLen: 4}
	return d.exchangeFrame(&f)
}

// switchFieldOn switches the field of a reader in a group on, and waits until its tags have started.
func (d *Dev) switchFieldOn() error {
	if d.opts.Group == nil {
		return nil
	}
	d.armed = false // the field was off
	err := d.writeRegister(commands.TxControlReg, txControlOn)
	d.clock.Sleep(fieldSettle)
	return err
}

// switchFieldOff switches the field of a reader in a group off. The next scan finds any error.
func (d *Dev) switchFieldOff() {
	if d.opts.Group != nil && d.up {
		_ = d.writeRegister(commands.TxControlReg, txControlOff)
	}
}

func (d *Dev) powerDownChip() error {
	return errors.Join(
		d.writeRegister(commands.TxControlReg, txControlOff),
		d.writeRegister(commands.CommandReg, powerDown|commands.PCD_IDLE),
	)
}
