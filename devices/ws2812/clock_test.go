package ws2812

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"periph.io/x/conn/v3/physic"

	"majordome/devices"
	"majordome/devices/internal/vcio"
	"majordome/devices/ws2812/ws2812sim"
)

// firmware answers as a Raspberry Pi does that runs its core between two clocks.
func firmware(least, most uint32) vcio.Mailbox {
	return func(m *vcio.Message) error {
		rate, known := map[uint32]uint32{vcio.TagMin: least, vcio.TagMax: most}[m[2]]
		if m[0] != 32 || m[1] != 0 || m[3] != 8 || m[5] != vcio.Core || m[7] != 0 || !known {
			m[1] = 1<<31 | 1 // partial failure
			return nil
		}
		m[1], m[4], m[6] = 1<<31, 1<<31|8, rate
		return nil
	}
}

// The core clock that config.txt pins on each board gives a clock that a strip accepts, and the reported numbers match the wire.
func TestEveryBoardPinned(t *testing.T) {
	for _, b := range Boards {
		core := b.Core
		if core == 0 {
			core = 200 * physic.MegaHertz // RP1
		}
		clock := core / ClockDivider(core)
		for _, idleHigh := range []bool{false, true} {
			sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 3, Clock: clock, IdleHigh: idleHigh})
			d, err := New(sim, &Opts{NumPixels: 3})
			if err != nil {
				t.Fatal(err)
			}
			if err := d.ShowFrame([]devices.RGB{{R: 255}, {G: 0xA5}, {B: 1}}); err != nil {
				t.Errorf("%s at %s, idle high %v: %v", b.Filter, clock, idleHigh, err)
			}
		}
		mhz := uint32(core / physic.Hertz)
		if err := checkClock(b.models[0]+" Model B Rev 1.2", firmware(mhz, mhz)); err != nil {
			t.Errorf("%s pinned: %v", b.Filter, err)
		}
	}
}

// The limits match the strip: it accepts a clock between them and no other.
func TestLimitsAreThoseOfTheWire(t *testing.T) {
	for clock, good := range map[physic.Frequency]bool{
		Slowest + physic.KiloHertz:   true,
		Fastest - physic.KiloHertz:   true,
		Slowest - 5*physic.KiloHertz: false,
		Fastest + 5*physic.KiloHertz: false,
	} {
		d, err := New(ws2812sim.New(&ws2812sim.Opts{NumPixels: 1, Clock: clock}), &Opts{NumPixels: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.ShowFrame([]devices.RGB{{R: 0xA5}}); (err == nil) != good {
			t.Errorf("at %s: %v", clock, err)
		}
	}
}

// A core clock that varies is refused with the lines that pin it. A clock that cannot be read is another error, and so is an unknown
// computer: neither is reported as good.
func TestCheckClock(t *testing.T) {
	const mhz = 1_000_000
	for _, c := range []struct {
		model       string
		least, most uint32
		want        string // "": good
	}{
		{"Raspberry Pi 3 Model B Plus Rev 1.3", 250 * mhz, 400 * mhz, "core_freq=250"},
		{"Raspberry Pi Zero 2 W Rev 1.0", 250 * mhz, 400 * mhz, "core_freq=250"},
		{"Raspberry Pi 4 Model B Rev 1.4", 200 * mhz, 500 * mhz, "core_freq=500\ncore_freq_min=500"},
		{"Raspberry Pi 4 Model B Rev 1.4", 500 * mhz, 500 * mhz, ""},
		{"Raspberry Pi 4 Model B Rev 1.4", 200 * mhz, 200 * mhz, ""}, // core_freq=250 is ignored; a slow core does no harm in itself
		{"Raspberry Pi 3 Model B Rev 1.2", 400 * mhz, 400 * mhz, ""},
		{"Raspberry Pi 5 Model B Rev 1.0", 200 * mhz, 910 * mhz, ""},
	} {
		err := checkClock(c.model, firmware(c.least, c.most))
		var a devices.Advice
		if (err == nil) != (c.want == "") ||
			err != nil && (!errors.As(err, &a) || !strings.HasSuffix(a.EN, c.want) || !strings.HasSuffix(a.FR, c.want)) {
			t.Errorf("%s between %d and %d Hz: %v, want %q", c.model, c.least, c.most, err, c.want)
		}
	}
	for _, model := range []string{"Radxa ROCK Pi 4", "Raspberry Pi Zero W Rev 1.1", ""} {
		if err := checkClock(model, firmware(250*mhz, 400*mhz)); !errors.Is(err, ErrBoard) {
			t.Errorf("%q: %v, want that it is not known", model, err)
		}
	}
	denied := func(*vcio.Message) error { return fs.ErrPermission }
	var a devices.Advice
	if err := checkClock("Raspberry Pi 4 Model B", denied); !errors.Is(err, fs.ErrPermission) || errors.As(err, &a) {
		t.Errorf("without the right to ask: %v", err)
	}
	if err := checkClock("Raspberry Pi 4 Model B", func(m *vcio.Message) error { return nil }); err == nil {
		t.Error("a firmware that does not answer")
	}
}
