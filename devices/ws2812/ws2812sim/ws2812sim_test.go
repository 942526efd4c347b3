package ws2812sim_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"majordome/devices"
	"majordome/devices/ws2812/ws2812sim"
)

// line writes pulses as SPI bytes: digits are levels, z is 300 us of low, the
// pixel p is 24 ones of the 3-bit code. Missing bits of the last byte are low.
func line(code string) []byte {
	code = strings.ReplaceAll(code, "z", strings.Repeat("0", 720))
	code = strings.ReplaceAll(code, "p", strings.Repeat("110", 24))
	var w []byte
	for len(code)%8 != 0 {
		code += "0"
	}
	for i := 0; i < len(code); i += 8 {
		var b byte
		for _, c := range code[i : i+8] {
			b = b<<1 | byte(c-'0')
		}
		w = append(w, b)
	}
	return w
}

func connect(t *testing.T, o *ws2812sim.Opts, hz physic.Frequency) (*ws2812sim.Strip, spi.Conn) {
	t.Helper()
	s := ws2812sim.New(o)
	c, err := s.Connect(hz, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

const clock = 2400 * physic.KiloHertz

// A pulse that a chip could not read is reported, and lights nothing.
func TestComplaints(t *testing.T) {
	zeros23 := strings.Repeat("100", 23)
	for _, tc := range []struct {
		name, code string
		hz         physic.Frequency
		o          ws2812sim.Opts
		want       string // "" no complaint
	}{
		{"a frame", "zpz", clock, ws2812sim.Opts{}, ""},
		{"two frames in one transfer", "zpzpz", clock, ws2812sim.Opts{}, ""},
		{"nothing but a reset", "z", clock, ws2812sim.Opts{}, ""},
		{"the line idles high", "zpz", clock, ws2812sim.Opts{IdleHigh: true}, ""},
		{"an old part latches sooner", "0" + "p" + strings.Repeat("0", 160), clock, ws2812sim.Opts{Reset: 50 * time.Microsecond}, ""},
		{"no reset", "zp00000000", clock, ws2812sim.Opts{}, "missing reset"},
		{"no reset for a new part", "0" + "p" + strings.Repeat("0", 160), clock, ws2812sim.Opts{}, "missing reset"},
		{"ends high", "z0" + zeros23 + "11", clock, ws2812sim.Opts{}, "left high"},
		{"truncated pixel", "zp" + zeros23 + "z", clock, ws2812sim.Opts{}, "truncated pixel: pixel 1 got 23 of 24"},
		{"too long a one", "z" + zeros23 + "1110z", clock, ws2812sim.Opts{}, "pixel 0 bit 23: high for 1.25 us"},
		{"too fast a clock", "zpz", 4800 * physic.KiloHertz, ws2812sim.Opts{}, "low for 0.21 us"},
		{"too long a low", "z" + "1000" + zeros23 + "z", clock, ws2812sim.Opts{}, "bit 0: low for 1.25 us after a 0"},
		{"too slow a clock", "zpz", 1000 * physic.KiloHertz, ws2812sim.Opts{}, "high for 2.00 us"},
		{"first bit high", "pz", clock, ws2812sim.Opts{}, "first bit is high"},
		{"idles high, one zero byte only", "00000000pz", clock, ws2812sim.Opts{IdleHigh: true}, "phantom bit"},
		{"the controller pauses", "zpz", clock, ws2812sim.Opts{Gap: 1}, "for 1.25 us"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.NumPixels = 2
			s, c := connect(t, &tc.o, tc.hz)
			err := c.Tx(line(tc.code), nil)
			if tc.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			if last, n := s.Complaints(); n != 1 || !errors.Is(last[0], err) {
				t.Errorf("complaint not kept: %v", last)
			}
			if s.FrameCount() != 0 || s.AppendPixels(nil)[0] != (devices.RGB{}) {
				t.Error("an unreadable frame lit up")
			}
		})
	}
}

// Surplus pixels fall off the end; LEDs that got none keep their colour.
func TestShortAndLongFrames(t *testing.T) {
	var seen [][]devices.RGB
	o := ws2812sim.Opts{NumPixels: 2, OnFrame: func(px []devices.RGB) { seen = append(seen, slices.Clone(px)) }}
	_, c := connect(t, &o, clock)
	white := devices.RGB{R: 255, G: 255, B: 255}
	green := "z" + strings.Repeat("110", 8) + strings.Repeat("100", 16) + "z"
	for _, code := range []string{"zpppz", green} {
		if err := c.Tx(line(code), nil); err != nil {
			t.Fatal(err)
		}
	}
	want := [][]devices.RGB{{white, white}, {{G: 255}, white}}
	if !slices.EqualFunc(seen, want, slices.Equal) {
		t.Errorf("frames %v, want %v", seen, want)
	}
}

// The port behaves like spidev: one Connect, a longest transfer, errors after Close.
func TestPort(t *testing.T) {
	s, c := connect(t, &ws2812sim.Opts{NumPixels: 1, MaxTx: 200}, clock)
	if _, err := s.Connect(clock, spi.Mode0, 8); err == nil {
		t.Error("connected twice")
	}
	if err := c.Tx(make([]byte, 201), nil); err == nil {
		t.Error("a transfer longer than the limit was taken")
	}
	if err := c.Tx(nil, nil); err == nil {
		t.Error("an empty transfer was taken")
	}
	r := bytes.Repeat([]byte{7}, 100)
	if err := c.TxPackets([]spi.Packet{{W: make([]byte, 100), R: r}}); err != nil || r[0] != 0 {
		t.Errorf("packets: %v, read %v", err, r[0])
	}
	broken := errors.New("bus gone")
	s.SetFault(broken)
	if err := c.Tx(make([]byte, 100), nil); !errors.Is(err, broken) {
		t.Errorf("a broken bus: %v", err)
	}
	s.SetFault(nil)
	if err := errors.Join(c.Tx(make([]byte, 100), nil), s.Close()); err != nil {
		t.Error(err)
	}
	if err := c.Tx(make([]byte, 100), nil); err == nil {
		t.Error("a closed port took a transfer")
	}
	if err := s.Close(); err == nil {
		t.Error("closed twice")
	}

	slow := ws2812sim.New(&ws2812sim.Opts{NumPixels: 1})
	if err := slow.LimitSpeed(physic.MegaHertz); err != nil {
		t.Fatal(err)
	}
	c, err := slow.Connect(clock, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Tx(line("zpz"), nil); err == nil {
		t.Error("LimitSpeed had no effect on the pulses")
	}
	for range 40 {
		c.Tx([]byte{0xFF}, nil)
	}
	if last, n := slow.Complaints(); len(last) != 32 || n != 41 {
		t.Errorf("kept %d complaints of %d, want 32 of 41", len(last), n)
	}
}
