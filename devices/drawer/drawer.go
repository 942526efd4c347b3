// Package drawer drives a strip on anything that periph can draw on (display.Drawer): a Unicorn HAT HD, a strip
// at periph's own driver, a row of blocks in the terminal. LED 0 is at the top left, and the numbers go along
// each row.
//
// A frame is always drawn whole, because some drivers draw a part in the wrong place (periph's nrzled puts it
// at a third of its position). The values are sent unchanged, as linear light.
//
// Leaks: nothing. Limits: light.MaxPixels LEDs. Order of calls: New, ShowFrame as often as wanted, Halt (dark).
package drawer

import (
	"fmt"
	"image"

	"periph.io/x/conn/v3/display"

	"majordome/devices"
)

// maxPixels is the largest picture, the same as the longest strip.
const maxPixels = 1024

// Dev is a strip. Only one goroutine at a time may use it.
type Dev struct {
	d   display.Drawer
	img *image.NRGBA
	n   int
}

// New makes a strip of d. It sends nothing yet.
func New(d display.Drawer) (*Dev, error) {
	b := d.Bounds()
	n := b.Dx() * b.Dy()
	if n < 1 || n > maxPixels {
		return nil, fmt.Errorf("drawer: a picture of %d pixels: it must have 1 to %d", n, maxPixels)
	}
	return &Dev{d, image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy())), n}, nil
}

// String returns the name of the Drawer.
func (s *Dev) String() string { return fmt.Sprintf("drawer{%s}", s.d) }

// Len returns the number of LEDs.
func (s *Dev) Len() int { return s.n }

// ShowFrame draws one frame. LEDs without a pixel are dark; more pixels than LEDs are an error.
func (s *Dev) ShowFrame(px []devices.RGB) error {
	if len(px) > s.n {
		return fmt.Errorf("drawer: %d pixels for %d", len(px), s.n)
	}
	for i := range s.n {
		var c devices.RGB
		if i < len(px) {
			c = px[i]
		}
		copy(s.img.Pix[4*i:], []byte{c.R, c.G, c.B, 255})
	}
	if err := s.d.Draw(s.d.Bounds(), s.img, image.Point{}); err != nil {
		return fmt.Errorf("drawer: %s: %w", s.d, err)
	}
	return nil
}

// Halt makes the strip dark. ShowFrame lights it again.
func (s *Dev) Halt() error { return s.ShowFrame(nil) }

var _ devices.Strip = (*Dev)(nil)
