// Package drawer makes a strip of anything that periph can draw on (display.Drawer): a Unicorn HAT HD, a strip at
// periph's own driver, a row of blocks in the terminal. LED 0 is at the top left, and the numbers go
// along each row.
//
// A frame is always drawn whole: drivers that draw parts of one are not to be trusted with it (periph's nrzled puts a
// part at a third of its place). The values are linear light, as they are.
//
// Leaks: nothing. Limits: light.MaxPixels LEDs. Order of calls: New, Show as often as wanted, Halt (dark).
package drawer

import (
	"fmt"
	"image"

	"periph.io/x/conn/v3/display"

	"majordome/devices"
)

// maxPixels bounds the picture, as strips are bounded.
const maxPixels = 1024

// Dev is a strip. It is for one goroutine at a time.
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

// String names what is drawn on.
func (s *Dev) String() string { return fmt.Sprintf("drawer{%s}", s.d) }

// Len is the number of LEDs.
func (s *Dev) Len() int { return s.n }

// Show draws one frame; missing pixels are dark, further ones an error.
func (s *Dev) Show(px []devices.RGB) error {
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

// Halt makes the strip dark. Show lights it again.
func (s *Dev) Halt() error { return s.Show(nil) }

var _ devices.Strip = (*Dev)(nil)
