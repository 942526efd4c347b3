package devices

// Order is the order in which a strip takes the three colours of a LED, by their first letters: "GRB" for most WS2812,
// "BGR" for most APA102. What is sold under one name may take any.
type Order string

// Orders are all that there are.
func Orders() []Order { return []Order{"GRB", "RGB", "BGR", "BRG", "GBR", "RBG"} }

// Wire is a pixel as the strip takes it.
func (o Order) Wire(c RGB) (w [3]byte) {
	for i := range w {
		w[i] = *o.channel(&c, i)
	}
	return w
}

// Pixel is the pixel that a strip makes of what it takes.
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
