package light

import (
	"context"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"majordome/devices"
	"majordome/devices/apa102"
	"majordome/devices/apa102/apa102sim"
	"majordome/devices/ws2812"
	"majordome/devices/ws2812/ws2812sim"
)

// luminance is the perceived brightness of a pixel compared with others (ITU-R BT.709).
func luminance(r, g, b float64) float64 { return 0.2126*r + 0.7152*g + 0.0722*b }

// eye averages the light of a tenth of a second as an eye does (Bloch's law for dim light): with a bell of that width at half its height.
func eye(at []time.Duration, light []float64, now time.Duration) float64 {
	const half = 100 * ms
	first, _ := slices.BinarySearch(at, now-half)
	var sum, weight float64
	for i := first; i < len(at)-1 && at[i] < now+half; i++ {
		x := float64(at[i]-now) / float64(half)
		w := (1 + math.Cos(math.Pi*x)) * float64(at[i+1]-at[i])
		sum, weight = sum+w*light[i], weight+w
	}
	return sum / weight
}

// In the breath of the Confrontation no step is visible: the light of a place that reaches the eye, decoded from the wire, stays within a
// hundredth of the intended light, on each kind of strip that is fast enough.
func TestBreathHasNoSteps(t *testing.T) {
	shown := func(r, g, b int) {}
	l := DefaultLayout(7)
	frame := func(px []devices.RGB) {
		var r, g, b int
		for _, c := range l.Places[0].AppendPixels(nil, px) {
			r, g, b = r+int(c.R), g+int(c.G), b+int(c.B)
		}
		shown(r, g, b)
	}
	wdev, err := ws2812.New(ws2812sim.New(&ws2812sim.Opts{NumPixels: 35, OnFrame: frame}), &ws2812.Opts{NumPixels: 35})
	if err != nil {
		t.Fatal(err)
	}
	adev, err := apa102.New(apa102sim.New(&apa102sim.Opts{NumPixels: 35, OnFrame: frame}), &apa102.Opts{NumPixels: 35})
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range []devices.TimedStrip{wdev, adev} {
		t.Run(dev.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var at []time.Duration
				var light []float64
				shown = func(r, g, b int) {
					at = append(at, time.Since(start))
					light = append(light, luminance(float64(r), float64(g), float64(b))/3)
				}
				cue := house("ooooooo").changedBy(func(c *Cue) { c.Mood = MoodConfrontation })
				box, done := NewMailbox(), make(chan error, 1)
				ctx, cancel := context.WithCancel(t.Context())
				go func() { done <- Run(ctx, dev, l, box.Cues(), nil) }()
				box.PostCue(cue)
				time.Sleep(13 * time.Second)
				cancel()
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				ideal, err := NewStage(l, 35, nil)
				if err != nil {
					t.Fatal(err)
				}
				ideal.SetCue(cue, 0)
				var want []float64
				for _, now := range at {
					ideal.computeLightAt(now)
					w := ideal.out.linear16[3*l.Places[0][0]:]
					want = append(want, luminance(steps(w[0]), steps(w[1]), steps(w[2])))
				}
				worst := 0.0
				for now := 2 * time.Second; now < 12*time.Second; now += mixTime {
					seen, meant := eye(at, light, now), eye(at, want, now)
					worst = max(worst, math.Abs(seen-meant)/meant)
				}
				t.Logf("%d frames in 13 s; what is seen is at most %.2f %% off", len(at), 100*worst)
				if worst > 0.01 {
					t.Errorf("a step of %.2f %% of the level is seen, at most 1 %%", 100*worst)
				}
			})
		})
	}
}

// However dim, the visible light has the intended hue and does not blink: over any run of frames each channel is within one step of one
// frame of the intended light.
func TestMixedLightIsTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out, err := newOutput(3, Opts{Ceiling: rapid.Uint8Min(1).Draw(t, "ceiling")})
		if err != nil {
			t.Fatal(err)
		}
		px := make([]colour, 3)
		for i := range px {
			px[i] = colour{rapid.Uint16().Draw(t, "r"), rapid.Uint16().Draw(t, "g"), rapid.Uint16().Draw(t, "b")}
		}
		out.computeFrame(px, 0)
		sums := make([]int, 9)
		for n := 1; n <= 200; n++ {
			for i, c := range out.ditherPixels() {
				for k, v := range []uint8{c.R, c.G, c.B} {
					sums[3*i+k] += int(v) * step
					if d := sums[3*i+k] - n*int(out.linear16[3*i+k]); d >= step || d <= -step {
						t.Fatalf("after %d frames channel %d of LED %d is %d steps off", n, k, i, d/step)
					}
				}
			}
		}
	})
}

