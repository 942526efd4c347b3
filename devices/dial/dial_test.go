package dial

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"majordome/devices/dial/dialsim"
)

// The chips of these tests exist only on the wire: they receive the bytes or the levels that periph's drivers send, and answer, or do not,
// as the data sheets say.

// A backpack shows the newest hour, also after it was gone for a while, and is dark at the end. Its loss and its return are reported once.
func TestBackpack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chip, hours, done := &dialsim.Backpack{}, make(chan Hour), make(chan error, 1)
		var log bytes.Buffer // read only while the dial waits
		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- RunDial(ctx, NewHT16K33(chip, 0), hours, slog.New(slog.NewTextHandler(&log, nil))) }()
		shows := func(want string) {
			t.Helper()
			time.Sleep(2 * refresh)
			synctest.Wait()
			if got := chip.ShownText(); got != want {
				t.Errorf("it shows %q, want %q", got, want)
			}
		}
		hours <- Hour{3, 12}
		shows("dark")
		chip.SetPlugged(true)
		shows("03:12")
		hours <- Hour{4, 12}
		shows("04:12")
		chip.SetPlugged(false)
		hours <- Hour{5, 12}
		shows("dark")
		chip.SetPlugged(true)
		shows("05:12")
		hours <- Hour{7, 0}
		shows("07  ")
		hours <- Hour{}
		shows("    ")
		hours <- Hour{0, 8}
		shows("00:08")
		hours <- Hour{1, 1000}
		shows("01:99")
		cancel()
		if err := <-done; err != nil || chip.ShownText() != "    " {
			t.Errorf("at the end: %v, %q", err, chip.ShownText())
		}
		if lost, back := strings.Count(log.String(), "lost, trying on"), strings.Count(log.String(), "is back"); lost != 2 || back != 2 {
			t.Errorf("lost %d times, back %d times:\n%s", lost, back, &log)
		}
	})
}

// digitsChip is a MAX7219 with eight digits in code B.
type digitsChip struct {
	reg  [16]byte
	fail error
}

func (c *digitsChip) String() string                                            { return "spi" }
func (c *digitsChip) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return c, nil }
func (c *digitsChip) Duplex() conn.Duplex                                       { return conn.Full }
func (c *digitsChip) TxPackets([]spi.Packet) error                              { return errors.New("not used") }
func (c *digitsChip) Tx(w, _ []byte) error {
	if len(w) != 2 {
		return errors.New("a MAX7219 takes 16 bits")
	}
	c.reg[w[0]&15] = w[1]
	return c.fail
}

func (c *digitsChip) displayText() (text string) {
	if c.reg[12] != 1 || c.reg[15] != 0 || c.reg[9] != 0xff || c.reg[11] != 7 {
		return "dark, in test, or without its decoder"
	}
	for d := 8; d > 0; d-- { // digit 8 is at the left
		text += string("0123456789-EHLP "[c.reg[d]&15])
	}
	return text
}

func TestEightDigits(t *testing.T) {
	chip := &digitsChip{}
	chip.reg[15] = 1 // a spark: all segments are lit
	d, err := NewMAX7219(chip)
	if err != nil {
		t.Fatal(err)
	}
	for h, want := range map[Hour]string{{3, 12}: "   03-12", {7, 0}: "      07", {}: "        "} {
		chip.reg[15] = 1
		if err := d.ShowHour(h); err != nil || chip.displayText() != want {
			t.Errorf("%v: %q, %v, want %q", h, chip.displayText(), err, want)
		}
	}
	chip.fail = errors.New("bus gone")
	if err := d.ShowHour(Hour{1, 2}); !errors.Is(err, chip.fail) {
		t.Errorf("a lost bus: %v", err)
	}
}

// fourChip is a TM1637 on two pins: it reads bits at the rising clock edge between start and stop.
type fourChip struct {
	clk, dio gpio.Level
	in       bool
	bits     []bool
	message  []byte
	ram      [6]byte
	on       bool
}

