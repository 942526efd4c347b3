package light

import (
	"fmt"
	"log/slog"
	"math"
	"time"

	"majordome/devices"
)

// What a LED draws, in microamperes (the constants of FastLED for WS2812 at
// 5 V; APA102 draw a little more in red and less in blue).
const (
	microampsR    = 16_000 // at full
	microampsG    = 11_000
	microampsB    = 15_000
	microampsIdle = 1_000
)

const (
	// DefaultBudget is what a strip may draw from the 5 V pins of a Raspberry Pi.
	DefaultBudget = 850 // mA
	// HardCap bounds every budget: beyond it a strip needs its own supply,
	// fuse and wires, and one strip of a table never needs it (35 LEDs at full white: 1.5 A).
	HardCap = 2000 // mA

	defaultGamma   = 2.4
	defaultCeiling = 160
	// DefaultBrightness is defaultCeiling in percent of the brightest.
	DefaultBrightness = (defaultCeiling*100 + 254) / 255
)

// Opts say how bright, and for whom. The zero value and nil are the defaults.
type Opts struct {
	Gamma   float64 // 2.2 to 2.8; 2.4 if 0
	Ceiling uint8   // brightest value of any channel, linear; 160 if 0
	Budget  int     // mA for the whole strip, idle LEDs included; 850 if 0, at most HardCap
	Calm    bool    // no animation; states still fade into each other
	// Staging are the times of reveals.
	Staging Staging
	// Log receives a lost strip, its return, and when limiting starts. Nil: nothing.
	Log *slog.Logger
}

// output makes linear 8-bit light of colours and keeps it within the budget.
//
//  1. The estimated current of out never exceeds budget.
//  2. No channel exceeds the ceiling.
//  3. budget <= HardCap.
type output struct {
	linear [4096]uint16 // gamma and ceiling, by the upper 12 bits
	n      int          // LEDs on the strip
	budget int64        // uA
	wide   []uint16     // linear light, 16 bits, r g b of each LED
	out    []devices.RGB

	gain       uint64 // 0..full, the factor of the last frame
	at         time.Duration
	recovering bool // gain rises towards what the budget allows
	estimate   int  // mA that the last frame would have drawn
}

// release is how long the gain takes from nothing to full.
const release = 10 * time.Second

func newOutput(n int, o Opts) (*output, error) {
	if o.Gamma == 0 {
		o.Gamma = defaultGamma
	}
	if !(o.Gamma >= 2.2 && o.Gamma <= 2.8) { // refuses NaN, too
		return nil, fmt.Errorf("light: a gamma of %g: it must be 2.2 to 2.8", o.Gamma)
	}
	if o.Ceiling == 0 {
		o.Ceiling = defaultCeiling
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	budget := int64(min(o.Budget, HardCap)) * 1000
	idle := int64(n) * microampsIdle
	if budget <= idle {
		return nil, fmt.Errorf("light: a budget of %d mA: %d LEDs draw %d mA even when they are dark", o.Budget, n, idle/1000)
	}
	p := &output{n: n, budget: budget, wide: make([]uint16, 3*n), out: make([]devices.RGB, n), gain: full}
	for i := range p.linear {
		v := float64(i) / float64(len(p.linear)-1)
		p.linear[i] = uint16(math.Round(math.Pow(v, o.Gamma) * float64(o.Ceiling) * 257))
	}
	return p, nil
}

// frame converts px, one colour for each LED, at now. The result is valid until the next call.
func (p *output) frame(px []colour, now time.Duration) []devices.RGB {
	var r, g, b int64
	for i, c := range px {
		w := p.wide[3*i:][:3]
		w[0], w[1], w[2] = p.linear[c.r>>4], p.linear[c.g>>4], p.linear[c.b>>4]
		r, g, b = r+int64(w[0]), g+int64(w[1]), b+int64(w[2])
	}
	drawn := (r*microampsR + g*microampsG + b*microampsB) / 65535
	idle := int64(p.n) * microampsIdle
	p.estimate = int((drawn + idle) / 1000)
	// Rounding to 8 bits may add half a step to each channel.
	slack := int64(p.n) * (microampsR + microampsG + microampsB) / 510
	p.control(drawn, max(0, p.budget-idle-slack), now)
	for i := range p.out {
		w := p.wide[3*i:][:3]
		p.out[i] = devices.RGB{R: narrow(w[0], p.gain), G: narrow(w[1], p.gain), B: narrow(w[2], p.gain)}
	}
	return p.out
}

// control sets the gain for a frame that would draw so much and may draw room, in uA.
func (p *output) control(drawn, room int64, now time.Duration) {
	allowed := uint64(full)
	if drawn > room {
		allowed = uint64(room) * full / uint64(drawn)
	}
	dt := min(max(now-p.at, 0), release)
	p.gain = min(allowed, p.gain+uint64(dt)*full/uint64(release))
	p.at, p.recovering = now, p.gain < allowed
}

// narrow scales and rounds 16 bits to 8.
func narrow(v uint16, gain uint64) uint8 {
	return uint8((uint64(v)*gain>>16 + 128) / 257)
}

// AsSeen is the screen colour that looks like a LED of linear light c under
// these options: the ceiling is taken as full brightness and gamma is undone.
// Use it to draw a strip on a page. A nil o is the defaults.
func AsSeen(c devices.RGB, o *Opts) devices.RGB {
	gamma, ceiling := defaultGamma, float64(defaultCeiling)
	if o != nil && o.Gamma != 0 {
		gamma = o.Gamma
	}
	if o != nil && o.Ceiling != 0 {
		ceiling = float64(o.Ceiling)
	}
	seen := func(v uint8) uint8 {
		return uint8(math.Round(255 * math.Pow(min(1, float64(v)/ceiling), 1/gamma)))
	}
	return devices.RGB{R: seen(c.R), G: seen(c.G), B: seen(c.B)}
}
