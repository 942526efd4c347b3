package light

import "time"

// colour has 16 bits a channel, in steps that look even to the eye (before gamma).
type colour struct{ r, g, b uint16 }

// full is 100 % of a level or of a mixture.
const full = 1 << 16

// levelOfPercent returns the level of a percentage of perceived brightness.
func levelOfPercent(p uint32) uint32 { return p * full / 100 }

// fullColourFromHex returns a screen colour at the highest brightness of its hue: LEDs are dimmed by levels, never by
// the palette.
func fullColourFromHex(rgb uint32) colour {
	r, g, b := rgb>>16&255, rgb>>8&255, rgb&255
	top := max(r, g, b)
	return colour{uint16(r * 65535 / top), uint16(g * 65535 / top), uint16(b * 65535 / top)}
}

// dimmed returns the colour at a level from 0 to full.
func (c colour) dimmed(level uint32) colour {
	return colour{
		uint16(uint64(c.r) * uint64(level) >> 16),
		uint16(uint64(c.g) * uint64(level) >> 16),
		uint16(uint64(c.b) * uint64(level) >> 16),
	}
}

// mixColours returns a at k=0, b at k=full, and a mixture in between.
func mixColours(a, b colour, k uint32) colour {
	m := func(x, y uint16) uint16 {
		return uint16((uint64(x)*uint64(full-k) + uint64(y)*uint64(k)) >> 16)
	}
	return colour{m(a.r, b.r), m(a.g, b.g), m(a.b, b.b)}
}

// easeInOut eases x in 0..full at both ends: 3x^2 - 2x^3.
func easeInOut(x uint32) uint32 {
	v := uint64(x)
	return uint32(v * v >> 16 * (3*full - 2*v) >> 16)
}

// easeOut starts at full speed and slows down: 1 - (1-x)^2. A fade that also starts slowly would be invisible
// for a tenth of a second after gamma.
func easeOut(x uint32) uint32 {
	rest := uint64(full - x)
	return full - uint32(rest*rest>>16)
}

// elapsedShare returns the share of whole that has passed, 0..full.
func elapsedShare(t, whole time.Duration) uint32 {
	if t <= 0 {
		return 0
	}
	if t >= whole {
		return full
	}
	return uint32(int64(t) * full / int64(whole))
}

// breathLevel returns a level that swings smoothly between hi and lo, starting at hi.
func breathLevel(t, period time.Duration, lo, hi uint32) uint32 {
	x := elapsedShare(t%period, period) // 0..full over one period
	up := 2 * x
	if up < full {
		up = full - up
	} else {
		up -= full
	}
	return lo + uint32(uint64(hi-lo)*uint64(easeInOut(up))>>16)
}

// The colours of the house, the same as on the pages.
var (
	brass   = fullColourFromHex(0xd8ae62)
	candle  = fullColourFromHex(0xffb661) // now, here
	garnet  = fullColourFromHex(0xc4473f) // the crime
	oxblood = fullColourFromHex(0x6d1d22) // accusations
	ivory   = fullColourFromHex(0xf3e9d2)
)

// seatColours are the colours of seats 1 to 8, the same as on the pages. Fuchsia and lemon fill the gaps between
// the first six hues (violet to red, amber to green), and differ from the others on a LED as much as the six do
// from each other.
var seatColours = [MaxSeats]colour{
	fullColourFromHex(0xb5383d), // crimson
	fullColourFromHex(0x2f8a68), // green
	fullColourFromHex(0x3d73ba), // blue
	fullColourFromHex(0x8d5cb3), // violet
	fullColourFromHex(0xc98a2b), // amber
	fullColourFromHex(0xd7cfc0), // ivory
	fullColourFromHex(0xa1087d), // fuchsia
	fullColourFromHex(0x9ca110), // lemon
}

// colourOfSeat returns the colour of a seat, brass for any other number.
func colourOfSeat(seat int) colour {
	if seat < 1 || seat > len(seatColours) {
		return brass
	}
	return seatColours[seat-1]
}
