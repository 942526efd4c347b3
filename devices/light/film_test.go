package light

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordome/devices"
)

var update = flag.Bool("update", false, "rewrite the golden films")

const ms = time.Millisecond

// shot is a cue and when it is set.
type shot struct {
	at  time.Duration
	cue Cue
}

// film is a run of cues on the default table, sampled in even steps.
type film struct {
	name, about string
	opts        Opts
	shots       []shot
	first       time.Duration // first frame
	step        time.Duration
	end         time.Duration // last frame
	parts       string        // names of the parts to look at, "" all
	layout      func() Layout // nil: HuisClos
	fine        bool          // in hundredths of a step, as mixed frames are seen; otherwise in whole steps
}

// house is a cue whose places are given by one letter each: o open, h here, x crime, - closed, r within reach.
func house(places string) Cue {
	var c Cue
	for i, r := range places {
		c.Places[i] = map[rune]Lamp{'o': LampOpen, 'h': LampHere, 'x': LampCrime, '-': LampClosed, 'r': LampReach}[r]
	}
	return c
}

func (c Cue) changedBy(f func(*Cue)) Cue { f(&c); return c }

// solved is a right accusation by seat 2.
func solved(c *Cue) { c.Accusations, c.RightAccusation, c.Mood, c.Winners[1] = 1, true, MoodEnd, true }

func atRound5(c *Cue) { c.Clock = Clock{At: 5, Of: 8, Mark: 5, Open: true} }

// cluedo is the table of Cluedo 2008: nine rooms and the pool.
func cluedo() Layout { return DefaultLayout(10) }

// atHour sets the clock of a Cluedo with n Time cards on the track.
func atHour(n int) func(*Cue) {
	return func(c *Cue) {
		c.Clock = Clock{At: n, Of: 8}
		if n == 7 {
			c.Clock.Mark, c.Clock.Open = 8, true
		}
	}
}

func hourShots() (shots []shot) {
	for n := range 8 {
		shots = append(shots, shot{time.Duration(n) * 2 * time.Second, Cue{}.changedBy(atHour(n))})
	}
	return shots
}

func clockShots(players int) (shots []shot) {
	for r := range 2*players + 1 {
		shots = append(shots, shot{time.Duration(r) * 2 * time.Second, Cue{Clock: Clock{
			At: r, Of: 2 * players, Mark: players + 1, Open: r > players}}})
	}
	return shots
}

func urnShots(states ...Glow) (shots []shot) {
	for i, g := range states {
		shots = append(shots, shot{time.Duration(i) * 2 * time.Second, Cue{Urn: g}})
	}
	return shots
}

