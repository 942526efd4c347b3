package light

import (
	"flag"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"majordome/devices"
)

// MAJORDOME_SOAK=1 makes each property test 200 times as long.
func TestMain(m *testing.M) {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		if err := flag.Set("rapid.checks", "20000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func anyGlow(t *rapid.T, name string) Glow {
	return Glow{GlowState(rapid.IntRange(0, 5).Draw(t, name)), rapid.IntRange(-1, 12).Draw(t, name+" seat")}
}

// anyCue draws a cue from all values that the type allows, senseless ones included.
func anyCue(t *rapid.T) Cue {
	c := Cue{
		Mood: Mood(rapid.IntRange(0, 5).Draw(t, "mood")),
		Clock: Clock{At: rapid.IntRange(-2, 40).Draw(t, "at"), Of: rapid.IntRange(-2, 40).Draw(t, "of"),
			Mark: rapid.IntRange(-2, 40).Draw(t, "mark"), Open: rapid.Bool().Draw(t, "open")},
		Urn: anyGlow(t, "urn"), Show: anyGlow(t, "show"), UrnOpen: rapid.Bool().Draw(t, "clues lie open"),
		Mover: rapid.IntRange(-1, 12).Draw(t, "mover"), HourDeaths: rapid.IntRange(-1, 3).Draw(t, "struck"),
		Accusations: rapid.IntRange(-1, 3).Draw(t, "judged"), RightAccusation: rapid.Bool().Draw(t, "right"),
		EndStaging: rapid.Bool().Draw(t, "cut"),
	}
	for i := range c.Winners {
		c.Winners[i] = rapid.IntRange(0, 3).Draw(t, "wins") == 0
	}
	for i := range 7 {
		c.Places[i] = Lamp(rapid.IntRange(0, 6).Draw(t, "lamp"))
	}
	return c
}

// No frame draws more than its budget, whatever is shown and configured.
func TestNoFrameExceedsTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "leds")
		o := Opts{
			Gamma:   rapid.Float64Range(2.2, 2.8).Draw(t, "gamma"),
			Ceiling: rapid.Byte().Draw(t, "ceiling"),
			Budget:  rapid.IntRange(n+1, 20000).Draw(t, "budget"),
		}
		out, err := newOutput(n, o)
		if err != nil {
			t.Fatal(err)
		}
		px := make([]colour, n)
		level := rapid.Uint16().Draw(t, "level")
		for i := range px {
			px[i] = colour{level, rapid.Uint16().Draw(t, "g"), rapid.Uint16Range(level/2, level).Draw(t, "b")}
		}
		out.computeFrame(make([]colour, n), 0)
		out.computeFrame(px, time.Second)
		check := func(how string, got []devices.RGB) {
			if ma := milliamps(got); ma > float64(min(o.Budget, HardCap)) {
				t.Fatalf("%s: %d LEDs draw %.1f mA of %d", how, n, ma, o.Budget)
			}
			for _, c := range got {
				if most := max(c.R, c.G, c.B); o.Ceiling != 0 && most > o.Ceiling {
					t.Fatalf("%s: a channel at %d, the ceiling is %d", how, most, o.Ceiling)
				}
			}
		}
		check("rounded", out.roundPixels())
		for range 20 {
			check("mixed", out.ditherPixels())
		}
	})
}

