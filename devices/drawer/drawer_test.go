package drawer_test

import (
	"errors"
	"image"
	"slices"
	"testing"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/nrzled"
	"periph.io/x/devices/v3/unicornhd"

	"majordome/devices"
	"majordome/devices/drawer"
)

// bus keeps what is sent, and can fail.
type bus struct {
	sent []byte
	fail error
}

func (*bus) String() string                                              { return "bus" }
func (b *bus) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return b, nil }
func (*bus) Duplex() conn.Duplex                                         { return conn.Full }
func (*bus) MaxTxSize() int                                              { return 4096 }
func (b *bus) TxPackets([]spi.Packet) error                              { return errors.New("not used") }
func (b *bus) Tx(w, _ []byte) error {
	b.sent = slices.Clone(w)
	return b.fail
}

// The 16 by 16 LEDs of a Unicorn HAT HD are a strip, row by row. LEDs without a given colour are dark.
func TestUnicorn(t *testing.T) {
	b := &bus{}
	hat, err := unicornhd.New(b)
	if err != nil {
		t.Fatal(err)
	}
	s, err := drawer.New(hat)
	if err != nil || s.Len() != 256 {
		t.Fatalf("%v, %v", s, err)
	}
	px := make([]devices.RGB, 18)
	px[0], px[17] = devices.RGB{R: 1, G: 2, B: 3}, devices.RGB{R: 160, G: 71, B: 16}
	if err := s.ShowFrame(px); err != nil {
		t.Fatal(err)
	}
	want := make([]byte, 1+3*256)
	want[0] = 0x72 // the hat's start of a frame
	copy(want[1:], []byte{1, 2, 3})
	copy(want[1+3*17:], []byte{160, 71, 16})
	if !slices.Equal(b.sent, want) {
		t.Errorf("sent % x", b.sent)
	}
	if err := s.Halt(); err != nil || slices.ContainsFunc(b.sent[1:], func(v byte) bool { return v != 0 }) {
		t.Errorf("Halt: %v, % x", err, b.sent)
	}
	if s.ShowFrame(make([]devices.RGB, 257)) == nil {
		t.Error("257 pixels fit on 256")
	}
	b.fail = errors.New("bus gone")
	if err := s.ShowFrame(px); !errors.Is(err, b.fail) {
		t.Errorf("a lost bus: %v", err)
	}
}

// A strip on periph's own driver for WS2812: each bit of an LED takes four bits of SPI, 1000 or 1110, green first.
func TestNrzled(t *testing.T) {
	b := &bus{}
	strip, err := nrzled.NewSPI(b, &nrzled.Opts{NumPixels: 3, Channels: 3, Freq: 2500 * physic.KiloHertz})
	if err != nil {
		t.Fatal(err)
	}
	s, err := drawer.New(strip)
	if err != nil || s.Len() != 3 {
		t.Fatalf("%v, %v", s, err)
	}
	px := []devices.RGB{{R: 0xA5, G: 1, B: 2}, {}, {R: 3, G: 4, B: 255}}
	if err := s.ShowFrame(px); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for i, half := range b.sent[3 : len(b.sent)-3] {
		if i%4 == 0 {
			got = append(got, 0)
		}
		for _, four := range []byte{half >> 4, half & 15} {
			bit := map[byte]byte{0b1000: 0, 0b1110: 1}[four]
			got[len(got)-1] = got[len(got)-1]<<1 | bit
		}
	}
	if want := []byte{1, 0xA5, 2, 0, 0, 0, 4, 3, 255}; !slices.Equal(got, want) {
		t.Errorf("on the wire % x, want % x", got, want)
	}
}

// huge is a display too large to be a strip.
type huge struct{ *unicornhd.Dev }

func (huge) Bounds() image.Rectangle { return image.Rect(0, 0, 640, 480) }

func TestTooLarge(t *testing.T) {
	if _, err := drawer.New(huge{}); err == nil {
		t.Error("a screen is no strip")
	}
}
