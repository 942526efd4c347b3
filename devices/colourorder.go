package devices

// ColourOrder is the order in which a LED receives its three colours, by their first letters: "GRB" for most
// WS2812, "BGR" for most APA102. LEDs sold under one name may have any of them.
type ColourOrder string

// ColourOrders returns the six possible orders.
func ColourOrders() []ColourOrder { return []ColourOrder{"GRB", "RGB", "BGR", "BRG", "GBR", "RBG"} }

// EncodePixel returns the three bytes of a pixel as the strip receives them.
func (o ColourOrder) EncodePixel(c RGB) (w [3]byte) {
	for i := range w {
		w[i] = *o.channelAt(&c, i)
	}
	return w
}

// DecodePixel returns the pixel that the strip shows for three bytes.
func (o ColourOrder) DecodePixel(w [3]byte) (c RGB) {
	for i := range w {
		*o.channelAt(&c, i) = w[i]
	}
	return c
}

func (o ColourOrder) channelAt(c *RGB, i int) *byte {
	switch o[i] {
	case 'R':
		return &c.R
	case 'G':
		return &c.G
	}
	return &c.B
}