// The same in the worst case: all LEDs have the same colour, so that every rounding goes the same way, and there are far more LEDs and
// budget than any table has.
func TestBudgetHoldsWhenAllRoundUp(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	px := make([]colour, 300)
	for i := range px {
		px[i] = colour{65535, 65535, 65535}
	}
	for budget := 301; budget < 2*HardCap; budget += 7 {
		out, err := newOutput(len(px), Opts{Ceiling: 255, Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		for i := range out.owed {
			out.owed[i] = step - 1
		}
		out.computeFrame(px, 0)
		if ma := max(milliamps(out.roundPixels()), milliamps(out.ditherPixels())); ma > float64(min(budget, HardCap)) {
			t.Fatalf("%.1f mA of %d", ma, budget)
		}
	}
}

// Limiting dims all by one factor: no hue shifts, and it is reported.
func TestLimitKeepsHues(t *testing.T) {
	out, err := newOutput(35, Opts{Ceiling: 255, Budget: 300})
	if err != nil {
		t.Fatal(err)
	}
	px := make([]colour, 35)
	for i := range px {
		px[i] = colour{65535, 65535, 65535}
	}
	px[7] = colour{65535, 0, 0}
	out.computeFrame(px, 0)
	got := out.roundPixels()
	if out.gain == full || out.estimate < 1400 {
		t.Errorf("gain %d, estimate %d mA; 35 white LEDs draw about 1.5 A", out.gain, out.estimate)
	}
	if c := got[0]; c.R != c.G || c.G != c.B || c.R == 0 || got[7] != (devices.RGB{R: c.R}) {
		t.Errorf("white became %v, red %v", c, got[7])
	}
	if ma := milliamps(got); ma < 285 {
		t.Errorf("%.1f mA of 300 are used: it is dimmed more than needed", ma)
	}
}

// When a bright part goes dark the others come back slowly, not at once.
func TestLimitReleasesSlowly(t *testing.T) {
	out, err := newOutput(35, Opts{Ceiling: 255, Budget: 300})
	if err != nil {
		t.Fatal(err)
	}
	bright, red := make([]colour, 35), make([]colour, 35)
	for i := range bright {
		bright[i] = colour{65535, 65535, 65535}
	}
	red[0].r = 65535
	level := func(px []colour, now time.Duration) uint8 {
		out.computeFrame(px, now)
		return out.roundPixels()[0].R
	}
	low := level(bright, time.Second)
	for _, tc := range []struct {
		after time.Duration
		most  int
	}{{0, int(low)}, {time.Second, int(low) + 26}, {4 * time.Second, int(low) + 4*26}} {
		if got := int(level(red, time.Second+tc.after)); got > tc.most || tc.after > 0 && got < tc.most-4 {
			t.Errorf("%v after the limit red is at %d, want %d", tc.after, got, tc.most)
		}
	}
	if got := level(red, 20*time.Second); got != 255 || out.recovering {
		t.Errorf("red comes back to %d", got)
	}
	if got := level(bright, 20*time.Second); got != low {
		t.Errorf("the limit falls to %d, want %d at once", got, low)
	}
}

// A flash is a pair of opposing changes by a tenth of the brightest light. No
// LED makes more than three in any second, however fast cues come.
func TestNothingFlashesFasterThan3Hz(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := DefaultLayout(7)
		o := Opts{Staging: played, Calm: rapid.Bool().Draw(t, "calm"), Budget: rapid.SampledFrom([]int{100, 850, 2000}).Draw(t, "budget")}
		s, err := NewStage(l, l.MinStripLen(), &o)
		if err != nil {
			t.Fatal(err)
		}
		cues := rapid.SliceOfN(rapid.Custom(anyCue), 2, 4).Draw(t, "cues")
		every := rapid.IntRange(1, 60).Draw(t, "frames between cues")
		frame := rapid.SampledFrom([]func(time.Duration) []devices.RGB{s.Frame, s.MixedFrame}).Draw(t, "rounded or mixed")
		watch := make([]flashes, 3*l.MinStripLen())
		var before []devices.RGB
		for f := range 5 * 60 {
			now := time.Duration(f) * frameTime
			if f%every == 0 {
				s.SetCue(cues[f/every%len(cues)], now)
			}
			px := frame(now)
			for i, c := range px {
				for k, v := range []uint8{c.R, c.G, c.B} {
					if n := watch[3*i+k].recordValue(int(v), now); n > 6 {
						t.Fatalf("LED %d changes direction %d times within a second, at %v", i, n, now)
					}
					if before != nil {
						b := before[i]
						if step := int(v) - int([]uint8{b.R, b.G, b.B}[k]); step > 32 || step < -32 {
							t.Fatalf("LED %d jumps by %d of 160 in one frame, at %v", i, step, now)
						}
					}
				}
			}
			before = slices.Clone(px)
		}
	})
}

// flashes finds the changes of direction of one channel that are larger than a
// tenth of the brightest value.
type flashes struct {
	turn int // last extreme
	up   bool
	at   []time.Duration
}

func (f *flashes) recordValue(v int, now time.Duration) (inLastSecond int) {
	const tenth = defaultCeiling / 10
	switch {
	case f.up && v > f.turn, !f.up && v < f.turn:
		f.turn = v
	case f.up && v <= f.turn-tenth, !f.up && v >= f.turn+tenth:
		f.up, f.turn = !f.up, v
		f.at = append(f.at, now)
	}
	for len(f.at) > 0 && f.at[0] <= now-time.Second {
		f.at = f.at[1:]
	}
	return len(f.at)
}

// A frame depends on cues and times only, not on how often frames were drawn.
func TestFramesDoNotDependOnTheFrameRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := DefaultLayout(7)
		var stages [2]*Stage
		for i := range stages {
			var err error
			if stages[i], err = NewStage(l, l.MinStripLen(), &Opts{Budget: HardCap, Staging: played}); err != nil {
				t.Fatal(err)
			}
		}
		now := time.Duration(0)
		for range rapid.IntRange(1, 8).Draw(t, "cues") {
			c := anyCue(t)
			stages[0].SetCue(c, now)
			stages[1].SetCue(c, now)
			pause := time.Duration(rapid.IntRange(0, 1500).Draw(t, "pause")) * ms
			for at := now; at < now+pause; at += 7 * ms {
				stages[0].Frame(at)
			}
			now += pause
		}
		if a, b := stages[0].Frame(now), stages[1].Frame(now); !slices.Equal(a, b) {
			t.Fatalf("at %v:\n%v\n%v", now, a, b)
		}
	})
}

// Next never sleeps through a change.
func TestNextNeverSleepsThroughAChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := DefaultLayout(7)
		s, err := NewStage(l, l.MinStripLen(), &Opts{Staging: played, Calm: rapid.Bool().Draw(t, "calm")})
		if err != nil {
			t.Fatal(err)
		}
		alone := rapid.Bool().Draw(t, "urn alone")
		var before []devices.RGB
		var wake time.Duration
		still := false
		for f := range 3 * 60 {
			now := time.Duration(f) * frameTime
			if f%90 == 0 || f%90 == 3 {
				c := anyCue(t)
				if alone { // or something else nearly always moves
					c = Cue{Urn: c.Urn}
				}
				s.SetCue(c, now)
				still = false
			}
			px := s.Frame(now)
			if still && now < wake && !slices.Equal(px, before) {
				t.Fatalf("the light changed at %v, Next had said %v", now, wake)
			}
			before = slices.Clone(px)
			next, ok := s.NextChange(now)
			if !ok {
				next = math.MaxInt64
			}
			wake, still = next, next > now
		}
	})
}

// milliamps estimates what a frame draws on a strip of these LEDs.
func milliamps(px []devices.RGB) float64 {
	var ua float64
	for _, c := range px {
		ua += microampsIdle + (float64(c.R)*microampsR+float64(c.G)*microampsG+float64(c.B)*microampsB)/255
	}
	return ua / 1000
}
