package doctor

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"majordome/devices"
	"majordome/devices/meter"
	"majordome/devices/presence"
	"majordome/engine"
)

// WatchPeriod is from one snapshot to the next while somebody looks for the place of a coil: a card that is read each time fills the bar.
const WatchPeriod = 10 * time.Millisecond

// redraw is how often the bars are drawn anew.
const redraw = 250 * time.Millisecond

// Watched is a reader that is looked at.
type Watched struct {
	Name    engine.Text
	Scanner devices.Scanner
	Asked   bool // each snapshot asks the field anew: there is something to measure
}

// Screen is where what happens is told line by line, with bars that are drawn anew beneath if it is a terminal. Its methods are safe
// for concurrent use.
type Screen struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	bars     []string
	drawn    int // lines of bars on the terminal
}

// NewScreen makes a screen that is empty.
func NewScreen(w io.Writer, terminal bool) *Screen { return &Screen{w: w, terminal: terminal} }

// Say writes a line in both languages.
func (s *Screen) Say(t engine.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
	fmt.Fprintf(s.w, "%s · %s\n", t.FR, t.EN)
	s.paint()
}

// Bars draws bars in the place of those of before.
func (s *Screen) Bars(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
	s.bars = lines
	s.paint()
}

func (s *Screen) wipe() {
	if s.drawn > 0 {
		fmt.Fprintf(s.w, "\x1b[%dA\x1b[J", s.drawn) // up, and all below is erased (ECMA-48)
		s.drawn = 0
	}
}

func (s *Screen) paint() {
	if !s.terminal {
		return
	}
	for _, b := range s.bars {
		fmt.Fprintln(s.w, b)
	}
	s.drawn = len(s.bars)
}

// happened are the events of a reader; %[1]s is the number of the card.
var happened = map[presence.Kind]engine.Text{
	presence.Arrived:    {FR: "la carte %[1]s est là", EN: "card %[1]s is there"},
	presence.Left:       {FR: "la carte %[1]s est partie", EN: "card %[1]s has left"},
	presence.Stray:      {FR: "%[1]s n’est pas une carte : un téléphone, une carte bancaire ? Éloignez-le ; ce qui est à côté compte", EN: "%[1]s is no card: a phone, a bank card? Take it away; what lies beside it counts"},
	presence.NoiseBegan: {FR: "quelque chose d’illisible", EN: "something unreadable"},
	presence.ReaderLost: {FR: "ne répond pas", EN: "does not answer"},
	presence.ReaderBack: {FR: "répond de nouveau", EN: "answers again"},
}

// Watch tells what happens at readers until ctx ends, with a bar for each.
func Watch(ctx context.Context, s *Screen, readers []Watched) {
	var all sync.WaitGroup
	meters := make([]*meter.Meter, len(readers))
	for i, r := range readers {
		meters[i] = meter.New(r.Scanner, nil)
		all.Go(func() {
			// Its only error is one of its options.
			_ = presence.Watch(ctx, meters[i], &presence.WatchOpts{Period: WatchPeriod, Fold: presence.Opts{Strays: true}}, func(e presence.Event) {
				if t, told := happened[e.Kind]; told {
					s.Say(engine.T(r.Name.FR+" : "+filled(t.FR, e), r.Name.EN+": "+filled(t.EN, e)))
				}
			})
		})
	}
	lines := make([]lineWatch, len(readers))
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
			bars := make([]string, len(readers))
			for i, r := range readers {
				bars[i] = Bar(r, meters[i].Gauge())
				lines[i].show(s, r)
			}
			s.Bars(bars)
		}
	}
	all.Wait()
}

func filled(text string, e presence.Event) string {
	return strings.ReplaceAll(text, "%[1]s", e.Tag.UID.String())
}

// full is the length of a bar.
const full = 25

// Bar is one line: how often a card is read, what share is garbled, and which cards they are.
func Bar(r Watched, g meter.Gauge) string {
	if g.Lost {
		return fmt.Sprintf("%-24s —", clip(r.Name.FR))
	}
	if !r.Asked {
		return fmt.Sprintf("%-24s %s", clip(r.Name.FR), listed(g.Tags))
	}
	most := float64(time.Second / WatchPeriod)
	n := min(full, int(math.Round(full*g.Reads/most)))
	return fmt.Sprintf("%-24s %s%s %3.0f/s  %3.0f %% ✗  %s", clip(r.Name.FR), strings.Repeat("█", n), strings.Repeat("░", full-n), g.Reads, 100*g.Garbled, listed(g.Tags))
}

// clip cuts a name to its end, which differs most, so that the bars stand below each other.
func clip(s string) string {
	if r := []rune(s); len(r) > 24 {
		return "…" + string(r[len(r)-23:])
	}
	return s
}
