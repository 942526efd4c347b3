package light

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/devices"
)

func TestLayoutCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int
		edit func(*Layout)
		want []string // none: accepted
	}{
		{"the default on its strip", 35, func(*Layout) {}, nil},
		{"a longer strip", 60, func(*Layout) {}, nil},
		{"no show reader", 32, func(l *Layout) { l.Show = nil }, nil},
		{"no places", 35, func(l *Layout) { l.Places = nil }, nil},
		{"a clock wired backwards", 35, func(l *Layout) { slices.Reverse(l.Clock) }, nil},
		{"strip too short", 30, func(*Layout) {}, []string{"urn: LED 30, but the strip has 30", "show: LED 32"}},
		{"two parts on one LED", 35, func(l *Layout) { l.Places[1] = NewSegment(10, 3) }, []string{"place-2: LED 10 belongs to place-1"}},
		{"before the strip", 35, func(l *Layout) { l.Urn = NewSegment(-1, 3) }, []string{"urn: LED -1"}},
		{"one LED twice", 35, func(l *Layout) { l.Urn = Segment{29, 30, 29} }, []string{"urn: LED 29 belongs to urn"}},
		{"a clock of 65", 100, func(l *Layout) { *l = Layout{Clock: NewSegment(0, 65)} }, []string{"clock: 65 LEDs: at most 64"}},
		{"far away", 35, func(l *Layout) { l.Urn = Segment{math.MaxInt - 1} }, []string{"urn:"}},
		{"nothing at all", 35, func(l *Layout) { *l = Layout{} }, []string{"no LED"}},
		{"17 places", 60, func(l *Layout) { l.Places = make([]Segment, 17) }, []string{"17 places: at most 16"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := DefaultLayout(7)
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
	l := DefaultLayout(7)
	if l.MinStripLen() != 35 || len(l.PartsWithLEDs()) != 10 {
		t.Errorf("the default has %d LEDs in %d parts, want 35 in 10", l.MinStripLen(), len(l.PartsWithLEDs()))
	}
}

func TestSegmentsAsOwnersWriteThem(t *testing.T) {
	for text, want := range map[string]Segment{
		"0-3": {0, 1, 2, 3}, "10-8": {10, 9, 8}, "5": {5}, "3, 5-6 9": {3, 5, 6, 9}, "20-22,30": {20, 21, 22, 30},
		"": nil, "x": nil, "1-": nil, "-1": nil, "1-2-3": nil, "0-64": nil, "0-40 41-64": nil, "10000": nil, "1.5": nil,
		"99999999999999999999": nil,
	} {
		got, ok := ParseSegment(text)
		if !slices.Equal(got, want) || ok != (want != nil) {
			t.Errorf("%q is %v, %v", text, got, ok)
		}
		if again, _ := ParseSegment(got.String()); !slices.Equal(again, want) {
			t.Errorf("%v is written %q", want, got)
		}
	}
}

// Crimes go dark in the order of their turns, whatever their order on the strip.
func TestCrimesTakeTheirTurns(t *testing.T) {
	l := DefaultLayout(3)
	s, err := NewStage(l, l.MinStripLen(), &Opts{Calm: true, Staging: played})
	if err != nil {
		t.Fatal(err)
	}
	s.SetCue(house("ooo"), 0)
	s.SetCue(house("xxo").changedBy(func(c *Cue) { c.DarkOrder[0], c.DarkOrder[1] = 2, 1 }), time.Minute)
	px := s.Frame(time.Minute + played.FirstPlace + played.NextPlace/2)
	if first, second := px[l.Places[1][0]], px[l.Places[0][0]]; first.R < 100 || second.R > 50 {
		t.Errorf("after the first turn place 1 is %v, place 2 %v", second, first)
	}
}

func TestReversedSegment(t *testing.T) {
	l := Layout{Clock: Segment{3, 2, 1}}
	s, err := NewStage(l, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.SetCue(Cue{Clock: Clock{At: 1, Of: 3}}, 0)
	px := s.Frame(time.Minute)
	dark := devices.RGB{}
	if px[3] == dark || px[1] != dark || px[0] != dark || px[4] != dark {
		t.Errorf("round 1 of 3 on a reversed clock at LEDs 1 to 3: %v", px)
	}
	if cut := l.Clock.AppendPixels(nil, px); cut[0] != px[3] {
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
		_, err := NewStage(DefaultLayout(7), 35, &tc.o)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: %v, want %q", tc.o, err, tc.want)
		}
	}
}

// A clock that makes no sense is drawn in some way, but never stops the light.
func TestSenselessClocks(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	values := []int{math.MinInt, -1, 0, 1, 8, -(math.MinInt / 2), math.MaxInt - 1, math.MaxInt}
	for _, at := range values {
		for _, of := range values {
			for _, mark := range values {
				settledFrame(t, Cue{Clock: Clock{At: at, Of: of, Mark: mark, Open: at > mark}})
			}
		}
	}
}

// Every round of a game for 4 to 8 players looks different, on 8 LEDs.
func TestRoundsLookDifferent(t *testing.T) {
	for players := 4; players <= 8; players++ {
		seen := map[[8]devices.RGB]int{}
		for r := 0; r <= 2*players; r++ {
			px := settledFrame(t, Cue{Clock: Clock{At: r, Of: 2 * players, Mark: players + 1, Open: r > players}})
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
			shut := slices.Clone(settledFrame(t, Cue{Clock: c}))
			c.Open = true
			if open := settledFrame(t, Cue{Clock: c}); slices.Equal(open, shut) && lastLEDOfRound(r+1, c.Of, 8) < 7 {
				t.Errorf("%d players, round %d: open and shut look the same", players, r)
			}
		}
	}
}

// Every state of every part looks different from its neighbours without motion, and only what is in use is lit.
func TestCalmStatesLookDifferent(t *testing.T) {
	span := func(s Segment, c Cue) [3]devices.RGB { return [3]devices.RGB(s.AppendPixels(nil, settledFrame(t, c))) }
	l := DefaultLayout(7)
	seen := map[[3]devices.RGB]Lamp{}
	for _, lamp := range []Lamp{LampClosed, LampOpen, LampHere, LampCrime} {
		px := span(l.Places[0], Cue{Places: [MaxPlaces]Lamp{lamp}})
		if o, same := seen[px]; same {
			t.Errorf("lamp %d looks like %d", lamp, o)
		}
		seen[px] = lamp
	}
	for seat := range MaxSeats + 1 { // 0: no seat's colour
		px := span(l.Places[0], Cue{Places: [MaxPlaces]Lamp{LampReach}, Mover: seat})
		if o, same := seen[px]; same {
			t.Errorf("within reach of seat %d looks like lamp %d", seat, o)
		}
		seen[px] = LampReach
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
	if px := settledFrame(t, Cue{}); !slices.Equal(px, make([]devices.RGB, 35)) {
		t.Errorf("the zero cue is not dark: %v", px)
	}
}

// The accepted signal does not show whose card it was (rules, deposit protocol).
func TestAcceptedIsTheSameForAll(t *testing.T) {
	want := slices.Clone(settledFrame(t, Cue{Urn: Glow{State: GlowAccepted}}))
	for seat := 1; seat <= 8; seat++ {
		if got := settledFrame(t, Cue{Urn: Glow{GlowAccepted, seat}}); !slices.Equal(got, want) {
			t.Errorf("accepted from seat %d looks different", seat)
		}
	}
}

// The LEDs and the pages agree on the colours of the seats.
func TestSeatColoursAreThoseOfThePages(t *testing.T) {
	source, err := os.ReadFile("../../companion/web/app/src/deco/signs.ts")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`colour: '#([0-9a-f]{6})'`).FindAllSubmatch(source, -1)
	if len(found) < MaxSeats {
		t.Fatalf("the pages have %d colours", len(found))
	}
	for i, want := range seatColours {
		rgb, err := strconv.ParseUint(string(found[i][1]), 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		if got := fullColourFromHex(uint32(rgb)); got != want {
			t.Errorf("seat %d: the pages have %v, the LEDs %v", i+1, got, want)
		}
	}
}

// The last two seat colours keep as far away from all others as the first six
// keep from each other (distance in OKLab).
func TestSeatColoursAreDistinct(t *testing.T) {
	least := func(n int) float64 {
		d := math.Inf(1)
		for i := range n {
			for k := range i {
				d = min(d, distance(seatColours[i], seatColours[k]))
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

// ScreenColour undoes gamma and ceiling: the page shows the colours of the palette.
func TestAsSeen(t *testing.T) {
	px := settledFrame(t, Cue{Urn: Glow{GlowWaiting, 3}})[29]
	got := ScreenColour(px, nil)
	want := seatColours[2]
	for _, d := range []int{int(got.R) - int(want.r>>8), int(got.G) - int(want.g>>8), int(got.B) - int(want.b>>8)} {
		if d > 2 || d < -2 {
			t.Errorf("seat 3 is seen as %v, the palette has %v", got, want)
		}
	}
	if ScreenColour(devices.RGB{R: 255}, nil).R != 255 || ScreenColour(devices.RGB{}, nil) != (devices.RGB{}) {
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
	s, err := NewStage(DefaultLayout(7), 35, nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	if n := testing.AllocsPerRun(200, func() {
		s.SetCue(busy(), now)
		s.Frame(now)
		now += frameTime
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func BenchmarkFrame35(b *testing.B) {
	s, err := NewStage(DefaultLayout(7), 35, nil)
	if err != nil {
		b.Fatal(err)
	}
	s.SetCue(busy(), 0)
	b.ReportAllocs()
	now := time.Duration(0)
	for b.Loop() {
		s.Frame(now)
		now += frameTime
	}
}

// played has the times of a reveal.
var played = Staging{FirstPlace: 6 * time.Second, NextPlace: 5600 * time.Millisecond, FirstWhenOpen: 800 * time.Millisecond,
	Midnight: 9600 * time.Millisecond, Accusation: 5 * time.Second, RightVerdict: 12_600 * time.Millisecond, WrongVerdict: 7 * time.Second}

// After a restart the crimes of the running resolution are shown at once; only crimes that all have seen happen are staged.
func TestFirstCueIsNotStaged(t *testing.T) {
	l := DefaultLayout(7)
	s, err := NewStage(l, l.MinStripLen(), &Opts{Calm: true, Staging: played})
	if err != nil {
		t.Fatal(err)
	}
	c := house("oxooxoo").changedBy(func(c *Cue) { c.Mood = MoodReveal })
	s.SetCue(c, 0)
	if got, want := s.Frame(2*time.Second), settledFrame(t, c); !slices.Equal(got, want) {
		t.Errorf("after 2 s:\n%v\nwant %v", got, want)
	}
}

// A pause and the end look different from play, without motion.
func TestMoodsLookDifferent(t *testing.T) {
	seen := map[[3]devices.RGB]Mood{}
	for m := MoodOrdinary; m <= MoodPause; m++ {
		px := [3]devices.RGB(DefaultLayout(7).Places[0].AppendPixels(nil,
			settledFrame(t, house("ooooooo").changedBy(func(c *Cue) { c.Mood = m }))))
		if o, same := seen[px]; same {
			t.Errorf("mood %d looks like %d", m, o)
		}
		seen[px] = m
	}
}

// Until the envelope is opened, a right accusation and a wrong one are the same light.
func TestNoLightRevealsAVerdictEarly(t *testing.T) {
	before := house("ohoooooooo").changedBy(atHour(3)).changedBy(func(c *Cue) { c.Mover, c.Show = 2, Glow{State: GlowIdle} })
	// play goes on
	wrong := house("oroooooooo").changedBy(atHour(3)).
		changedBy(func(c *Cue) { c.Accusations, c.Mover, c.Show = 1, 3, Glow{GlowWaiting, 3} })
	right := house("oooooooooo").changedBy(atHour(3)).changedBy(solved).changedBy(func(c *Cue) { c.Show = Glow{State: GlowIdle} })
	for _, looks := range []bool{false, true} {
		before, told := before, played.WrongVerdict
		if looks {
			before.Mood, told = MoodReveal, played.WrongVerdict-played.Accusation
		}
		l, stages := cluedo(), [2]*Stage{}
		for i, after := range []Cue{right, wrong} {
			s, err := NewStage(l, l.MinStripLen(), &Opts{Staging: played})
			if err != nil {
				t.Fatal(err)
			}
			s.SetCue(before, 0)
			s.SetCue(after, time.Second)
			stages[i] = s
		}
		at := time.Second
		for ; at < time.Second+told; at += 100 * ms {
			if a, b := stages[0].Frame(at), stages[1].Frame(at); !slices.Equal(a, b) {
				t.Fatalf("looked: %v, at %v the lights know", looks, at)
			}
		}
		if at += time.Second; slices.Equal(stages[0].Frame(at), stages[1].Frame(at)) {
			t.Errorf("looked: %v, at %v no cue is given", looks, at)
		}
	}
}
