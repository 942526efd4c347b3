package light

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"time"

	"majordome/devices"
)

// Current of a LED in microamperes (the constants of FastLED for WS2812 at 5 V; APA102 draw a little more in
// red and less in blue).
const (
	microampsR    = 16_000 // at full
	microampsG    = 11_000
	microampsB    = 15_000
	microampsIdle = 1_000
)

const (
	// DefaultBudget is the current that a strip may draw from the 5 V pins of a Raspberry Pi.
	DefaultBudget = 850 // mA
	// HardCap is the highest budget. Beyond it a strip needs its own supply, fuse and wires, and no strip of a
	// table needs that much (35 LEDs at full white: 1.5 A).
	HardCap = 2000 // mA

	defaultGamma   = 2.4
	defaultCeiling = 160
	// DefaultBrightness is defaultCeiling in percent of the brightest.
	DefaultBrightness = (defaultCeiling*100 + 254) / 255
)

// Opts sets brightness, power limit and timing. The zero value and nil are the defaults.
type Opts struct {
	Gamma   float64 // 2.2 to 2.8; 2.4 if 0
	Ceiling uint8   // highest linear value of any channel; 160 if 0
	Budget  int     // mA for the whole strip, idle LEDs included; 850 if 0, at most HardCap
	Calm    bool    // no animation; states still fade into each other
	// Staging has the times of reveals.
	Staging Staging
	// Log receives the loss of a strip, its return, and the start of power limiting. Nil: no log.
	Log *slog.Logger
	// Counters counts the frames of this strip; nil if not needed.
	Counters *Counters
}

// output converts colours to linear light, keeps it within the budget and reduces it to 8 bits.
//
//  1. The estimated current of out never exceeds budget, rounded or mixed.
//  2. No channel exceeds the ceiling.
//  3. budget <= HardCap.
//  4. Mixed over any number of frames, the light of a pixel is never more than one step of one frame away from
//     the right value.
type output struct {
	linear   [4096]uint16 // gamma and ceiling, by the upper 12 bits
	n        int          // LEDs on the strip
	budget   int64        // uA
	linear16 []uint16     // light of the last frame: linear, within the budget, 257 a step, r g b of each LED
	owed     []uint16     // part of a step that mixed frames have not shown yet
	out      []devices.RGB
	parts    []devices.RGB // in addition to out, in 16ths of a step, for a MixingStrip

	gain       uint64 // 0..full, the factor of the last frame
	frameAt    time.Duration
	recovering bool // gain rises towards the value that the budget allows
	estimate   int  // current of the last frame without the limit, in mA
}

// gainRecovery is the time in which the gain rises from nothing to full.
const gainRecovery = 10 * time.Second

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
	p := &output{n: n, budget: budget, linear16: make([]uint16, 3*n), owed: make([]uint16, 3*n),
		out: make([]devices.RGB, n), parts: make([]devices.RGB, n), gain: full}
	for i := range p.owed {
		p.owed[i] = uint16(i * outOfStep % step) // neighbours take their steps at different times
	}
	for i := range p.linear {
		v := float64(i) / float64(len(p.linear)-1)
		p.linear[i] = uint16(math.Round(math.Pow(v, o.Gamma) * float64(o.Ceiling) * 257))
	}
	return p, nil
}

// step is one of the 255 steps of a LED in 16 bits, and outOfStep its golden section.
const (
	step      = 257
	outOfStep = 159
	// leastLight is the lowest light of a LED that is not dark: dimmer, it would visibly blink when mixed.
	leastLight = step / 4
)

// computeFrame computes the light of px, one colour for each LED, at now.
func (p *output) computeFrame(px []colour, now time.Duration) {
	var r, g, b int64
	for i, c := range px {
		w := p.linear16[3*i:][:3]
		w[0], w[1], w[2] = p.linear[c.r>>4], p.linear[c.g>>4], p.linear[c.b>>4]
		r, g, b = r+int64(w[0]), g+int64(w[1]), b+int64(w[2])
	}
	drawn := (r*microampsR + g*microampsG + b*microampsB) / 65535
	idle := int64(p.n) * microampsIdle
	p.estimate = int((drawn + idle) / 1000)
	// Rounding to whole steps may add up to one step.
	slack := int64(p.n) * (microampsR + microampsG + microampsB) / 255
	p.updatePowerGain(drawn, max(0, p.budget-idle-slack), now)
	for i := range p.n {
		w := p.linear16[3*i:][:3]
		for k, v := range w {
			w[k] = uint16(uint64(v) * p.gain >> 16)
		}
		if top := max(w[0], w[1], w[2]); top > 0 && top < leastLight {
			scaleAllByRatio(w, leastLight, top)
		}
	}
}

