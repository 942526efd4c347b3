package ws2812_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
	"pgregory.net/rapid"

	"majordome/devices"
	"majordome/devices/internal/simstrip"
	"majordome/devices/internal/striptest"
	"majordome/devices/ws2812"
	"majordome/devices/ws2812/ws2812sim"
)

func pixels(t *rapid.T, n int) []devices.RGB {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) devices.RGB {
		return devices.RGB{R: rapid.Byte().Draw(t, "r"), G: rapid.Byte().Draw(t, "g"), B: rapid.Byte().Draw(t, "b")}
	}), 0, n).Draw(t, "pixels")
}

// Every frame arrives, in both orders of colour and at either idle level of the line.
func TestEveryColourArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "leds")
		order := rapid.SampledFrom(devices.ColourOrders()).Draw(t, "order")
		sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: n, Order: order,
			IdleHigh: rapid.Bool().Draw(t, "idle high")})
		d, err := ws2812.New(sim, &ws2812.Opts{NumPixels: n, Order: order})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // later frames must leave nothing of earlier ones
			px := pixels(t, n)
			if err := d.ShowFrame(px); err != nil {
				t.Fatal(err)
			}
			want := append(slices.Clone(px), make([]devices.RGB, n-len(px))...)
			if got := sim.AppendPixels(nil); !slices.Equal(got, want) {
				t.Fatalf("sent %v, latched %v", want, got)
			}
		}
	})
}

func TestHaltIsDark(t *testing.T) {
	sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 3})
	d, err := ws2812.New(sim, &ws2812.Opts{NumPixels: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.ShowFrame([]devices.RGB{{R: 1}, {G: 2}, {B: 3}}), d.Halt()); err != nil {
		t.Fatal(err)
	}
	if got := sim.AppendPixels(nil); !slices.Equal(got, make([]devices.RGB, 3)) {
		t.Errorf("after Halt: %v", got)
	}
	if sim.FrameCount() != 2 {
		t.Errorf("%d frames latched, want 2", sim.FrameCount())
	}
	if err := d.ShowFrame(make([]devices.RGB, 4)); err == nil {
		t.Error("four pixels were accepted by a strip of three")
	}
}

// The encoding is in the middle of the windows: a small deviation of the clock is harmless, a large one, as with an unpinned core_freq, is
// not.
func TestClockTolerance(t *testing.T) {
	for _, tc := range []struct {
		clock physic.Frequency
		ok    bool
	}{
		{2200 * physic.KiloHertz, true},
		{2358 * physic.KiloHertz, true}, // 250 MHz / 106: what a Pi 3 really makes of 2.4 MHz
		{2600 * physic.KiloHertz, true},
		{1500 * physic.KiloHertz, false}, // asked at 400 MHz, then the core fell to 250
		{3840 * physic.KiloHertz, false},
	} {
		sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 1, Clock: tc.clock})
		d, err := ws2812.New(sim, &ws2812.Opts{NumPixels: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.ShowFrame([]devices.RGB{{R: 0xA5}}); (err == nil) != tc.ok {
			t.Errorf("at %s: %v", tc.clock, err)
		}
	}
}

// A controller without DMA pauses between bytes; the strip cannot work there.
func TestPausesBetweenBytesGarble(t *testing.T) {
	sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 1, Gap: 1})
	d, err := ws2812.New(sim, &ws2812.Opts{NumPixels: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ShowFrame([]devices.RGB{{R: 0xFF}}); err == nil {
		t.Error("no complaint about pauses after each byte")
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int
		o    devices.ColourOrder
		max  int
		want []string
	}{
		{"no LEDs", 0, "", 0, []string{"0 LEDs", "1 to 1024"}},
		{"too many LEDs", 1025, "", 0, []string{"1025 LEDs", "1 to 1024"}},
		{"unknown order", 1, "RGBW", 0, []string{"no order of colours", "GRB"}},
		{"beyond one transfer", 432, "", 4096, []string{"4098 bytes", "at most 431", "spidev.bufsiz=8192", "cmdline.txt"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 1, MaxTx: tc.max})
			_, err := ws2812.New(sim, &ws2812.Opts{NumPixels: tc.n, Order: tc.o})
			striptest.CheckErrorContains(t, err, tc.want...)
		})
	}
	sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 431})
	if _, err := ws2812.New(sim, &ws2812.Opts{NumPixels: 431}); err != nil {
		t.Errorf("431 LEDs fit into 4096 bytes: %v", err)
	}
}