func (c *fourChip) level(clk, dio gpio.Level) {
	switch {
	case c.clk == gpio.High && clk == gpio.High && c.dio == gpio.High && dio == gpio.Low:
		c.in, c.bits, c.message = true, nil, nil
	case c.clk == gpio.High && clk == gpio.High && c.dio == gpio.Low && dio == gpio.High:
		c.stop()
	case c.in && c.clk == gpio.Low && clk == gpio.High:
		if c.bits = append(c.bits, bool(dio)); len(c.bits) == 9 { // the ninth is the acknowledge
			b := byte(0)
			for i, bit := range c.bits[:8] {
				if bit {
					b |= 1 << i
				}
			}
			c.message, c.bits = append(c.message, b), nil
		}
	}
	c.clk, c.dio = clk, dio
}

func (c *fourChip) stop() {
	if c.in = false; len(c.message) == 0 {
		return
	}
	switch m := c.message; m[0] & 0xc0 {
	case 0x80:
		c.on = m[0]&8 != 0
	case 0xc0:
		copy(c.ram[m[0]&7:], m[1:])
	}
}

func (c *fourChip) displayText() string {
	if !c.on {
		return "dark"
	}
	colon := map[bool]string{true: ":"}[c.ram[1]&0x80 != 0]
	return dialsim.DecodeDigit(c.ram[0]) + dialsim.DecodeDigit(c.ram[1]) + colon + dialsim.DecodeDigit(c.ram[2]) +
		dialsim.DecodeDigit(c.ram[3])
}

// pin is one of its two wires. What the driver does not use panics.
type pin struct {
	gpio.PinIO
	set func(gpio.Level)
}

func (p pin) String() string         { return "pin" }
func (p pin) Out(l gpio.Level) error { p.set(l); return nil }

func TestFourDigits(t *testing.T) {
	chip := &fourChip{clk: gpio.High, dio: gpio.High}
	d, err := NewTM1637(pin{set: func(l gpio.Level) { chip.level(l, chip.dio) }}, pin{set: func(l gpio.Level) { chip.level(chip.clk, l) }})
	if err != nil {
		t.Fatal(err)
	}
	for h, want := range map[Hour]string{{3, 12}: "03:12", {7, 0}: "07  ", {}: "    "} {
		if err := d.ShowHour(h); err != nil || chip.displayText() != want {
			t.Errorf("%v: %q, %v, want %q", h, chip.displayText(), err, want)
		}
	}
	if err := d.Halt(); err != nil || chip.displayText() != "dark" {
		t.Errorf("at the end: %v, %q", err, chip.displayText())
	}
}

// stepperChip is a Tic: it moves to its target only while it is energized, out of safe start, and gets a command each second.
type stepperChip struct {
	absent, energized, safe bool
	heard                   time.Time
	target, at              int32
}

func (c *stepperChip) String() string                  { return "i2c" }
func (c *stepperChip) SetSpeed(physic.Frequency) error { return nil }
func (c *stepperChip) Tx(addr uint16, w, r []byte) error {
	if c.absent || addr != 14 {
		return dialsim.ErrNoAck
	}
	if time.Since(c.heard) > time.Second {
		c.safe = true // command timeout, with safe start as it is delivered
	}
	clear(r)
	if len(w) == 0 {
		return nil
	}
	switch w[0] {
	case 0x85:
		c.energized = true
	case 0x86:
		c.energized = false
	case 0x83:
		c.safe = false
	case 0x8c:
		c.heard = time.Now()
	case 0xe0:
		c.target = int32(uint32(w[1]) | uint32(w[2])<<8 | uint32(w[3])<<16 | uint32(w[4])<<24)
		if c.heard = time.Now(); c.energized && !c.safe {
			c.at = c.target
		}
	}
	return nil
}

func TestHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chip, hours, done := &stepperChip{safe: true}, make(chan Hour), make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- RunDial(ctx, NewTic(chip, 0, "36v4", 3200), hours, nil) }()
		var stood []int32
		for _, h := range []Hour{{1, 8}, {2, 8}, {}, {8, 8}} {
			hours <- h
			time.Sleep(3 * time.Second) // commands come often enough to keep it awake
			synctest.Wait()
			stood = append(stood, chip.at)
			if time.Since(chip.heard) > time.Second {
				t.Error("the controller has not heard anything for a second")
			}
		}
		if want := []int32{400, 800, 0, 3200}; !slices.Equal(stood, want) {
			t.Errorf("the hand stood at %v, want %v", stood, want)
		}
		cancel()
		if err := <-done; err != nil || chip.energized {
			t.Errorf("at the end: %v, energized %v", err, chip.energized)
		}
	})
}