var films = []film{
	{name: "rooms", about: "open places; an investigator in place 2, then in place 4 while place 2 closes; nobody's end",
		shots: []shot{
			{0, house("ooooooo")},
			{1 * time.Second, house("ohooooo")},
			{3 * time.Second, house("o-ohooo")},
			{5 * time.Second, house("o-ooooo").changedBy(func(c *Cue) { c.Mood = MoodEnd })},
		}, step: 250 * ms, end: 6 * time.Second, parts: "place-1 place-2 place-4"},
	{name: "crime", about: "the urn is opened at 1 s: the house dims, places 2 and 5 go dark one after the other, then garnet; " +
		"the Confrontation waits for them",
		shots: []shot{
			{0, house("ooooooo").changedBy(atRound5)},
			{1 * time.Second, house("oxooxoo").changedBy(atRound5).changedBy(func(c *Cue) { c.Mood = MoodConfrontation })},
		}, step: 300 * ms, end: 19 * time.Second, parts: "place-1 place-2 place-5 clock"},
	{name: "crime-cut", about: "the next cue ends the staging: all places go dark at once; then one winner, as the urn is opened again",
		shots: []shot{
			{0, house("ooooooo")},
			{1 * time.Second, house("oxooxoo").changedBy(func(c *Cue) { c.Mood = MoodReveal })},
			{3 * time.Second, house("oxooxoo").changedBy(func(c *Cue) { c.Mood, c.Show = MoodReveal, Glow{GlowWaiting, 3} })},
			{6 * time.Second, house("o-oo-oo")},
			{7 * time.Second, house("ox-o-oo").changedBy(func(c *Cue) { c.Mood, c.Winners[3] = MoodEnd, true })},
		}, step: 300 * ms, end: 21 * time.Second, parts: "place-1 place-2 place-5"},
	{name: "crime-open", about: "the clues of the urn were named one by one: the place goes dark soon",
		shots: []shot{
			{0, house("ooooooo").changedBy(func(c *Cue) { c.UrnOpen = true })},
			{1 * time.Second, house("oxooooo").changedBy(func(c *Cue) { c.Mood, c.UrnOpen = MoodReveal, true })},
		}, step: 300 * ms, end: 5 * time.Second, parts: "place-1 place-2"},
	{name: "winners", about: "the end: seat 4; then seats 1 and 3 share the house; then nobody", opts: Opts{Calm: true},
		shots: []shot{
			{0, house("oo-oxoo").changedBy(func(c *Cue) { c.Mood, c.Winners[3] = MoodEnd, true })},
			{2 * time.Second, house("oo-oxoo").changedBy(func(c *Cue) { c.Mood, c.Winners[0], c.Winners[2] = MoodEnd, true, true })},
			{4 * time.Second, house("oo-oxoo").changedBy(func(c *Cue) { c.Mood = MoodEnd })},
		}, first: 1900 * ms, step: 2 * time.Second, end: 6 * time.Second},
	{name: "pause",
		about: "the cards are counted: only the middle of an open place is lit, and nothing on the clock is now; then play goes on",
		shots: []shot{
			{0, house("oh-oooo").changedBy(atRound5).changedBy(func(c *Cue) { c.Mood = MoodPause })},
			{2 * time.Second, house("oh-oooo").changedBy(atRound5)},
		}, step: 400 * ms, end: 4 * time.Second, parts: "clock place-1 place-2 place-3"},
	{name: "confrontation", about: "two are left: the open places move out of step",
		shots: []shot{{0, house("o-o--oo").changedBy(func(c *Cue) { c.Mood = MoodConfrontation })}},
		step:  500 * ms, end: 6 * time.Second},
	{name: "clock-4", about: "rounds 0 to 8 of 8, accusations from round 5", shots: clockShots(4),
		first: 1900 * ms, step: 2 * time.Second, end: 18 * time.Second, parts: "clock"},
	{name: "clock-6", about: "rounds 0 to 12 of 12, accusations from round 7", shots: clockShots(6),
		first: 1900 * ms, step: 2 * time.Second, end: 26 * time.Second, parts: "clock"},
	{name: "clock-8", about: "rounds 0 to 16 of 16, accusations from round 9", shots: clockShots(8),
		first: 1900 * ms, step: 2 * time.Second, end: 34 * time.Second, parts: "clock"},
	{name: "urn", about: "idle; waiting for seat 1; accepted; waiting for seat 2; again; waiting for seat 2; off",
		shots: urnShots(Glow{State: GlowIdle}, Glow{GlowWaiting, 1}, Glow{State: GlowAccepted}, Glow{GlowWaiting, 2},
			Glow{GlowAgain, 2}, Glow{GlowWaiting, 2}, Glow{}),
		step: 200 * ms, end: 13 * time.Second, parts: "urn"},
	{name: "signal",
		about: "accepted, though it comes early and the next seat is asked at once, is seen to its end; the show reader is untouched",
		shots: []shot{
			{0, Cue{Urn: Glow{State: GlowIdle}, Show: Glow{State: GlowIdle}}},
			{800 * ms, Cue{Urn: Glow{GlowWaiting, 1}, Show: Glow{State: GlowIdle}}},
			{1000 * ms, Cue{Urn: Glow{GlowAccepted, 1}, Show: Glow{State: GlowIdle}}},
			{1010 * ms, Cue{Urn: Glow{GlowWaiting, 2}, Show: Glow{State: GlowIdle}}},
			{1020 * ms, Cue{Urn: Glow{GlowWaiting, 3}, Show: Glow{State: GlowIdle}}},
		}, step: 100 * ms, end: 3000 * ms, parts: "urn show"},
	{name: "seats", about: "waiting for seats 1 to 8, then for anybody", opts: Opts{Calm: true},
		shots: urnShots(Glow{GlowWaiting, 1}, Glow{GlowWaiting, 2}, Glow{GlowWaiting, 3}, Glow{GlowWaiting, 4},
			Glow{GlowWaiting, 5}, Glow{GlowWaiting, 6}, Glow{GlowWaiting, 7}, Glow{GlowWaiting, 8}, Glow{GlowWaiting, 0}),
		first: 1900 * ms, step: 2 * time.Second, end: 18 * time.Second, parts: "urn"},
	{name: "fade", about: "from one cue to another, frame by frame",
		shots: []shot{
			{0, house("ooooooo").changedBy(func(c *Cue) { c.Clock = Clock{At: 4, Of: 8, Mark: 5} })},
			{2 * time.Second, house("hoooooo").changedBy(func(c *Cue) { c.Clock = Clock{At: 5, Of: 8, Mark: 5, Open: true} })},
		}, first: 2 * time.Second, step: 60 * ms, end: 3300 * ms, parts: "clock place-1"},
	{name: "cluedo", layout: cluedo,
		about: "the points of seat 3 lead to rooms 2 and 9; its hypothesis in room 9, where seat 4 is asked; the third Time card",
		shots: []shot{
			{0, house("orooooooro").changedBy(atHour(2)).changedBy(func(c *Cue) { c.Mover = 3 })},
			{2 * time.Second, house("oooooooooh").changedBy(atHour(2)).changedBy(func(c *Cue) { c.Show = Glow{GlowWaiting, 4} })},
			{4 * time.Second, house("oooooooooo").changedBy(atHour(3)).changedBy(func(c *Cue) { c.Urn = Glow{GlowAccepted, 3} })},
		}, step: 400 * ms, end: 6 * time.Second, parts: "clock place-1 place-2 place-9 place-10 urn show"},
	{name: "hours", layout: cluedo, about: "Time cards 0 to 7: so many LEDs are lit, and at seven the eighth is oxblood",
		opts: Opts{Calm: true}, shots: hourShots(), first: 1900 * ms, step: 2 * time.Second, end: 16 * time.Second, parts: "clock"},
	{name: "midnight", layout: cluedo, about: "the eighth Time card at 1 s: the house dims and the clock strikes eight, whatever the " +
		"readers do; then seven again, and at 14 s the next one ends the game",
		shots: []shot{
			{0, house("ohoooooooo").changedBy(atHour(7)).changedBy(func(c *Cue) { c.Urn = Glow{GlowWaiting, 2} })},
			{1 * time.Second,
				house("oooooooooo").changedBy(atHour(7)).changedBy(func(c *Cue) { c.HourDeaths, c.Urn = 1, Glow{GlowAccepted, 2} })},
			{2200 * ms,
				house("oooooooooo").changedBy(atHour(7)).changedBy(func(c *Cue) { c.HourDeaths, c.Urn = 1, Glow{State: GlowIdle} })},
			{14 * time.Second, house("oooooooooo").changedBy(atHour(7)).changedBy(func(c *Cue) { c.HourDeaths, c.Mood = 2, MoodEnd })},
		}, step: 400 * ms, end: 26 * time.Second, parts: "clock place-1 place-2 urn"},
	{name: "midnight-cut", layout: cluedo, about: "the next turn ends midnight: its first room within reach is lit at once",
		shots: []shot{
			{0, house("oooooooooo").changedBy(atHour(7))},
			{1 * time.Second, house("oooooooooo").changedBy(atHour(7)).changedBy(func(c *Cue) { c.HourDeaths = 1 })},
			{4 * time.Second, house("oroooooooo").changedBy(atHour(7)).changedBy(func(c *Cue) { c.HourDeaths, c.Mover = 1, 1 })},
		}, step: 400 * ms, end: 6 * time.Second, parts: "clock place-1 place-2"},
	{name: "verdict-wrong", layout: cluedo,
		about: "an accusation at 1 s: the house dims, whatever the readers do, until it is told at 8 s that it was wrong",
		shots: []shot{
			{0, house("ohoooooooo").changedBy(atHour(3)).changedBy(func(c *Cue) { c.Mover = 2 })},
			{1 * time.Second, house("oooooooooo").changedBy(atHour(3)).changedBy(func(c *Cue) { c.Accusations = 1 })},
			{2200 * ms,
				house("oooooooooo").changedBy(atHour(3)).changedBy(func(c *Cue) { c.Accusations, c.Urn = 1, Glow{State: GlowIdle} })},
		}, step: 400 * ms, end: 12 * time.Second, parts: "clock place-1 place-2"},
	{name: "verdict-right", layout: cluedo,
		about: "an accusation at 1 s: to 8 s as if it were wrong; at 13.6 s the house is lit in the colour of seat 2",
		shots: []shot{
			{0, house("ohoooooooo").changedBy(atHour(3)).changedBy(func(c *Cue) { c.Mover = 2 })},
			{1 * time.Second, house("oooooooooo").changedBy(atHour(3)).changedBy(solved)},
			{2200 * ms,
				house("oooooooooo").changedBy(atHour(3)).changedBy(solved).changedBy(func(c *Cue) { c.Urn = Glow{State: GlowIdle} })},
		}, step: 400 * ms, end: 17 * time.Second, parts: "clock place-1 place-2"},
	{name: "verdict-looked", layout: cluedo,
		about: "the house is dim while the accuser of seat 2 looks; 7.6 s after that it is lit in the colour of the seat",
		shots: []shot{
			{0, house("ohoooooooo").changedBy(atHour(3)).changedBy(func(c *Cue) { c.Mood = MoodReveal })},
			{1 * time.Second, house("oooooooooo").changedBy(atHour(3)).changedBy(solved)},
		}, step: 400 * ms, end: 12 * time.Second, parts: "clock place-1 place-2"},
	{name: "verdict-cut", layout: cluedo, about: "the host ends the scene at 3 s: the house is lit for the winner at once",
		shots: []shot{
			{0, house("oooooooooo").changedBy(atHour(3))},
			{1 * time.Second, house("oooooooooo").changedBy(atHour(3)).changedBy(solved)},
			{3 * time.Second, house("oooooooooo").changedBy(atHour(3)).changedBy(solved).changedBy(func(c *Cue) { c.EndStaging = true })},
		}, step: 400 * ms, end: 6 * time.Second, parts: "clock place-1 place-2"},
	{name: "dim", about: "at 10 % of the brightness each colour keeps its hue: open, here, a crime, the clock",
		opts: Opts{Calm: true, Ceiling: 25}, fine: true,
		shots: []shot{{0, house("ohx-ooo").changedBy(atRound5)}}, first: 8 * time.Second, step: time.Second, end: 8 * time.Second,
		parts: "clock place-1 place-2 place-3"},
	{name: "dim-whole", about: "the same on a strip that shows few frames: in whole steps brass has green in it, a crime has none",
		opts:  Opts{Calm: true, Ceiling: 25},
		shots: []shot{{0, house("ohx-ooo").changedBy(atRound5)}}, first: 8 * time.Second, step: time.Second, end: 8 * time.Second,
		parts: "clock place-1 place-2 place-3"},
	{name: "breath", about: "the breath of the Confrontation in one place, each tenth of a second", fine: true,
		shots: []shot{{0, house("ooooooo").changedBy(func(c *Cue) { c.Mood = MoodConfrontation })}},
		first: 5 * time.Second, step: 100 * ms, end: 7500 * ms, parts: "place-1"},
	{name: "calm", about: "without motion each state stands still and can be told from the others", opts: Opts{Calm: true},
		shots: []shot{
			{0, house("ohx-ooo").changedBy(func(c *Cue) { c.Urn, c.Show = Glow{GlowWaiting, 3}, Glow{GlowAgain, 3} })},
			{2 * time.Second,
				house("ohx-ooo").changedBy(func(c *Cue) { c.Urn, c.Show = Glow{State: GlowAccepted}, Glow{State: GlowIdle} })},
		}, step: 200 * ms, end: 4 * time.Second},
}

