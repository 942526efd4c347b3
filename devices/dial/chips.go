package dial

import (
	"fmt"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/ht16k33"
	"periph.io/x/devices/v3/max7219"
	"periph.io/x/devices/v3/tic"
	"periph.io/x/devices/v3/tm1637"
)

// Bits of the colon: in the second digit of a TM1637, and in the middle column of a HT16K33.
const (
	colonTM1637  = 0x80
	colonHT16K33 = 0x02
)

// sevenSegments returns the four digits of an hour as segments, a to g from the lowest bit.
func (h Hour) sevenSegments() [4]byte {
	d := h.digitsOrDark()
	return [4]byte(tm1637.Digits(d[:]...))
}

type tm1637Dial struct{ dev *tm1637.Dev }

// NewTM1637 makes a dial on two pins. The chip does not report whether it is connected.
func NewTM1637(clock gpio.PinOut, data gpio.PinIO) (Dial, error) {
	dev, err := tm1637.New(clock, data)
	if err != nil {
		return nil, fmt.Errorf("tm1637: %w", err)
	}
	return &tm1637Dial{dev}, nil
}

func (t *tm1637Dial) String() string { return t.dev.String() }

func (t *tm1637Dial) ShowHour(h Hour) error {
	s := h.sevenSegments()
	if h.LastRound > 0 {
		s[1] |= colonTM1637
	}
	if _, err := t.dev.Write(s[:]); err != nil {
		return err
	}
	return t.dev.SetBrightness(tm1637.Brightness4) // also switches it on
}

func (t *tm1637Dial) Halt() error {
	if err := t.dev.Halt(); err != nil {
		return err
	}
	return t.dev.SetBrightness(tm1637.Off)
}

type ht16k33Dial struct {
	bus  i2c.Bus
	addr uint16
	dev  *ht16k33.Dev // nil: not set up yet, or lost
}

// NewHT16K33 makes a dial of a four-digit board on a bus; addr 0 means 0x70. It need not be plugged in yet.
func NewHT16K33(bus i2c.Bus, addr uint16) Dial {
	if addr == 0 {
		addr = ht16k33.I2CAddr
	}
	return &ht16k33Dial{bus: bus, addr: addr}
}

func (b *ht16k33Dial) String() string { return fmt.Sprintf("HT16K33{%s, %#x}", b.bus, b.addr) }

func (b *ht16k33Dial) ShowHour(h Hour) (err error) {
	if b.dev == nil {
		if b.dev, err = ht16k33.NewI2C(b.bus, b.addr); err != nil {
			b.dev = nil
			return err
		}
		if err = b.dev.SetBrightness(3); err != nil {
			return b.markForSetup(err)
		}
	}
	s := h.sevenSegments()
	columns := [5]uint16{uint16(s[0]), uint16(s[1]), 0, uint16(s[2]), uint16(s[3])}
	if h.LastRound > 0 {
		columns[2] = colonHT16K33
	}
	for i, c := range columns {
		if err := b.dev.WriteColumn(i, c); err != nil {
			return b.markForSetup(err)
		}
	}
	return nil
}

// markForSetup makes the next ShowHour set the chip up again, because it has lost its settings when it is back.
// It returns err.
func (b *ht16k33Dial) markForSetup(err error) error {
	b.dev = nil
	return err
}

// Halt makes all columns dark; periph's driver forgets the last one.
func (b *ht16k33Dial) Halt() error { return b.ShowHour(Hour{}) }

type max7219Dial struct {
	dev  *max7219.Dev
	name string
}

// NewMAX7219 makes a dial on the SPI port of one chip with eight digits. The chip does not report whether it is
// connected.
func NewMAX7219(port spi.Port) (Dial, error) {
	dev, err := max7219.NewSPI(port, 1, 8)
	if err != nil {
		return nil, err
	}
	return &max7219Dial{dev, fmt.Sprintf("MAX7219{%s}", port)}, nil
}

func (m *max7219Dial) String() string { return m.name }

func (m *max7219Dial) ShowHour(h Hour) error {
	text := "        "
	switch {
	case h.LastRound > 0:
		text = fmt.Sprintf("   %02d-%02d", min(h.Round, 99), min(h.LastRound, 99))
	case h.Round > 0:
		text = fmt.Sprintf("      %02d", min(h.Round, 99))
	}
	if err := m.dev.TestDisplay(false); err != nil { // interference may have switched it on
		return err
	}
	return m.dev.Write([]byte(text))
}

func (m *max7219Dial) Halt() error { return m.ShowHour(Hour{}) }

type ticDial struct {
	bus     i2c.Bus
	addr    uint16
	variant tic.Variant
	steps   int
	dev     *tic.Dev // nil: not set up yet, or lost
}

// TicVariants returns the names of the Tic controllers.
func TicVariants() []string { return []string{"T825", "T834", "T500", "T249", "36v4"} }

// NewTic makes a dial with a hand on a stepper. variant is one of TicVariants, steps the microsteps of one
// turn; addr 0 means 14. The hand must point to the top when the controller is switched on, which may be later.
func NewTic(bus i2c.Bus, addr uint16, variant string, steps int) Dial {
	if addr == 0 {
		addr = tic.I2CAddr
	}
	return &ticDial{bus: bus, addr: addr, variant: tic.Variant("Tic " + variant), steps: steps}
}

func (t *ticDial) String() string { return fmt.Sprintf("Tic{%s, %s, %d}", t.variant, t.bus, t.addr) }

func (t *ticDial) ShowHour(h Hour) (err error) {
	if t.dev == nil {
		if t.dev, err = tic.NewI2C(t.bus, t.variant, t.addr); err != nil {
			t.dev = nil
			return err
		}
		if err = t.dev.Energize(); err != nil {
			return t.markForSetup(err)
		}
	}
	target := 0
	if h.LastRound > 0 {
		target = min(max(h.Round, 0), h.LastRound) * t.steps / h.LastRound
	}
	for _, do := range []func() error{
		t.dev.ResetCommandTimeout, t.dev.ExitSafeStart, func() error { return t.dev.SetTargetPosition(int32(target)) },
	} {
		if err := do(); err != nil {
			return t.markForSetup(err)
		}
	}
	return nil
}

func (t *ticDial) markForSetup(err error) error {
	t.dev = nil
	return err
}

// Halt switches the current of the stepper off; the hand keeps its position.
func (t *ticDial) Halt() error {
	if t.dev == nil {
		return nil
	}
	return t.dev.Deenergize()
}
