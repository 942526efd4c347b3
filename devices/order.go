package devices

// ColourOrder is the order in which a LED receives its three colours, by their first letters: "GRB" for most
// WS2812, "BGR" for most APA102. LEDs sold under one name may have any of them.
type Order string

// ColourOrders returns the six possible orders.
func Orders() []Order { return []Order{"GRB", "RGB", "BGR", "BRG", "GBR", "RBG"} }

// EncodePixel returns the three bytes of a pixel as the strip receives them.
func (o Order) Wire(c RGB) (w [3]byte) {
	for i := range w {
		w[i] = *o.channel(&c, i)
	}
	return w
}

// DecodePixel returns the pixel that the strip shows for three bytes.
func (o Order) Pixel(w [3]byte) (c RGB) {
	for i := range w {
		*o.channel(&c, i) = w[i]
	}
	return c
}

func (o Order) channel(c *RGB, i int) *byte {
	switch o[i] {
	case 'R':
		return &c.R
	case 'G':
		return &c.G
	}
	return &c.B
}
