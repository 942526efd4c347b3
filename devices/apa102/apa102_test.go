package apa102_test

import (
	"slices"
	"testing"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"pgregory.net/rapid"

	"majordome/devices"
	"majordome/devices/apa102"
	"majordome/devices/apa102/apa102sim"
	"majordome/devices/internal/simstrip"
	"majordome/devices/internal/striptest"
)

// Every value of linear light arrives as it was given: periph's driver must
// neither correct the temperature nor bend the curve.
func TestEveryValuePassesUnchanged(t *testing.T) {
	sim := apa102sim.New(&apa102sim.Opts{NumPixels: 256})
	d, err := apa102.New(sim, &apa102.Opts{NumPixels: 256})
	if err != nil {
		t.Fatal(err)
	}
	px := make([]devices.RGB, 256)
	for i := range px {
		px[i] = devices.RGB{R: byte(i), G: byte(255 - i), B: byte(i * 7)}
	}
	if err := d.ShowFrame(px); err != nil {
		t.Fatal(err)
	}
	if got := sim.AppendPixels(nil); !slices.Equal(got, px) {
		t.Errorf("latched %v", got)
	}
}

// Each frame is complete after one call of the driver, on an APA102 and on an SK9822, for any length.
func TestEveryFrameArrivesAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "leds")
		order := rapid.SampledFrom(devices.ColourOrders()).Draw(t, "order")
		sim := apa102sim.New(&apa102sim.Opts{NumPixels: n, SK9822: rapid.Bool().Draw(t, "SK9822"), Order: order})
		d, err := apa102.New(sim, &apa102.Opts{NumPixels: n, Order: order})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			px := make([]devices.RGB, rapid.IntRange(0, n).Draw(t, "shown"))
			for i := range px {
				px[i] = devices.RGB{R: rapid.Byte().Draw(t, "r"), G: rapid.Byte().Draw(t, "g"), B: rapid.Byte().Draw(t, "b")}
			}
			if err := d.ShowFrame(px); err != nil {
				t.Fatal(err)
			}
			want := append(slices.Clone(px), make([]devices.RGB, n-len(px))...)
			if got := sim.AppendPixels(nil); !slices.Equal(got, want) {
				t.Fatalf("sent %v, latched %v", want, got)
			}
		}
		if err := d.Halt(); err != nil {
			t.Fatal(err)
		}
		if got := sim.AppendPixels(nil); !slices.Equal(got, make([]devices.RGB, n)) {
			t.Fatalf("after Halt: %v", got)
		}
	})
}

// port records how it was connected.
type port struct {
	*apa102sim.Strip
	hz physic.Frequency
}

func (p *port) Connect(f physic.Frequency, m spi.Mode, bits int) (spi.Conn, error) {
	p.hz = f
	return p.Strip.Connect(f, m, bits)
}

func TestClock(t *testing.T) {
	for _, tc := range []struct {
		ask, want physic.Frequency
	}{
		{0, 4 * physic.MegaHertz},
		{1 * physic.MegaHertz, 1 * physic.MegaHertz},
		{20 * physic.MegaHertz, 20 * physic.MegaHertz},
	} {
		p := &port{Strip: apa102sim.New(&apa102sim.Opts{NumPixels: 1})}
		if _, err := apa102.New(p, &apa102.Opts{NumPixels: 1, Frequency: tc.ask}); err != nil {
			t.Fatal(err)
		}
		if p.hz != tc.want {
			t.Errorf("asked for %s, connected at %s", tc.ask, p.hz)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    apa102.Opts
		want []string
	}{
		{"no LEDs", apa102.Opts{}, []string{"0 LEDs", "1 to 1024"}},
		{"too fast", apa102.Opts{NumPixels: 1, Frequency: 30 * physic.MegaHertz}, []string{"30MHz", "20MHz"}},
		{"too slow", apa102.Opts{NumPixels: 1, Frequency: physic.KiloHertz}, []string{"1kHz"}},
		{"beyond one transfer", apa102.Opts{NumPixels: 1000}, []string{"4134 bytes", "at most 991", "spidev.bufsiz=8192"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := apa102.New(apa102sim.New(&apa102sim.Opts{NumPixels: 1}), &tc.o)
			striptest.CheckErrorContains(t, err, tc.want...)
		})
	}
	sim := apa102sim.New(&apa102sim.Opts{NumPixels: 991})
	d, err := apa102.New(sim, &apa102.Opts{NumPixels: 991})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ShowFrame(nil); err != nil {
		t.Errorf("991 LEDs fit into 4096 bytes: %v", err)
	}
	if err := d.ShowFrame(make([]devices.RGB, 992)); err == nil {
		t.Error("992 pixels were accepted by a strip of 991")
	}
}

func TestOpenByName(t *testing.T) {
	sim := apa102sim.New(&apa102sim.Opts{Name: "TESTSPI", NumPixels: 35})
	striptest.CheckOpenByName(t, sim.Port, "", func(port string) (striptest.Strip, error) {
		return apa102.Open(port, &apa102.Opts{NumPixels: 35})
	})
}

func TestShowAllocatesNothing(t *testing.T) {
	d, err := apa102.New(simstrip.Sink{}, &apa102.Opts{NumPixels: 35})
	if err != nil {
		t.Fatal(err)
	}
	striptest.CheckNoAllocs(t, d)
}
