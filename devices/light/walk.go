package light

import (
	"slices"

	"majordome/devices"
)

// Step is one picture of a walk along a strip, a test in which a person checks colours and wiring.
type Step struct {
	Name  string // of a part, or one of the names below
	LEDs  Segment
	Frame []devices.RGB
}

// Steps that are no part of the layout: the whole strip in one colour, which shows the order of its colours,
// and its last LED.
const (
	StepRed   = "red"
	StepGreen = "green"
	StepLast  = "last"
)

// walkColours fill the strip in one step each. On a strip with another order of colours they look different.
var walkColours = []struct {
	name string
	c    colour
}{{StepRed, colour{r: 65535}}, {StepGreen, colour{g: 65535}}}

// WalkSteps returns the steps of a walk along a strip of n LEDs: its colours, its end, and each part of the
// layout. A part begins with a bright LED, so that one that is wired backwards shows. Every picture is within
// the budget of o.
func WalkSteps(l Layout, n int, o *Opts) ([]Step, error) {
	if o == nil {
		o = &Opts{}
	}
	if err := l.Check(n); err != nil {
		return nil, err
	}
	out, err := newOutput(n, *o)
	if err != nil {
		return nil, err
	}
	px, steps := make([]colour, n), []Step(nil)
	for _, name := range StepNames(l) {
		clear(px)
		leds := paintStep(px, l, name)
		out.gain = full // independent of the step before
		out.computeFrame(px, 0)
		steps = append(steps, Step{name, leds, slices.Clone(out.roundPixels())})
	}
	return steps, nil
}

// StepNames returns the names of the steps of a walk.
func StepNames(l Layout) (names []string) {
	for _, w := range walkColours {
		names = append(names, w.name)
	}
	names = append(names, StepLast)
	for _, p := range l.PartsWithLEDs() {
		names = append(names, p.Name)
	}
	return names
}

// paintStep paints a step of a walk on dark LEDs and returns these LEDs; none for an unknown name.
func paintStep(px []colour, l Layout, name string) Segment {
	for _, w := range walkColours {
		if w.name == name {
			fillColour(px, w.c.dimmed(levelOfPercent(60)))
			return NewSegment(0, len(px))
		}
	}
	if name == StepLast {
		px[len(px)-1] = candle
		return NewSegment(len(px)-1, 1)
	}
	for _, p := range l.PartsWithLEDs() {
		if p.Name != name {
			continue
		}
		for i, led := range p.Segment {
			px[led] = candle.dimmed(levelOfPercent(45))
			if i == 0 {
				px[led] = candle
			}
		}
		return p.Segment
	}
	return nil
}

// FindColourOrder returns the real colour order of a strip. used is the order in which it was driven; seenRed and
// seenGreen are the colours that a person saw in the red and green steps of the walk, R, G or B. It returns false
// if they contradict each other.
func FindColourOrder(used devices.ColourOrder, seenRed, seenGreen byte) (devices.ColourOrder, bool) {
	var order [3]byte
	for i, letter := range []byte(used) {
		switch letter {
		case 'R':
			order[i] = seenRed
		case 'G':
			order[i] = seenGreen
		default:
			order[i] = byte('R' + 'G' + 'B' - int(seenRed) - int(seenGreen))
		}
	}
	found := devices.ColourOrder(order[:])
	return found, slices.Contains(devices.ColourOrders(), found)
}