// TestErrorsNameTheChip: errors name the chip as a configuration writes it, with three channels and four.
func TestErrorsNameTheChip(t *testing.T) {
	for chip, white := range map[string]bool{"ws2812": false, "sk6812-rgbw": true} {
		_, none := ws2812.New(simstrip.Sink{}, &ws2812.Opts{White: white})
		_, order := ws2812.New(simstrip.Sink{}, &ws2812.Opts{NumPixels: 1, White: white, Order: "XYZ"})
		_, size := ws2812.New(ws2812sim.New(&ws2812sim.Opts{NumPixels: 1, MaxTx: 96}), &ws2812.Opts{NumPixels: 1, White: white})
		_, port := ws2812.Open("NOWHERE", &ws2812.Opts{NumPixels: 1, White: white})
		d, err := ws2812.New(simstrip.Sink{}, &ws2812.Opts{NumPixels: 1, White: white})
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range []string{
			none.Error(), order.Error(), size.Error(), port.Error(), d.ShowFrame(make([]devices.RGB, 2)).Error(),
		} {
			if !strings.HasPrefix(said, chip+": ") {
				t.Errorf("%s: %q", chip, said)
			}
		}
		var a devices.Advice
		if !strings.HasPrefix(d.String(), chip+"{") || !errors.As(port, &a) || !strings.HasPrefix(a.FR, chip+" : port SPI") {
			t.Errorf("%s: %s, %q", chip, d, a.FR)
		}
	}
}

func TestOpenByName(t *testing.T) {
	sim := ws2812sim.New(&ws2812sim.Opts{Name: "TESTSPI", NumPixels: 35})
	striptest.CheckOpenByName(t, sim.Port, "core_freq", func(port string) (striptest.Strip, error) {
		return ws2812.Open(port, &ws2812.Opts{NumPixels: 35})
	})
}

func TestShowAllocatesNothing(t *testing.T) {
	d, err := ws2812.New(simstrip.Sink{}, &ws2812.Opts{NumPixels: 35})
	if err != nil {
		t.Fatal(err)
	}
	striptest.CheckNoAllocs(t, d)
}

func BenchmarkShow35(b *testing.B) {
	d, err := ws2812.New(simstrip.Sink{}, &ws2812.Opts{NumPixels: 35})
	if err != nil {
		b.Fatal(err)
	}
	px := make([]devices.RGB, 35)
	for i := range px {
		px[i] = devices.RGB{R: byte(i), G: byte(2 * i), B: byte(3 * i)}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := d.ShowFrame(px); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFourChannels: white gets the part that the colours have in common, the light stays the same, and no LED draws more than three colours
// would.
func TestFourChannels(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	px := []devices.RGB{{}, {R: 255, G: 255, B: 255}, {R: 255}, {R: 20, G: 30, B: 10}}
	for range 60 {
		px = append(px, devices.RGB{R: byte(r.Uint32()), G: byte(r.Uint32()), B: byte(r.Uint32())})
	}
	for _, order := range append(devices.ColourOrders(), "") {
		sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: len(px), Order: order, White: true})
		d, err := ws2812.New(sim, &ws2812.Opts{NumPixels: len(px), Order: order, White: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.ShowFrame(px); err != nil {
			t.Fatal(err)
		}
		if got := sim.AppendPixels(nil); !slices.Equal(got, px) {
			t.Errorf("order %q: %v, want %v", order, got, px)
		}
	}

	// The bytes: three LEDs of four channels are four of three.
	sim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 4})
	d, err := ws2812.New(sim, &ws2812.Opts{NumPixels: 3, White: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ShowFrame([]devices.RGB{{R: 20, G: 30, B: 10}, {R: 20, G: 30, B: 10}, {R: 20, G: 30, B: 10}}); err != nil {
		t.Fatal(err)
	}
	want := []devices.RGB{{G: 20, R: 10, B: 0}, {G: 10, R: 20, B: 10}, {G: 0, R: 10, B: 20}, {G: 10, R: 0, B: 10}}
	if got := sim.AppendPixels(nil); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}

	// 16, 11 and 15 mA for the colours (package light), 20 mA for white (SK6812 RGBW, data sheet).
	for _, c := range px {
		w := int(min(c.R, c.G, c.B))
		if four, three := 16*(int(c.R)-w)+11*(int(c.G)-w)+15*(int(c.B)-w)+20*w, 16*int(c.R)+11*int(c.G)+15*int(c.B); four > three {
			t.Errorf("%v draws %d, and is reckoned as %d", c, four, three)
		}
	}
	full := ws2812sim.New(&ws2812sim.Opts{NumPixels: 1, MaxTx: 4096})
	if _, err := ws2812.New(full, &ws2812.Opts{NumPixels: 323, White: true}); err != nil {
		t.Error(err)
	}
	_, err = ws2812.New(ws2812sim.New(&ws2812sim.Opts{NumPixels: 1, MaxTx: 4096}), &ws2812.Opts{NumPixels: 324, White: true})
	striptest.CheckErrorContains(t, err, "4098 bytes", "at most 323")
}