// shoot renders a film: one line for each part whose light changed since the
// frame before.
func (f *film) shoot(t *testing.T) string {
	t.Helper()
	l := DefaultLayout(7)
	if f.layout != nil {
		l = f.layout()
	}
	f.opts.Staging = played
	s, err := NewStage(l, l.MinStripLen(), &f.opts)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	sent := "as sent in whole steps"
	if f.fine {
		sent = "red:green:blue in steps, as mixed frames are seen"
	}
	fmt.Fprintf(&b, "# %s\n# seconds, part, its LEDs %s; only what changed\n", f.about, sent)
	shots, last := f.shots, map[string]string{}
	for now := f.first; now <= f.end; now += f.step {
		for len(shots) > 0 && shots[0].at <= now {
			s.SetCue(shots[0].cue, shots[0].at)
			shots = shots[1:]
		}
		px := s.Frame(now)
		for _, p := range l.PartsWithLEDs() {
			line := ""
			for i, c := range p.AppendPixels(nil, px) {
				if w := s.out.linear16[3*p.Segment[i]:]; f.fine {
					line += fmt.Sprintf(" %.2f:%.2f:%.2f", steps(w[0]), steps(w[1]), steps(w[2]))
				} else {
					line += fmt.Sprintf(" #%02x%02x%02x", c.R, c.G, c.B)
				}
			}
			wanted := f.parts == "" || strings.Contains(" "+f.parts+" ", " "+p.Name+" ")
			if wanted && last[p.Name] != line {
				fmt.Fprintf(&b, "%6.3f %-7s%s\n", now.Seconds(), p.Name, line)
				last[p.Name] = line
			}
		}
	}
	return b.String()
}

// steps converts 16-bit light into steps of an LED.
func steps(v uint16) float64 { return float64(v) / step }

// The films are the approved look of the light. -update rewrites them; the commit has to give the reason.
func TestFilms(t *testing.T) {
	for _, f := range films {
		t.Run(f.name, func(t *testing.T) {
			got := f.shoot(t)
			path := filepath.Join("testdata", f.name+".film")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got == string(want) {
				return
			}
			g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range max(len(g), len(w)) {
				if i >= len(g) || i >= len(w) || g[i] != w[i] {
					t.Fatalf("%s, line %d:\n got %s\nwant %s", path, i+1, lineOrNothing(g, i), lineOrNothing(w, i))
				}
			}
		})
	}
}

func lineOrNothing(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// settledFrame renders cue as it looks once everything has settled, without motion.
func settledFrame(t *testing.T, c Cue) []devices.RGB {
	t.Helper()
	l := DefaultLayout(7)
	s, err := NewStage(l, l.MinStripLen(), &Opts{Calm: true, Staging: played})
	if err != nil {
		t.Fatal(err)
	}
	s.SetCue(c, 0)
	return s.Frame(time.Minute)
}
