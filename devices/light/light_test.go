package light

import (
	"flag"
	"math"
	"os"
	"slices"
	"strings"
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

// anyCue draws a cue from everything that the type allows, senseless values included.
func anyCue(t *rapid.T) Cue {
	c := Cue{
		Mood: Mood(rapid.IntRange(0, 4).Draw(t, "mood")),
		Clock: Clock{At: rapid.IntRange(-2, 40).Draw(t, "at"), Of: rapid.IntRange(-2, 40).Draw(t, "of"),
			Mark: rapid.IntRange(-2, 40).Draw(t, "mark"), Open: rapid.Bool().Draw(t, "open")},
		Urn: anyGlow(t, "urn"), Show: anyGlow(t, "show"),
	}
	for i := range 7 {
		c.Places[i] = Lamp(rapid.IntRange(0, 5).Draw(t, "lamp"))
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
		out.frame(make([]colour, n), 0)
		got := out.frame(px, time.Second)
		if ma := milliamps(got); ma > float64(min(o.Budget, HardCap)) {
			t.Fatalf("%d LEDs draw %.1f mA of %d", n, ma, o.Budget)
		}
		for _, c := range got {
			if most := max(c.R, c.G, c.B); o.Ceiling != 0 && most > o.Ceiling {
				t.Fatalf("a channel at %d, the ceiling is %d", most, o.Ceiling)
			}
		}
	})
}