// The same of parts: over any run of frames each channel is within a 16th of a step of the intended light.
func TestPartsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out, err := newOutput(1, Opts{Ceiling: rapid.Uint8Min(1).Draw(t, "ceiling")})
		if err != nil {
			t.Fatal(err)
		}
		px := []colour{{rapid.Uint16().Draw(t, "r"), rapid.Uint16().Draw(t, "g"), rapid.Uint16().Draw(t, "b")}}
		out.computeFrame(px, 0)
		sum := 0
		for n := 1; n <= 200; n++ {
			px, parts := out.ditherPixelsWithParts()
			if parts[0].G > 15 {
				t.Fatalf("a part of %d", parts[0].G)
			}
			sum += 16*int(px[0].G) + int(parts[0].G)
			if d := sum*step - n*16*int(out.linear16[1]); d >= step || d <= -step {
				t.Fatalf("after %d frames green is %.2f 16ths off", n, float64(d)/step)
			}
		}
	})
}

// mixer is a strip that mixes parts itself once it has answered.
type mixer struct {
	recorder
	mixes bool
	parts []devices.RGB // nil: the last frame had none
}

func (m *mixer) CanMix() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mixes
}

func (m *mixer) ShowFrame(px []devices.RGB) error { return m.ShowMixed(px, nil) }

func (m *mixer) ShowMixed(px, parts []devices.RGB) error {
	m.mu.Lock()
	m.parts = slices.Clone(parts)
	m.mu.Unlock()
	return m.recorder.ShowFrame(px)
}

// lastShown is the newest frame and its parts.
func (m *mixer) lastShown() (px, parts []devices.RGB) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last, m.parts
}

// A strip that can mix parts itself gets whole steps until it says so, then within a second parts too, and no more than 60 frames a second.
// Constant light is sent once a second.
func TestAStripThatMixesByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		strip := &mixer{recorder: recorder{n: 35}}
		box, done := NewMailbox(), make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- Run(ctx, strip, DefaultLayout(7), box.Cues(), &Opts{Calm: true, Ceiling: 25}) }()
		box.PostCue(house("ooooooo"))
		time.Sleep(5 * time.Second)
		if px, parts := strip.lastShown(); parts != nil || px[8].R == 0 {
			t.Errorf("before it has answered: %v, parts %v", px[8], parts)
		}
		strip.mu.Lock()
		strip.mixes = true
		strip.mu.Unlock()
		time.Sleep(time.Second)
		if _, parts := strip.lastShown(); parts == nil {
			t.Error("no parts within a second")
		}
		strip.takeTimes()
		time.Sleep(10 * time.Second)
		if n := len(strip.takeTimes()); n > 11 {
			t.Errorf("%d frames in 10 s of a light that does not change", n)
		}
		box.PostCue(house("ooooooo").changedBy(func(c *Cue) { c.Mood = MoodConfrontation }))
		time.Sleep(10 * time.Second)
		if n := len(strip.takeTimes()); n > 610 {
			t.Errorf("%d frames in 10 s", n)
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

// Brass never looks like a crime, nor a crime like brass, at any brightness, in whole steps or mixed.
func TestDimLightKeepsItsHue(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	for ceiling := 1; ceiling <= 255; ceiling++ {
		s, err := NewStage(Layout{Places: []Segment{{0, 1, 2}, {3, 4, 5}}}, 6, &Opts{Calm: true, Ceiling: uint8(ceiling)})
		if err != nil {
			t.Fatal(err)
		}
		s.SetCue(house("ox"), 0)
		whole := slices.Clone(s.Frame(time.Minute))
		brassy := func(r, g float64) bool { return r > 0 && g/r > 0.4 }
		crimson := func(r, g float64) bool { return r > 0 && g/r < 0.2 }
		if open, crime := whole[0], whole[3]; !brassy(float64(open.R), float64(open.G)) || !crimson(float64(crime.R), float64(crime.G)) {
			t.Errorf("ceiling %d: in whole steps an open place is %v and a crime %v", ceiling, open, crime)
		}
		var sum [2][2]float64
		for range 2000 {
			px := s.MixedFrame(time.Minute)
			for i, c := range []devices.RGB{px[0], px[3]} {
				sum[i][0], sum[i][1] = sum[i][0]+float64(c.R), sum[i][1]+float64(c.G)
			}
		}
		if !brassy(sum[0][0], sum[0][1]) || !crimson(sum[1][0], sum[1][1]) {
			t.Errorf("ceiling %d: mixed, an open place is %v and a crime %v", ceiling, sum[0], sum[1])
		}
	}
}
