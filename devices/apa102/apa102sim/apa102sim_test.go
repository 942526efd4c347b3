package apa102sim_test

import (
	"bytes"
	"strings"
	"testing"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	chip "periph.io/x/devices/v3/apa102"

	"majordome/devices"
	"majordome/devices/apa102/apa102sim"
)

var (
	start = []byte{0, 0, 0, 0}
	red   = []byte{0xFF, 0, 0, 0xFF} // brightness, blue, green, red
	half  = []byte{0xE0 | 15, 0, 62, 0}
	ones  = []byte{0xFF}
)

func cat(parts ...[]byte) (w []byte) {
	for _, p := range parts {
		w = append(w, p...)
	}
	return w
}

func TestFramesAndComplaints(t *testing.T) {
	for _, tc := range []struct {
		name string
		w    []byte
		want string // "" no complaint
	}{
		{"a frame", cat(start, red, half, ones), ""},
		{"more LED frames than LEDs serve as clocks", cat(start, red, half, red), ""},
		{"no start frame", cat(red, half, ones), "no start frame"},
		{"half a start frame", start[:2], "no start frame"},
		{"one LED frame short", cat(start, red, ones), "1 LED frames for 2 LEDs"},
		{"an LED frame without its ones", cat(start, red, []byte{0x7F, 0, 0, 0}, ones), "LED frame 1 begins with 0x7f"},
		{"no end frame", cat(start, red, half), "an end frame of 0 clocks: 2 LEDs need 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := apa102sim.New(&apa102sim.Opts{NumPixels: 2})
			c, err := s.Connect(4*physic.MegaHertz, spi.Mode3, 8)
			if err != nil {
				t.Fatal(err)
			}
			err = c.Tx(tc.w, nil)
			if tc.want != "" {
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Fatalf("got %v, want %q", err, tc.want)
				}
				if _, n := s.Complaints(); n != 1 || s.FrameCount() != 0 {
					t.Errorf("%d complaints, %d frames", n, s.FrameCount())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			px := s.AppendPixels(nil)
			if px[0] != (devices.RGB{R: 255}) {
				t.Errorf("first LED %v, want full red", px[0])
			}
			if tc.name == "a frame" && px[1] != (devices.RGB{G: 30}) { // 62 x 15/31
				t.Errorf("second LED %v, want green 30", px[1])
			}
		})
	}
}

func TestConnect(t *testing.T) {
	for _, tc := range []struct {
		hz   physic.Frequency
		mode spi.Mode
		bits int
		ok   bool
	}{
		{4 * physic.MegaHertz, spi.Mode0, 8, true},
		{20 * physic.MegaHertz, spi.Mode3 | spi.NoCS, 8, true},
		{25 * physic.MegaHertz, spi.Mode3, 8, false},
		{0, spi.Mode3, 8, false},
		{physic.MegaHertz, spi.Mode1, 8, false},
		{physic.MegaHertz, spi.Mode3 | spi.LSBFirst, 8, false},
		{physic.MegaHertz, spi.Mode3, 9, false},
	} {
		if _, err := apa102sim.New(&apa102sim.Opts{NumPixels: 1}).Connect(tc.hz, tc.mode, tc.bits); (err == nil) != tc.ok {
			t.Errorf("%s %v %d bits: %v", tc.hz, tc.mode, tc.bits, err)
		}
	}
}

// The stock driver of periph runs unmodified, and shows why ours appends zeros:
// a SK9822 stays one frame behind, so it is still lit after Halt.
func TestStockDriverLagsOnSK9822(t *testing.T) {
	for _, sk := range []bool{false, true} {
		s := apa102sim.New(&apa102sim.Opts{NumPixels: 35, SK9822: sk})
		o := chip.PassThruOpts
		o.NumPixels = 35
		d, err := chip.New(s, &o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Write(bytes.Repeat([]byte{9, 8, 7}, 35)); err != nil {
			t.Fatal(err)
		}
		if err := d.Halt(); err != nil {
			t.Fatal(err)
		}
		if lit := s.AppendPixels(nil)[0] != (devices.RGB{}); lit != sk {
			t.Errorf("SK9822 %v: lit after Halt: %v", sk, lit)
		}
	}
}