// The same at the worst: every LED alike, so that every rounding goes the same
// way, and far more LEDs and budget than any table has.
func TestBudgetHoldsWhenAllRoundUp(t *testing.T) {
	px := make([]colour, 300)
	for i := range px {
		px[i] = colour{65535, 65535, 65535}
	}
	for budget := 301; budget < 2*HardCap; budget += 7 {
		out, err := newOutput(len(px), Opts{Ceiling: 255, Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		if ma := milliamps(out.frame(px, 0)); ma > float64(min(budget, HardCap)) {
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
	got := out.frame(px, 0)
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
	low := out.frame(bright, time.Second)[0].R
	for _, tc := range []struct {
		after time.Duration
		most  int
	}{{0, int(low)}, {time.Second, int(low) + 26}, {4 * time.Second, int(low) + 4*26}} {
		if got := int(out.frame(red, time.Second+tc.after)[0].R); got > tc.most || tc.after > 0 && got < tc.most-4 {
			t.Errorf("%v after the limit red is at %d, want %d", tc.after, got, tc.most)
		}
	}
	if got := out.frame(red, 20*time.Second)[0].R; got != 255 || out.recovering {
		t.Errorf("red comes back to %d", got)
	}
	if got := out.frame(bright, 20*time.Second)[0].R; got != low {
		t.Errorf("the limit falls to %d, want %d at once", got, low)
	}
}

// A flash is a pair of opposing changes by a tenth of the brightest light. No
// LED makes more than three in any second, however fast cues come.
func TestNothingFlashesFasterThan3Hz(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := HuisClos()
		o := Opts{Calm: rapid.Bool().Draw(t, "calm"), Budget: rapid.SampledFrom([]int{100, 850, 2000}).Draw(t, "budget")}
		s, err := NewStage(l, l.Len(), &o)
		if err != nil {
			t.Fatal(err)
		}
		cues := rapid.SliceOfN(rapid.Custom(anyCue), 2, 4).Draw(t, "cues")
		every := rapid.IntRange(1, 60).Draw(t, "frames between cues")
		watch := make([]flashes, 3*l.Len())
		var before []devices.RGB
		for f := range 5 * 60 {
			now := time.Duration(f) * frameTime
			if f%every == 0 {
				s.Set(cues[f/every%len(cues)], now)
			}
			px := s.Frame(now)
			for i, c := range px {
				for k, v := range []uint8{c.R, c.G, c.B} {
					if n := watch[3*i+k].see(int(v), now); n > 6 {
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

func (f *flashes) see(v int, now time.Duration) (inLastSecond int) {
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
		l := HuisClos()
		var stages [2]*Stage
		for i := range stages {
			var err error
			if stages[i], err = NewStage(l, l.Len(), &Opts{Budget: HardCap}); err != nil {
				t.Fatal(err)
			}
		}
		now := time.Duration(0)
		for range rapid.IntRange(1, 8).Draw(t, "cues") {
			c := anyCue(t)
			stages[0].Set(c, now)
			stages[1].Set(c, now)
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
func TestNextMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := HuisClos()
		s, err := NewStage(l, l.Len(), &Opts{Calm: rapid.Bool().Draw(t, "calm")})
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
				s.Set(c, now)
				still = false
			}
			px := s.Frame(now)
			if still && now < wake && !slices.Equal(px, before) {
				t.Fatalf("the light changed at %v, Next had said %v", now, wake)
			}
			before = slices.Clone(px)
			next, ok := s.Next(now)
			if !ok {
				next = math.MaxInt64
			}
			wake, still = next, next > now
		}
	})
}

func TestLayoutCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int
		edit func(*Layout)
		want []string // none: accepted
	}{
		{"the default on its strip", 35, func(*Layout) {}, nil},
		{"a longer strip", 60, func(*Layout) {}, nil},
		{"no show reader", 32, func(l *Layout) { l.Show = Span{} }, nil},
		{"no places", 35, func(l *Layout) { l.Places = nil }, nil},
		{"a clock wired backwards", 35, func(l *Layout) { l.Clock.Reversed = true }, nil},
		{"strip too short", 30, func(*Layout) {}, []string{"urn: LEDs 29 to 31, but the strip has 30", "show: LEDs 32 to 34"}},
		{"two parts on one LED", 35, func(l *Layout) { l.Places[1].First = 10 }, []string{"place-2: LED 10 belongs to place-1"}},
		{"before the strip", 35, func(l *Layout) { l.Urn.First = -1 }, []string{"urn: LED -1", "negative"}},
		{"negative count", 35, func(l *Layout) { l.Urn.Count = -3 }, []string{"urn:", "negative"}},
		{"a clock of 65", 100, func(l *Layout) { *l = Layout{Clock: Span{Count: 65}} }, []string{"clock: 65 LEDs: at most 64"}},
		{"overflow", 35, func(l *Layout) { l.Urn.First = math.MaxInt }, []string{"urn:"}},
		{"nothing at all", 35, func(l *Layout) { *l = Layout{} }, []string{"no LED"}},
		{"17 places", 60, func(l *Layout) { l.Places = make([]Span, 17) }, []string{"17 places: at most 16"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := HuisClos()
			tc.edit(&l)
			err := l.Check(tc.n)
			if (err == nil) != (tc.want == nil) {
				t.Fatalf("got %v", err)
			}
			for _, w := range tc.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
		})
	}
	l := HuisClos()
	if l.Len() != 35 || len(l.Parts()) != 10 {
		t.Errorf("the default has %d LEDs in %d parts, want 35 in 10", l.Len(), len(l.Parts()))
	}
}

func TestReversedSpan(t *testing.T) {
	l := Layout{Clock: Span{First: 1, Count: 3, Reversed: true}}
	s, err := NewStage(l, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Set(Cue{Clock: Clock{At: 1, Of: 3}}, 0)
	px := s.Frame(time.Minute)
	dark := devices.RGB{}
	if px[3] == dark || px[1] != dark || px[0] != dark || px[4] != dark {
		t.Errorf("round 1 of 3 on a reversed clock at LEDs 1 to 3: %v", px)
	}
	if cut := l.Clock.Cut(nil, px); cut[0] != px[3] {
		t.Errorf("Cut gives %v", cut)
	}
}

func TestBadOptions(t *testing.T) {
	for _, tc := range []struct {
		o    Opts
		want string // "" accepted
	}{
		{Opts{}, ""},
		{Opts{Gamma: 2.2}, ""},
		{Opts{Gamma: 2.1}, "2.2 to 2.8"},
		{Opts{Gamma: math.NaN()}, "2.2 to 2.8"},
		{Opts{Budget: 35}, "35 LEDs draw 35 mA even when they are dark"},
		{Opts{Budget: -850}, "budget of -850 mA"},
		{Opts{Budget: math.MaxInt}, ""}, // capped
	} {
		_, err := NewStage(HuisClos(), 35, &tc.o)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: %v, want %q", tc.o, err, tc.want)
		}
	}
}

// Every round of a game for 4 to 8 players looks different, on 8 LEDs.
func TestRoundsCanBeToldApart(t *testing.T) {
	for players := 4; players <= 8; players++ {
		seen := map[[8]devices.RGB]int{}
		for r := 0; r <= 2*players; r++ {
			px := lit(t, Cue{Clock: Clock{At: r, Of: 2 * players, Mark: players + 1, Open: r > players}})
			key := [8]devices.RGB(px[:8])
			if other, same := seen[key]; same {
				t.Errorf("%d players: round %d looks like round %d: %v", players, r, other, key)
			}
			seen[key] = r
		}
	}
}

// Whether accusations are open shows in every round.
func TestOpenAccusationsShow(t *testing.T) {
	for players := 4; players <= 8; players++ {
		for r := 0; r < 2*players; r++ {
			c := Clock{At: r, Of: 2 * players, Mark: players + 1}
			shut := slices.Clone(lit(t, Cue{Clock: c}))
			c.Open = true
			if open := lit(t, Cue{Clock: c}); slices.Equal(open, shut) && ledOf(r+1, c.Of, 8) < 7 {
				t.Errorf("%d players, round %d: open and shut look the same", players, r)
			}
		}
	}
}

// Every state of every part can be told from its neighbours without motion, and
// only what is in use is lit.
func TestCalmStatesCanBeToldApart(t *testing.T) {
	span := func(s Span, c Cue) [3]devices.RGB { return [3]devices.RGB(s.Cut(nil, lit(t, c))) }
	l := HuisClos()
	seen := map[[3]devices.RGB]Lamp{}
	for _, lamp := range []Lamp{LampClosed, LampOpen, LampHere, LampCrime} {
		px := span(l.Places[0], Cue{Places: [MaxPlaces]Lamp{lamp}})
		if o, same := seen[px]; same {
			t.Errorf("lamp %d looks like %d", lamp, o)
		}
		seen[px] = lamp
	}
	readers := map[[3]devices.RGB]Glow{}
	glows := []Glow{{}, {State: GlowIdle}, {State: GlowAccepted}}
	for seat := 0; seat <= 8; seat++ {
		glows = append(glows, Glow{GlowWaiting, seat}, Glow{GlowAgain, seat})
	}
	for _, g := range glows {
		px := span(l.Urn, Cue{Urn: g})
		if o, same := readers[px]; same {
			t.Errorf("%+v looks like %+v", g, o)
		}
		readers[px] = g
	}
	if px := lit(t, Cue{}); !slices.Equal(px, make([]devices.RGB, 35)) {
		t.Errorf("the zero cue is not dark: %v", px)
	}
}

// The accepted signal tells nothing about whose card it was (rules, deposit protocol).
func TestAcceptedIsTheSameForAll(t *testing.T) {
	want := slices.Clone(lit(t, Cue{Urn: Glow{State: GlowAccepted}}))
	for seat := 1; seat <= 8; seat++ {
		if got := lit(t, Cue{Urn: Glow{GlowAccepted, seat}}); !slices.Equal(got, want) {
			t.Errorf("accepted from seat %d looks different", seat)
		}
	}
}

// The two seat colours that the pages do not have keep as far away from all others
// as the six of the pages keep from each other (distance in OKLab).
func TestSeatColoursAreDistinct(t *testing.T) {
	least := func(n int) float64 {
		d := math.Inf(1)
		for i := range n {
			for k := range i {
				d = min(d, distance(seats[i], seats[k]))
			}
		}
		return d
	}
	if of6, of8 := least(6), least(8); of8 < of6 {
		t.Errorf("closest pair of 8 is %.3f apart, of 6 it is %.3f", of8, of6)
	}
}

func distance(a, b colour) float64 {
	lab := func(c colour) [3]float64 {
		lin := func(v uint16) float64 { return math.Pow(float64(v)/65535, defaultGamma) }
		r, g, b := lin(c.r), lin(c.g), lin(c.b)
		l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
		m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
		s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
		return [3]float64{
			0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
			1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
			0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
		}
	}
	x, y := lab(a), lab(b)
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}

func TestParseLamp(t *testing.T) {
	for code, want := range map[string]Lamp{"open": LampOpen, "here": LampHere, "crime": LampCrime, "closed": LampClosed} {
		if got, ok := ParseLamp(code); got != want || !ok {
			t.Errorf("%q is %v, %v", code, got, ok)
		}
	}
	if got, ok := ParseLamp("lit"); got != LampDark || ok {
		t.Errorf("an unknown code is %v, %v", got, ok)
	}
}

// AsSeen undoes gamma and ceiling: the page shows the colours of the palette.
func TestAsSeen(t *testing.T) {
	px := lit(t, Cue{Urn: Glow{GlowWaiting, 3}})[29]
	got := AsSeen(px, nil)
	want := seats[2]
	for _, d := range []int{int(got.R) - int(want.r>>8), int(got.G) - int(want.g>>8), int(got.B) - int(want.b>>8)} {
		if d > 2 || d < -2 {
			t.Errorf("seat 3 is seen as %v, the palette has %v", got, want)
		}
	}
	if AsSeen(devices.RGB{R: 255}, nil).R != 255 || AsSeen(devices.RGB{}, nil) != (devices.RGB{}) {
		t.Error("the ends of the scale are not kept")
	}
}

// busy is a cue in which everything moves.
func busy() Cue {
	c := Cue{Mood: MoodConfrontation, Clock: Clock{At: 5, Of: 8, Mark: 5, Open: true},
		Urn: Glow{GlowWaiting, 2}, Show: Glow{GlowAgain, 3}}
	for i := range 7 {
		c.Places[i] = LampOpen
	}
	c.Places[2], c.Places[4] = LampHere, LampCrime
	return c
}

func TestFrameAllocatesNothing(t *testing.T) {
	s, err := NewStage(HuisClos(), 35, nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	if n := testing.AllocsPerRun(200, func() {
		s.Set(busy(), now)
		s.Frame(now)
		now += frameTime
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func BenchmarkFrame35(b *testing.B) {
	s, err := NewStage(HuisClos(), 35, nil)
	if err != nil {
		b.Fatal(err)
	}
	s.Set(busy(), 0)
	b.ReportAllocs()
	now := time.Duration(0)
	for b.Loop() {
		s.Frame(now)
		now += frameTime
	}
}