// scaleAllByRatio multiplies each value of w by to/from, rounded.
func scaleAllByRatio(w []uint16, to, from uint16) {
	for k, v := range w {
		w[k] = uint16((uint32(v)*uint32(to) + uint32(from)/2) / uint32(from))
	}
}

// roundPixels returns the last frame in whole steps, for a strip that shows few frames. Dim light keeps its
// hue if steps allow it: the brightest channel is rounded, the others follow in proportion, and a LED that is
// not dark gets at least one step. Valid until the next call of roundPixels or ditherPixels.
func (p *output) roundPixels() []devices.RGB {
	for i := range p.out {
		w := p.linear16[3*i:][:3]
		top := max(w[0], w[1], w[2])
		if top == 0 {
			p.out[i] = devices.RGB{}
			continue
		}
		steps := max(1, (uint32(top)+step/2)/step)
		near := func(v uint16) uint8 { return uint8((uint32(v)*steps + uint32(top)/2) / uint32(top)) }
		p.out[i] = devices.RGB{R: near(w[0]), G: near(w[1]), B: near(w[2])}
	}
	return p.out
}

// ditherPixels returns the last frame as one of many that the eye adds up: what one frame cannot show of a step,
// the next ones add, so each hue is right at any level. Valid until the next call of roundPixels or
// ditherPixels.
func (p *output) ditherPixels() []devices.RGB {
	for i := range p.out {
		w, owed := p.linear16[3*i:][:3], p.owed[3*i:][:3]
		whole := func(k int) uint8 {
			sum := uint32(w[k]) + uint32(owed[k])
			owed[k] = uint16(sum % step)
			return uint8(sum / step)
		}
		p.out[i] = devices.RGB{R: whole(0), G: whole(1), B: whole(2)}
	}
	return p.out
}

// ditherPixelsWithParts returns the last frame for a MixingStrip, in whole steps and 16ths of a step; what one frame
// cannot show of a 16th, the next ones add. Valid until the next call of roundPixels, ditherPixels or
// ditherPixelsWithParts.
func (p *output) ditherPixelsWithParts() (px, parts []devices.RGB) {
	for i := range p.out {
		w, owed := p.linear16[3*i:][:3], p.owed[3*i:][:3]
		split := func(k int) (whole, part uint8) {
			sum := 16*uint32(w[k]) + uint32(owed[k])
			owed[k] = uint16(sum % step)
			return uint8(sum / step / 16), uint8(sum / step % 16)
		}
		px, part := &p.out[i], &p.parts[i]
		px.R, part.R = split(0)
		px.G, part.G = split(1)
		px.B, part.B = split(2)
	}
	return p.out, p.parts
}

// hasLightBetweenSteps reports whether the last frame has light between two steps.
func (p *output) hasLightBetweenSteps() bool {
	return slices.ContainsFunc(p.linear16, func(v uint16) bool { return v%step != 0 })
}

// updatePowerGain sets the gain for a frame whose LEDs would draw drawn, and may draw room, in uA without the current
// of idle LEDs. The gain falls at once and rises over gainRecovery.
func (p *output) updatePowerGain(drawn, room int64, now time.Duration) {
	allowed := uint64(full)
	if drawn > room {
		allowed = uint64(room) * full / uint64(drawn)
	}
	dt := min(max(now-p.frameAt, 0), gainRecovery)
	p.gain = min(allowed, p.gain+uint64(dt)*full/uint64(gainRecovery))
	p.frameAt, p.recovering = now, p.gain < allowed
}

// ScreenColour returns the screen colour that looks like a LED of linear light c under these options: the
// ceiling counts as full brightness, and gamma is undone. Use it to draw a strip on a page. A nil o means the
// defaults.
func ScreenColour(c devices.RGB, o *Opts) devices.RGB {
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
