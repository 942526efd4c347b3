package light

import (
	"testing"

	"majordome/devices"
)

// The walk keeps within the budget, lights one part at a time, and each part begins bright.
func TestWalkLightsOnePartAtATime(t *testing.T) {
	steps, err := WalkSteps(DefaultLayout(7), 40, &Opts{Budget: 100})
	if err != nil || len(steps) != 13 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	for _, s := range steps {
		if ma := milliamps(s.Frame); ma > 100 {
			t.Errorf("%s draws %.1f mA of 100", s.Name, ma)
		}
		lit := 0
		for _, c := range s.Frame {
			if c != (devices.RGB{}) {
				lit++
			}
		}
		if lit != len(s.LEDs) {
			t.Errorf("%s lights %d LEDs of %d", s.Name, lit, len(s.LEDs))
		}
		if n := len(s.LEDs); s.Name != StepRed && s.Name != StepGreen && n > 1 && s.Frame[s.LEDs[0]].R <= s.Frame[s.LEDs[1]].R {
			t.Errorf("%s does not begin with its brightest LED: %v", s.Name, s.Frame)
		}
	}
	if _, err := WalkSteps(DefaultLayout(7), 30, nil); err == nil {
		t.Error("a strip that is too short")
	}
}

// Two looks at a strip are enough to find its order of colours, whatever it is.
func TestReorder(t *testing.T) {
	for _, used := range devices.ColourOrders() {
		for _, real := range devices.ColourOrders() {
			seen := func(c devices.RGB) byte {
				switch p := real.DecodePixel(used.EncodePixel(c)); {
				case p.R > 0:
					return 'R'
				case p.G > 0:
					return 'G'
				}
				return 'B'
			}
			red, green := seen(devices.RGB{R: 1}), seen(devices.RGB{G: 1})
			if got, ok := FindColourOrder(used, red, green); got != real || !ok {
				t.Errorf("driven as %s, a strip of %s is taken for %s", used, real, got)
			}
		}
	}
	if o, ok := FindColourOrder("GRB", 'R', 'R'); ok {
		t.Errorf("two equal colours make %s", o)
	}
}
